import SSOKeychain

/// Accounts that ADAL left (fact sheet §2.6, §3.5 step 7, §3.6).
extension MSALClient {
  var legacyCache: LegacyCache {
    LegacyCache(keychain: cache.keychain, accessGroup: cache.accessGroup)
  }

  /// The accounts behind legacy refresh tokens that are to be listed beside `known`.
  ///
  /// One without a home account ID is hidden if its username is that of a unified account, listed or not; one with a
  /// home account ID if it is listed already or signed out of this client.
  func legacyAccounts(besides known: [MSALAccount], username: String? = nil) throws -> [MSALAccount] {
    let family = try cache.familyID(clientID: app.clientID)
    let lookup = LegacyLookup(cache: legacyCache, clientID: app.clientID)
    return try lookup.accounts(username: username, familyID: family).filter { account in
      if known.contains(where: { $0.isSame(as: account) }) { return false }
      guard !account.identifier.isEmpty else {
        return try cache.accounts(username: account.username).isEmpty
      }
      return try !cache.isSignedOut(homeAccountID: account.identifier, clientID: app.clientID)
    }
  }

  /// By username, or by identifier if ADAL knew it.
  package func legacyAccount(_ name: String) throws -> MSALAccount? {
    let username = name.contains("@") ? name : nil
    return try legacyAccounts(besides: [], username: username).first {
      username != nil || normalized($0.identifier) == normalized(name)
    }
  }
}
