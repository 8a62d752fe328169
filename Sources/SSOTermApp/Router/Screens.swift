/// The states of all screens.
///
/// A new screen gets two lines here: its state, and its position in the order of the tabs.
struct Screens: Equatable, Sendable {
  var apps = AppsScreen()
  var doctor = DoctorScreen()
  var accounts = AccountsScreen()
  var tokens = TokensScreen()
  var traces = TracesScreen()
  var trace = TraceScreen()
  var keychain = KeychainScreen()
  var lab = LabScreen()
  var provider = ProviderScreen()
  var story = StoryScreen()
  var scenarios = ScenariosScreen()

  static let all: [any ScreenEntry] = [
    Entry(\.apps) { $0.apps }, Entry(\.doctor) { $0.doctor }, Entry(\.accounts) { $0.accounts },
    Entry(\.tokens) { $0.tokens },
    Entry(\.traces) { $0.traces }, Entry(\.trace) { $0.trace }, Entry(\.keychain) { $0.keychain },
    Entry(\.lab) { $0.lab }, Entry(\.provider) { $0.provider }, Entry(\.story) { $0.story },
    Entry(\.scenarios) { $0.scenarios },
  ]

  private static let byContext = Dictionary(uniqueKeysWithValues: all.map { ($0.type.context, $0) })

  static func entry(of place: Place) -> any ScreenEntry { byContext[place.screen] ?? all[0] }

  subscript(place: Place) -> any Screen { Self.entry(of: place).screen(in: self) }

  /// Returns the list of a screen's panel.
  func list(of place: Place, panel: Int) -> RowList { Self.entry(of: place).list(in: self, panel: panel) }

  /// Returns the reason that a screen is not available here, or `nil` if it is available.
  func obstacle(toShow place: Place) -> String? { Self.entry(of: place).obstacleToShow(in: self) }

  /// The commands for the keys `1` to `9`.
  static var numbers: [KeyCommand] {
    all.filter { $0.type.tab == $0.type.context }.enumerated().map { number, screen in
      KeyCommand(
        NavigationAction.screen(number), [.character(Character("\(number + 1)"))], "\(number + 1)", "",
        name: screen.type.title.lowercased(), "Shows \(screen.type.title).")
    }
  }
}

/// An entry in the list of screens, which accesses the state of one screen.
protocol ScreenEntry: Sendable {
  var type: any Screen.Type { get }
  func screen(in screens: Screens) -> any Screen
  func list(in screens: Screens, panel: Int) -> RowList
  func obstacleToShow(in screens: Screens) -> String?
  func update<Result>(
    _ screens: inout Screens, _ shared: inout SharedState,
    _ change: (inout any Screen, inout SharedState) -> Result
  ) -> Result
}

private struct Entry<State: Screen>: ScreenEntry {
  let path: any WritableKeyPath<Screens, State> & Sendable
  /// Reads the state that `path` refers to.
  ///
  /// The key path itself would copy all screens, several times for each key.
  let read: @Sendable (Screens) -> State

  init(
    _ path: any WritableKeyPath<Screens, State> & Sendable, _ read: @escaping @Sendable (Screens) -> State
  ) {
    self.path = path
    self.read = read
  }

  var type: any Screen.Type { State.self }

  func screen(in screens: Screens) -> any Screen { read(screens) }
  func list(in screens: Screens, panel: Int) -> RowList { read(screens)[panel] }
  func obstacleToShow(in screens: Screens) -> String? { read(screens).obstacleToShow }

  /// Changes the state of the screen, which is moved out of `screens` first, so that its long lists are changed in
  /// place and not copied.
  func update<Result>(
    _ screens: inout Screens, _ shared: inout SharedState,
    _ change: (inout any Screen, inout SharedState) -> Result
  ) -> Result {
    var screen: any Screen = screens[keyPath: path]
    screens[keyPath: path] = State()
    defer { if let changed = screen as? State { screens[keyPath: path] = changed } }
    return change(&screen, &shared)
  }
}
