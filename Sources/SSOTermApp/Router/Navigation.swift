/// Navigation between the screens.
extension AppModel {
  /// Returns the commands that read the current screen again.
  func reload() -> [Command] {
    if shared.isPickerOnly { return [] }
    let asked = shared.dialogs.compactMap { ($0.component as? Why)?.subject }
    return [.load(.status)] + (screen.loads(shared) + asked.map(Load.why)).map(Command.load)
  }

  mutating func show(_ place: Place) -> [Command] {
    shared.waits.nextState = nil
    if place.tab != shared.place.tab { shared.previousTab = shared.stack.first }
    shared.stack = [place]
    return arrive()
  }

  /// Opens the selected row, which may lead to another screen.
  mutating func open() -> [Command] {
    let depth = shared.stack.count
    let commands = withScreen { $0.open(&$1) }
    return shared.stack.count > depth ? arrive() : commands
  }

  /// Opens a screen from which Esc returns to the current one.
  mutating func open(_ place: Place) -> [Command] {
    shared.stack.append(place)
    return arrive()
  }

  private mutating func arrive(isBack: Bool = false) -> [Command] {
    (shared.panel, shared.scroll, shared.isZoomed) = (0, 0, false)
    shared.notice = nil
    shared.revealedToken = nil
    let place = shared.place
    withScreen { $0.enter(place, isBack: isBack, &$1) }
    return screen.loads(shared).map(Command.load)
  }

  /// Handles Esc, which leaves the first of these that applies: filter, marks, zoom, panel, or screen.
  mutating func goBack() -> [Command] {
    if activeList.isFiltered {
      activeList.clearFilter()
      return selectionMoved()
    }
    if !marked.isEmpty || mainList.marks.rangeStart != nil {
      mainList.marks = Marks()
      return []
    }
    if shared.isZoomed {
      shared.isZoomed = false
      return []
    }
    if shared.panel > 0 {
      focusPanel(0)
      return []
    }
    guard shared.stack.count > 1 else { return [] }
    shared.stack.removeLast()
    return arrive(isBack: true)
  }

  mutating func focusPanel(_ number: Int) {
    let count = Swift.type(of: screen).panelCount
    shared.panel = (number + count) % count
    shared.scroll = 0
  }

  /// Follows a path such as `tokens/mail`.
  mutating func follow(path: String) -> [Command] {
    let parts = path.split(separator: "/", maxSplits: 1).map { $0.lowercased() }
    let tab = Place.tabs.first { $0.title.lowercased() == parts.first } ?? .apps
    shared.stack = [tab]
    if tab == .traces, parts.count > 1, let id = Int64(parts[1]) {
      shared.stack.append(.trace(id))
    } else if parts.count > 1 {
      activeList.filter(by: parts[1])
    }
    return [.load(.status)] + screen.loads(shared).map(Command.load)
  }
}
