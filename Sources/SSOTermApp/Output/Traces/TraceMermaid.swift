/// Returns a trace as a Mermaid sequence diagram.
///
/// Its contents are already masked.
func mermaid(_ trace: Trace) -> String {
  let parties = Party.allCases.filter { party in
    trace.hops.contains { $0.from == party || $0.to == party }
  }
  let undone = trace.summary.isUndone ? " (undone)" : ""
  var lines = ["sequenceDiagram", "  title \(mermaidWord(trace.summary.title))\(undone)"]
  lines += parties.map { "  participant \($0.rawValue) as \($0.label)" }
  for (index, hop) in trace.hops.enumerated() {
    let result = hop.result.isEmpty ? "" : " = \(hop.result)"
    lines.append("  \(hop.from.rawValue)->>\(hop.to.rawValue): \(mermaidWord(hop.action + result))")
    for check in hop.checks where check.verdict == .failed {
      let words = "✗ \(check.name): expected \(check.expected), found \(check.found)"
      lines.append("  Note over \(hop.to.rawValue): \(mermaidWord(words))")
    }
    if let note = trace.notes[index] {
      lines.append("  Note over \(hop.from.rawValue): \(mermaidWord(note))")
    }
  }
  return lines.joined(separator: "\n")
}

/// Returns text that Mermaid accepts: its special characters become entities, and control characters are spelt out.
private func mermaidWord(_ text: String) -> String {
  safe(text).map { character in
    switch character {
    case "#": "#35;"
    case ";": "#59;"
    case "<": "#60;"
    case ">": "#62;"
    case "%": "#37;"
    default: String(character)
    }
  }
  .joined()
}
