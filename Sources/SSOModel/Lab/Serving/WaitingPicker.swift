/// The account picker of an external client's sign-in that waits for the terminal.
struct WaitingPicker {
  let reader: LabReader

  /// Returns "Choose an account" for an external client: the users signed in to its browser, the broker's
  /// accounts, and the lab's other users.
  func picker(for pending: PendingSignIn, _ page: SignInPage) throws -> AccountPicker {
    let directory = reader.directory
    let hint = pending.request.field("login_hint")
    var candidates = try page.accountsInSession.compactMap { name in
      try directory.person(username: name).map {
        try candidate($0, .ready, "signed in to this browser", hint, "it is signed in to this browser")
      }
    }
    for held in try reader.brokerAccounts() { candidates.append(held.candidate(at: reader.now, hint: hint)) }
    candidates += try people(hint: hint)
    var seen: Set<String> = []
    candidates = candidates.filter { seen.insert($0.homeAccountID).inserted }
    var picker = AccountPicker(
      appName: pending.client.displayName, bundleID: pending.client.clientID,
      clientID: pending.client.clientID,
      redirectURI: pending.userCode.map { "none, it is for the device that shows \($0)" } ?? page.redirectURI,
      sdk: pending.client.programWords, scopes: pending.scopes, prompt: pending.request.field("prompt"),
      loginHint: hint,
      callerCheck: Check(
        "who asks", expected: "a bundle ID from the system",
        found: "not verified: any program may use this client ID", verdict: .skipped, source: "RFC 8252 §8.6"),
      candidates: candidates.filter(\.isHinted) + candidates.filter { !$0.isHinted }, presentation: .overlay,
      reason: pending.isUntyped
        ? "Compare its code with the program's." : "Its page shows \(pending.number).")
    picker.comparesCode = pending.isUntyped
    return picker
  }

  /// Returns the users of the lab, up to the limit of the picker.
  func people(hint: String?) throws -> [PickerCandidate] {
    try reader.directory.people().prefix(Self.pickerLimit).map {
      try candidate(
        $0, $0.isDisabled ? .blocked : .signedOut, $0.isDisabled ? "disabled" : "", hint,
        "it is a user of this lab's directory")
    }
  }

  /// The maximum number of users in the picker.
  ///
  /// Others are reached with "use another account".
  private static let pickerLimit = 200

  private func candidate(
    _ person: Person, _ state: PickerCandidate.State, _ remark: String, _ hint: String?,
    _ shownBecause: String
  ) throws -> PickerCandidate {
    PickerCandidate(
      homeAccountID: person.clientInfo.homeAccountID, displayName: person.displayName,
      username: person.username,
      tenantName: try reader.directory.tenant(byNameOrID: person.homeTenantID)?.displayName
        ?? person.homeTenantID, state: state, remark: remark,
      isHinted: hint?.lowercased() == person.username.lowercased(), shownBecause: shownBecause)
  }
}
