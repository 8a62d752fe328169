/// Returns the notes for the speaker of a demo: the step's note, the next step with its note, and the time.
///
/// `progress` is `nil` if no demo is running. Lines are wrapped at `width`.
package func notesText(_ progress: StoryProgress?, now: Instant, width: Int, _ ink: Ink) -> [String] {
  guard let progress else {
    return [
      ink.draw("No demo is running."),
      ink.draw("Start one in another terminal: ssoterm demo two-vendors", .faint),
    ]
  }
  let since = clockText(Instant(max(0, progress.startedAt.seconds(until: now))))
  let step = clockText(Instant(max(0, progress.stepAt.seconds(until: now))))
  func block(_ head: String, _ note: String) -> [String] {
    wrapped(head, width).map { ink.draw($0, .strong) } + wrapped(note, width).map { ink.draw($0) }
  }
  var lines = [ink.draw("\(progress.name)  \(since)  this step \(step)", .faint), ""]
  if progress.present == 0 {
    lines += block(progress.title, progress.note)
  } else {
    let shown = progress.steps[progress.present - 1]
    let result =
      switch shown.passed {
      case true?: "✓ as expected"
      case false?: "✗ not as expected"
      case nil: "… asks now"
      }
    lines += block("Step \(progress.present) of \(progress.steps.count): \(shown.title)", shown.note)
    lines.append(ink.draw(result, shown.passed == true ? .good : .warning))
  }
  guard let next = progress.next else { return lines + ["", ink.draw("That was the last step.", .faint)] }
  return lines + [""] + block("Next: \(next.title)", next.note)
}
