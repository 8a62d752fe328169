import SSOCore
import SSOLab
import TerminalUI

/// All that the screens show, and nothing else. The view is a function of it.
struct AppModel: Equatable, Sendable {
  var title: String
  var size: Size
  /// Seconds that the local time zone lies east.
  var utcOffset = 0
  /// The store as an option of the command line; nil for the usual one, or for none.
  var storeOption: String?

  var stack: [Place] = [.apps]
  var previousTab: Place?
  /// The panel that has the keys.
  var panel = 0
  package var dialogs: [Dialog] = []

  var status: LabStatus?
  var appRows: [AppRow] = []
  var accountRows = RowsRead<AccountRow>()
  /// All lines of a tree, or the headings of a long branch; the credentials of that are in `tokenRows`.
  var tokenLines: [TokenLine] = []
  var tokenRows = RowsRead<TokenRow>()
  var groupRows: [KeychainGroupRow] = []
  var itemRows = RowsRead<KeychainItemRow>()
  var traceRows: [TraceSummary] = []
  var trace: Trace?
  var labRows: [LabRow] = []
  var fieldRows: [FieldRow] = []
  var serving = Serving()
  var detail: TokenDetail?
  /// Whom Ctrl-T fills in on the sign-in page.
  var people: [TestPerson] = []

  var apps = RowList()
  var accounts = RowList()
  package var tokens = RowList()
  var groups = RowList()
  var items = RowList()
  var traces = RowList()
  var hops = RowList()
  var storySteps = RowList()
  var records = RowList()
  var fields = RowList()
  var signIns = RowList()
  var faults = RowList()
  /// First line of a panel that only scrolls.
  var scroll = 0

  var tokenScope = TokenScope.everything
  var timeStyle = TimeStyle.left
  var follows = true
  /// The token whose secret is shown for ten seconds.
  var revealedToken: String?
  package var notice: Notice?
  /// What runs in the background right now, in words.
  var working: String?
  var isPickerOnly = false
  /// `--readonly`: whatever would change the lab says so instead.
  var isReadOnly = false

  /// Marked rows of each list.
  var marks: [Context: Marks] = [:]
  /// Marked steps of each trace.
  var hopMarks: [Int64: Set<Int>] = [:]
  /// What `n` and `N` look for.
  var lastQuery = ""
  var sorting: [Context: Sorting] = [:]
  var hiddenColumns: [Context: Set<String>] = [:]
  /// The call that `.` makes again.
  var lastFlow: Intent?
  /// The lines that were run in the palette, the newest last.
  var history: [String] = []
  var isZoomed = false
  var isPresenting = false
  /// The last key and what it did, for the presenter's bar.
  var keyEcho = ""
  var hasMouse = false
  var waits = Waits()
  /// What the demo's scenario tells.
  var story: Story?

  init(title: String, size: Size = Size(width: 80, height: 24)) {
    self.title = title
    self.size = size
  }

  var place: Place { stack.last ?? .apps }
}

/// The line that says what happened.
struct Notice: Equatable, Sendable {
  package enum Kind: Sendable { case good, bad, plain }
  package var text: String
  package var kind: Kind
  var canUndo = false
}

extension AppModel {
  var selectedApp: AppRow? { apps.selectedRow.map { appRows[$0] } }
  var selectedAccount: AccountRow? { accountRows[accounts.selectedID] }
  var selectedTokenLine: TokenLine? { tokens.selectedRow.flatMap(tokenLine) }
  var selectedToken: TokenRow? { selectedTokenLine?.token }
  var selectedGroup: KeychainGroupRow? { groups.selectedRow.map { groupRows[$0] } }
  var selectedItem: KeychainItemRow? { itemRows[items.selectedID] }
  var selectedTrace: TraceSummary? { traces.selectedRow.map { traceRows[$0] } }
  var selectedHop: Hop? {
    guard let trace, let row = hops.selectedRow, trace.hops.indices.contains(row) else { return nil }
    return trace.hops[row]
  }

  /// A line of the tree, by its row in the list; nil if it is a credential that is yet to be read.
  func tokenLine(_ row: Int) -> TokenLine? {
    if tokenLines.indices.contains(row) { return tokenLines[row] }
    return tokenRows[tokens.index.ids[row]].map { TokenLine($0, under: "") }
  }

  /// The list that has the keys on the present screen.
  var activeList: WritableKeyPath<AppModel, RowList> {
    switch place {
    case .apps: \.apps
    case .accounts: \.accounts
    case .tokens: \.tokens
    case .traces: \.traces
    case .trace: \.hops
    case .keychain: panel == 0 ? \.groups : \.items
    case .story: \.storySteps
    case .records: panel == 0 ? \.records : \.fields
    case .provider: panel == 0 ? \.signIns : \.faults
    }
  }

  /// Whether the panel with the keys is a list; the other ones scroll.
  var listHasKeys: Bool { panel == 0 || place.hasTwoLists }
}
