import SSOCore
import SSODevice
import SSOLab
import SSOProvider
import TerminalUI

/// The keys of a flow's prompts.
enum PromptKeys {
  static let keys: [KeyContext: [KeyCommand]] = [
    .picker: [
      choose, scripted,
      KeyCommand(
        PromptAction.otherAccount, [.character("+")], "+", "add", name: "use another account",
        "Signs in with an account that is not listed."),
      closeInner, cancel, putOff, decline, details, copyID,
      KeyCommand(
        PromptAction.signOutOne, [.character("-")], "-", "", name: "sign out of one",
        "Asks which account to sign out of this device."),
      KeyCommand(
        PromptAction.forgetAccount, [.character("f")], "f", "sign out", name: "sign out of device", forgets),
      .filter, leaveStep, NavigationAction.presenterKey,
    ] + digits + [help],
    .signOutOne: [
      KeyCommand(
        PromptAction.forgetAccount, [.enter, .character("f")], "Enter", "sign out",
        name: "sign out of device",
        forgets),
      details, closeInner, copyID,
      .filter,
    ] + digits + [help],
    .pick: [
      choose, details, copyID, closeInner, .filter,
      KeyCommand(
        PromptAction.cancel, [.escape], "Esc", "cancel", name: "cancel",
        "Ends without an account: nothing is printed, the exit code is 130."),
    ] + digits + [help],
    .signIn: [
      KeyCommand(
        PromptAction.submit, [.enter], "Enter", "continue", name: "continue", "Sends what was typed."),
      cancel,
      KeyCommand(
        PromptAction.testPerson, [.control("t")], "C-t", "test user", name: "test user",
        "Fills in the next test user of this tenant."),
      KeyCommand(
        PromptAction.nextInSession, [.down], "Down", "signed in", name: "signed in",
        "Fills in the next account that is signed in to the browser."),
      KeyCommand(
        PromptAction.revealPassword, [.control("r")], "C-r", "reveal 10s", name: "reveal password",
        "Shows the password for ten seconds."),
      putOffWhileTyping, declineWhileTyping, scripted, leaveStep,
    ],
    .consent: buttons, .systemAlert: buttons,
    .errorPage: [
      KeyCommand(
        PromptAction.cancel, [.enter], "Enter", "back to the app", name: "close page",
        "Closes the error page."),
      cancel, putOff, decline, scripted, leaveStep, NavigationAction.presenterKey, .help,
    ],
  ]

  private static let buttons = [
    KeyCommand(
      PromptAction.otherButton, [.tab, .backTab, .left, .right], "Tab", "switch", name: "other button",
      "Goes to the other button."),
    KeyCommand(
      PromptAction.submit, [.enter], "Enter", "press", name: "press", "Presses the marked button."),
    cancel, putOff, decline, scripted, leaveStep, NavigationAction.presenterKey, .help,
  ]
  private static let choose = KeyCommand(
    PromptAction.submit, [.enter], "Enter", "choose", name: "choose", "Answers with the selected account.")
  private static let details = KeyCommand(
    PromptAction.details, [.character("?"), .character("i")], "?", "why shown", name: "details",
    "Shows all details of the selected account: why it is in the list, its state with the reason, its full ID, its last use; i does the same."
  )
  /// The key of the help, because `?` asks about the account here.
  private static let help = KeyCommand(
    HelpAction.open, [.function(1)], "F1", "help", name: "help", KeyCommand.help.sentence)
  private static let forgets =
    "Signs the selected account out of this device, after showing what each app loses."
  private static let copyID = KeyCommand(
    PromptAction.copyID, [.character("y")], "y", "copy ID", name: "copy ID",
    "Copies the home account ID of the selected account.")
  private static let closeInner = KeyCommand(
    PromptAction.closeInner, [.escape], "Esc", "back", name: "close details",
    "Closes the details, shows all accounts again, goes back to choosing.")
  private static let cancel = KeyCommand(
    PromptAction.cancel, [.escape], "Esc", "cancel to app", name: "cancel",
    "Cancels: the app gets its SDK's code for a cancelled call."
  )
  private static let putOff = KeyCommand(
    ProviderAction.putOff, [.escape, .character("!"), .control("n")], "Esc", "postpone", name: "put off",
    "Closes a real program's sign-in without an answer and lists all that wait. It can be answered later.")
  private static let decline = KeyCommand(
    PromptAction.decline, [.character("X"), .control("x")], "X", "decline", name: "decline",
    "Declines a real program's sign-in: the program gets access_denied.")
  private static let declineWhileTyping = KeyCommand(
    PromptAction.decline, [.control("x")], "C-x", "decline", name: "decline", decline.sentence)
  /// The key for postponing in a field, where `!` is text.
  private static let putOffWhileTyping = KeyCommand(
    ProviderAction.putOff, [.escape, .control("n")], "Esc", "postpone", name: "put off", putOff.sentence)
  /// The demo's key while a step shows a prompt.
  private static let scripted = KeyCommand(
    DemoAction.next, [.character(">")], ">", "scripted answer", name: "demo next",
    "Sends the answer that the demo's scenario has for this prompt.")
  private static let leaveStep = KeyCommand(
    DemoAction.back, [.character("<"), .escape], "<", "back", name: "demo back",
    "Goes back to before the step of the demo; nothing that it did is kept.")
  private static let digits = (1...9).map { number in
    KeyCommand(
      PromptAction.pick(number), [.character(Character("\(number)"))], number == 1 ? "1-9" : "\(number)",
      number == 1 ? "select" : "", name: "pick \(number)",
      "Selects account \(number); nothing is sent before Enter.")
  }
}

/// An action in a flow's prompt.
enum PromptAction: FeatureAction {
  case pick(Int)
  case otherAccount, signOutOne, forgetAccount, details, submit, cancel, otherButton, testPerson,
    revealPassword
  /// Refuses an external client's sign-in.
  case decline
  /// Esc, as long as there is something to close before it cancels.
  case closeInner
  case nextInSession
  /// Copies the home account ID, which may be truncated on the screen.
  case copyID

  var changesLab: Bool { self == .forgetAccount }

  func obstacle(in model: AppModel) -> String? {
    let dialog = model.topDialog(PromptDialog.self)
    return switch self {
    case .pick(let number): number <= dialog?.accountCount ?? 0 ? nil : dialog?.digitsText ?? ""
    case .cancel:
      dialog?.isForRealProgram == true && dialog?.isErrorPage == false
        ? "X declines" : dialog?.escapeLeavesStep == true ? "a step of a demo is left" : nil
    case .decline: dialog?.isForRealProgram == true ? nil : "no program outside the lab asks"
    case .details, .forgetAccount, .copyID: dialog?.candidate == nil ? "select an account first" : nil
    case .revealPassword: dialog?.prompt.isOnPassword == true ? nil : "nothing is masked here"
    case .testPerson:
      dialog?.prompt.knowsPerson(model.lab.people) == true ? nil : "no test users in this tenant"
    case .closeInner:
      dialog?.showsDetails == true || dialog?.list.isFiltered == true || dialog?.isSigningOut == true
        ? nil : "nothing is open in it"
    case .signOutOne: dialog?.canSignOutOne == true ? nil : "no account here can be signed out"
    case .nextInSession:
      dialog?.accountsInSession.isEmpty == false ? nil : "no account is signed in to the browser"
    case .otherAccount, .submit, .otherButton: nil
    }
  }

  func run(on model: inout AppModel) -> [Command] {
    // One answer at a time: a second Enter while the flow runs would answer the next prompt unseen.
    guard var dialog = model.topDialog(PromptDialog.self), model.working == nil || self == .testPerson else {
      return []
    }
    switch self {
    case .pick(let number):
      if number <= dialog.accountCount { dialog.list.state.selection = number - 1 }
    case .otherButton: dialog.button = 1 - dialog.button
    case .testPerson:
      if case .signIn(let page) = dialog.prompt { dialog.fillNextPerson(of: page, model.lab.people) }
    case .nextInSession: dialog.fillNext(of: dialog.accountsInSession)
    case .details: dialog.showsDetails.toggle()
    case .closeInner:
      if dialog.showsDetails {
        dialog.showsDetails = false
      } else if dialog.list.isFiltered {
        dialog.list.clearFilter()
      } else {
        dialog.ask(whomToSignOut: false)
      }
    case .signOutOne: dialog.ask(whomToSignOut: true)
    case .revealPassword:
      model.waits.reveal(again: dialog.isRevealed)
      dialog.isRevealed = true
    case .otherAccount: return Self.send(.useAnotherAccount, of: dialog, &model.shared)
    case .forgetAccount:
      return dialog.candidate.map { [.load(.blastRadius(of: ForgetAccount(account: $0.homeAccountID)))] }
        ?? []
    case .copyID:
      return dialog.candidate.map {
        [.copy(Copy(text: $0.homeAccountID, label: CopyItem.homeAccountID.displayText))]
      } ?? []
    case .cancel, .decline: return Self.send(.cancel, of: dialog, &model.shared)
    case .submit: return submit(dialog, &model.shared)
    }
    model.shared.replaceDialog(dialog)
    return []
  }

  private func submit(_ dialog: PromptDialog, _ shared: inout SharedState) -> [Command] {
    if let candidate = dialog.candidate, candidate.state == .blocked {
      shared.say("\(candidate.username) cannot be chosen: \(candidate.remark).", .bad)
      return []
    }
    if dialog.pickerRow == .signOut {
      var dialog = dialog
      dialog.ask(whomToSignOut: true)
      shared.replaceDialog(dialog)
      return []
    }
    guard let answer = dialog.answer else {
      shared.say("Nothing is typed yet; Ctrl-T fills in a test user.")
      return []
    }
    return Self.send(answer, of: dialog, &shared)
  }

  static func send(_ answer: Answer, of dialog: PromptDialog, _ shared: inout SharedState) -> [Command] {
    guard let intent = dialog.intent else { return [.finish(dialog.prompt.result(of: answer))] }
    let words = if case .password = answer { "Checking the password" } else { "Continuing" }
    return shared.begin(words, .perform(intent, dialog.answers + [answer]))
  }
}

extension PromptDialog {
  fileprivate var isErrorPage: Bool { if case .errorPage = prompt { true } else { false } }

  /// The number of listed rows that a digit can select, which are the accounts.
  fileprivate var accountCount: Int {
    guard case .chooseAccount(let picker) = prompt else { return 0 }
    return list.isFiltered ? list.count : picker.candidates.count
  }

  /// The reason that a digit selects nothing: `only 2 accounts; press 1 or 2, or cancel the sign-in first`.
  fileprivate var digitsText: String {
    let digits = accountCount == 1 ? "1" : accountCount == 2 ? "1 or 2" : "1 to \(accountCount)"
    return accountCount == 0
      ? "no account is listed"
      : "only \(counted(accountCount, "account")); press \(digits), or close the sign-in first"
  }
}

extension Prompt {
  fileprivate var isOnPassword: Bool {
    if case .signIn(let page) = self, case .password = page.asks { true } else { false }
  }

  /// Returns whether Ctrl-T can fill something in.
  fileprivate func knowsPerson(_ people: [TestPerson]) -> Bool {
    guard case .signIn(let page) = self else { return false }
    return switch page.asks {
    case .username: !people.isEmpty || !page.accountsInSession.isEmpty
    case .password: people.contains { $0.username == page.username }
    case .verification: true
    }
  }

  /// Returns the result of `ssoterm pick`, which is the choice.
  fileprivate func result(of answer: Answer) -> ProgramResult {
    guard case .account(let id) = answer, case .chooseAccount(let picker) = self,
      let candidate = picker.candidates.first(where: { $0.homeAccountID == id })
    else { return .cancelled }
    return .picked(candidate)
  }
}
