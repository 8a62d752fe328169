/// `getCurrentAccountWithParameters:` (docs/behaviour/msal-cache.md §5, docs/behaviour/errors.md §4): for apps that are written for one account.
extension MSALAccounts {
  /// The only account that is signed in here, and the one that was when the app asked last;.
  ///
  /// `principal_*` of this client's AccountMetadata remembers it. Several are -51200, which the app gets as -50000 with
  /// -42102.
  ///
  /// On a shared device the account counts that the broker has for the device, not the one that signed in to the app. SSOTerm's
  /// own rule: docs/behaviour describes unmanaged devices only.
  func current() throws -> CurrentAccount {
    let isShared =
      context.device.isShared && !client.brokerDecision().contains { $0.verdict == .failed }
    let accounts = try isShared ? context.system.deviceAccounts() : first(2)
    context.trace.add(
      .app, .sdk, actor: app.bundleID, "getCurrentAccount",
      result: accounts.isEmpty ? "none" : accounts.map(\.username).joined(separator: ", "),
      sent: [NameValue("asked", isShared ? "the shared device's broker" : "the cache")])
    guard accounts.count < 2 else { throw MSALError.ambiguousAccount(accounts) }
    return try client.wordingKeychainErrors {
      var metadata =
        try cache.accountMetadata(clientID: app.clientID) ?? AccountMetadata(clientID: app.clientID)
      let before = metadata
      let result = CurrentAccount(current: accounts.first, previous: metadata.principal)
      metadata.principal = accounts.first
      if metadata != before { try cache.write(metadata) }
      return result
    }
  }
}

extension AccountMetadata {
  /// `principal_home_account_id` and its companions.
  var principal: SDKAccount? {
    get {
      principalHomeAccountID.map {
        SDKAccount(
          identifier: $0, username: principalUsername ?? "", environment: principalEnvironment ?? "")
      }
    }
    set {
      principalHomeAccountID = newValue?.identifier
      principalUsername = newValue?.username
      principalEnvironment = newValue?.environment
    }
  }
}
