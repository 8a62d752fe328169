/// An action in a flow's prompt.
enum PromptAction: FeatureAction {
  case pick(Int)
  case otherAccount, signOutOne, forgetAccount, details, submit, cancel, otherButton, testPerson,
    revealPassword
  /// Esc, as long as there is something to close before it cancels.
  case closeInner
  case nextInSession
  /// Copies the home account ID, which may be truncated on the screen.
  case copyID

  var changesLab: Bool { self == .forgetAccount }

  func obstacle(in model: AppModel) -> String? {
    let dialog = model.topDialog(PromptDialog.self)
    return switch self {
    case .pick(let number): number <= dialog?.list.count ?? 0 ? nil : "there are fewer accounts"
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
    case .otherAccount, .submit, .cancel, .otherButton: nil
    }
  }

  func run(on model: inout AppModel) -> [Command] {
    // One answer at a time: a second Enter while the flow runs would answer the next prompt unseen.
    guard var dialog = model.topDialog(PromptDialog.self), model.working == nil || self == .testPerson else {
      return []
    }
    switch self {
    case .pick(let number):
      if number <= dialog.list.count { dialog.list.state.selection = number - 1 }
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
      dialog.isRevealed = true
      model.waits.reveals += 1
    case .otherAccount: return Self.send(.useAnotherAccount, of: dialog, &model.shared)
    case .forgetAccount:
      return dialog.candidate.map { [.load(.blastRadius(of: ForgetAccount(account: $0.homeAccountID)))] }
        ?? []
    case .copyID:
      return dialog.candidate.map {
        [.copy(Copy(text: $0.homeAccountID, label: CopyItem.homeAccountID.words))]
      } ?? []
    case .cancel where dialog.escapeLeavesStep:
      dialog.leaveStep(&model)
      return []
    case .cancel: return Self.send(.cancel, of: dialog, &model.shared)
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
