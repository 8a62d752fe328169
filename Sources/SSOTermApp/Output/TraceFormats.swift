import Essentials
import SSOCore
import SSOLab
import SafeText
import TerminalUI

/// The requests of a trace as a recording in HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/), as browsers
/// write it.
///
/// Its contents are already masked, and a trace does not contain response bodies. `ssoterm read` accepts it, as other
/// readers of recordings do.
struct TraceHAR {
  let trace: Trace

  var text: String {
    let document: JSONValue = [
      "log": [
        "version": "1.2", "creator": ["name": "SSOTerm", "version": "1"],
        "comment": .string(trace.summary.title + (trace.summary.isUndone ? " (undone)" : "")), "pages": [],
        "entries": .array(entries),
      ]
    ]
    return document.text(.document)
  }

  /// The origin that the provider reports, or else the public cloud's host.
  private var origin: String {
    let endpoint = trace.hops.lazy.flatMap(\.sent).first { $0.name == "authorization_endpoint" }?.value
    return endpoint.flatMap { URLParts($0)?.origin } ?? "https://" + PublicCloud.preferredNetwork
  }

  /// Whether there is no request, because the call was answered from the cache or rejected before it reached the
  /// provider.
  var isEmpty: Bool { entries.isEmpty }

  private var entries: [JSONValue] {
    let origin = origin
    return trace.hops.enumerated().compactMap { number, hop in entry(hop, number + 1, origin) }
  }

  /// Returns the entry for a step, or `nil` if the step is not a request, such as a user's answer.
  private func entry(_ hop: Hop, _ number: Int, _ origin: String) -> JSONValue? {
    let words = hop.action.split(separator: " ", maxSplits: 1)
    guard hop.to == .provider, hop.from != .person, words.count == 2, words[1].hasPrefix("/"),
      words[0].utf8.allSatisfy({ (65...90).contains($0) })
    else { return nil }
    // A step from a recording contains the host of its request.
    let recorded = hop.sent.first { $0.name.hasPrefix("entry ") }
    let sent = hop.sent.filter { $0 != recorded }
    let headers = sent.filter { $0.name.hasPrefix(Hop.headerMark) }
    let request = request(
      String(words[0]), (recorded?.value ?? origin) + String(words[1]),
      sent.filter { !headers.contains($0) },
      headers: headers.map { NameValue(String($0.name.dropFirst(Hop.headerMark.count)), $0.value) })
    let failed = hop.checks.firstFailure.map { "; ✗ \($0.reason)" } ?? ""
    return [
      "startedDateTime": .string(trace.summary.at.iso8601), "time": .integer(0), "request": request,
      "response": response(hop.result), "cache": [:],
      "timings": ["send": .integer(0), "wait": .integer(0), "receive": .integer(0)],
      "comment": .string("step \(number): \(hop.result)\(failed)"),
    ]
  }

  private func request(
    _ method: String, _ url: String, _ fields: [NameValue], headers: [NameValue]
  ) -> JSONValue {
    func list(_ pairs: [NameValue]) -> JSONValue {
      .array(pairs.map { ["name": .string($0.name), "value": .string($0.value)] })
    }
    let isForm = method == "POST"
    let pairs = list(fields)
    let encoded = FormEncoding.encode(fields)
    let request: JSONValue = [
      "method": .string(method), "url": .string(isForm || fields.isEmpty ? url : url + "?" + encoded),
      "httpVersion": "HTTP/1.1", "cookies": [], "headers": list(headers), "queryString": isForm ? [] : pairs,
      "headersSize": .integer(-1), "bodySize": .integer(-1),
    ]
    guard isForm else { return request }
    return request.adding([
      "postData": [
        "mimeType": "application/x-www-form-urlencoded", "params": pairs, "text": .string(encoded),
      ]
    ])
  }

  private func response(_ result: String) -> JSONValue {
    let status = Int(result.prefix { $0.isNumber }) ?? 0
    return [
      "status": .integer(Int64(status)), "statusText": .string(result), "httpVersion": "HTTP/1.1",
      "cookies": [], "headers": [], "content": ["size": .integer(0), "mimeType": ""], "redirectURL": "",
      "headersSize": .integer(-1), "bodySize": .integer(-1),
    ]
  }
}

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

  /// The image as an element of an HTML page.
  var element: String { String(text.drop { $0 != "\n" }) }

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
    let isBad = flow.hasFailed(row)
    let (from, to) = (x(hop.from), x(hop.to))
    let style = isBad ? "arrow bad" : "arrow"
    let number = if case .step(let step) = row { "\(step + 1)" } else { "▸" }
    var lines = [
      label(number, x: 32, y: y, "quiet", anchor: "end"),
      label(flow.displayText(row), x: textX, y: y, isBad ? "bad" : trace.summary.isUndone ? "quiet" : ""),
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
      (text: "✗ \($0.displayText)", style: "bad")
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

/// Returns a trace as a Mermaid sequence diagram.
///
/// Its contents are already masked.
package func mermaid(_ trace: Trace) -> String {
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
      lines.append("  Note over \(hop.to.rawValue): \(Escaping.mermaid("✗ " + check.displayText))")
    }
    if let note = trace.notes[index] {
      lines.append("  Note over \(hop.from.rawValue): \(Escaping.mermaid(note))")
    }
  }
  return lines.joined(separator: "\n")
}

/// A terminal recording in version 2 of asciinema's format: a line of JSON with the size, followed by a line for each
/// output.
///
/// Source: https://docs.asciinema.org/manual/asciicast/v2/
struct Asciicast {
  private let output = TerminalOutput()
  private var shown: Grid?
  /// The playing time so far.
  private(set) var milliseconds = 0
  private(set) var text: String

  init(size: Size, title: String) {
    let head: JSONValue = [
      "version": .integer(2), "width": .count(size.width), "height": .count(size.height),
      "title": .string(safeText(title)),
      "env": ["TERM": .string("xterm-256color")],
    ]
    text = head.text(.wire) + "\n"
  }

  /// Adds a screen, and the time for which it is shown.
  mutating func show(_ grid: Grid, forMilliseconds duration: Int) {
    let change = output.text(of: grid, over: shown)
    if !change.isEmpty { write(change) }
    shown = grid
    milliseconds += duration
  }

  /// Ends the recording with an empty event.
  ///
  /// Without it, players would stop at once and not show the last screen for its time.
  mutating func end() { write("") }

  private mutating func write(_ output: String) {
    let fraction = String(milliseconds % 1000 + 1000).dropFirst()
    text += "[\(milliseconds / 1000).\(fraction), \"o\", \(JSONValue.string(output).text(.wire))]\n"
  }
}

/// A trace as a terminal recording, which plays it step by step.
struct TraceCast {
  private static let size = Size(width: 120, height: 36)

  let trace: Trace

  /// The asciicast.
  ///
  /// The same trace always gives the same text.
  var text: String {
    var model = AppModel(title: "trace \(trace.summary.id)", size: Self.size)
    model.stack = [.traces, .trace(trace.summary.id)]
    _ = update(&model, .loaded(.trace(trace)))
    var cast = Asciicast(size: Self.size, title: trace.summary.title)
    for row in 0..<max(1, model.screens.trace.list.count) {
      model.screens.trace.list.state.selection = row
      var grid = Grid(width: Self.size.width, height: Self.size.height)
      view(model, into: &grid)
      cast.show(grid, forMilliseconds: Playback().milliseconds)
    }
    cast.end()
    // The command that prints the text ends the last line.
    return String(cast.text.dropLast())
  }
}
