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
  static var keys: [KeyCommand] { get }
  /// The number of panels that Tab cycles through.
  static var panelCount: Int { get }
  /// Whether both panels are lists, so that neither only scrolls.
  static var hasTwoLists: Bool { get }
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

  /// The reason that this screen is not available here, or `nil` if it is available.
  var obstacleToShow: String? { get }
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

/// A screen with a list that may be so long that rows are read only when they become visible.
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
