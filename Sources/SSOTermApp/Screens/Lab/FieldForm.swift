import SSOLab
import TerminalUI

/// The fields of a record and its actions, in sections and in as many columns as fit without truncating a value.
///
/// In two columns, a value that does not fit beside its name has its own line.
struct FieldForm {
  /// A line of the form.
  private enum Line: Equatable {
    case heading(String)
    /// A row of the list, by its place.
    case row(Int)
    /// The value of a row, below its name.
    case value(Int)
  }

  private struct Column {
    var lines: ArraySlice<Line>
    /// The columns of the screen for the names, and for the entire form.
    var names = 0
    var width = 0
    /// Whether values that do not fit beside their names are below them, so that all names are complete.
    var isFolded = false
  }

  private let rows: [FieldRow]
  private let lines: [Line]
  private let columns: [Column]
  private let rect: Rect

  /// The distance between two columns.
  private static let gap = 3

  /// Creates a form for the rows that are shown.
  ///
  /// Without `sections`, as under a filter, there are no headings.
  init(_ rows: [FieldRow], of kind: RecordKind?, sections: Bool, in rect: Rect) {
    self.rows = rows
    self.rect = rect
    lines = Self.lines(rows, sections ? kind : nil)
    columns = Self.columns(lines, rows, in: rect)
  }

  /// Returns the rows with a heading where a section begins.
  private static func lines(_ rows: [FieldRow], _ kind: RecordKind?) -> [Line] {
    let headings = kind.map(headings) ?? [:]
    var lines: [Line] = []
    for (place, row) in rows.enumerated() {
      if case .field(let field) = row, let heading = headings[field.name] { lines.append(.heading(heading)) }
      lines.append(.row(place))
    }
    return lines
  }

  /// Distributes the sections over the fewest columns in which no line is below the fold, or else uses one column.
  private static func columns(_ lines: [Line], _ rows: [FieldRow], in rect: Rect) -> [Column] {
    let one = measured(Column(lines: lines[...]), rows)
    // In one column too, a value that does not fit beside its name is below it if there are enough lines.
    let folded = one.width > rect.width ? Self.folded(one, to: rect.width, rows) : nil
    let whole = [folded.flatMap { $0.lines.count <= rect.height ? $0 : nil } ?? one]
    let starts = lines.indices.filter { if case .heading = lines[$0] { $0 > 0 } else { false } }
    guard rect.width >= 90 || lines.count > rect.height, !starts.isEmpty else { return whole }
    // A later break puts more of the first sections into the first column.
    for start in starts.reversed() where start <= min(rect.height, lines.count * 3 / 5) {
      let pair = [lines[..<start], lines[start...]].map { measured(Column(lines: $0), rows) }
      let isWhole = pair.reduce(gap) { $0 + $1.width } <= rect.width && lines.count - start <= rect.height
      if isWhole { return pair }
      let room = rect.width - gap
      // One of the columns keeps its width, and the other gets the rest.
      for first in [room - pair[1].width, pair[0].width] where first > 0 && first < room {
        let folded = zip(pair, [first, room - first]).compactMap { Self.folded($0, to: $1, rows) }
        if folded.count == 2, folded.allSatisfy({ $0.lines.count <= rect.height }) { return folded }
      }
    }
    return whole
  }

  /// Returns a column of a limited width, in which values that do not fit beside their names are below them, or `nil`
  /// if a value does not fit there either.
  private static func folded(_ column: Column, to width: Int, _ rows: [FieldRow]) -> Column? {
    var folded = column
    folded.width = width
    folded.isFolded = true
    folded.lines = []
    for line in column.lines {
      folded.lines.append(line)
      guard case .row(let place) = line else { continue }
      switch rows[place] {
      case .action(let action): if self.width(of: action) > width { return nil }
      case .field(let field):
        let value = columnWidth(field.value ?? "-")
        if value <= width - column.names - 4 { continue }
        guard max(value + valueIndent, columnWidth(field.name) + 2) <= width else { return nil }
        folded.lines.append(.value(place))
      }
    }
    return folded
  }

  /// The columns that a long name leaves for a value and the space around it.
  private static let leastValue = 24

  /// The column of a value below its name.
  private static let valueIndent = 4

  /// Returns the columns in which one column shows each value of a record beside its name.
  static func width(of record: RecordRow) -> Int {
    let rows = record.fields.map { FieldRow.field($0) }
    return measured(Column(lines: ArraySlice(lines(rows, nil))), rows).width
  }

  private static func measured(_ column: Column, _ rows: [FieldRow]) -> Column {
    var column = column
    let fields = column.lines.compactMap { line -> RecordRow.Field? in
      if case .row(let place) = line, case .field(let field) = rows[place] { field } else { nil }
    }
    column.names = fields.map { columnWidth($0.name) }.max() ?? 0
    let values = fields.map { columnWidth($0.value ?? "-") }.max() ?? 0
    let actions = column.lines.compactMap { line in
      if case .row(let place) = line, case .action(let action) = rows[place] {
        width(of: action)
      } else {
        nil
      }
    }
    column.width = max(2 + column.names + 2 + values, actions.max() ?? 0)
    return column
  }

  /// Returns the columns of an action with its brackets.
  private static func width(of action: RecordAction) -> Int { columnWidth(action.displayText) + 6 }

  func draw(_ state: ListState, isFocused: Bool, list: Int, into grid: inout Grid) {
    guard columns.count > 1 || columns.contains(where: { $0.lines.count <= rect.height }) else {
      guard let column = columns.first else { return }
      // The list counts rows, and this column also has headings.
      let selected = lines.firstIndex(of: .row(state.selection)) ?? 0
      let visible = ListState(selection: selected, offset: state.offset)
        .visible(height: rect.height, count: lines.count)
      // The heading of the first row comes into view with it.
      let first = selected == 1 && visible.lowerBound == 1 ? 0 : visible.lowerBound
      let shown = lines[first..<min(lines.count, first + rect.height)]
      draw(shown, of: column, in: rect, state, isFocused, list, into: &grid)
      if first > 0 { grid.put("↑", at: rect.maxX, rect.y, width: 1, style: .dim) }
      if shown.endIndex < lines.count { grid.put("↓", at: rect.maxX, rect.maxY - 1, width: 1, style: .dim) }
      return
    }
    var rest = rect
    for (number, column) in columns.enumerated() {
      let isLast = number + 1 == columns.count
      let (own, other) = rest.splitLeft(column.width + (isLast ? 0 : Self.gap))
      draw(column.lines, of: column, in: isLast ? rest : own, state, isFocused, list, into: &grid)
      rest = other
    }
  }

  private func draw(
    _ lines: ArraySlice<Line>, of column: Column, in rect: Rect, _ state: ListState, _ isFocused: Bool,
    _ list: Int, into grid: inout Grid
  ) {
    let isWhole = column.isFolded || column.width <= rect.width
    let names = isWhole ? column.names : min(column.names, max(rect.width / 2, rect.width - Self.leastValue))
    for (y, line) in lines.enumerated() {
      let area = rect.rows(y, 1)
      switch line {
      case .heading(let text): grid.put(text, at: area.x + 1, area.y, width: area.width - 1, style: .bold)
      case .row(let place):
        let isFolded = lines.dropFirst(y + 1).first == .value(place)
        draw(rows[place], names: names, withValue: !isFolded, in: area, into: &grid)
        grid.add(Touch(.row(list: list, number: place), area))
        guard place == state.selection else { continue }
        grid.put(">", at: area.x, area.y, width: 1)
        guard isFocused else { continue }
        grid.restyle(area) { $0 = $0.inSelectedRow }
        grid.cursor = Point(x: area.x, y: area.y)
      case .value(let place):
        drawValue(of: rows[place], from: area.x + Self.valueIndent, in: area, into: &grid)
        grid.add(Touch(.row(list: list, number: place), area))
        if place == state.selection, isFocused { grid.restyle(area) { $0 = $0.inSelectedRow } }
      }
    }
  }

  private func draw(
    _ row: FieldRow, names: Int, withValue: Bool, in area: Rect, into grid: inout Grid
  ) {
    let x = area.x + 2
    switch row {
    case .action(let action):
      grid.put("[ \(action.displayText) ]", at: x, area.y, width: area.width - 2, style: .accent)
    case .field(let field):
      grid.put(
        field.name, at: x, area.y, width: withValue ? names : area.width - 2,
        style: field.canChange ? .plain : .dim)
      if withValue { drawValue(of: row, from: x + names + 2, in: area, into: &grid) }
    }
  }

  private func drawValue(of row: FieldRow, from x: Int, in area: Rect, into grid: inout Grid) {
    guard case .field(let field) = row else { return }
    let room = area.maxX - x
    grid.put(
      middleTruncated(field.value ?? "-", room), at: x, area.y, width: room,
      style: field.canChange && field.value != nil ? .plain : .dim)
  }

  /// Returns the headings of a kind's sections, by the first field of each.
  static func headings(_ kind: RecordKind) -> [String: String] {
    switch kind {
    case .app:
      [
        "bundleID": "The app", "clientID": "Sign-in", "keychainAccessGroups": "Keychain and URL schemes",
        "brokerUse": "Settings of the SDK",
      ]
    case .person: ["objectID": "The user", "password": "Sign-in"]
    case .registration:
      [
        "clientID": "The registration", "allowedScopes": "Scopes", "secrets": "Credentials",
        "identifierURIs": "API", "spaRedirectURIs": "Web",
      ]
    case .device, .tenant, .policy, .identity, .group, .role: [:]
    }
  }
}
