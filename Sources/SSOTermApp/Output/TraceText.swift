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
    if let note = trace.notes[index] {
      lines.append(String(repeating: " ", count: width + 2) + ink.draw("; " + note, .strong))
    }
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
  let margin = String(repeating: " ", count: width + 2)
  let parties = "\(hop.from.label) -> \(hop.to.label)"
  let words = [parties, hop.action, hop.result, hop.actor.isEmpty ? "" : "(\(hop.actor))"]
  var lines = [
    pad + ink.draw(digits, .strong) + "  " + ink.draw(words.filter { !$0.isEmpty }.joined(separator: "  "))
  ]
  for field in hop.sent {
    lines.append(margin + "  " + ink.draw(field.name + " = ", .faint) + ink.draw(field.value))
  }
  return lines + hop.checks.map { margin + checkLine($0, ink) }
}

/// Returns a check in one line: its verdict, its subject, and the source of the rule.
package func checkLine(_ check: Check, _ ink: TextInk) -> String {
  ink.draw(verdictText(check)) + " " + ink.draw(check.displayText)
    + ink.draw("  \(check.source)", .faint)
}

private func outcomeLines(_ outcome: Outcome, _ ink: TextInk) -> [String] {
  let isGood = outcome.verdict == .succeeded
  var lines = [ink.draw(isGood ? "✓ " : "✗ ", isGood ? .good : .bad) + ink.draw(outcome.summary, .strong)]
  if let text = outcome.errorText { lines.append("  " + ink.draw(text)) }
  if let next = outcome.next { lines.append("  " + ink.draw("next: " + next.commandLine)) }
  return lines
}
