/// The account picker and the pages of an interactive call.
extension LinuxBroker {
  /// Acquires a token interactively.
  ///
  /// The account that the program specifies is used without the picker, unless the program requests the picker.
  /// Otherwise, the user chooses an account.
  func acquireInteractively() throws -> LinuxBrokerAnswer {
    _ = try authority()
    let accounts = try context.accounts()
    let named = request.account.isEmpty ? nil : accounts.first { $0.isNamed(by: request.account) }
    if request.prompt == "login" { return try signIn(hint: named?.username ?? request.account.last) }
    if let named, request.prompt != "select_account" { return try use(named) }
    switch try context.system.choose(picker(accounts)) {
    case nil: throw Self.cancelled
    case .another?: return try signIn(hint: nil)
    case .account(let id)?:
      if let account = accounts.first(where: { $0.homeAccountID == id }) { return try use(account) }
      return try signIn(hint: people.first { $0.homeAccountID == id }?.username)
    }
  }

  private static let cancelled = LinuxBrokerError(.userCanceled, "User canceled authentication.")

  /// Returns tokens of an account in the broker, after showing a page of the provider if it requires one.
  private func use(_ account: BrokerAccount) throws -> LinuxBrokerAnswer {
    do {
      return try redeem(account)
    } catch let refusal as LinuxBrokerError where refusal.isForAPerson {
      if refusal.aadsts == AADSTSCode.consentMissing.number { return try consent(account) }
      return try signIn(hint: account.username)
    }
  }

  /// Signs the user in with the broker's own client, and then redeems the new primary refresh token.
  private func signIn(hint: String?) throws -> LinuxBrokerAnswer {
    let authority = try authority()
    let own = BrokerOwnSignIn(
      context: context, authority: authority.origin + "/" + authority.tenant,
      correlationID: request.correlationID)
    switch try own.run(hint: hint) {
    case .account(let account):
      do {
        return try redeem(account)
      } catch let refusal as LinuxBrokerError where refusal.aadsts == AADSTSCode.consentMissing.number {
        return try consent(account)
      }
    case .cancelled: throw Self.cancelled
    case .externalBrowser:
      throw LinuxBrokerError.needsPerson(
        "The account signs in with a certificate, which this broker cannot present.")
    case .refused:
      throw LinuxBrokerError.needsPerson("The provider gave the broker no primary refresh token.")
    }
  }

  /// Shows the program's own consent page to a user who is already signed in.
  ///
  /// Its code is not redeemed: once the user has consented, the primary refresh token is redeemed instead.
  private func consent(_ account: BrokerAccount) throws -> LinuxBrokerAnswer {
    let proof = ProofKey(random: context.random.bytes(32))
    let authority = try authority()
    let page = HTTPRequest(
      "GET", origin: authority.origin, path: "/\(authority.tenant)/oauth2/v2.0/authorize",
      query: [
        NameValue("client_id", request.clientID), NameValue("response_type", "code"),
        NameValue("redirect_uri", request.redirectURI), NameValue("scope", wantedScopes),
        NameValue("code_challenge", proof.challenge), NameValue("code_challenge_method", "S256"),
        NameValue("state", context.random.upperUUID()), NameValue("login_hint", account.username),
        NameValue("client-request-id", request.correlationID),
      ])
    let result = try context.system.browse(
      page, in: .ofBroker(primaryRefreshToken: account.primaryRefreshToken))
    guard case .redirected(let url) = result, URLParts(url)?.fields?["code"] != nil else {
      throw Self.cancelled
    }
    return try redeem(account)
  }

  private func picker(_ accounts: [BrokerAccount]) -> AccountPicker {
    let hint = request.account.last
    let held = accounts.map { $0.candidate(at: context.now, hint: hint) }
    let ids = Set(held.map(\.homeAccountID))
    return AccountPicker(
      appName: client.displayName, bundleID: client.clientID, clientID: client.clientID,
      redirectURI: request.redirectURI,
      sdk: [request.library.name, request.library.version].filter { !$0.isEmpty }.joined(separator: " "),
      scopes: request.scopes, prompt: request.prompt, loginHint: hint, callerCheck: caller.check,
      candidates: held + people.filter { !ids.contains($0.homeAccountID) }, presentation: .overlay,
      reason: "Authority \(request.authority).")
  }
}
