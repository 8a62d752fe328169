import SSODevice
import SSOLab
import SSOProvider
import TerminalUI

extension AppModel {
  /// Keys of the prompts and of the confirmation.
  mutating func answer(_ action: Action) -> [Command] {
    switch dialogs.last {
    case .note: return keepNote()
    case .edit: return keepField()
    case .fault: return submitFault()
    case .confirm(var confirmation):
      if action == .otherButton {
        confirmation.isConfirming.toggle()
        dialogs[dialogs.count - 1] = .confirm(confirmation)
        return []
      }
      dialogs.removeLast()
      guard confirmation.isConfirming else {
        notice = Notice(text: "Nothing was removed.", kind: .plain)
        return []
      }
      return begin("Removing", .perform(confirmation.intent, []))
    case .prompt(var dialog):
      let commands = answer(action, &dialog)
      dialogs[dialogs.count - 1] = .prompt(dialog)
      return commands
    default: return []
    }
  }

  private mutating func answer(_ action: Action, _ dialog: inout PromptDialog) -> [Command] {
    // One answer at a time: a second Enter while the flow runs would answer the next prompt unseen.
    guard working == nil || action == .testPerson else { return [] }
    switch action {
    case .pick(let number):
      if number <= dialog.list.count { dialog.list.state.selection = number - 1 }
      return []
    case .otherButton:
      dialog.button = 1 - dialog.button
      return []
    case .testPerson:
      if case .signIn(let page) = dialog.prompt { dialog.fillNextPerson(of: page, people) }
      return []
    case .otherAccount: return send(.useAnotherAccount, dialog)
    case .details:
      dialog.showsDetails.toggle()
      return []
    case .revealPassword:
      dialog.isRevealed = true
      waits.reveals += 1
      return []
    case .forgetCandidate:
      return dialog.candidate.map { [.load(.blastRadius(.forget(account: $0.homeAccountID)))] } ?? []
    case .cancel: return send(.cancel, dialog)
    case .submit:
      if let candidate = dialog.candidate, candidate.state == .blocked {
        notice = Notice(text: "\(candidate.username) cannot be chosen: \(candidate.remark).", kind: .bad)
        return []
      }
      guard let answer = dialog.answer else {
        notice = Notice(text: "Nothing is typed yet; Ctrl-T fills in a test person.", kind: .plain)
        return []
      }
      return send(answer, dialog)
    default: return []
    }
  }

  private mutating func send(_ answer: Answer, _ dialog: PromptDialog) -> [Command] {
    guard let intent = dialog.intent else { return finish(answer, dialog) }
    let words = if case .password = answer { "Checking the password" } else { "Continuing" }
    return begin(words, .perform(intent, dialog.answers + [answer]))
  }

  /// `ssoterm pick`: the choice is the result.
  private func finish(_ answer: Answer, _ dialog: PromptDialog) -> [Command] {
    guard case .account(let id) = answer, case .chooseAccount(let picker) = dialog.prompt,
      let candidate = picker.candidates.first(where: { $0.homeAccountID == id })
    else { return [.finish(.cancelled)] }
    return [.finish(.picked(candidate))]
  }
}

extension PromptDialog {
  /// The selected account of the picker; nil on the row for another one.
  var candidate: PickerCandidate? {
    guard case .chooseAccount(let picker) = prompt, let row = list.selectedRow else { return nil }
    return picker.candidates.indices.contains(row) ? picker.candidates[row] : nil
  }

  /// What Enter sends; nil while the page is not filled in.
  var answer: Answer? {
    switch prompt {
    case .chooseAccount(let picker):
      return list.selectedRow.map {
        picker.candidates.indices.contains($0)
          ? .account(homeAccountID: picker.candidates[$0].id) : .useAnotherAccount
      }
    case .signIn(let page):
      guard !field.text.isEmpty else { return nil }
      switch page.asks {
      case .username: return .username(field.text)
      case .password: return .password(field.text)
      case .verification: return .verification(field.text)
      }
    case .consent: return button == 0 ? .accept : .cancel
    case .errorPage: return .cancel
    }
  }

  /// On the first page the next person, on the password page that person's password.
  mutating func fillNextPerson(of page: SignInPage, _ people: [TestPerson]) {
    switch page.asks {
    case .username:
      let known = people.isEmpty ? page.accountsInSession : people.map(\.username)
      guard !known.isEmpty else { return }
      let next = known.firstIndex(of: field.text).map { ($0 + 1) % known.count } ?? 0
      field = TextField(known[next])
    case .password:
      guard let person = people.first(where: { $0.username == page.username }) else { return }
      field = TextField(person.password)
    case .verification(let number): field = TextField(number)
    }
  }
}
