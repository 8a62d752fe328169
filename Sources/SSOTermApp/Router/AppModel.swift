import Essentials
import SSOCore
import SSODevice
import SSOLab
import SSOReference
import SafeText
import TerminalUI

/// The model that the views render.
///
/// The view is a function of it. Members of the shared state can be used as members of the model.
@dynamicMemberLookup
struct AppModel: Equatable, Sendable {
  var shared: SharedState
  var screens = Screens()
  /// The screen and its selection while the keys of one frame are drawn, because many of them ask for these.
  private var kept = Kept()

  init(title: String, size: Size = Size(width: 80, height: 24)) {
    shared = SharedState(lab: LabFacts(title: title), size: size)
  }

  subscript<Value>(dynamicMember path: WritableKeyPath<SharedState, Value>) -> Value {
    get { shared[keyPath: path] }
    set { shared[keyPath: path] = newValue }
  }

  subscript<Value>(dynamicMember path: KeyPath<SharedState, Value>) -> Value { shared[keyPath: path] }
}

/// The current screen and its selection, which take no part in the comparison of models.
private struct Kept: Equatable, Sendable {
  /// One element, or none; see ``Boxed``.
  var values: [(screen: any Screen, selection: Selection)] = []

  static func == (one: Self, other: Self) -> Bool { true }
}

/// A column of the list that can be sorted.
struct ColumnFacts: Equatable {
  var title: String
  /// Whether the user wants to see the column.
  var isShown: Bool
  /// Whether the window is wide enough for the column.
  var hasRoom: Bool
}

extension AppModel {
  /// The current screen.
  var screen: any Screen {
    kept.values.isEmpty ? screens[shared.screenContext] : kept.values[0].screen
  }

  /// Lets the current screen change itself and the shared state.
  mutating func withScreen<Result>(_ change: (inout any Screen, inout SharedState) -> Result) -> Result {
    Screens.entry(of: shared.screenContext).update(&screens, &shared, change)
  }

  /// The screens that are available in this lab.
  var tabs: [Place] { Place.tabs.filter { obstacle(toShow: $0.screen) == nil } }

  /// Returns the reason that a screen is not available here, or `nil` if it is available.
  ///
  /// The lab in which the calls of a log are kept is not the log's own.
  func obstacle(toShow screen: KeyContext) -> String? {
    guard shared.lab.logFacts == nil || Place.tab(of: screen) == Place.traces.tab else {
      return LabFacts.ofLog
    }
    return screens.obstacle(toShow: screen)
  }

  /// The focused list of the current screen.
  var activeList: RowList {
    get { screens.list(of: shared.screenContext, panel: shared.panel) }
    set { withScreen { $0[$1.panel] = newValue } }
  }

  /// The list whose rows are marked and sorted.
  var mainList: RowList {
    get {
      screens.list(of: shared.screenContext, panel: Screens.entry(of: shared.screenContext).type.mainPanel)
    }
    set { withScreen { screen, _ in screen[type(of: screen).mainPanel] = newValue } }
  }

  /// Whether the focused panel is a list.
  ///
  /// Other panels only scroll.
  var listHasKeys: Bool { shared.panel == 0 || type(of: screen).hasTwoLists }

  /// The IDs of the marked rows.
  var marked: Set<RowID> { mainList.marks.ids }

  /// Whether rows can be marked here, because the commands of the list act on several rows.
  var canMark: Bool { screen.canMark(inPanel: shared.panel) }

  var selection: Selection { kept.values.isEmpty ? screen.selection(shared) : kept.values[0].selection }

  /// The model with its screen and selection, for reading only.
  var keepingSelection: AppModel {
    let screen = screen
    var model = self
    model.kept.values = [(screen, screen.selection(shared))]
    return model
  }

  /// All columns of the list that can be sorted, including the hidden ones.
  var columns: [ColumnFacts] {
    let hidden = mainList.hiddenColumns
    let all = type(of: screen).columns
    let shown = all.filter { !hidden.contains($0.title) }
    let panels = shared.layout.panels(of: self)
    let panel = type(of: screen).mainPanel == 1 ? panels.second : panels.first
    let widths = columnWidths(shown, width: panel.width - 4)
    let fitting = Set(zip(shown, widths).filter { $1 != nil }.map(\.0.title))
    return all.map {
      ColumnFacts(title: $0.title, isShown: !hidden.contains($0.title), hasRoom: fitting.contains($0.title))
    }
  }

  /// The context that receives keys now.
  var context: KeyContext {
    shared.dialogs.last?.component.context ?? (activeList.isFiltering ? .filter : shared.screenContext)
  }

  /// Returns the command that a key runs now.
  ///
  /// If several commands have the key, this is the first one available.
  func command(of key: KeyPress) -> KeyCommand? {
    let keys = shared.keys[context]
    return commandPlace(of: key, in: keys).map { keys.commands[$0] }
  }

  /// Returns the index, among the commands of the context, of the command that a key runs.
  func commandPlace(of key: KeyPress, in keys: ContextKeys) -> Int? {
    guard topDialog(PromptDialog.self)?.typesAsText(key) != true else { return nil }
    let meant = keys.places(of: key)
    guard meant.count > 1 else { return meant.first }
    return meant.first { obstacle(to: keys.commands[$0].action.value) == nil } ?? meant.first
  }

  /// Returns the focused dialog, or `nil` if it is not of this type.
  func topDialog<Component: DialogComponent>(_ type: Component.Type) -> Component? {
    shared.dialogs.last?.component as? Component
  }

  /// The model behind the focused dialog.
  var behind: AppModel {
    var model = self
    model.dialogs = Array(shared.dialogs.dropLast())
    return model
  }

  /// Returns the reason that a command is not available now, or `nil` if it is available.
  ///
  /// The help shows the reason, and the key bar omits the key.
  func obstacle(to action: any FeatureAction) -> String? {
    if shared.lab.isReadOnly, action.changesLab { return LabFacts.readOnly }
    return action.obstacle(in: self)
  }
}

/// The state shared by all screens: the user's place, the dialogs, and facts about the lab.
struct SharedState: Equatable, Sendable {
  var lab: LabFacts
  var times = TimeDisplay()
  var size: Size
  var keys = KeyTable.standard

  var stack: [Place] = [.apps]
  var previousTab: Place?
  /// The focused panel.
  var panel = 0
  /// The first visible line of a panel that only scrolls.
  var scroll = 0
  var dialogs: [Dialog] = []

  var notice: Notice? {
    didSet {
      noticeDepth = dialogs.count
      noticeNumber += 1
    }
  }
  /// The number of notices so far, because two notices may have the same text.
  private(set) var noticeNumber = 0
  /// The number of dialogs that were open when the notice was posted.
  ///
  /// The notice is stale below a dialog that opened later.
  private(set) var noticeDepth = 0
  /// The description of the work in the background, or `nil` if there is none.
  var working: String? { didSet { if working == nil { running = nil } } }
  /// The running call, if it takes long enough to be shown.
  var running: RunningCall?
  var isPickerOnly = false
  /// The token whose secret is shown for ten seconds.
  var revealedToken: String?
  /// The text that `n` and `N` search for.
  var lastQuery = ""
  /// The call that `.` repeats.
  var lastFlow: AnyIntent?
  /// The lines that were run in the palette, the newest last.
  var history: [String] = []
  var isZoomed = false
  var isPresenting = false
  /// Whether this is a demo, which has steps to run.
  var hasDemo = false
  /// The time between two steps of a demo that runs automatically, in milliseconds, or `nil` if the user runs the
  /// steps.
  var autoPace: Int?
  /// The last key and its effect, for the presenter's bar.
  var keyEcho = ""
  /// Whether clicks and the wheel reach the program, and not only the terminal's own selection.
  var hasMouse = true
  /// The step of the guide through the first minute, or `nil` if there is no guide.
  var coach: Coach?
  /// The theme that was chosen on the screens, or `nil` for the initial theme of the program.
  var theme: Theme?
  var waits = Waits()
  /// Whether the screen may be animated.
  var mayMove = false
  var motion: RowMotion?

  var place: Place { stack.last ?? .apps }
  /// The context of the current screen, without a copy of the place's subject.
  var screenContext: KeyContext { stack.last?.screen ?? .apps }
  var layout: Layout {
    Layout(
      size: size, isZoomed: isZoomed, isPresenting: isPresenting, hasDemo: hasDemo, hasCoach: coach != nil)
  }

  /// Returns the first visible line of a text panel, which scrolls only while it is focused.
  func scroll(ofPanel number: Int) -> Int { panel == number ? scroll : 0 }

  /// Returns a command that takes a while, and announces it in the status line.
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

  /// Lets the focused dialog change itself, and returns the result, or `nil` if there is no dialog.
  @discardableResult
  mutating func changeDialog<Result>(_ change: (inout any DialogComponent) -> Result) -> Result? {
    guard var dialog = dialogs.popLast() else { return nil }
    defer { dialogs.append(dialog) }
    return change(&dialog.component)
  }

  /// Reports that a name is unknown, and suggests the nearest known name.
  mutating func refuse(_ noun: String, _ name: String, among names: [String]) -> [Command] {
    let near = nearestName(to: name, among: names).map { " Did you mean \($0)?" } ?? ""
    say("There is no \(noun) “\(name)”.\(near)", .bad)
    return []
  }

  /// Replaces the state of the focused dialog.
  mutating func replaceDialog(_ dialog: some DialogComponent) {
    if !dialogs.isEmpty { dialogs[dialogs.count - 1] = Dialog(dialog) }
  }
}

/// Facts about the lab that every screen uses.
struct LabFacts: Equatable, Sendable {
  var title: String
  /// A description of the log that the traces were read from, or `nil` for a lab, whose time matters instead.
  var logFacts: String?
  /// The store as a command-line option, or `nil` for the default store or for none.
  var storeOption: String?
  /// Whether the lab is read-only (`--readonly`).
  ///
  /// A command that would change the lab reports this instead.
  var isReadOnly = false
  var status: LabStatus?
  /// The apps, in the order of the Apps screen.
  var apps: [AppRow] = []
  /// The test users that Ctrl-T can fill in on the sign-in page.
  var people: [TestPerson] = []

  init(title: String) { self.title = title }

  /// The platform of the device.
  var platform: Platform { status.flatMap { Platform(rawValue: $0.platform) } ?? .iOS }
  /// The storage of the tokens of the device's apps.
  var storage: Party { platform.storage }

  static let readOnly = "the store is open for reading only"
  static let ofLog = "a log has no apps; R on a call makes a lab from it"

  /// One row for each app.
  ///
  /// If an app has several accounts, this is the row of the first account.
  var eachApp: [AppRow] {
    var seen: Set<String> = []
    return apps.filter { seen.insert($0.bundleID).inserted }
  }

  /// The display names of the apps, by bundle ID.
  var appNames: [String: String] {
    Dictionary(apps.map { ($0.bundleID, $0.displayName) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns an app by its bundle ID, its name, or an unambiguous part of either.
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

  /// Returns an app and the account after it that a call is for, as in `mail ada@contoso.com`.
  func call(named text: String) -> (app: AppRow, account: String?)? {
    if let app = app(named: text) { return (app, nil) }
    guard let space = text.lastIndex(of: " "), let app = app(named: String(text[..<space])) else {
      return nil
    }
    return (app, String(text[text.index(after: space)...]))
  }

  /// Returns the row of an app's account, or the app's first row if the account is `nil` or not found.
  func row(ofApp bundleID: String, account: String?) -> AppRow? {
    let rows = apps.filter { $0.bundleID == bundleID }
    return rows.first { $0.account == account || account.map($0.accounts.contains) ?? false } ?? rows.first
  }

  /// Returns a trace's title with the app's name in place of its bundle ID.
  func named(_ title: String) -> String {
    for app in apps {
      guard let range = title.firstRange(of: app.bundleID),
        title.hasSuffix(app.bundleID) || [" ", "”"].contains(where: { title.contains(app.bundleID + $0) })
      else { continue }
      return title[..<range.lowerBound] + app.displayName + title[range.upperBound...]
    }
    return title
  }

  /// Returns a command line of `ssoterm` for this store.
  func commandLine(_ words: [String]) -> String {
    let store = storeOption.map { ["--store", $0] } ?? []
    return (["ssoterm"] + words + store).map(shellWord).joined(separator: " ")
  }

  /// The shell command that sets everything that a program needs to sign in here, or `nil` for a demo, which no other
  /// process can read.
  var environmentLine: String? {
    if let status, status.storePath == nil { return nil }
    return "eval \"$(\(commandLine(["serve", "env"])))\""
  }
}

/// A message for the status line that reports what happened.
struct Notice: Equatable, Sendable {
  enum Kind: Sendable { case good, bad, plain }
  var text: String
  var kind: Kind
  var canUndo = false
  var next: Advice = ""
  /// The error as the SDK prints it, which is long.
  var printed = ""
  /// Whether a change to a field, which “why?” offers, fixes the error.
  var canFix = false

  /// Whether the notice is an error that contains a code.
  var hasCode: Bool { kind == .bad && !Explanation.find(in: text).isEmpty }
}

extension Notice {
  init(_ problem: Problem) {
    let text = [problem.what, problem.why].filter { !$0.isEmpty }.joined(separator: " ")
    self.init(text: text, kind: .bad, next: problem.next)
  }

  /// Returns the notice of a call that was undone, which has neither the sign nor the colour of its outcome.
  static func undone(_ outcome: Outcome) -> Notice {
    Notice(text: "↶ undone: " + Notice(outcome).text.dropFirst(2), kind: .plain)
  }

  init(_ outcome: Outcome) {
    let code = outcome.errorCode.map { " (\($0))" } ?? ""
    switch outcome.verdict {
    case .succeeded: self.init(text: "✓ " + outcome.summary, kind: .good, canUndo: outcome.canUndo)
    case .cancelled: self.init(text: "· " + outcome.summary + code, kind: .plain)
    case .failed:
      // The SDK's own sentence says less than the check, and W shows it.
      let failure = outcome.errorCode == nil ? nil : outcome.failedCheck?.failure
      let cause = failure.map {
        $0.sentenceCased + Self.values(of: outcome) + code + "."
      }
      let reason = outcome.failedCheck?.reason
      // A refusal of the lab is already its reason.
      let isSaid = reason.map { outcome.summary.utf8.firstRange(of: $0.sentenceCased.utf8) != nil } ?? true
      let why = isSaid ? "" : reason.map { "\($0). " } ?? ""
      self.init(
        text: "✗ " + (cause ?? why.sentenceCased + outcome.summary + code),
        kind: .bad, next: outcome.next ?? "", printed: outcome.errorText ?? "",
        canFix: outcome.failedCheck?.remedy != nil)
    }
  }

  /// Returns the value that decides beside the value that it should be, if both are short: `: F6G7H8I9J0 ≠ A1B2C3D4E5`.
  private static func values(of outcome: Outcome) -> String {
    guard let check = outcome.failedCheck, check.remedy != nil, check.contrast != nil else { return "" }
    let values = ": \(check.found) ≠ \(check.expected)"
    return columnWidth(values) <= 64 ? values : ""
  }
}
