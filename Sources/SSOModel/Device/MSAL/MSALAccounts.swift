/// The accounts that an app with MSAL lists (docs/behaviour/msal-cache.md §10), also those that ADAL left (adal.md §6).
///
/// Throws `KeychainError` and `StoreError`, as `Keychain` does.
package struct MSALAccounts: MSALPart {
  let client: MSALClient

  /// The first accounts that `allAccounts` would list, found from the refresh tokens and the sign-in states instead of from
  /// all account items: the same set (msal-cache.md §10(1)–(4)), without reading a hundred thousand of them.
  package func first(_ limit: Int) throws -> [SDKAccount] {
    try client.wordingKeychainErrors {
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

  /// `accountForIdentifier:`: the first match, or nil without an error.
  package func account(identifier: String) throws -> SDKAccount? {
    try client.wordingKeychainErrors {
      try listed(identifier)
        ?? legacyAccounts(besides: []).first { normalized($0.identifier) == normalized(identifier) }
    }
  }

  /// `accountForUsername:`: the first match, or nil without an error.
  ///
  /// - Throws: for a blank name IdentityCore's error, unconverted (msal-cache.md §10(10)).
  package func account(username: String) throws -> SDKAccount? {
    guard !username.allSatisfy(\.isWhitespace) else {
      throw SDKError(
        .msal, domain: "MSIDErrorDomain", code: IdentityCoreCode.invalidInternalParameter.number,
        "No username is provided")
    }
    return try client.wordingKeychainErrors {
      for account in try cache.accounts(username: username) {
        if let found = try listed(account.homeAccountID, in: [account.environment]) { return found }
      }
      return try legacyAccount(username)
    }
  }

  /// Names of `accountClaims`: those of the ID token that this client has of the account's home tenant (msal-cache.md
  /// §8(3)); none without one.
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

  /// The account that a person named, by its username or its identifier: the likelier is tried first.
  package func account(_ name: String) throws -> SDKAccount? {
    let isUsername = name.contains("@") || name.allSatisfy(\.isWhitespace)
    return isUsername
      ? try account(username: name) ?? account(identifier: name)
      : try account(identifier: name) ?? account(username: name)
  }

  /// An account that the app lists, or one that it signed out and still remembers.
  package func knownAccount(_ name: String) throws -> SDKAccount? {
    if let listed = try account(name) { return listed }
    return try client.wordingKeychainErrors {
      guard let other = try anyAccount(name),
        try cache.isSignedOut(homeAccountID: other.identifier, clientID: app.clientID)
      else { return nil }
      return other
    }
  }

  /// The account whether or not it is signed in here (`returnOnlySignedInAccounts = NO`).
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
    EnvironmentAliases.publicCloud.candidates(for: (try? Authority(app.authority))?.host ?? "")
  }

  /// `allAccounts` filters no environment (msal-cache.md §10(5)).
  ///
  /// Here the app's own cloud is looked into, and the places where something of the account is known to be, before all others.
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
}

// MARK: - Accounts that ADAL left (adal.md §6, msal-cache.md §10(7), §11)

extension MSALAccounts {
  /// The accounts behind legacy refresh tokens that are to be listed beside `known`.
  ///
  /// One without a home account ID is hidden if its username is that of a unified account, listed or not; one with a
  /// home account ID if it is listed already or signed out of this client.
  func legacyAccounts(besides known: [SDKAccount], username: String? = nil) throws -> [SDKAccount] {
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

  /// The first with this username.
  package func legacyAccount(_ username: String) throws -> SDKAccount? {
    try legacyAccounts(besides: [], username: username).first
  }
}
