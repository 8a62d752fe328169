import SSOModel
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
  var dialogs: [Dialog] = []

  var status: LabStatus?
  var appRows: [AppRow] = []
  var accountRows: [AccountRow] = []
  var tokenLines: [TokenLine] = []
  var groupRows: [KeychainGroupRow] = []
  var itemRows: [KeychainItemRow] = []
  var traceRows: [TraceSummary] = []
  var trace: Trace?
  var detail: TokenDetail?
  /// Whom Ctrl-T fills in on the sign-in page.
  var people: [TestPerson] = []

  var apps = RowList()
  var accounts = RowList()
  var tokens = RowList()
  var groups = RowList()
  var items = RowList()
  var traces = RowList()
  var hops = RowList()
  /// First line of a panel that only scrolls.
  var scroll = 0

  var tokenScope = TokenScope.everything
  var timeStyle = TimeStyle.left
  var follows = true
  /// The token whose secret is shown for ten seconds.
  var revealedToken: String?
  var notice: Notice?
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

  init(title: String, size: Size = Size(width: 80, height: 24)) {
    self.title = title
    self.size = size
  }

  var place: Place { stack.last ?? .apps }
}

/// The line that says what happened.
struct Notice: Equatable, Sendable {
  enum Kind: Sendable { case good, bad, plain }
  var text: String
  var kind: Kind
  var canUndo = false
}

extension AppModel {
  var selectedApp: AppRow? { apps.selectedRow.map { appRows[$0] } }
  var selectedAccount: AccountRow? { accounts.selectedRow.map { accountRows[$0] } }
  var selectedTokenLine: TokenLine? { tokens.selectedRow.map { tokenLines[$0] } }
  var selectedToken: TokenRow? { selectedTokenLine?.token }
  var selectedGroup: KeychainGroupRow? { groups.selectedRow.map { groupRows[$0] } }
  var selectedItem: KeychainItemRow? { items.selectedRow.map { itemRows[$0] } }
  var selectedTrace: TraceSummary? { traces.selectedRow.map { traceRows[$0] } }
  var selectedHop: Hop? {
    guard let trace, let row = hops.selectedRow, trace.hops.indices.contains(row) else { return nil }
    return trace.hops[row]
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
    }
  }

  /// Whether the panel with the keys is a list; the other ones scroll.
  var listHasKeys: Bool { panel == 0 || place == .keychain }
}
