/// `MSALSignoutParameters` (docs/behaviour/msal-cache.md §11).
///
/// The call is `removeAccount:` if none of them is set.
package struct SignOutOptions: Codable, Hashable, Sendable {
  /// `signoutFromBrowser`: whether the provider's session ends too, in a web view.
  package var fromBrowser: Bool
  /// `wipeAccount`: whether the account is removed for every client of the group, together with its account items.
  package var wipeAccount: Bool
  /// `wipeCacheForAllAccounts`: whether every generic password of the group is deleted, including other apps' items.
  package var wipeCache: Bool

  package init(fromBrowser: Bool = false, wipeAccount: Bool = false, wipeCache: Bool = false) {
    self.fromBrowser = fromBrowser
    self.wipeAccount = wipeAccount
    self.wipeCache = wipeCache
  }

  /// The names of the options that are set, as in the SDK.
  package var words: [String] {
    [
      fromBrowser ? "signoutFromBrowser" : nil, wipeAccount ? "wipeAccount" : nil,
      wipeCache ? "wipeCacheForAllAccounts" : nil,
    ].compactMap(\.self)
  }
}

extension MSALClient {
  /// Performs `removeAccount:` or `signoutWithAccount:` in the SDK's order.
  ///
  /// The account is removed first, then the cache of all accounts, and then the session in the browser. Completed steps
  /// are not undone if a later step fails.
  /// - Returns: The number of deleted keychain items.
  func signOut(_ account: SDKAccount, _ options: SignOutOptions, correlationID: String) throws -> Int {
    context.trace.add(
      .app, .sdk, actor: app.bundleID, options.words.isEmpty ? "removeAccount" : "signoutWithAccount",
      sent: [NameValue("account", account.username)] + options.words.map { NameValue($0, "YES") })
    var count = try remove(account, forAllClients: options.wipeAccount)
    if options.wipeCache { count += try wordingKeychainErrors { try cache.clear() } }
    if options.fromBrowser { try signOutOfBrowser(correlationID) }
    return count
  }

  /// Removes this client's credentials and legacy items for the account, and marks the account as signed out.
  ///
  /// The credentials are removed in every environment, and the legacy items by username. Account items remain unless
  /// the account is removed for all clients, which removes family tokens too.
  private func remove(_ account: SDKAccount, forAllClients: Bool) throws -> Int {
    try wordingKeychainErrors {
      let id = try account.homeAccountID(in: cache)
      var count =
        try id.isEmpty
        ? 0
        : forAllClients
          ? cache.wipe(homeAccountID: id) : cache.remove(homeAccountID: id, clientID: app.clientID)
      count +=
        try forAllClients
        ? legacyCache.wipe(userID: account.username, byAccountAlone: false)
        : legacyCache.removeAll(userID: account.username, clientID: app.clientID)
      guard !account.identifier.isEmpty else {
        throw MSALError.make(code: .internalError, "HomeAccountId is needed to mark signed out state!")
      }
      try cache.markSignedOut(homeAccountID: account.identifier, clientID: app.clientID)
      return count
    }
  }

  /// Opens the end-session endpoint in a web session, which returns to the redirect URI with the state.
  private func signOutOfBrowser(_ correlationID: String) throws {
    let authority = try Authority(app.authority)
    let aliases = try authorities.discover(authority, isKnown: authority.isKnown(to: app), correlationID)
    let configuration = try authorities.configuration(of: authority, aliases, correlationID)
    let state = context.random.upperUUID()
    guard let parts = configuration.endSessionEndpoint.flatMap({ URLParts($0) }) else {
      throw MSALError.make(
        code: .internalError, "Authority doesn't support end_session_endpoint", correlationID: correlationID)
    }
    let page = HTTPRequest(
      "GET", origin: parts.origin, path: parts.path,
      query: [NameValue("post_logout_redirect_uri", app.redirectURI), NameValue("state", state)],
      headers: [NameValue("client-request-id", correlationID)])
    guard case .redirected(let url) = try context.system.browse(page, in: .ofApp) else {
      throw MSALError.make(
        code: .userCanceled, "User cancelled the authorization session.", correlationID: correlationID)
    }
    let found = URLParts(url)?.fields?["state"]
    let check = Check(
      "state equals", expected: state, found: found ?? "none", found == state, source: "RFC 6749 §10.12")
    context.trace.add(
      .system, .sdk, actor: app.bundleID, "web session ends", result: "signed out of the browser",
      checks: [check])
    guard check.verdict == .passed else {
      throw MSALError.make(
        code: .invalidState, "Missing or invalid state returned state: \(found ?? "(null)")",
        correlationID: correlationID)
    }
  }
}
