import SSOCore
import SSODevice
import SSOLab
import SSOProvider
import SSOTermApp

/// A dialogue in numbered lines that never repaints anything, so that a screen reader or a dumb terminal receives
/// everything.
///
/// `say` and `hear` are functions of the terminal, or of a test.
struct PlainDialogue {
  var say: (String) -> Void
  /// Reads a line, without echo if it is a secret.
  ///
  /// Returns `nil` if the user closed the input, which cancels.
  var hear: (_ hidden: Bool) -> String?
  var ink = TextInk()
  /// Returns the columns of a line, or `nil` if lines have no end.
  var columns: () -> Int? = { nil }
  /// Whether the line `!` postpones a question, because the program that asks can wait.
  var offersPutOff = false

  static let putOff = "!"
}

extension PlainDialogue {
  init(_ terminal: ControllingTerminal, ink: TextInk) {
    self.init(say: { terminal.write($0) }, hear: { terminal.readLine(hidden: $0) })
    self.ink = TextInk(colour: false, ascii: ink.ascii)
    columns = { terminal.width }
  }

  func line(_ text: String) { say(broken(text) + "\n") }

  /// Says a question, after which the answer is on the same line.
  func say(question: String) { say(broken(question) + " ") }

  /// Returns a line that breaks between words, and continues below the text of a numbered row.
  private func broken(_ text: String) -> String {
    var ink = ink
    ink.layout = columns().map { .fitted($0) } ?? .aligned
    let number = text.prefix(while: \.isNumber)
    let isRow = !number.isEmpty && text[number.endIndex...].hasPrefix(". ")
    let label = isRow ? number + ". " : ""
    return ink.paragraph(InkedText(String(label)), [InkedText(String(text.dropFirst(label.count)))])
  }

  /// Asks a question with its answer on the same line.
  func ask(_ question: String, hidden: Bool = false) -> String? {
    say(question: question)
    return hear(hidden)
  }

  /// Returns whether the user explicitly answered yes.
  func confirm(_ question: String) -> Bool {
    isYes(ask(question + " [y/N]"))
  }

  private func isYes(_ text: String?) -> Bool { ["y", "yes"].contains(text?.lowercased() ?? "") }

  /// Returns the user's answer, or `nil` if the user postponed it.
  func answer(_ prompt: Prompt) -> Answer? {
    switch prompt {
    case .chooseAccount(let picker): choose(picker)
    case .signIn(let page): signIn(page)
    case .consent(let page): consent(page)
    case .errorPage(let page): close(page)
    case .systemAlert(let alert): allow(alert)
    }
  }

  func isPutOff(_ text: String?) -> Bool { offersPutOff && text == Self.putOff }

  private func signIn(_ page: SignInPage) -> Answer? {
    line("Sign in at \(page.tenantName). \(page.appName) asks. Client \(page.clientID).")
    line(
      page.redirectURI.isEmpty ? "No redirect: it is for another device." : "Redirect \(page.redirectURI).")
    if let failure = page.failure { line("✗ " + failure) }
    switch page.asks {
    case .username:
      if !page.accountsInSession.isEmpty {
        line("Signed in here: \(page.accountsInSession.joined(separator: ", ")).")
      }
      let name = ask("Username, empty to cancel:")
      if isPutOff(name) { return nil }
      return nonEmpty(name).map { .username($0) } ?? .cancel
    case .password:
      if !page.username.isEmpty { line("As \(page.username).") }
      return nonEmpty(ask("Password, empty to cancel:", hidden: true)).map { .password($0) } ?? .cancel
    case .verification(let number):
      line("Open Authenticator and enter the number shown here: \(number).")
      let typed = ask("The number, typed here in place of Authenticator, empty to cancel:")
      if isPutOff(typed) { return nil }
      return nonEmpty(typed).map { .verification($0) } ?? .cancel
    }
  }

  private func consent(_ page: ConsentPage) -> Answer? {
    line("\(page.appName) by \(page.publisher) asks for permission. Client \(page.clientID).")
    line("As \(page.username).")
    for (index, scope) in page.scopes.enumerated() {
      let status = scope.alreadyGranted ? "Already granted" : "New"
      line("\(index + 1). \(scope.scope): \(scope.meaning). \(status).")
    }
    if let question = page.question { line(question) }
    let typed = ask((page.question == nil ? "Accept all of them?" : "Accept?") + " [y/N]")
    if isPutOff(typed) { return nil }
    return isYes(typed) ? .accept : .cancel
  }

  private func allow(_ alert: SystemAlert) -> Answer {
    line(alert.title)
    line(SystemAlert.message)
    return confirm("Continue?") ? .accept : .cancel
  }

  private func close(_ page: ErrorPage) -> Answer {
    line("✗ \(page.message)")
    line("Correlation ID \(page.correlationID).")
    _ = ask("Enter goes back to the app.")
    return .cancel
  }

  private func nonEmpty(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
}

// The account picker in numbered lines, used for both sign-in and `pick`.

extension PlainDialogue {
  /// Asks for an account.
  ///
  /// A number selects one, 0 or the end of the input cancels, and other text filters the list.
  ///
  /// A blocked account shows its reason and the picker stays open. Returns `nil` if the user postponed the answer.
  func choose(_ picker: AccountPicker) -> Answer? {
    if picker.signsIn {
      line("Choose an account. \(picker.appName) asks. Client \(picker.clientID).")
      line("Redirect \(picker.redirectURI). Scopes \(dashed(picker.scopes.joined(separator: ", "))).")
    } else {
      line(picker.appName.isEmpty ? "Choose an account." : "Choose an account, for \(picker.appName).")
    }
    if picker.callerCheck.verdict == .failed {
      line(
        "✗ \(picker.callerCheck.name): expected \(picker.callerCheck.expected), "
          + "found \(picker.callerCheck.found).")
    }
    var shown = picker.candidates
    while true {
      list(shown, offersAnother: picker.signsIn)
      guard let text = ask("Number, or text to filter:") else { return .cancel }
      if isPutOff(text) { return nil }
      guard let number = Int(text) else {
        shown = filtered(picker.candidates, by: text)
        continue
      }
      if number == 0 { return .cancel }
      if picker.signsIn, number == shown.count + 1 { return .useAnotherAccount }
      guard number > 0, number <= shown.count else {
        line("There is no number \(number).")
        continue
      }
      let chosen = shown[number - 1]
      guard chosen.state != .blocked else {
        line("\(chosen.username) cannot be chosen: \(chosen.remark).")
        continue
      }
      return .account(homeAccountID: chosen.homeAccountID)
    }
  }

  private func list(_ candidates: [PickerCandidate], offersAnother: Bool) {
    for (index, candidate) in candidates.enumerated() {
      line("\(index + 1). " + candidateLine(candidate))
    }
    if offersAnother { line("\(candidates.count + 1). Use another account.") }
    line("0. Cancel.")
  }

  /// Returns the candidates that contain all words.
  ///
  /// Empty text shows all candidates again.
  private func filtered(_ candidates: [PickerCandidate], by text: String) -> [PickerCandidate] {
    let words = text.lowercased().split(separator: " ")
    let found = candidates.filter { candidate in
      let hay = [candidate.displayName, candidate.username, candidate.tenantName].joined(separator: " ")
      return words.allSatisfy { hay.lowercased().contains($0) }
    }
    line("\(found.count) of \(candidates.count).")
    return found
  }
}

/// Returns the description of an account in a row, such as `Ada Lovelace, ada@contoso.com.
///
/// Ready. Last used`.
func candidateLine(_ candidate: PickerCandidate) -> String {
  let hint = candidate.isHinted ? " Hinted by the app." : ""
  let names = [candidate.displayName, candidate.username].filter { !$0.isEmpty }.joined(separator: ", ")
  let use = candidate.lastUse.map { " L" + $0.displayText.dropFirst() + "." } ?? ""
  return "\(names). \(stateSentence(candidate))\(use)\(hint)"
}

private func stateSentence(_ candidate: PickerCandidate) -> String {
  let remark = candidate.remark
  let sentence = remark.isEmpty ? "" : " \(remark.sentenceCased)."
  switch candidate.state {
  case .ready: return (candidate.mustSignInAgain ? "Needs a password." : "Ready.") + sentence
  case .expired: return remark.isEmpty ? "Expired." : "Expired, \(remark)."
  case .signedOut: return "Signed out." + (remark.lowercased() == "signed out" ? "" : sentence)
  case .blocked: return remark.isEmpty ? "Blocked." : "Blocked \(remark)."
  case .unknown: return "Unknown." + sentence
  }
}
