/// A screen: its state, how it is drawn, and its keys.
///
/// What the keys do is in the screen's actions (``FeatureAction``).
///
/// To add one: a folder in `Features`, and its lines in ``Screens``.
protocol Screen: Equatable, Sendable {
  init()

  static var context: KeyContext { get }
  /// The screen whose tab it belongs to: mostly its own.
  static var tab: KeyContext { get }
  static var title: String { get }
  static var keys: [KeyCommand] { get }
  /// How many panels Tab goes through.
  static var panelCount: Int { get }
  /// Whether both panels are lists, so that neither only scrolls.
  static var hasTwoLists: Bool { get }
  /// The panel whose rows are marked and sorted.
  static var mainPanel: Int { get }
  /// The columns that can be sorted by and hidden.
  static var columns: [TableColumn] { get }
  /// The rows of a list's panel that are not its own: frame and heading.
  static var rowsAroundList: Int { get }

  /// The list of a panel; of any other than the second, the first.
  subscript(panel: Int) -> RowList { get set }

  /// Why there is no such screen here; nil if there is.
  var obstacleToShow: String? { get }
  /// What to read for it.
  func loads(_ shared: SharedState) -> [Load]
  /// The person comes here, or back here.
  mutating func enter(_ place: Place, isBack: Bool, _ shared: inout SharedState)
  /// Takes rows that were read, if they are its own. The selection stays on the same row IDs.
  mutating func receive(_ loaded: Loaded, _ shared: inout SharedState) -> [Command]
  /// Loads what the panel beside the list shows.
  mutating func selectionMoved(_ shared: inout SharedState) -> [Command]
  /// The window has another size.
  mutating func resized(_ shared: inout SharedState) -> [Command]
  /// The selection has moved because a filter is being typed.
  mutating func filterMoved(_ shared: SharedState)
  /// Asks for the rows of a long list that have come into sight.
  mutating func readRowsInSight(height: Int) -> [Command]
  mutating func sortAgain(_ shared: inout SharedState)
  func obstacleToSort(by column: String) -> String?

  /// How many rows the list of a panel shows, of how many; headings do not count.
  func countText(inPanel panel: Int) -> String
  func canMark(inPanel panel: Int) -> Bool
  /// A row as marks know it; nil if it cannot be marked.
  func markIDs(ofRow row: Int) -> [RowID]?
  /// Whether a row represents those below it.
  func isHeading(_ row: Int) -> Bool

  mutating func open(_ shared: inout SharedState) -> [Command]
  func obstacleToOpen(_ shared: SharedState) -> String?
  func selection(_ shared: SharedState) -> Selection
  /// The credentials that a change is for, marked or selected.
  ///
  /// `change` is nil for deletion.
  /// - Throws: why there are none.
  func target(of change: Change?, _ shared: SharedState) throws(Obstacle) -> Target
  /// All credentials that are shown under the filter, for the same.
  func shownTarget(of change: Change?) -> Target
  /// Credentials that may be named in the palette.
  var namedCredentials: [TokenRow] { get }

  /// How a place of this screen is called in the path that leads there.
  func breadcrumb(_ place: Place, after before: Place?, _ lab: LabFacts) -> String
  func panels(in layout: Layout) -> Layout.Panels
  func draw(_ shared: SharedState, into grid: inout Grid, _ panels: Layout.Panels)
}

/// Why something cannot be done now.
struct Obstacle: Error, Equatable {
  var text: String
}

/// A screen whose first panel is its only list.
protocol ListScreen: Screen {
  var list: RowList { get set }
}

/// A screen with a list that may be so long that rows are read when they come into sight.
protocol LongListScreen: Screen {}

extension ListScreen {
  subscript(panel: Int) -> RowList {
    get { list }
    set { list = newValue }
  }
}

extension Screen {
  static var tab: KeyContext { context }
  static var panelCount: Int { 2 }
  static var hasTwoLists: Bool { false }
  static var mainPanel: Int { 0 }
  static var columns: [TableColumn] { [] }
  static var rowsAroundList: Int { 2 }

  var obstacleToShow: String? { nil }
  mutating func enter(_ place: Place, isBack: Bool, _ shared: inout SharedState) {}
  mutating func receive(_ loaded: Loaded, _ shared: inout SharedState) -> [Command] { [] }
  mutating func selectionMoved(_ shared: inout SharedState) -> [Command] { [] }
  mutating func resized(_ shared: inout SharedState) -> [Command] { [] }
  mutating func filterMoved(_ shared: SharedState) {}
  mutating func readRowsInSight(height: Int) -> [Command] { [] }
  mutating func sortAgain(_ shared: inout SharedState) {}
  func obstacleToSort(by column: String) -> String? { nil }
  func countText(inPanel panel: Int) -> String { self[panel].countText }
  func canMark(inPanel panel: Int) -> Bool { false }
  func markIDs(ofRow row: Int) -> [RowID]? { [self[Self.mainPanel].ids[row]] }
  func isHeading(_ row: Int) -> Bool { false }
  func target(of change: Change?, _ shared: SharedState) throws(Obstacle) -> Target {
    throw Obstacle(text: "select a token first")
  }
  func shownTarget(of change: Change?) -> Target { .credentials([]) }
  var namedCredentials: [TokenRow] { [] }
  func breadcrumb(_ place: Place, after before: Place?, _ lab: LabFacts) -> String {
    "\(place.tab + 1) \(Self.title)"
  }
}
