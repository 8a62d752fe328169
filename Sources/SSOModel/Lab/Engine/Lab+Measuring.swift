/// The operations that `ssoterm-bench` measures: the product's own code, without the process, the user, and
/// the provider.
extension Lab {
  /// Passes a silent call to `body`, which can repeat it in one transaction.
  ///
  /// The SDK already has its account object.
  ///
  /// The call returns whether the cache had the token.
  package func withSilentCall(
    app name: String, account: String, scopes: [String], _ body: (() throws -> Bool) throws -> Void
  ) throws {
    try read { reader in
      let app = try reader.app(name)
      let known = try reader.sdk(of: app).listedAccount(account)
      try body { try reader.cache(of: app).hasToken(for: known, scopes: scopes, of: app, at: reader.now) }
    }
  }

  /// Saves the provider's response to the sign-in of one new user, with journal and trace, durably.
  package func saveSignIn(app name: String, number: Int) throws {
    let entry = JournalEntry(intent: "sign in \(name)", at: clock())
    try store.write(entry) { store in
      let transaction = try IntentTransaction(store, realTime: entry.at)
      let app = try transaction.app(name)
      let identity = transaction.random.uuid()
      let tenant = "11111111-aaaa-4aaa-8aaa-111111111111"
      let account = AccountItem([
        .homeAccountID: identity + "." + tenant, .localAccountID: identity, .realm: tenant,
        .environment: PublicCloud.preferredCache, .username: "new\(number)@contoso.com",
      ])
      try MSALClient(transaction.runtime.context(of: app)).cache.save(
        CachedTokenResponse(
          account: account, clientID: app.clientID,
          accessToken: String(repeating: "a", count: 1500), target: "User.Read",
          expiresOn: transaction.now.adding(seconds: 3600), refreshToken: String(repeating: "r", count: 1000),
          familyID: "1", idToken: String(repeating: "i", count: 1000)))
      try transaction.saveRandom()
      try store.append(
        trace: TraceRecord(
          title: entry.intent, correlationID: identity, at: transaction.now,
          outcome: Outcome(.succeeded, "Saved.").encoded, hops: transaction.trace.hops))
    }
  }
}
