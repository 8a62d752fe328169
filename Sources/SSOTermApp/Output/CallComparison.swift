import SSOCore
import SSOLab
import TerminalUI

/// The comparison of two calls that were read from logs, as text and as JSON.
package struct CallComparison: ~Copyable {
  /// A call with the name of the file that it is from.
  package typealias Call = (file: String, trace: Trace)

  private let first: Call
  private let second: Call
  private let alignment: TraceAlignment

  package init(_ first: Call, _ second: Call) {
    (self.first, self.second) = (first, second)
    alignment = TraceAlignment(first.trace, second.trace)
  }

  /// Returns the calls to compare: in the second log, the first that failed or else the last; in the first log, the
  /// last that succeeded, of the same kind if possible.
  package static func pair(_ first: [Trace], _ second: [Trace]) -> (Trace, Trace)? {
    guard let bad = second.first(where: { $0.outcome?.verdict == .failed }) ?? second.last else { return nil }
    let good = first.filter { $0.outcome?.verdict == .succeeded }
    let alike = good.last { $0.summary.title == bad.summary.title }
    return (alike ?? good.last ?? first.last).map { ($0, bad) }
  }

  package var differenceCount: Int { alignment.differenceCount }

  package func text(_ ink: TextInk) -> String {
    var lines = [heading("<", first, ink), heading(">", second, ink), ""]
    for row in alignment.rows {
      switch row {
      case .same(let steps, _):
        let numbers = TraceAlignment.numbers(of: steps)
        let words =
          steps.count == 1 ? first.trace.hops[steps.lowerBound].line : "\(steps.count) steps are the same"
        lines.append(
          ink.paragraph(InkedText("=  \(numbers.padding(to: 6))", .faint), [InkedText(words, .faint)]))
      case .other(let left, let right):
        lines += [stepLines("<", left, first, ink), stepLines(">", right, second, ink)].joined()
      }
    }
    return (lines + ["", verdict(ink)]).joined(separator: "\n")
  }

  private func heading(_ sign: String, _ call: Call, _ ink: TextInk) -> String {
    let summary = call.trace.summary
    let tone: Tone = summary.verdict == "succeeded" ? .good : .bad
    return ink.paragraph(
      InkedText("\(sign)  ", .bad),
      [
        InkedText(call.file, .strong), InkedText("  \(summary.glyph)", tone),
        InkedText("\(summary.title): \(summary.summary)"),
      ])
  }

  /// Returns the lines of a step that only one call has or that differs, with the sign of its call, as in diff.
  private func stepLines(_ sign: String, _ step: Int?, _ call: Call, _ ink: TextInk) -> [String] {
    guard let step else { return [] }
    let hop = call.trace.hops[step]
    let checks = hop.checks.filter { $0.verdict == .failed }
    let label = InkedText("\(sign)  " + "\(step + 1)".padding(to: 6), .bad)
    return [ink.paragraph(label, [InkedText(hop.line, checks.isEmpty ? .plain : .bad)])]
      + checks.map { checkLine($0, ink, indent: 11) }
  }

  /// The names of the two files in a sentence: without their folders, unless both have the same name.
  private var names: (first: String, second: String) {
    func last(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
    let names = (last(first.file), last(second.file))
    return names.0 == names.1 ? (first.file, second.file) : names
  }

  private func verdict(_ ink: TextInk) -> String {
    guard let row = alignment.firstDifference, case .other(let left, let right) = alignment.rows[row] else {
      return ink.draw("The two calls have the same steps with the same results.", .good)
    }
    let other = left.map { first.trace.hops[$0] }
    let step = right.map { "step \($0 + 1)" } ?? left.map { "step \($0 + 1)" } ?? ""
    let hop = right.map { second.trace.hops[$0] }
    let words: String =
      switch (other, hop) {
      case (let one?, let two?):
        one.result == two.result
          ? "\(two.action): the checks differ"
          : "\(two.action): \(one.result.isEmpty ? "no result" : one.result) ≠ \(two.result.isEmpty ? "no result" : two.result)"
      case (let one?, nil): "only \(names.first) has \(one.action)"
      case (nil, let two?): "only \(names.second) has \(two.action)"
      case (nil, nil): ""
      }
    return ink.paragraph(InkedText("First difference  ", .faint), [InkedText("\(step), \(words).", .strong)])
  }

  package var json: JSONValue {
    [
      "first": call(first), "second": call(second), "differences": .count(differenceCount),
      "steps": .array(
        alignment.rows.map { row in
          switch row {
          case .same(let steps, let start):
            [
              "same": .bool(true), "first": step(steps.lowerBound, first), "second": step(start, second),
              "count": .count(steps.count),
            ]
          case .other(let left, let right):
            [
              "same": .bool(false), "first": step(left, first), "second": step(right, second),
              "count": .count(1),
            ]
          }
        }),
    ]
  }

  private func call(_ call: Call) -> JSONValue {
    ["file": .string(call.file), "call": call.trace.summary.json]
  }

  private func step(_ number: Int?, _ call: Call) -> JSONValue {
    guard let number else { return .null }
    let hop = call.trace.hops[number]
    return [
      "step": .count(number + 1), "action": .string(hop.action), "result": .string(hop.result),
      "checks": .array(hop.checks.map(\.json)),
    ]
  }
}

extension Hop {
  /// The step in one line: `MSAL -> Keychain: read access token = found`.
  fileprivate var line: String {
    "\(from.label) -> \(to.label): \(action)" + (result.isEmpty ? "" : " = \(result)")
  }
}
