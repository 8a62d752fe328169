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
  let use = candidate.lastUse.map { " L" + $0.words.dropFirst() + "." } ?? ""
  return "\(names). \(stateSentence(candidate))\(use)\(hint)"
}

private func stateSentence(_ candidate: PickerCandidate) -> String {
  let remark = candidate.remark
  let sentence = remark.isEmpty ? "" : " " + remark.prefix(1).uppercased() + remark.dropFirst() + "."
  switch candidate.state {
  case .ready: return (candidate.mustSignInAgain ? "Needs a password." : "Ready.") + sentence
  case .expired: return remark.isEmpty ? "Expired." : "Expired, \(remark)."
  case .signedOut: return "Signed out." + (remark.lowercased() == "signed out" ? "" : sentence)
  case .blocked: return remark.isEmpty ? "Blocked." : "Blocked \(remark)."
  }
}
