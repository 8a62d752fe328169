/// `MSALSignoutParameters` (docs/behaviour/msal-cache.md §11).
///
/// With none of them set it is `removeAccount:`.
package struct SignOutOptions: Codable, Hashable, Sendable {
  /// `signoutFromBrowser`: the provider's session ends too, in a web view.
  package var fromBrowser: Bool
  /// `wipeAccount`: the account goes for every client of the group, and its account items with it.
  package var wipeAccount: Bool
  /// `wipeCacheForAllAccounts`: every generic password of the group is deleted, also those of other apps.
  package var wipeCache: Bool

  package init(fromBrowser: Bool = false, wipeAccount: Bool = false, wipeCache: Bool = false) {
    self.fromBrowser = fromBrowser
    self.wipeAccount = wipeAccount
    self.wipeCache = wipeCache
  }

  /// As the SDK names them.
  package var words: [String] {
    [
      fromBrowser ? "signoutFromBrowser" : nil, wipeAccount ? "wipeAccount" : nil,
      wipeCache ? "wipeCacheForAllAccounts" : nil,
    ].compactMap(\.self)
  }
}

extension MSALClient {
  /// `removeAccount:` and `signoutWithAccount:` in the SDK's order.
  ///
  /// First the account, then the cache of everybody, then the browser. What is done
  /// stays done if a later step fails.
  /// - Returns: how many keychain items went.
  func signOut(_ account: SDKAccount, _ options: SignOutOptions, correlationID: String) throws -> Int {
    context.trace.add(
      .app, .sdk, actor: app.bundleID, options.words.isEmpty ? "removeAccount" : "signoutWithAccount",
      sent: [NameValue("account", account.username)] + options.words.map { NameValue($0, "YES") })
    var count = try remove(account, forAllClients: options.wipeAccount)
    if options.wipeCache { count += try wordingKeychainErrors { try cache.clear() } }
    if options.fromBrowser { try signOutOfBrowser(correlationID) }
    return count
  }

  /// This client's credentials go in every environment, its legacy items of that username too, and the account is marked
  /// signed out.
  ///
  /// Account items stay unless all clients lose the account; family tokens go then too.
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

  /// The end-session endpoint in a web session, which comes back to the redirect URI with the state.
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
