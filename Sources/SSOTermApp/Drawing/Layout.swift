/// Where everything is in a window of a given size.
///
/// Update and view ask the same layout, so that half a page is half of what is seen.
struct Layout: Equatable, Sendable {
  var size: Size
  /// Only the panel with the keys is wanted (`+`).
  var isZoomed = false
  /// A bar for an audience is above the status line (`P`).
  var isPresenting = false
  /// The bar has the note of a demo's step, which takes more rows.
  var hasStory = false
  /// Where a prompt is in the picture of its flow; nil: it has the screen.
  var promptFrame: Rect?

  static let smallest = Size(width: 40, height: 12)

  var fits: Bool { size.width >= Self.smallest.width && size.height >= Self.smallest.height }
  /// There is room for one panel only: the one with the keys.
  var isSingle: Bool { size.height < 18 }
  /// Panels are side by side.
  var isRegular: Bool { size.width >= 70 && !isSingle }
  /// Panels are one above the other.
  var isStacked: Bool { !isRegular && !isSingle }
  /// The key bar has room for the most necessary key only.
  var isNarrow: Bool { isSingle && size.width < 60 }
  var hasRoomForPresenter: Bool { size.height >= 20 }

  private var all: Rect { Rect(x: 0, y: 0, width: size.width, height: size.height) }
  var header: Rect { all.rows(0, 1) }
  var tabs: Rect { all.rows(1, 1) }
  var body: Rect { all.rows(2, size.height - 4 - presenterRows) }
  var presenter: Rect { all.rows(size.height - 2 - presenterRows, presenterRows) }
  private var presenterRows: Int {
    guard isPresenting, hasRoomForPresenter else { return 0 }
    return hasStory && size.height >= 24 ? size.height >= 30 ? 5 : 4 : 3
  }
  var status: Rect { all.rows(size.height - 2, 1) }
  var keys: Rect { all.rows(size.height - 1, 1) }

  struct Panels: Equatable, Sendable {
    var first: Rect
    var second = Rect(x: 0, y: 0, width: 0, height: 0)
    var third = Rect(x: 0, y: 0, width: 0, height: 0)
    /// What a large window has room for besides.
    var fourth = Rect(x: 0, y: 0, width: 0, height: 0)
  }

  func panels(of model: AppModel) -> Panels {
    if isSingle || isZoomed {
      let none = Rect(x: 0, y: 0, width: 0, height: 0)
      return model.panel == 0 ? Panels(first: body) : Panels(first: none, second: body)
    }
    return model.screen.panels(in: self)
  }

  /// Two panels, side by side or one above the other.
  func pair(left columns: Int, top rows: Int, in area: Rect? = nil) -> Panels {
    let area = area ?? body
    let (first, second) = isRegular ? area.splitLeft(columns) : area.splitTop(rows)
    return Panels(first: first, second: second)
  }

  /// The rows of the list that has the keys.
  func listHeight(of model: AppModel) -> Int {
    let panels = panels(of: model)
    let screen = type(of: model.screen)
    let panel = screen.hasTwoLists && model.panel == 1 ? panels.second : panels.first
    return max(1, panel.height - screen.rowsAroundList)
  }
}
