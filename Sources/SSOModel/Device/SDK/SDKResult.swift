/// The tokens that a call gives the app, whichever SDK it has.
package struct SDKResult: Hashable {
  /// Where the access token came from, in the words of outcomes and traces.
  package enum Source: String, CaseIterable, Hashable, Sendable {
    case cache = "cache"
    /// The client's own; ADAL's is its multi-resource token, legacy or unified.
    case appRefreshToken = "app refresh token"
    case familyRefreshToken = "family refresh token"
    case webSession = "web session"
    case broker = "broker"
    /// What ADAL left for MSAL: of this client, and of its family (docs/behaviour/adal.md §6).
    case legacyRefreshToken = "legacy refresh token"
    case legacyFamilyRefreshToken = "legacy family refresh token"
    /// ADAL at AD FS: a refresh token that is beside its access token.
    case singleResourceRefreshToken = "single-resource refresh token"
  }

  /// nil if the provider sent no `client_info`, or ADAL is older than 2.7.
  package var homeAccountID: String?
  /// Empty for the unknown user of AD FS.
  package var username: String
  package var accessToken: String
  /// ADAL: the resource alone.
  package var scopes: [String]
  package var expiresOn: Instant
  package var source: Source
  /// False if the app was ended in between: the tokens are cached, but no call waited for the result (docs/behaviour/broker.md §5).
  package var isAwaited = true
  /// The refresh failed because the server was down, and a cached token helped out.
  package var isFallback = false
  /// `extendedLifeTimeToken`: it has expired, and is good for the time of the outage only.
  package var isExtendedLifetime = false
}

/// An account as an SDK gives it to its app: `MSALAccount`, or ADAL's `userId` and `homeAccountId` (claim F3).
package struct SDKAccount: Hashable {
  /// Home account ID; empty if only ADAL before 2.7 knows the account (docs/behaviour/adal.md §6).
  package var identifier: String
  /// Empty for the unknown user of AD FS.
  package var username: String
  /// Empty where it is ADAL's.
  package var environment: String

  package init(identifier: String, username: String, environment: String = "") {
    self.identifier = identifier
    self.username = username
    self.environment = environment
  }

  /// What finds it again: the identifier, preferred to the username.
  package var id: String { identifier.isEmpty ? username : identifier }

  /// `homeAccountId.tenantId`: only if the identifier splits into exactly two (msal-cache.md §8).
  var homeTenantID: String? {
    let halves = identifier.split(separator: ".", omittingEmptySubsequences: false)
    return halves.count == 2 && !halves[1].isEmpty ? String(halves[1]) : nil
  }
}

/// What an app's cache holds for one account.
package struct HeldTokens {
  /// The access token that lasts longest; nil if there is none.
  package var accessToken: TokenDates?
  /// Scopes or resource of that token.
  package var target: String?
  /// In the order in which a silent call redeems them.
  package var refreshTokens: [HeldRefreshToken]

  package init(accessToken: TokenDates? = nil, target: String? = nil, refreshTokens: [HeldRefreshToken] = [])
  {
    self.accessToken = accessToken
    self.target = target
    self.refreshTokens = refreshTokens
  }
}

/// A refresh token in the cache, in MSAL's format or in ADAL's.
package enum HeldRefreshToken: Hashable {
  case unified(CredentialItem)
  case legacy(LegacyItem)
}

/// The moments at which time alone changes a token's state.
package struct TokenDates: Hashable {
  /// nil: the token counts as valid without end.
  package var expiresOn: Instant?
  package var refreshOn: Instant?

  package init(expiresOn: Instant?, refreshOn: Instant? = nil) {
    self.expiresOn = expiresOn
    self.refreshOn = refreshOn
  }
}

extension SDKAccount {
  /// The home account ID; that of the account item of its username if it has none, as one that came of a legacy item may.
  ///
  /// Empty if it is not known. Without `environments` the items of every host count.
  func homeAccountID(in cache: TokenCache, _ environments: [String] = []) throws -> String {
    guard identifier.isEmpty, !username.isEmpty else { return identifier }
    return try cache.accounts(username: username, environments: environments).first?.homeAccountID ?? ""
  }
}
