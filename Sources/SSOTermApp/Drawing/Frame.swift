import SSOCore
import SSOLab
import TerminalUI

/// Draws the entire screen.
func view(_ model: AppModel, into grid: inout Grid) {
  let size = Size(width: grid.width, height: grid.height)
  guard model.shared.size == size else {
    var resized = model
    resized.shared.size = size
    return view(resized, into: &grid)
  }
  let layout = model.layout
  guard layout.fits else { return drawTooSmall(into: &grid) }
  drawHeader(model, into: &grid, layout.header)
  if let prompt = model.dialogs.first?.component as? PromptDialog, !prompt.isOverlay || model.isPickerOnly {
    grid.fill(layout.body)
  } else {
    drawTabs(model, into: &grid, layout.tabs)
    model.screen.draw(model.shared, into: &grid, layout.panels(of: model))
  }
  if let running = model.running, model.dialogs.isEmpty {
    running.draw(into: &grid, layout.body.splitBottom(layout.body.height / 2).1)
  }
  for dialog in model.dialogs {
    // The content below a dialog receives no keys and no clicks.
    grid.cursor = nil
    grid.startLayer()
    dialog.component.draw(in: model, into: &grid, layout)
  }
  drawCoach(model, into: &grid, layout.coach)
  drawPresenterBar(model, into: &grid, layout.presenter)
  drawStatus(model, into: &grid, layout.status)
  drawKeys(model.keepingSelection, into: &grid, layout.keys)
}

private func drawTooSmall(into grid: inout Grid) {
  grid.put("SSOTerm needs 40x12.", at: 0, 0)
  let words = "Now \(grid.width)x\(grid.height). Ctrl-C quits."
  for (row, line) in wrapped(words, grid.width).enumerated() { grid.put(line, at: 0, row + 1) }
}

/// The positions of all parts of the screen in a window of a given size.
///
/// Update and view use the same layout, so that half a page is half of the visible rows.
struct Layout: Equatable, Sendable {
  var size: Size
  /// Whether only the focused panel is shown (`+`).
  var isZoomed = false
  /// Whether a bar for an audience is shown above the status line (`P`).
  var isPresenting = false
  /// Whether the bar shows the note of a demo's step, which requires more rows.
  var hasDemo = false
  /// Whether a line of the guide is shown below the tabs.
  var hasCoach = false
  /// The area of a prompt within the drawing of its flow, or `nil` if the prompt covers the screen.
  var promptFrame: Rect?

  static let smallest = Size(width: 40, height: 12)

  var fits: Bool { size.width >= Self.smallest.width && size.height >= Self.smallest.height }
  /// Whether there is room for only one panel, the focused one.
  var isSingle: Bool { size.height < 18 }
  /// Whether the panels are side by side.
  var isRegular: Bool { size.width >= 70 && !isSingle }
  /// Whether the panels are one above the other.
  var isStacked: Bool { !isRegular && !isSingle }
  /// Whether the key bar has room for only the most important key.
  var isNarrow: Bool { isSingle && size.width < 60 }
  /// Whether the window is smaller than a terminal's usual 80x24.
  var isSmall: Bool { size.width < 80 || size.height < 24 }
  var hasRoomForPresenter: Bool { size.height >= 20 }

  private var all: Rect { Rect(x: 0, y: 0, width: size.width, height: size.height) }
  var header: Rect { all.rows(0, 1) }
  var tabs: Rect { all.rows(1, 1) }
  var coach: Rect { all.rows(2, coachRows) }
  private var coachRows: Int { hasCoach && !isPresenting && !isSingle ? 1 : 0 }
  var body: Rect { all.rows(2 + coachRows, size.height - 4 - coachRows - presenterRows) }
  var presenter: Rect { all.rows(size.height - 2 - presenterRows, presenterRows) }
  private var presenterRows: Int {
    guard isPresenting, hasRoomForPresenter else { return 0 }
    return hasDemo && size.height >= 24 ? size.height >= 30 ? 5 : 4 : 3
  }
  var status: Rect { all.rows(size.height - 2, 1) }
  var keys: Rect { all.rows(size.height - 1, 1) }

  struct Panels: Equatable, Sendable {
    var first: Rect
    var second = Rect(x: 0, y: 0, width: 0, height: 0)
    var third = Rect(x: 0, y: 0, width: 0, height: 0)
    /// An additional panel that only a large window has room for.
    var fourth = Rect(x: 0, y: 0, width: 0, height: 0)
    /// An additional column that only a wide window has room for.
    var column = Rect(x: 0, y: 0, width: 0, height: 0)
  }

  func panels(of model: AppModel) -> Panels {
    if isSingle || isZoomed {
      let none = Rect(x: 0, y: 0, width: 0, height: 0)
      return model.panel == 0 ? Panels(first: body) : Panels(first: none, second: body)
    }
    return model.screen.panels(in: self)
  }

  /// Returns two panels, side by side or one above the other.
  func pair(left columns: Int, top rows: Int, in area: Rect? = nil) -> Panels {
    let area = area ?? body
    let (first, second) = isRegular ? area.splitLeft(columns) : area.splitTop(rows)
    return Panels(first: first, second: second)
  }

  /// Returns the number of rows that the focused list shows.
  func listHeight(of model: AppModel) -> Int {
    let panels = panels(of: model)
    let screen = type(of: model.screen)
    let panel = screen.hasTwoLists && model.panel == 1 ? panels.second : panels.first
    return max(1, panel.height - screen.rowsAroundList)
  }
}

/// The animation of a successful single sign-on: the row of the app lights up once, from left to right.
///
/// It conveys nothing that the row and the status line do not say.
struct RowMotion: Equatable, Sendable {
  var bundleID: String
  var username: String?
  var frame = 1

  static let frames = 7
  static let milliseconds = 60

  /// The next frame, or `nil` at the end.
  var next: RowMotion? {
    guard frame < Self.frames else { return nil }
    var next = self
    next.frame += 1
    return next
  }

  /// Creates the animation for the outcome of a call, or returns `nil` if the call failed or required user interaction.
  init?(_ outcome: Outcome, of bundleID: String?) {
    guard let bundleID, outcome.verdict == .succeeded, outcome.source != nil, !outcome.prompted else {
      return nil
    }
    self.bundleID = bundleID
    username = outcome.username
  }

  func isOf(_ row: AppRow) -> Bool {
    row.bundleID == bundleID && (row.account == nil || username.map(row.accounts.contains) ?? true)
  }

  func draw(over row: Rect, into grid: inout Grid) {
    let lit = row.splitLeft(row.width * frame / Self.frames).0
    grid.restyle(lit) { $0 = Style(.good, bold: true, reverse: true) }
  }
}
