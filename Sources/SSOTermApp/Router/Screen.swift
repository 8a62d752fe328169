import SSOCore
import SSOLab
import TerminalUI

/// The state, the drawing, and the keys of a screen.
///
/// The effects of the keys are in the screen's actions (``FeatureAction``).
///
/// To add a screen, create a folder in `Features`, and add two lines to ``Screens``.
protocol Screen: Equatable, Sendable {
  init()

  static var context: KeyContext { get }
  /// The screen whose tab this screen belongs to, usually its own.
  static var tab: KeyContext { get }
  static var title: String { get }
  /// The title on a tab in a narrow window.
  static var shortTitle: String { get }
  static var keys: [KeyCommand] { get }
  /// The number of panels that Tab cycles through.
  static var panelCount: Int { get }
  /// Whether both panels are lists, so that neither only scrolls.
  static var hasTwoLists: Bool { get }
  /// Whether the list may be so long that rows are read only when they become visible.
  static var hasLongList: Bool { get }
  /// The panel whose rows are marked and sorted.
  static var mainPanel: Int { get }
  /// The columns that the user can sort by and hide.
  static var columns: [TableColumn] { get }
  /// The number of rows of a list's panel that its frame and heading occupy.
  static var rowsAroundList: Int { get }

  /// The list of a panel.
  ///
  /// Panels other than the second one return the first list.
  subscript(panel: Int) -> RowList { get set }

  /// Returns the reason that this screen is not available here, or `nil` if it is available.
  static func obstacle(in screens: Screens) -> String?
  /// Returns what to read for the screen.
  func loads(_ shared: SharedState) -> [Load]
  /// Prepares the screen when the user opens it or returns to it.
  mutating func enter(_ place: Place, isBack: Bool, _ shared: inout SharedState)
  /// Takes over rows that were read, if they belong to this screen.
  ///
  /// The selection stays on the same row IDs.
  mutating func receive(_ loaded: Loaded, _ shared: inout SharedState) -> [Command]
  /// Loads the content of the panel beside the list.
  mutating func selectionMoved(_ shared: inout SharedState) -> [Command]
  /// Handles a new size of the window.
  mutating func resized(_ shared: inout SharedState) -> [Command]
  /// Handles a selection that has moved because the user is typing a filter.
  mutating func filterMoved(_ shared: SharedState)
  /// Requests the rows of a long list that have become visible.
  mutating func loadVisibleRows(height: Int) -> [Command]
  mutating func applySortOrder(_ shared: inout SharedState)
  func obstacleToSort(by column: String) -> String?

  /// Returns how many rows the list of a panel shows, and of how many.
  ///
  /// Headings are not counted.
  func countText(inPanel panel: Int) -> String
  func canMark(inPanel panel: Int) -> Bool
  /// Returns the IDs that marks use for a row, or `nil` if the row cannot be marked.
  func markIDs(ofRow row: Int) -> [RowID]?
  /// Returns whether a row represents the rows below it.
  func isHeading(_ row: Int) -> Bool

  mutating func open(_ shared: inout SharedState) -> [Command]
  func reasonCannotOpen(_ shared: SharedState) -> String?
  func selection(_ shared: SharedState) -> Selection
  /// Returns the credentials that a change applies to, marked or selected.
  ///
  /// `change` is `nil` for a deletion.
  /// - Throws: The reason that there are none.
  func target(of change: ChangeCredentials.Change?, _ shared: SharedState) throws(UnavailableReason) -> Target
  /// Returns all credentials under the current filter that a change applies to.
  func shownTarget(of change: ChangeCredentials.Change?) -> Target
  /// The credentials that can be named in the palette.
  var namedCredentials: [TokenRow] { get }

  /// Returns the name of a place of this screen in the path that leads there.
  func breadcrumb(_ place: Place, after before: Place?, _ lab: LabFacts) -> String
  func panels(in layout: Layout) -> Layout.Panels
  func draw(_ shared: SharedState, into grid: inout Grid, _ panels: Layout.Panels)
}

/// The reason that an action is not available now.
struct UnavailableReason: Error, Equatable {
  var text: String
}

/// A screen whose first panel is its only list.
protocol ListScreen: Screen {
  var list: RowList { get set }
}

extension ListScreen {
  subscript(panel: Int) -> RowList {
    get { list }
    set { list = newValue }
  }
}

extension Screen {
  static var tab: KeyContext { context }
  static var shortTitle: String { title }
  static var panelCount: Int { 2 }
  static var hasTwoLists: Bool { false }
  static var hasLongList: Bool { false }
  static var mainPanel: Int { 0 }
  static var columns: [TableColumn] { [] }
  static var rowsAroundList: Int { 2 }

  static func obstacle(in screens: Screens) -> String? { nil }
  mutating func enter(_ place: Place, isBack: Bool, _ shared: inout SharedState) {}
  mutating func receive(_ loaded: Loaded, _ shared: inout SharedState) -> [Command] { [] }
  mutating func selectionMoved(_ shared: inout SharedState) -> [Command] { [] }
  mutating func resized(_ shared: inout SharedState) -> [Command] { [] }
  mutating func filterMoved(_ shared: SharedState) {}
  mutating func loadVisibleRows(height: Int) -> [Command] { [] }
  mutating func applySortOrder(_ shared: inout SharedState) {}
  func obstacleToSort(by column: String) -> String? { nil }
  func countText(inPanel panel: Int) -> String { self[panel].countText }
  func canMark(inPanel panel: Int) -> Bool { false }
  func markIDs(ofRow row: Int) -> [RowID]? { [self[Self.mainPanel].ids[row]] }
  func isHeading(_ row: Int) -> Bool { false }
  func target(of change: ChangeCredentials.Change?, _ shared: SharedState) throws(UnavailableReason) -> Target
  {
    throw UnavailableReason(text: "select a token first")
  }
  func shownTarget(of change: ChangeCredentials.Change?) -> Target { .credentials([]) }
  var namedCredentials: [TokenRow] { [] }
  func breadcrumb(_ place: Place, after before: Place?, _ lab: LabFacts) -> String {
    "\(place.tab + 1) \(Self.title)"
  }
}

/// The states of all screens.
///
/// A new screen gets two lines here: its state, and its position in the order of the tabs.
struct Screens: Equatable, Sendable {
  @Boxed var apps = AppsScreen()
  @Boxed var doctor = DoctorScreen()
  @Boxed var accounts = AccountsScreen()
  @Boxed var tokens = TokensScreen()
  @Boxed var traces = TracesScreen()
  @Boxed var trace = TraceScreen()
  @Boxed var reproduction = ReproductionScreen()
  @Boxed var keychain = KeychainScreen()
  @Boxed var lab = LabScreen()
  @Boxed var provider = ProviderScreen()
  @Boxed var demo = DemoScreen()
  @Boxed var scenarios = ScenariosScreen()

  static let all: [any ScreenEntry] = [
    Entry({ $0.apps }, { $0.apps = $1 }),
    Entry({ $0.doctor }, { $0.doctor = $1 }),
    Entry({ $0.accounts }, { $0.accounts = $1 }),
    Entry({ $0.tokens }, { $0.tokens = $1 }),
    Entry({ $0.traces }, { $0.traces = $1 }),
    Entry({ $0.trace }, { $0.trace = $1 }),
    Entry({ $0.reproduction }, { $0.reproduction = $1 }),
    Entry({ $0.keychain }, { $0.keychain = $1 }),
    Entry({ $0.lab }, { $0.lab = $1 }),
    Entry({ $0.provider }, { $0.provider = $1 }),
    Entry({ $0.demo }, { $0.demo = $1 }),
    Entry({ $0.scenarios }, { $0.scenarios = $1 }),
  ]

  private static let byContext = Dictionary(uniqueKeysWithValues: all.map { ($0.type.context, $0) })

  static func entry(of screen: KeyContext) -> any ScreenEntry { byContext[screen] ?? all[0] }

  subscript(screen: KeyContext) -> any Screen { Self.entry(of: screen).screen(in: self) }

  /// Returns the list of a screen's panel.
  func list(of screen: KeyContext, panel: Int) -> RowList {
    Self.entry(of: screen).list(in: self, panel: panel)
  }

  /// Returns the reason that a screen is not available here, or `nil` if it is available.
  func obstacle(toShow screen: KeyContext) -> String? { Self.entry(of: screen).type.obstacle(in: self) }

  /// The commands for the keys `1` to `9`.
  static var numbers: [KeyCommand] {
    all.filter { $0.type.tab == $0.type.context }.enumerated().map { number, screen in
      KeyCommand(
        NavigationAction.screen(number), [.character(Character("\(number + 1)"))], "\(number + 1)", "",
        name: screen.type.title.lowercased(),
        "Shows \(screen.type.title)"
          + (screen.type == KeychainScreen.self
            ? ", on Android and Windows \(KeychainScreen.titleOfCaches)." : "."))
    }
  }
}

/// An entry in the list of screens, which accesses the state of one screen.
protocol ScreenEntry: Sendable {
  var type: any Screen.Type { get }
  func screen(in screens: Screens) -> any Screen
  func list(in screens: Screens, panel: Int) -> RowList
  func update<Result>(
    _ screens: inout Screens, _ shared: inout SharedState,
    _ change: (inout any Screen, inout SharedState) -> Result
  ) -> Result
}

private struct Entry<State: Screen>: ScreenEntry {
  // Two functions, because key paths took a tenth of the instructions of a key press.
  let get: @Sendable (Screens) -> State
  let set: @Sendable (inout Screens, State) -> Void
  /// The value in place of a state that is being changed.
  let none = State()

  init(
    _ get: @escaping @Sendable (Screens) -> State, _ set: @escaping @Sendable (inout Screens, State) -> Void
  ) {
    (self.get, self.set) = (get, set)
  }

  var type: any Screen.Type { State.self }

  func screen(in screens: Screens) -> any Screen { get(screens) }
  func list(in screens: Screens, panel: Int) -> RowList { get(screens)[panel] }

  /// Changes the state of the screen, which is moved out of `screens` first, so that its long lists are changed in
  /// place and not copied.
  func update<Result>(
    _ screens: inout Screens, _ shared: inout SharedState,
    _ change: (inout any Screen, inout SharedState) -> Result
  ) -> Result {
    var screen: any Screen = get(screens)
    set(&screens, none)
    defer { if let changed = screen as? State { set(&screens, changed) } }
    return change(&screen, &shared)
  }
}

/// The rows that commands act on: the marked rows of a screen, or else the selected row.
struct Selection {
  /// The app to add another account to: the selected app, or the first app that the selected account is signed in to.
  var app: AppRow?
  /// The accounts whose access tokens can be made to expire, by home account ID or username.
  var accounts: [String] = []
  /// The record behind the row.
  var record: RecordID?
  var trace: Int64?
  /// The open trace, which can be copied as a diagram.
  var openTrace: Trace?
  /// The subject of a “why?” question, and the reason that the question is not available.
  var why: WhySubject?
  var obstacleToWhy: String?
  /// The text that is searched for codes to explain.
  var explained = ""
  /// Whether only the first word can be a state, because the other words belong to a sentence.
  var isSentenceExplained = false
  /// The message if the text does not contain a code.
  var nothingToExplain = "There is no code here. :explain takes one."
  /// A trace whose outcome must be read for the explanation.
  var explainedTrace: Int64?
  /// The values that can be copied.
  var copies: [CopyItem: String] = [:]
  /// The credential whose secret can be copied.
  var token: TokenRow?
  /// The sentence that sums up the screen for an audience.
  var sentence = ""
}
