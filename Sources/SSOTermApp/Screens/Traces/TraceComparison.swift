import SSOCore
import SSOLab
import TerminalUI

extension KeyContext { static let comparison = KeyContext("comparison") }

/// Two calls, aligned step by step: the runs of equal steps, and the steps that differ or that only one call has.
struct TraceAlignment: Equatable, Sendable {
  enum Row: Equatable, Sendable {
    /// Equal steps: their range in the first call, and the place where it starts in the second call.
    case same(Range<Int>, at: Int)
    /// Steps of the same kind with different results, or a step that the other call does not have.
    case other(Int?, Int?)
  }

  let first: Trace
  let second: Trace
  let rows: [Row]

  init(_ first: Trace, _ second: Trace) {
    self.first = first
    self.second = second
    var rows: [Row] = []
    for pair in aligned(first.hops.map(\.kind), second.hops.map(\.kind), by: ==) {
      guard case (let left?, let right?) = pair, first.hops[left].isLike(second.hops[right]) else {
        rows.append(.other(pair.0, pair.1))
        continue
      }
      if case .same(let steps, let start)? = rows.last, steps.upperBound == left {
        rows[rows.count - 1] = .same(steps.lowerBound..<left + 1, at: start)
      } else {
        rows.append(.same(left..<left + 1, at: right))
      }
    }
    self.rows = rows
  }

  /// The number of rows that differ.
  var differenceCount: Int {
    rows.count { if case .other = $0 { true } else { false } }
  }

  /// Returns the one-based numbers of equal steps, such as `3` or `3–7`.
  static func numbers(of steps: Range<Int>) -> String {
    steps.count == 1 ? "\(steps.lowerBound + 1)" : "\(steps.lowerBound + 1)–\(steps.upperBound)"
  }

  /// The row of the first difference, or `nil` if the calls are alike.
  var firstDifference: Int? {
    rows.firstIndex { if case .other = $0 { true } else { false } }
  }
}

extension Hop {
  /// The kind of the step, without the identifiers that are new in each call.
  fileprivate var kind: String { "\(from.rawValue)>\(to.rawValue) " + Self.withoutIDs(action) }

  private static func withoutIDs(_ text: String) -> String {
    text.split(separator: " ").map { word in
      word.utf8.count > 20 && word.contains(where: \.isNumber) && !word.contains("/") ? "…" : String(word)
    }.joined(separator: " ")
  }

  /// Whether the step of another call has the same result and checks with the same verdicts.
  fileprivate func isLike(_ other: Hop) -> Bool {
    Self.withoutIDs(result) == Self.withoutIDs(other.result) && checks.map(\.name) == other.checks.map(\.name)
      && checks.map(\.verdict) == other.checks.map(\.verdict)
  }
}

/// The comparison of two calls, in which the first difference is selected.
struct Comparison: ListDialog {
  let alignment: TraceAlignment
  /// The width of the widest step number, in columns.
  private let numberWidth: Int
  var list = RowList()

  /// Compares two calls; if only one of them succeeded, it is on the left.
  init(_ first: Trace, _ second: Trace) {
    let isBackwards = first.outcome?.verdict == .failed && second.outcome?.verdict == .succeeded
    alignment = isBackwards ? TraceAlignment(second, first) : TraceAlignment(first, second)
    numberWidth = alignment.rows.map(Self.numbers).map(\.count).max() ?? 0
    list.replace(ids: alignment.rows.indices.map { "\($0)" }, texts: alignment.rows.map { _ in "" })
    if let row = alignment.firstDifference { list.select(id: "\(row)") }
  }

  static let keys: [KeyContext: [KeyCommand]] = [
    .comparison: [
      KeyCommand(
        ComparisonAction.why, [.character("w")], "w", "why", name: "why the second",
        "Explains why the second call ended as it did."),
      KeyCommand(
        ComparisonAction.export, [.character("x")], "x", "export", name: "export comparison",
        "Writes the comparison to a new file in the working directory."),
      KeyCommand(
        ComparisonAction.copy, [.character("y")], "y", "copy", name: "copy comparison",
        "Copies the comparison."),
      .close([.escape, .enter, .character("q")], "close", name: "close", "Goes back to the screen."),
      .help,
    ]
  ]

  var context: KeyContext { .comparison }

  /// The comparison as `ssoterm read GOOD BAD` prints it.
  var text: String {
    func call(_ trace: Trace) -> CallComparison.Call { ("trace \(trace.summary.id)", trace) }
    return CallComparison(call(alignment.first), call(alignment.second)).text(TextInk()) + "\n"
  }

  func draw(in model: AppModel, into grid: inout Grid, _ layout: Layout) {
    let inner = grid.window(layout.body, "Compare", trailing: differences)
    let foot = layout.isSingle ? 2 : min(9, inner.height / 3)
    guard list.count > 0 else {
      return grid.emptyState(["Neither call has steps."], in: inner)
    }
    let (table, below) = inner.splitBottom(foot)
    drawTable(
      into: &grid, rect: table,
      columns: [
        TableColumn("", width: .fixed(2)),
        TableColumn(title(alignment.first, model), width: .flexible(min: 12, weight: 1)),
        TableColumn(title(alignment.second, model), width: .flexible(min: 12, weight: 1)),
      ], rowCount: list.count,
      row: { cells(alignment.rows[list.matches[$0]]) }, state: list.state, list: 0)
    grid.restyle(table.rows(0, 1)) { $0 = .bold }
    grid.lines(detail(width: min(longestLine, below.width - 2)), in: below)
  }

  private var differences: String {
    let count = alignment.differenceCount
    return count == 0 ? "no difference" : counted(count, "difference")
  }

  private func title(_ trace: Trace, _ model: AppModel) -> String {
    "\(trace.summary.glyph) \(model.times.minute(trace.summary.at)) \(trace.summary.displayText(model.lab))"
  }

  private func cells(_ row: TraceAlignment.Row) -> [TableCell] {
    switch row {
    case .same(let steps, _):
      let numbers = TraceAlignment.numbers(of: steps)
      let words =
        steps.count == 1 ? alignment.first.hops[steps.lowerBound].action : "\(steps.count) steps are the same"
      return [
        TableCell("=", .dim), TableCell(numbers.padding(to: numberWidth + 2) + words, .dim),
        TableCell("", .dim),
      ]
    case .other(let left, let right):
      return [
        TableCell("≠", .bad), cell(left, of: alignment.first), cell(right, of: alignment.second),
      ]
    }
  }

  /// Returns the number of a row's step; if the calls number it differently, the longer number.
  private static func numbers(_ row: TraceAlignment.Row) -> String {
    switch row {
    case .same(let steps, _): TraceAlignment.numbers(of: steps)
    case .other(let left, let right): "\(max(left ?? 0, right ?? 0) + 1)"
    }
  }

  private func cell(_ step: Int?, of trace: Trace) -> TableCell {
    guard let step else { return TableCell("-", .dim) }
    let hop = trace.hops[step]
    let number = "\(step + 1)".padding(to: numberWidth + 2)
    let text = "\(number)\(hop.mark)\(hop.action)\(hop.result.isEmpty ? "" : " = " + hop.result)"
    return TableCell(truncated(text, longestLine), hop.style)
  }

  /// Returns the reason that the second call failed, and the selected steps in full, with the values that differ.
  private func detail(width: Int) -> [PanelLine] {
    guard let row = list.selectedRow.map({ alignment.rows[$0] }) else { return [] }
    var lines = alignment.second.reason.map { fieldLines("Why", $0, width: width, style: .bad) } ?? []
    guard case .other(let left, let right) = row else {
      return lines
        + wrapped("These steps are the same in both calls.", width).map { PanelLine($0, .dim) }
    }
    for (step, trace, name) in [(left, alignment.first, "Left"), (right, alignment.second, "Right")] {
      guard let step else {
        lines += fieldLines(name, "has no such step", width: width, style: .dim)
        continue
      }
      let hop = trace.hops[step]
      let text =
        "\(hop.from.label) -> \(hop.to.label): \(hop.action)\(hop.result.isEmpty ? "" : " = " + hop.result)"
      lines += fieldLines(name, text, width: width)
      lines += checkLines(hop.checks.filter { $0.verdict == .failed }, width: width)
    }
    guard let left, let right else { return lines }
    return lines
      + alignment.first.hops[left].valuesThatDiffer(from: alignment.second.hops[right]).flatMap {
        fieldLines($0.name, $0.value, width: width, style: .accent)
      }
  }
}

extension Hop {
  /// Returns the names of the values that differ in another step, with both values.
  fileprivate func valuesThatDiffer(from other: Hop) -> [NameValue] {
    func values(_ hop: Hop, _ name: String) -> String {
      hop.sent.filter { $0.name == name }.map(\.value).joined(separator: ", ")
    }
    let names = (sent + other.sent).map(\.name).reduce(into: [String]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    return names.compactMap { name in
      let (one, two) = (values(self, name), values(other, name))
      return one == two
        ? nil : NameValue(name, "\(one.isEmpty ? "none" : one) ≠ \(two.isEmpty ? "none" : two)")
    }
  }
}

extension Trace {
  /// The reason that the call failed, from its last step with a failed check, or `nil` if no check failed.
  fileprivate var reason: String? {
    guard outcome?.verdict == .failed, let hop = hops.last(where: { $0.checks.firstFailure != nil }),
      let check = hop.checks.firstFailure
    else { return nil }
    let words = hop.result.isEmpty ? check.title : hop.result
    return words + (check.contrast.map { ": " + $0 } ?? "")
  }
}

enum ComparisonAction: FeatureAction {
  var keyGroup: KeyGroup { .explain }
  case why, export, copy

  func run(on model: inout AppModel) -> [Command] {
    guard let open = model.topDialog(Comparison.self) else { return [] }
    return switch self {
    case .why: [.load(.why(.trace(open.alignment.second.summary.id)))]
    case .export: [.writeComparison(open.text)]
    case .copy: [.copy(Copy(text: open.text, label: "comparison"))]
    }
  }
}
