import SSOCore

/// Returns a trace as text: numbered steps with the values sent, the checks, and the outcome.
package func traceText(_ trace: Trace, _ ink: TextInk) -> String {
  let summary = trace.summary
  var lines = [
    ink.draw("Trace \(summary.id)", .strong) + ink.draw("  \(summary.title)"),
    ink.draw(summary.timeAndID, .faint),
  ]
  let width = String(trace.hops.count).utf8.count
  for (index, hop) in trace.hops.enumerated() {
    lines += hopLines(hop, number: index + 1, width: width, ink)
    if let note = trace.notes[index] { lines.append(ink.sentence("; " + note, .strong, indent: width + 2)) }
  }
  if let outcome = trace.outcome { lines += outcomeLines(outcome, ink) }
  if summary.isUndone { lines.append(ink.draw("↶ undone: what it changed was taken back", .warning)) }
  return lines.joined(separator: "\n")
}

extension TraceSummary {
  /// The time and the correlation ID, both of which may be missing from a log.
  fileprivate var timeAndID: String {
    let time = at == Instant(0) ? "at an unknown time" : at.iso8601
    let by = author.map { "  by \($0.displayText)" } ?? ""
    return correlationID.isEmpty ? time + by : "\(time)\(by)  correlation ID \(correlationID)"
  }
}

private func hopLines(_ hop: Hop, number: Int, width: Int, _ ink: TextInk) -> [String] {
  let digits = String(number)
  let pad = String(repeating: " ", count: max(0, width - digits.utf8.count))
  let parties = "\(hop.from.label) -> \(hop.to.label)"
  let words = [parties, hop.action, hop.result, hop.actor.isEmpty ? "" : "(\(hop.actor))"]
  var lines = [
    ink.paragraph(
      InkedText(pad + digits + "  ", .strong),
      [InkedText(words.filter { !$0.isEmpty }.joined(separator: "  "))])
  ]
  let margin = String(repeating: " ", count: width + 4)
  for field in hop.sent {
    lines.append(
      ink.paragraph(InkedText(margin + field.name + " = ", .faint), [InkedText(field.value)]))
  }
  return lines + hop.checks.map { checkLine($0, ink, indent: width + 2) }
}

/// Returns a check as a paragraph: its verdict, its subject, the source of the rule, and a mark.
package func checkLine(_ check: Check, _ ink: TextInk, indent: Int = 0, mark: String = "") -> String {
  let verdict = verdictText(check)
  return ink.paragraph(
    InkedText(String(repeating: " ", count: indent) + verdict.text + " ", verdict.tone),
    [
      InkedText(check.displayText), InkedText("  \(check.source)", .faint),
      InkedText(mark.isEmpty ? "" : "  " + mark, .warning),
    ])
}

private func outcomeLines(_ outcome: Outcome, _ ink: TextInk) -> [String] {
  let isGood = outcome.verdict == .succeeded
  var lines = [
    ink.paragraph(
      InkedText(isGood ? "✓ " : "✗ ", isGood ? .good : .bad), [InkedText(outcome.summary, .strong)])
  ]
  if let text = outcome.errorText {
    lines += text.split(whereSeparator: \.isNewline).map {
      ink.sentence(String($0).replacing("\t", with: "  "), indent: 2)
    }
  }
  if let next = outcome.next { lines.append("  " + ink.draw("next: " + next.commandLine)) }
  return lines
}
