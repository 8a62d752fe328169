import SSOCore
import SSOLab
import TerminalUI

extension KeyContext { static let visibility = KeyContext("visibility") }

/// The matrix of what an app can use of another app's sign-in: the pairs of apps, and every condition of the selected
/// pair.
struct VisibilityMatrix: ListDialog {
  var cells: [Visibility]
  var list = RowList()

  init(_ cells: [Visibility], names: [String: String]) {
    self.cells = cells
    list.replace(
      ids: cells.map { $0.signedIn + " " + $0.looking },
      texts: cells.map { cell in
        [cell.signedIn, cell.looking].map { names[$0] ?? $0 }.joined(separator: " ") + " " + cell.displayText
      })
  }

  /// Opens the grid, or shows new cells in the open grid, with the same pair selected.
  static func show(_ cells: [Visibility], _ shared: inout SharedState) {
    var new = VisibilityMatrix(cells, names: shared.lab.appNames)
    guard let place = shared.dialogs.lastIndex(where: { $0.component is VisibilityMatrix }),
      let open = shared.dialogs[place].component as? VisibilityMatrix
    else { return shared.open(new) }
    if let id = open.selected { new.list.select(id: id.signedIn + " " + id.looking) }
    shared.dialogs[place] = Dialog(new)
  }

  var selected: Visibility? { list.selectedRow.map { cells[$0] } }

  static let keys: [KeyContext: [KeyCommand]] = [
    .visibility: [
      KeyCommand(
        VisibilityAction.why, [.enter, .character("w")], "Enter", "why", name: "why these",
        "Shows each condition for sharing a sign-in between the two apps."),
      KeyCommand(
        VisibilityAction.fix, [.character("f")], "f", "fix", name: "fix",
        "Opens the field that decides, with the value after which the app can use the sign-in."),
      .close(
        [.escape, .character("q"), .character("m")], "close", name: "close grid", "Goes back to the screen."
      ),
      .help,
    ]
  ]

  var context: KeyContext { .visibility }

  /// The rows for the frame, and for the conditions of a pair in a window of 80 columns.
  private static let detailRows = 20

  func draw(in model: AppModel, into grid: inout Grid, _ layout: Layout) {
    let names = model.lab.appNames
    let grids = AppGrid(self, names: names, width: layout.body.width - 2)
    let rows = grids?.rows ?? list.count + 1
    let area = layout.body.centred(
      width: layout.body.width,
      height: list.count == 0 ? 5 : min(layout.body.height, rows + Self.detailRows))
    let inner = grid.window(area, "Who can reuse whose sign-in", trailing: counted(list.count, "pair"))
    guard list.count > 0 else {
      return grid.emptyState(["This needs at least two apps on the device."], in: inner)
    }
    let room = inner.height - (layout.isSingle ? inner.height / 2 : min(10, inner.height / 2))
    let (table, foot) = inner.splitTop(min(rows, room))
    if let grids, rows <= room {
      grids.draw(self, into: &grid, table)
    } else {
      drawPairs(names, into: &grid, table)
    }
    guard let selected else { return }
    let width = foot.width - 2
    let (reader, owner) = (
      names[selected.looking] ?? selected.looking, names[selected.signedIn] ?? selected.signedIn
    )
    let verb = selected.extent == .nothing && !selected.isOnlyThroughBroker ? "cannot reuse" : "with"
    let head = wrapped(
      "\(reader) \(verb) \(owner)'s sign-in: \(selected.reason)", width, indent: "  ")
    // If there is little room, show the condition that decides.
    let failed = selected.checks.filter { $0.verdict == .failed }
    let checks = layout.isSingle && !failed.isEmpty ? failed : selected.checks
    grid.lines(
      [PanelLine("")] + head.map { PanelLine($0) }
        + (selected.isOnlyThroughBroker ? [PanelLine("Needed only without the broker", .dim)] : [])
        + checkLines(checks, width: width)
        + (layout.isSingle
          ? [] : wrapped(Visibility.assumption, width, indent: "").map { PanelLine($0, .dim) }),
      in: foot)
  }
}

extension VisibilityMatrix {
  /// Draws a line for each pair, if there are too many apps for a grid.
  private func drawPairs(_ names: [String: String], into grid: inout Grid, _ rect: Rect) {
    drawTable(
      into: &grid, rect: rect,
      columns: [
        // The ends of the names differ, such as the number of an app.
        TableColumn("SIGNED IN WITH", width: .flexible(min: 10, weight: 1), cut: .start),
        TableColumn("USED BY", width: .flexible(min: 10, weight: 1), cut: .start),
        TableColumn("ACCESS", width: .flexible(min: 8, wanted: 15, weight: 0)),
        TableColumn(
          "RESULT", width: .flexible(min: 12, weight: 2), priority: 1, name: "what can be reused, or why not"),
      ], rowCount: list.count,
      row: { index in
        let cell = cells[list.matches[index]]
        return [
          TableCell(names[cell.signedIn] ?? cell.signedIn), TableCell(names[cell.looking] ?? cell.looking),
          TableCell(cell.sign, cell.style),
          TableCell(cell.displayText, .dim),
        ]
      }, state: list.state, list: 0)
  }

  /// Moves by row and column in a grid, and by row in a list of pairs.
  mutating func move(_ key: KeyPress, in model: AppModel) -> Bool {
    let width = model.layout.body.width - 2
    guard let selected, let grid = AppGrid(self, names: model.lab.appNames, width: width),
      let row = grid.apps.firstIndex(of: selected.signedIn),
      let column = grid.apps.firstIndex(of: selected.looking)
    else { return list.move(key, height: max(1, model.size.height - 12)) }
    let step: (row: Int, column: Int)
    switch key {
    case .up, .character("k"): step = (-1, 0)
    case .down, .character("j"): step = (1, 0)
    case .left, .character("h"): step = (0, -1)
    case .right, .character("l"): step = (0, 1)
    default: return list.move(key, height: max(1, model.size.height - 12))
    }
    var (next, other) = (row + step.row, column + step.column)
    // Do not compare an app with itself.
    if next == other { (next, other) = (next + step.row, other + step.column) }
    guard grid.apps.indices.contains(next), grid.apps.indices.contains(other) else { return true }
    if let place = list.matches.firstIndex(where: {
      cells[$0].signedIn == grid.apps[next] && cells[$0].looking == grid.apps[other]
    }) {
      list.state.selection = place
    }
    return true
  }
}

extension Visibility {
  var style: Style {
    switch extent {
    case .all, .accessAndRefreshToken: .good
    case .refreshToken: .accent
    case .nothing: isOnlyThroughBroker ? .accent : .bad
    }
  }

  /// The result, or only the reason if nothing can be used.
  var reason: String {
    isOnlyThroughBroker ? "through the broker, no password" : checks.firstFailure?.reason ?? displayText
  }

  /// The glyph with its meaning, as in the legend of a grid.
  package var sign: String { "\(glyph) \(Self.legend.first { $0.glyph == glyph }?.text ?? displayText)" }

  /// The glyphs of a grid, and their meanings.
  static let legend = [
    (glyph: "✓", text: "silent"), (glyph: "◔", text: "only the RT"), (glyph: "⇄", text: "by the broker"),
    (glyph: "✗", text: "needs sign-in"),
  ]

  /// The glyph in a grid.
  var glyph: String {
    switch extent {
    case .all, .accessAndRefreshToken: "✓"
    case .refreshToken: "◔"
    case .nothing: isOnlyThroughBroker ? "⇄" : "✗"
    }
  }
}

/// The pairs as a grid: a row for each app with a sign-in, and a column for each app that uses it.
private struct AppGrid {
  /// The bundle IDs, in the order of the pairs.
  let apps: [String]
  private let names: [String]
  private let label: Int
  private let column: Int

  /// Two rows of titles, a row for each app, and a blank row.
  var rows: Int { apps.count + 3 }

  /// Creates a grid, or returns `nil` if it is wider than `width`.
  init?(_ matrix: VisibilityMatrix, names: [String: String], width: Int) {
    apps = matrix.cells.reduce(into: []) { if !$0.contains($1.signedIn) { $0.append($1.signedIn) } }
    self.names = apps.map { names[$0] ?? $0 }
    label = min(24, (self.names.map { columnWidth($0) }.max() ?? 0) + 2)
    let room = (width - label - 4) / max(1, apps.count)
    column = min(18, max(room, 0))
    guard apps.count > 1, apps.count <= 12, column >= 9, matrix.cells.count == apps.count * (apps.count - 1)
    else {
      return nil
    }
  }

  func draw(_ matrix: VisibilityMatrix, into grid: inout Grid, _ rect: Rect) {
    let x = rect.x + label + 3
    grid.put("SIGNED IN WITH", at: rect.x + 2, rect.y, width: label, style: .dim)
    grid.put("USED BY", at: x, rect.y, width: 8, style: .dim)
    let glyphs = Set(matrix.cells.map(\.glyph))
    grid.put(
      Visibility.legend.filter { glyphs.contains($0.glyph) || $0.glyph == "✓" }
        .map { "\($0.glyph) \($0.text)" }.joined(separator: "  "),
      at: x + 9, rect.y, width: rect.maxX - x - 10, style: .dim, align: .right)
    for (place, name) in names.enumerated() {
      // The ends of the names differ, such as the number of an app.
      grid.put(
        startTruncated(name, column - 2), at: x + place * column, rect.y + 1, width: column - 1, style: .dim)
      grid.put(name, at: rect.x + 2, rect.y + 2 + place, width: label)
      grid.put("─", at: x + place * column + 1, rect.y + 2 + place, width: 1, style: .dim)
    }
    for (place, number) in matrix.list.matches.enumerated() {
      let cell = matrix.cells[number]
      guard let row = apps.firstIndex(of: cell.signedIn), let reader = apps.firstIndex(of: cell.looking)
      else { continue }
      let area = Rect(x: x + reader * column, y: rect.y + 2 + row, width: 3, height: 1)
      let isSelected = place == matrix.list.state.selection
      grid.put(
        isSelected ? "[\(cell.glyph)]" : " \(cell.glyph) ", at: area.x, area.y, width: 3, style: cell.style)
      grid.add(Touch(.row(list: 0, number: place), area))
      guard isSelected else { continue }
      grid.restyle(area) { $0 = $0.inSelectedRow }
      grid.put(">", at: rect.x, area.y, width: 1)
      grid.cursor = Point(x: rect.x, y: area.y)
    }
  }
}

enum VisibilityAction: FeatureAction {
  var keyGroup: KeyGroup { .explain }
  case show, why, fix

  func obstacle(in model: AppModel) -> String? {
    let selected = model.topDialog(VisibilityMatrix.self)?.selected
    return switch self {
    case .show: nil
    case .why: selected == nil ? "select an app first" : nil
    case .fix:
      model.lab.isReadOnly
        ? LabFacts.readOnly
        : selected?.checks.firstFailure?.remedy == nil ? "no single field decides this" : nil
    }
  }

  func run(on model: inout AppModel) -> [Command] {
    guard self != .show else { return [.load(.visibility)] }
    guard let pair = model.topDialog(VisibilityMatrix.self)?.selected else { return [] }
    return self == .why
      ? [.load(.why(.apps(pair.looking, pair.signedIn)))]
      : pair.checks.firstFailure?.remedy.map { [.load(.remedy($0))] } ?? []
  }
}
