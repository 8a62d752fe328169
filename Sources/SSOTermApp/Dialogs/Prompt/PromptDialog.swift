import SSOCore
import SSODevice
import SSOLab
import SSOProvider
import SSOReference
import TerminalUI

/// A prompt of a flow, with what the user has entered so far.
struct PromptDialog: Equatable, Sendable {
  var prompt: Prompt
  /// The intent of the flow, or `nil` in `ssoterm pick`, where the choice itself is the result.
  var intent: AnyIntent?
  var answers: [Answer] = []
  /// The steps in the panel “Steps so far”.
  var hops: [Hop] = []
  /// The rows of the account picker, or of the consent page.
  var list = RowList()
  /// The number of accounts in the picker, which is counted only once because there may be many.
  var countText = ""
  /// The field of the sign-in page.
  var field = TextField()
  /// Whether a typed password is shown, which lasts ten seconds.
  var isRevealed = false
  /// Whether the picker shows all details of the selected account.
  var showsDetails = false
  /// Whether the picker asks which account to sign out of the device, and not which account to answer with.
  var isSigningOut = false
  /// The selected button: 0 is Accept or Continue, 1 is Cancel.
  var button = 0
  /// The scenario's answer, or `nil` if no step of a demo is running.
  var scripted: ScriptedAnswer?

  init(_ prompt: Prompt, intent: AnyIntent?, answers: [Answer] = [], hops: [Hop] = []) {
    self.prompt = prompt
    self.intent = intent
    self.answers = answers
    self.hops = hops
    switch prompt {
    case .chooseAccount(let picker):
      showRows(of: picker)
      countText = picker.countText
      if let suggested = picker.suggested { list.select(id: suggested.id) }
    case .signIn(let page):
      if case .username = page.asks { field = TextField(page.username) }
    case .consent(let page):
      list.replace(ids: page.scopes.map(\.scope), texts: page.scopes.map(\.scope))
    case .errorPage, .systemAlert: break
    }
  }
}

extension KeyContext {
  /// The account picker of a flow, and the account picker of `ssoterm pick`, which has no app behind it.
  static let picker = KeyContext("picker")
  static let pick = KeyContext("pick")
  static let signOutOne = KeyContext("signOutOne")
  static let signIn = KeyContext("signIn")
  static let consent = KeyContext("consent")
  static let errorPage = KeyContext("errorPage")
  static let systemAlert = KeyContext("systemAlert")
}

extension PromptDialog: ListDialog {
  static let keys = PromptKeys.keys

  var context: KeyContext {
    switch prompt {
    case .chooseAccount:
      list.isFiltering ? .filter : intent == nil ? .pick : isSigningOut ? .signOutOne : .picker
    case .signIn: .signIn
    case .consent: .consent
    case .errorPage: .errorPage
    case .systemAlert: .systemAlert
    }
  }

  mutating func type(_ key: KeyPress) -> Bool {
    if list.isFiltering { return list.type(key) }
    return context == .signIn && field.handle(key)
  }

  mutating func paste(_ text: String) {
    if list.isFiltering { list.paste(text) } else { field.insert(text) }
  }

  mutating func click(button number: Int) { button = number }

  func draw(in model: AppModel, into grid: inout Grid, _ layout: Layout) {
    if isOverlay, !model.isPickerOnly { grid.restyle(layout.body) { $0 = .dim } }
    let scene = PromptScene(self, in: model, layout)
    scene?.draw(into: &grid)
    var layout = layout
    layout.promptFrame = scene?.frame
    drawPrompt(in: model, into: &grid, layout)
    scene?.drawSystem(into: &grid)
    if scene == nil, !hops.isEmpty { grid.omit("the steps so far") }
  }

  private func drawPrompt(in model: AppModel, into grid: inout Grid, _ layout: Layout) {
    switch prompt {
    case .chooseAccount(let picker): drawPicker(picker, self, into: &grid, layout)
    case .signIn(let page):
      let caller = callerName(in: model.lab).map { $0 == page.appName ? "" : ", for " + $0 } ?? ""
      drawSignIn(
        page, self, for: caller, cancelled: cancelledText(in: model.lab), model.lab.people, into: &grid,
        layout)
    case .consent(let page): drawConsent(page, self, into: &grid, layout)
    case .errorPage(let page):
      drawErrorPage(page, self, cancelled: cancelledText(in: model.lab), into: &grid, layout)
    case .systemAlert(let alert): drawSystemAlert(alert, self, into: &grid, layout)
    }
    switch prompt {
    case .chooseAccount, .systemAlert: break
    case .signIn, .consent, .errorPage:
      drawHappening(self, working: model.working, into: &grid, layout.promptPanels().happening)
    }
  }

  /// Returns the app whose call shows the prompt, or `nil` for an external client.
  private func caller(in lab: LabFacts) -> AppRow? {
    (intent?.value as? any AppIntent).flatMap { lab.app(named: $0.app) }
  }

  private func callerName(in lab: LabFacts) -> String? { caller(in: lab)?.displayName }

  /// Returns the result of a cancelled call, as the end of a sentence.
  private func cancelledText(in lab: LabFacts) -> String {
    guard !isForRealProgram else { return "the program gets an error" }
    // The system asks, so there is no app that could get a code (docs/behaviour/broker.md §13).
    if intent?.value is RegisterPlatformSSO { return "the Mac is not registered" }
    let code = caller(in: lab)?.sdk == "ADAL" ? ADALCode.uiUserCancel.number : MSALCode.userCanceled.number
    return "the app gets \(code)"
  }

  /// A description of the prompt for an audience.
  var sentence: String {
    switch prompt {
    case .chooseAccount where isSigningOut: "which account to sign out of the device"
    case .chooseAccount(let picker): "\(picker.appName) asks: choose an account"
    case .signIn(let page): "\(page.tenantName) asks who you are, for \(page.appName)"
    case .consent(let page): "\(page.appName) asks for \(counted(page.scopes.count, "permission"))"
    case .errorPage(let page): page.displayText
    case .systemAlert(let alert): "iOS asks whether \(alert.appName) may use \(alert.site)"
    }
  }
}

extension PromptDialog {
  /// The answer that Enter sends, or `nil` while the page is not filled in.
  var answer: Answer? {
    switch prompt {
    case .chooseAccount:
      guard !isSigningOut else { return nil }
      switch pickerRow {
      case .account(let candidate): return .account(homeAccountID: candidate.id)
      case .other: return .useAnotherAccount
      case .signOut, nil: return nil
      }
    case .signIn(let page):
      guard !field.text.isEmpty else { return nil }
      switch page.asks {
      case .username: return .username(field.text)
      case .password: return .password(field.text)
      case .verification: return .verification(field.text)
      }
    case .consent, .systemAlert: return button == 0 ? .accept : .cancel
    case .errorPage: return .cancel
    }
  }

  /// Fills in the next test user on the first page, and that user's password or the number to verify on the later
  /// pages.
  mutating func fillNextPerson(of page: SignInPage, _ people: [TestPerson]) {
    switch page.asks {
    case .username:
      fillNext(of: people.isEmpty ? page.accountsInSession : people.map(\.username))
    case .password:
      guard let person = people.first(where: { $0.username == page.username }) else { return }
      field = TextField(person.password)
    case .verification(let number): field = TextField(number)
    }
  }

  /// The accounts that are signed in to the browser, while the page asks for a username.
  var accountsInSession: [String] {
    if case .signIn(let page) = prompt, page.asks == .username { page.accountsInSession } else { [] }
  }

  /// Fills in the first name, or the name after the current one.
  mutating func fillNext(of names: [String]) {
    guard !names.isEmpty else { return }
    field = TextField(names[names.firstIndex(of: field.text).map { ($0 + 1) % names.count } ?? 0])
  }

  /// Enters an answer as a user would, so that it can be seen before Enter sends it.
  mutating func fill(_ answer: Answer) {
    switch answer {
    case .account(let id): list.select(id: id)
    case .useAnotherAccount: list.select(id: PickerRow.otherID)
    case .username(let text), .password(let text), .verification(let text): field = TextField(text)
    case .accept: button = 0
    case .cancel: button = 1
    case .forgotPassword: break
    }
  }
}

/// The answer that the scenario of a demo has for the open prompt, while one of its steps is running.
struct ScriptedAnswer: Equatable, Sendable {
  /// The number of the step, counted from 1.
  var step: Int
  /// The answer, or `nil` if the scenario has no answer to this prompt.
  var answer: Answer?
}

extension PromptDialog {
  /// Whether Enter would send the scenario's answer.
  var isAsScripted: Bool { scripted?.answer != nil && answer == scripted?.answer }

  /// The text for the status line about the keys of the demo, or `nil` outside a step.
  var scriptHint: String? {
    guard let scripted, !isSigningOut else { return nil }
    let way =
      switch scripted.answer {
      case nil: "the scenario has no answer to this prompt"
      case _ where isAsScripted: "Enter or > sends its answer"
      case .cancel?: "the scenario cancels here: > or Esc"
      default: "not the scripted answer: > sends that one"
      }
    return "Step \(scripted.step): \(way). \(escapeLeavesStep ? "Esc or <" : "<") goes back."
  }

  /// Returns whether a key is text for the field of the page.
  ///
  /// While a step of a demo is running, letters, digits, and spaces are text only after the user has typed something,
  /// and `>` and `<` always belong to the demo.
  func typesAsText(_ key: KeyPress) -> Bool {
    guard case .signIn(let page) = prompt, case .character(let character) = key else { return false }
    guard scripted != nil else { return true }
    let isUntouched = isAsScripted || field.text == (page.asks == .username ? page.username : "")
    return !isUntouched && (character.isLetter || character.isNumber || character == " ")
  }
}

extension KeyContext { static let signInEnded = KeyContext("sign-in ended") }

/// A dialog that replaces a prompt whose program no longer waits for the answer.
///
/// Only Esc and Enter have an effect, because the user may be typing a password at that moment.
struct SignInEnded: TextWindow {
  /// The program's name.
  var client: String

  static let keys: [KeyContext: [KeyCommand]] = [
    .signInEnded: [.close([.escape, .enter], "close", name: "close", "Goes back to the screen.")]
  ]

  var context: KeyContext { .signInEnded }
  var title: String { "Sign-in" }
  var mostWidth: Int { 64 }

  func lines(width: Int) -> [PanelLine] {
    let why = "It has ended or cancelled its call, or the sign-in was answered in another terminal."
    return wrapped("✗ \(client) no longer waits for this sign-in.", width, indent: "  ").map {
      PanelLine($0, .bad)
    } + [PanelLine("")] + wrapped(why, width).map { PanelLine($0) }
  }
}
