import TerminalUI

/// Where everything lies in a window of a given size. Update and view ask the same layout, so that
/// half a page is half of what is seen.
struct Layout: Equatable, Sendable {
  var size: Size
  /// Only the panel with the keys is wanted (`+`).
  var isZoomed = false
  /// A bar for an audience stands above the status line (`P`).
  var isPresenting = false

  static let smallest = Size(width: 40, height: 12)

  var fits: Bool { size.width >= Self.smallest.width && size.height >= Self.smallest.height }
  var isWide: Bool { size.width >= 100 }
  /// There is room for one panel only: the one with the keys.
  var isSingle: Bool { size.height < 18 }
  /// Panels lie side by side.
  var isRegular: Bool { size.width >= 70 && !isSingle }
  /// Panels lie one above the other.
  var isStacked: Bool { !isRegular && !isSingle }
  /// The key bar has room for the most necessary key only.
  var isNarrow: Bool { isSingle && size.width < 60 }
  var hasRoomForPresenter: Bool { size.height >= 20 }

  private var all: Rect { Rect(x: 0, y: 0, width: size.width, height: size.height) }
  var header: Rect { all.rows(0, 1) }
  var tabs: Rect { all.rows(1, 1) }
  var body: Rect { all.rows(2, size.height - 4 - presenterRows) }
  var presenter: Rect { all.rows(size.height - 2 - presenterRows, presenterRows) }
  private var presenterRows: Int { isPresenting && hasRoomForPresenter ? 3 : 0 }
  var status: Rect { all.rows(size.height - 2, 1) }
  var keys: Rect { all.rows(size.height - 1, 1) }

  struct Panels: Equatable, Sendable {
    var first: Rect
    var second = Rect(x: 0, y: 0, width: 0, height: 0)
    var third = Rect(x: 0, y: 0, width: 0, height: 0)
  }

  func panels(of model: AppModel) -> Panels {
    if isSingle || isZoomed {
      let none = Rect(x: 0, y: 0, width: 0, height: 0)
      return model.panel == 0 ? Panels(first: body) : Panels(first: none, second: body)
    }
    switch model.place {
    case .apps:
      let rows = min(max(model.apps.count, 1) + 3, body.height / 2)
      let (list, rest) = body.splitTop(rows)
      guard isRegular else { return Panels(first: list, second: rest) }
      let (next, recent) = rest.splitLeft(rest.width * 3 / 5)
      return Panels(first: list, second: next, third: recent)
    case .traces: return Panels(first: body)
    case .trace:
      let (drawing, step) = body.splitTop(body.height * 3 / 5)
      return Panels(first: drawing, second: step)
    case .accounts: return pair(left: size.width / 2, top: body.height / 2)
    case .tokens: return pair(left: min(56, size.width * 9 / 20), top: body.height / 2)
    case .story: return pair(left: size.width / 2, top: body.height / 2)
    case .provider:
      // A third of what is left above is for requests: who waits is shown by the picker, and faults are few.
      let (server, lower) = body.splitTop(isRegular ? body.height / 2 : min(6, body.height * 2 / 5))
      var panels = pair(left: size.width / 2, top: lower.height / 2, in: lower)
      panels.third = server
      return panels
    case .records: return pair(left: size.width * 9 / 20, top: body.height * 2 / 5)
    case .keychain:
      let (upper, selected) = body.splitBottom(isRegular ? 5 : 0)
      var panels = pair(left: size.width * 9 / 20, top: body.height / 2, in: upper)
      panels.third = selected
      return panels
    }
  }

  private func pair(left columns: Int, top rows: Int, in area: Rect? = nil) -> Panels {
    let area = area ?? body
    let (first, second) = isRegular ? area.splitLeft(columns) : area.splitTop(rows)
    return Panels(first: first, second: second)
  }

  /// The rows of the list that has the keys.
  func listHeight(of model: AppModel) -> Int {
    let panels = panels(of: model)
    switch model.place {
    case .keychain, .provider: return max(1, (model.panel == 0 ? panels.first : panels.second).height - 3)
    case .records: return max(1, (model.panel == 0 ? panels.first : panels.second).height - 2)
    case .tokens: return max(1, panels.first.height - 2)
    default: return max(1, panels.first.height - 3)
    }
  }
}

extension AppModel {
  var layout: Layout { Layout(size: size, isZoomed: isZoomed, isPresenting: isPresenting) }
}
