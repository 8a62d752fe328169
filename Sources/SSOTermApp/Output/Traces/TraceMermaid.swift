/// Returns a trace as a Mermaid sequence diagram.
///
/// Its contents are already masked.
func mermaid(_ trace: Trace) -> String {
  let parties = Party.allCases.filter { party in
    trace.hops.contains { $0.from == party || $0.to == party }
  }
  let undone = trace.summary.isUndone ? " (undone)" : ""
  var lines = ["sequenceDiagram", "  title \(Escaping.mermaid(trace.summary.title))\(undone)"]
  lines += parties.map { "  participant \($0.rawValue) as \($0.label)" }
  for (index, hop) in trace.hops.enumerated() {
    let result = hop.result.isEmpty ? "" : " = \(hop.result)"
    lines.append("  \(hop.from.rawValue)->>\(hop.to.rawValue): \(Escaping.mermaid(hop.action + result))")
    for check in hop.checks where check.verdict == .failed {
      let words = "✗ \(check.name): expected \(check.expected), found \(check.found)"
      lines.append("  Note over \(hop.to.rawValue): \(Escaping.mermaid(words))")
    }
    if let note = trace.notes[index] {
      lines.append("  Note over \(hop.from.rawValue): \(Escaping.mermaid(note))")
    }
  }
  return lines.joined(separator: "\n")
}
