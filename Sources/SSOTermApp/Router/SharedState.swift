import Essentials

/// What all screens share: where the person is, what is drawn over the screen, what is known of the lab.
struct SharedState: Equatable, Sendable {
  var lab: LabFacts
  var times = TimeDisplay()
  var size: Size
  var keys = KeyTable.standard

  var stack: [Place] = [.apps]
  var previousTab: Place?
  /// The panel that has the keys.
  var panel = 0
  /// First line of a panel that only scrolls.
  var scroll = 0
  var dialogs: [Dialog] = []

  var notice: Notice? {
    didSet {
      noticeDepth = dialogs.count
      noticeNumber += 1
    }
  }
  /// Counts what was said: the same words may be said anew.
  private(set) var noticeNumber = 0
  /// How many dialogs were open when it was said: below one that came later it is stale.
  private(set) var noticeDepth = 0
  /// What runs in the background right now, in words.
  var working: String? { didSet { if working == nil { running = nil } } }
  /// The call that runs, if it takes so long that it is told of.
  var running: RunningCall?
  var isPickerOnly = false
  /// The token whose secret is shown for ten seconds.
  var revealedToken: String?
  /// What `n` and `N` look for.
  var lastQuery = ""
  /// The call that `.` makes again.
  var lastFlow: Intent?
  /// The lines that were run in the palette, the newest last.
  var history: [String] = []
  var isZoomed = false
  var isPresenting = false
  /// Whether this is a demo, which has steps to run.
  var hasStory = false
  /// The last key and what it did, for the presenter's bar.
  var keyEcho = ""
  var hasMouse = false
  var waits = Waits()
  /// Whether anything on the screen may move by itself.
  var mayMove = false
  var motion: RowMotion?

  var place: Place { stack.last ?? .apps }
  var layout: Layout {
    Layout(size: size, isZoomed: isZoomed, isPresenting: isPresenting, hasStory: hasStory)
  }

  /// The first line of a panel of text: it scrolls while it has the keys.
  func scroll(ofPanel number: Int) -> Int { panel == number ? scroll : 0 }

  /// Sends a command that takes a while, and says so.
  mutating func begin(_ words: String, _ command: Command) -> [Command] {
    working = words + "…"
    notice = nil
    return [command]
  }

  mutating func say(_ text: String, _ kind: Notice.Kind = .plain) {
    notice = Notice(text: text, kind: kind)
  }

  mutating func sayArgumentIsMissing() {
    say(keys.fill("This action needs an argument. Press {palette} to type it."))
  }

  mutating func open(_ dialog: some DialogComponent) { dialogs.append(Dialog(dialog)) }

  /// Lets the dialog that has the keys change itself; nil if there is none.
  @discardableResult
  mutating func changeDialog<Result>(_ change: (inout any DialogComponent) -> Result) -> Result? {
    guard var dialog = dialogs.popLast() else { return nil }
    defer { dialogs.append(dialog) }
    return change(&dialog.component)
  }

  /// A name that fits nothing, with the nearest that does.
  mutating func refuse(_ noun: String, _ name: String, among names: [String]) -> [Command] {
    let near = nearestName(to: name, among: names).map { " Did you mean \($0)?" } ?? ""
    say("There is no \(noun) “\(name)”.\(near)", .bad)
    return []
  }

  /// The dialog that has the keys, in another state.
  mutating func replaceDialog(_ dialog: some DialogComponent) {
    if !dialogs.isEmpty { dialogs[dialogs.count - 1] = Dialog(dialog) }
  }
}

/// What is known of the lab on every screen.
struct LabFacts: Equatable, Sendable {
  var title: String
  /// The store as an option of the command line; nil for the usual one, or for none.
  var storeOption: String?
  /// `--readonly`: whatever would change the lab says so instead.
  var isReadOnly = false
  var status: LabStatus?
  /// In the order of the Apps screen.
  var apps: [AppRow] = []
  /// Whom Ctrl-T fills in on the sign-in page.
  var people: [TestPerson] = []

  init(title: String) { self.title = title }

  static let readOnly = "the store is open for reading only"

  /// Each app once: of several accounts the row of the first.
  var eachApp: [AppRow] {
    var seen: Set<String> = []
    return apps.filter { seen.insert($0.bundleID).inserted }
  }

  /// Display names by bundle ID.
  var appNames: [String: String] {
    Dictionary(apps.map { ($0.bundleID, $0.displayName) }, uniquingKeysWith: { first, _ in first })
  }

  /// An app by bundle ID, by name, or by an unambiguous part of either.
  func app(named name: String) -> AppRow? {
    let wanted = name.lowercased()
    if let exact = apps.first(where: { $0.bundleID == name || $0.displayName.lowercased() == wanted }) {
      return exact
    }
    let matches = eachApp.filter {
      $0.bundleID.lowercased().contains(wanted) || $0.displayName.lowercased().contains(wanted)
    }
    return matches.count == 1 ? matches[0] : nil
  }

  /// An app, and behind it the account that a call is for: `mail ada@contoso.com`.
  func call(named text: String) -> (app: AppRow, account: String?)? {
    if let app = app(named: text) { return (app, nil) }
    guard let space = text.lastIndex(of: " "), let app = app(named: String(text[..<space])) else {
      return nil
    }
    return (app, String(text[text.index(after: space)...]))
  }

  /// The row of an app's account; nil: of the first.
  func row(ofApp bundleID: String, account: String?) -> AppRow? {
    let rows = apps.filter { $0.bundleID == bundleID }
    return rows.first { $0.account == account || account.map($0.accounts.contains) ?? false } ?? rows.first
  }

  /// A trace's title with names instead of bundle IDs.
  func named(_ title: String) -> String {
    for app in apps
    where title.hasSuffix(app.bundleID) || [" ", "”"].contains(where: { title.contains(app.bundleID + $0) }) {
      guard let range = title.firstRange(of: app.bundleID) else { continue }
      return title[..<range.lowerBound] + app.displayName + title[range.upperBound...]
    }
    return title
  }

  /// A command line of `ssoterm` for this store.
  func commandLine(_ words: [String]) -> String {
    let store = storeOption.map { ["--store", $0] } ?? []
    return (["ssoterm"] + words + store).map(shellWord).joined(separator: " ")
  }

  /// What gives a shell all that a program needs to sign in here; nil for a demo, which no other process can read.
  var environmentLine: String? {
    if let status, status.storePath == nil { return nil }
    return "eval \"$(\(commandLine(["serve", "env"])))\""
  }
}

/// The line that says what happened.
struct Notice: Equatable, Sendable {
  enum Kind: Sendable { case good, bad, plain }
  var text: String
  var kind: Kind
  var canUndo = false
  /// What to do next, in the words of the command line.
  var next = ""
  /// The error as the SDK prints it, which is long.
  var printed = ""

  /// Whether it is an error with a code in it; the state "none" in "found none" does not count.
  var hasCode: Bool { kind == .bad && Explanation.find(in: text).contains { $0.family != .state } }
}

extension Notice {
  init(_ problem: Problem) {
    let text = [problem.what, problem.why].filter { !$0.isEmpty }.joined(separator: " ")
    self.init(text: text, kind: .bad, next: problem.next)
  }

  init(_ outcome: Outcome) {
    let code = outcome.errorCode.map { " (\($0))" } ?? ""
    switch outcome.verdict {
    case .succeeded: self.init(text: "✓ " + outcome.summary, kind: .good, canUndo: outcome.canUndo)
    case .cancelled: self.init(text: "· " + outcome.summary + code, kind: .plain)
    case .failed:
      let why = outcome.failedCheck.map { "\($0.reason). " } ?? ""
      self.init(
        text: "✗ " + why.prefix(1).uppercased() + why.dropFirst() + outcome.summary + code, kind: .bad,
        next: outcome.next ?? "",
        printed: outcome.errorText ?? "")
    }
  }
}
