import SSODevice
import SSOLab
import SSOServer

/// The user's place in the program: a screen, and the subject that it was opened for.
struct Place: Hashable, Sendable {
  enum Subject: Hashable, Sendable {
    case trace(Int64)
    case tokens(TokenScope)
    case record(RecordID)
    case project(ProjectSource)
    case reproduction(ReproductionSource)
  }

  let screen: KeyContext
  var subject: Subject?

  init(_ screen: KeyContext, _ subject: Subject? = nil) {
    self.screen = screen
    self.subject = subject
  }

  /// The screens with a number, which are shown as tabs.
  static let tabs = tabScreens.map { Place($0) }
  static let tabScreens = Screens.all.map(\.type).filter { $0.tab == $0.context }.map { $0.context }

  /// The zero-based number of the tab that this place belongs to.
  var tab: Int { Self.tab(of: screen) }
  static func tab(of screen: KeyContext) -> Int {
    tabScreens.firstIndex(of: Screens.entry(of: screen).type.tab) ?? 0
  }
  var title: String { Screens.entry(of: screen).type.title }
  var shortTitle: String { Screens.entry(of: screen).type.shortTitle }
}

/// The kind and the name of a record of the lab.
struct RecordID: Hashable, Sendable {
  var kind: RecordKind
  var name: String
}

/// The screen on which the program starts.
package enum StartScreen: Equatable, Sendable {
  /// A path such as `apps` or `tokens/mail`, which consists of a screen and its filter.
  case path(String)
  /// `ssoterm pick`: only the account picker, for an app's bundle ID or for any app.
  case picker(app: String?)
  /// `ssoterm serve`: the Provider screen, with the server running.
  case server(ServeOptions)
  /// `ssoterm broker serve`: the Provider screen, with the broker running on a bus.
  case bus(BusSettings)
  /// `ssoterm doctor --open`: the results for the files of real apps.
  case doctor(ProjectSource)
  /// `ssoterm reproduce --open`: the failure of the sources beside the lab's.
  case reproduction(ReadEvidence)

  /// The paths of the screens of a store, which do not include the demo.
  package static let paths = Place.tabs.filter { $0 != .demo }.map { $0.title.lowercased() }
}

/// The way in which the program ended.
package enum ProgramResult: Equatable, Sendable {
  case quit
  case picked(PickerCandidate)
  case cancelled
  /// The user opens the lab of a scenario, after which the program returns to its screens.
  case demo(DemoStart)
}

/// Navigation between the screens.
extension AppModel {
  /// Returns the commands that read the current screen again.
  func reload() -> [Command] {
    if shared.isPickerOnly { return [] }
    let asked = shared.dialogs.compactMap { ($0.component as? Why)?.subject }
    var open: [Load] = []
    for dialog in shared.dialogs {
      if dialog.component is VisibilityMatrix { open.append(.visibility) }
      if let timeline = dialog.component as? Timeline {
        open.append(.lifetimes(app: timeline.app, account: timeline.account))
      }
    }
    return [.load(.status)] + (screen.loads(shared) + asked.map(Load.why) + open).map(Command.load)
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
