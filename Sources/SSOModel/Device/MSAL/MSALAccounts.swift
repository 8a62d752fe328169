import SSOCore
import SSOKeychain
import SSOReference

/// The accounts that an app with MSAL lists (docs/behaviour/msal-cache.md §10), including those from ADAL (adal.md §6).
///
/// Throws `KeychainError` and `StoreError`, as `Keychain` does.
package struct MSALAccounts: MSALPart {
  let client: MSALClient

  /// Returns the first accounts that `allAccounts` would list.
  ///
  /// They are found from the refresh tokens and the sign-in states instead of from all account items, which gives the
  /// same set (msal-cache.md §10(1)–(4)) without reading a hundred thousand items.
  package func first(_ limit: Int) throws -> [SDKAccount] {
    try client.wordingKeychainErrors {
      // An app's own cache has an account item exactly as long as the account is signed in.
      guard cache.keepsMetadata else {
        return try cache.accounts().prefix(limit).map {
          SDKAccount(identifier: $0.homeAccountID, username: $0.username, environment: $0.environment)
        }
      }
      let metadata = try cache.accountMetadata(clientID: app.clientID)
      let states = metadata?.entries.values.sorted { $0.homeAccountID < $1.homeAccountID } ?? []
      let signedOut = states.count { $0.signInState == .signedOut }
      let owners = try cache.refreshTokenOwners(clientID: app.clientID, limit: limit + signedOut)
      let ids = states.filter { $0.signInState == .signedIn }.map(\.homeAccountID) + owners.map(\.id)
      var found: [SDKAccount] = []
      var seen: Set<String> = []
      for id in ids where seen.insert(id.lowercased()).inserted {
        let places = owners.filter { normalized($0.id) == normalized(id) }.map(\.environment)
        if let account = try listed(id, in: places) { found.append(account) }
        if found.count == limit { break }
      }
      if found.count < limit { found += try legacyAccounts(besides: found).prefix(limit - found.count) }
      return found
    }
  }

  /// Performs `accountForIdentifier:`, which returns the first match, or `nil` without an error.
  package func account(identifier: String) throws -> SDKAccount? {
    try client.wordingKeychainErrors {
      try listed(identifier)
        ?? legacyAccounts(besides: []).first { normalized($0.identifier) == normalized(identifier) }
    }
  }

  /// Performs `accountForUsername:`, which returns the first match, or `nil` without an error.
  ///
  /// - Throws: IdentityCore's error, unconverted, for a blank name (msal-cache.md §10(10)).
  package func account(username: String) throws -> SDKAccount? {
    guard !username.allSatisfy(\.isWhitespace) else {
      throw MSALError.make(
        domain: "MSIDErrorDomain", code: IdentityCoreCode.invalidInternalParameter.number,
        "No username is provided")
    }
    return try client.wordingKeychainErrors {
      for account in try cache.accounts(username: username) {
        if let found = try listed(account.homeAccountID, in: [account.environment]) { return found }
      }
      return try legacyAccount(username)
    }
  }

  /// Returns the names of `accountClaims`, which are the claims of this client's ID token for the account's home
  /// tenant.
  ///
  /// Empty if the client does not have this token (msal-cache.md §8(3)).
  func claimNames(of account: SDKAccount) throws -> [String] {
    guard let realm = account.homeTenantID else { return [] }
    let token = try client.wordingKeychainErrors {
      try cache.idToken(
        homeAccountID: account.identifier, environments: [account.environment], realm: realm,
        clientID: app.clientID)
    }
    let claims = token.flatMap { try? JSONWebToken(unverified: $0.secret).claims }
    return claims?.keys.sorted() ?? []
  }

  /// Returns the account with this username or identifier, trying the likelier one first, or `nil` if it does not
  /// find one.
  package func account(_ name: String) throws -> SDKAccount? {
    let isUsername = name.contains("@") || name.allSatisfy(\.isWhitespace)
    return isUsername
      ? try account(username: name) ?? account(identifier: name)
      : try account(identifier: name) ?? account(username: name)
  }

  /// Returns an account that the app lists, or an account that it signed out and still remembers.
  package func knownAccount(_ name: String) throws -> SDKAccount? {
    if let listed = try account(name) { return listed }
    return try client.wordingKeychainErrors {
      guard let other = try anyAccount(name),
        try cache.keepsMetadata && cache.isSignedOut(homeAccountID: other.identifier, clientID: app.clientID)
      else { return nil }
      return other
    }
  }

  /// Returns the account whether or not it is signed in here (`returnOnlySignedInAccounts = NO`).
  package func anyAccount(_ name: String) throws -> SDKAccount? {
    try client.wordingKeychainErrors {
      let account =
        name.contains("@")
        ? try cache.accounts(username: name).first
        : try cache.accounts(homeAccountID: name, environments: environments).first
      return account.map {
        SDKAccount(identifier: $0.homeAccountID, username: $0.username, environment: $0.environment)
      }
    }
  }

  private var environments: [String] {
    EnvironmentAliases.publicCloud.candidates(for: app.msalAuthority?.host ?? "")
  }

  /// Returns the listed account with this ID, or `nil` if it is not listed.
  ///
  /// `allAccounts` does not filter by environment (msal-cache.md §10(5)). The app's own cloud, and the places where
  /// something of the account is known to exist, are searched before all others.
  private func listed(_ homeAccountID: String, in places: [String] = []) throws -> SDKAccount? {
    let own = environments
    let others = Set(places.map { $0.lowercased() }).subtracting(own).sorted()
    func listed(_ environments: [String]) throws -> ListedAccount? {
      try cache.listedAccounts(
        clientID: app.clientID, homeAccountID: homeAccountID, environments: environments, withIDTokens: false
      ).first
    }
    return try (listed(own + others) ?? listed([])).map {
      SDKAccount(
        identifier: $0.account.homeAccountID, username: $0.account.username,
        environment: $0.account.environment)
    }
  }

  // MARK: Accounts from ADAL (adal.md §6, msal-cache.md §10(7), §11)

  /// Returns the accounts of legacy refresh tokens that are listed in addition to `known`.
  ///
  /// An account without a home account ID is hidden if its username is that of a unified account, listed or not. An
  /// account with a home account ID is hidden if it is listed already or signed out of this client.
  func legacyAccounts(besides known: [SDKAccount], username: String? = nil) throws -> [SDKAccount] {
    guard cache.keepsMetadata else { return [] }
    let family = try cache.familyID(clientID: app.clientID)
    let lookup = LegacyLookup(cache: client.legacyCache, clientID: app.clientID)
    return try lookup.accounts(username: username, familyID: family).filter { account in
      if known.contains(where: { $0.isSame(as: account) }) { return false }
      guard !account.identifier.isEmpty else {
        return try cache.accounts(username: account.username).isEmpty
      }
      return try !cache.isSignedOut(homeAccountID: account.identifier, clientID: app.clientID)
    }
  }

  /// Returns the first legacy account with this username, or `nil` if it is not found.
  func legacyAccount(_ username: String) throws -> SDKAccount? {
    try legacyAccounts(besides: [], username: username).first
  }

  // MARK: `getCurrentAccountWithParameters:`, for apps that are written for one account

  // See docs/behaviour/msal-cache.md §5 and docs/behaviour/errors.md §4.

  /// Returns the only account that is signed in here, and the account that was when the app last asked.
  ///
  /// The `principal_*` fields of this client's AccountMetadata record it. Several accounts are error -51200, which the
  /// app receives as -50000 with -42102.
  ///
  /// On Android, the first of several accounts counts, and the app's own file records it (android.md §4(7)).
  ///
  /// An SSO extension that can be asked has accounts too (`allAccountsFromDevice:` of `MSALAccountsProvider.m`).
  ///
  /// If the device is shared, the account that the broker has for the device counts, not the account that signed in to
  /// the app. Without the extension, this is SSOTerm's own rule, because docs/behaviour describes only unmanaged
  /// devices.
  func current() throws -> CurrentAccount {
    let isShared =
      context.device.isShared && !client.brokerDecision().contains { $0.verdict == .failed }
    let operations = MSALExtensionOperations(client: client)
    let others = try operations.isAsked ? operations.accounts() : []
    var accounts = try isShared ? context.system.deviceAccounts(knownTo: nil) : client.accounts(limit: 2)
    if !isShared {
      accounts += others.filter { account in !accounts.contains { $0.isSame(as: account) } }
    }
    context.trace.add(
      .app, .sdk, actor: app.bundleID, "getCurrentAccount",
      result: accounts.isEmpty ? "none" : accounts.map(\.username).joined(separator: ", "),
      sent: [
        NameValue(
          "asked",
          isShared
            ? "the shared device's broker" : operations.isAsked ? "the cache, the SSO extension" : "the cache"
        )
      ])
    guard accounts.count < 2 || app.msal.takesFirstAccount else { throw MSALError.ambiguousAccount(accounts) }
    guard cache.keepsMetadata else {
      let before = try context.defaults.singleAccount()
      try context.defaults.setSingleAccount(accounts.first)
      return CurrentAccount(current: accounts.first, previous: before)
    }
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
