/// `getCurrentAccountWithParameters:`, for apps that are written for one account.
///
/// See docs/behaviour/msal-cache.md §5 and docs/behaviour/errors.md §4.
extension MSALAccounts {
  /// Returns the only account that is signed in here, and the account that was when the app last asked.
  ///
  /// The `principal_*` fields of this client's AccountMetadata record it. Several accounts are error -51200, which the
  /// app receives as -50000 with -42102.
  ///
  /// If the device is shared, the account that the broker has for the device counts, not the account that signed in to
  /// the app. This is SSOTerm's own rule, because docs/behaviour describes only unmanaged devices.
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
