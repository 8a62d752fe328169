/// A trace as an SVG 1.1 image, with lanes, arrows, phases, failed checks, and notes.
///
/// It does not refer to a font file or any other resource, and adapts its colours to a light or a dark page. Its
/// contents are already masked.
struct TraceSVG {
  private let trace: Trace
  private let flow: Flow
  private static let (left, top, lane, line, words) = (56, 84, 104, 22, 860)

  init(_ trace: Trace) {
    self.trace = trace
    flow = Flow(trace.hops, kept: Set(trace.notes.keys))
  }

  var text: String {
    let width = Self.left + flow.parties.count * Self.lane + Self.words
    var lines: [String] = []
    var y = Self.top
    for (number, row) in flow.rows.enumerated() {
      if let phase = flow.phase(beginningAt: number) { lines.append(band(phase, y, width)) }
      lines += draw(row, y)
      y += Self.line
      for note in remarks(of: row) {
        lines.append(label(note.text, x: textX + 16, y: y, note.style))
        y += Self.line
      }
    }
    let undone = trace.summary.isUndone ? " (undone)" : ""
    let title = trace.summary.title + undone
    let outcome = trace.outcome.map { ($0.verdict == .succeeded ? "✓ " : "✗ ") + $0.summary } ?? ""
    return
      ([
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(y + 40)\" "
          + "viewBox=\"0 0 \(width) \(y + 40)\" role=\"img\">",
        "<title>\(Escaping.xml(title))</title>", Self.style,
        "<rect class=\"page\" width=\"\(width)\" height=\"\(y + 40)\"/>",
        label(title, x: 16, y: 24, "title"), label(trace.summary.at.iso8601, x: 16, y: 44, "quiet"),
      ] + lanes(to: y) + lines + [label(outcome, x: 16, y: y + 16, "title"), "</svg>"]).joined(
        separator: "\n")
  }

  private static let style = """
    <style>
    text { font: 13px ui-monospace, monospace; fill: #1f2328 }
    .page { fill: #fff } .title { font-weight: bold } .quiet { fill: #59636e } .bad { fill: #b3261e } .note { fill: #0b57d0 }
    line { stroke: #59636e; stroke-width: 1 } .lane { stroke: #c8ccd1 } .arrow { stroke-width: 1.5 }
    .arrow.bad { stroke: #b3261e } .band { stroke-dasharray: 2 4 }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 } .page { fill: #0d1117 } .quiet { fill: #9198a1 } .bad { fill: #ff9b8f } .note { fill: #8ab4f8 }
      line { stroke: #9198a1 } .lane { stroke: #3d444d } .arrow.bad { stroke: #ff9b8f }
    }
    </style>
    """

  private var textX: Int { Self.left + flow.parties.count * Self.lane }

  private func x(_ party: Party) -> Int {
    Self.left + (flow.parties.firstIndex(of: party) ?? 0) * Self.lane + 24
  }

  private func lanes(to bottom: Int) -> [String] {
    flow.parties.flatMap { party in
      [
        label(party.label, x: x(party), y: Self.top - 20, "title", anchor: "middle"),
        "<line class=\"lane\" x1=\"\(x(party))\" y1=\"\(Self.top - 12)\" x2=\"\(x(party))\" y2=\"\(bottom)\"/>",
      ]
    }
  }

  private func band(_ phase: Flow.Phase, _ y: Int, _ width: Int) -> String {
    "<line class=\"band\" x1=\"0\" y1=\"\(y - 13)\" x2=\"\(width)\" y2=\"\(y - 13)\"/>\n"
      + label(phase.rawValue, x: width - 12, y: y + 2, "quiet", anchor: "end")
  }

  private func draw(_ row: Flow.Row, _ y: Int) -> [String] {
    let hop = flow.hops[row.first]
    let isBad = hop.checks.firstFailure != nil
    let (from, to) = (x(hop.from), x(hop.to))
    let style = isBad ? "arrow bad" : "arrow"
    let number = if case .step(let step) = row { "\(step + 1)" } else { "▸" }
    var lines = [
      label(number, x: 32, y: y, "quiet", anchor: "end"),
      label(flow.words(row), x: textX, y: y, isBad ? "bad" : trace.summary.isUndone ? "quiet" : ""),
    ]
    if from == to {
      lines.append("<circle cx=\"\(from)\" cy=\"\(y - 4)\" r=\"4\" class=\"\(isBad ? "bad" : "quiet")\"/>")
    } else {
      let head = from < to ? to - 7 : to + 7
      lines += [
        "<line class=\"\(style)\" x1=\"\(from)\" y1=\"\(y - 4)\" x2=\"\(to)\" y2=\"\(y - 4)\"/>",
        "<path class=\"\(isBad ? "bad" : "quiet")\" d=\"M\(to) \(y - 4) L\(head) \(y - 8) L\(head) \(y) Z\"/>",
      ]
    }
    return lines
  }

  /// Returns the remarks below a step: the failed checks, and the user's note.
  private func remarks(of row: Flow.Row) -> [(text: String, style: String)] {
    guard case .step(let step) = row else { return [] }
    let failed = flow.hops[step].checks.filter { $0.verdict == .failed }.map {
      (text: "✗ \($0.name): expected \($0.expected), found \($0.found)", style: "bad")
    }
    return failed + (trace.notes[step].map { [(text: "; \($0)", style: "note")] } ?? [])
  }

  private func label(_ text: String, x: Int, y: Int, _ style: String, anchor: String = "start") -> String {
    // A longer label would extend beyond the image.
    let shown = text.count > 96 ? text.prefix(95) + "…" : text[...]
    return
      "<text x=\"\(x)\" y=\"\(y)\" class=\"\(style)\" text-anchor=\"\(anchor)\">\(Escaping.xml(String(shown)))</text>"
  }
}
