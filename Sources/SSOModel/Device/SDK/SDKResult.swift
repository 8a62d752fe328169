/// The tokens that a call returns to the app, with either SDK.
package struct SDKResult: Hashable {
  /// The source of the access token, as outcomes and traces name it.
  package enum Source: String, CaseIterable, Hashable, Sendable {
    case cache = "cache"
    /// The client's own; in ADAL, its multi-resource token, legacy or unified.
    case appRefreshToken = "app refresh token"
    case familyRefreshToken = "family refresh token"
    case webSession = "web session"
    case broker = "broker"
    /// ADAL's token of this client, redeemed by MSAL; the next case is the family's (docs/behaviour/adal.md §6).
    case legacyRefreshToken = "legacy refresh token"
    case legacyFamilyRefreshToken = "legacy family refresh token"
    /// ADAL with AD FS: a refresh token that is stored with its access token.
    case singleResourceRefreshToken = "single-resource refresh token"
  }

  /// The home account ID, or `nil` if the provider sent no `client_info` or ADAL is older than 2.7.
  package var homeAccountID: String?
  /// The username, which is empty for the unknown user of AD FS.
  package var username: String
  package var accessToken: String
  /// The granted scopes, or only the resource for ADAL.
  package var scopes: [String]
  package var expiresOn: Instant
  package var source: Source
  /// Whether a call waited for the result.
  ///
  /// If the app was terminated in between, the tokens are cached, but no call waited (docs/behaviour/broker.md §5).
  package var isAwaited = true
  /// Whether a cached token was used because the refresh failed while the server was unavailable.
  package var isFallback = false
  /// `extendedLifeTimeToken`: whether the token has expired and can be used only during the outage.
  package var isExtendedLifetime = false
}

/// An account as an SDK returns it to its app: `MSALAccount`, or ADAL's `userId` and `homeAccountId` (claim F3).
package struct SDKAccount: Hashable {
  /// The home account ID, which is empty if only ADAL before 2.7 knows the account (docs/behaviour/adal.md §6).
  package var identifier: String
  /// The username, which is empty for the unknown user of AD FS.
  package var username: String
  /// The environment, which is empty for an account that ADAL lists.
  package var environment: String

  package init(identifier: String, username: String, environment: String = "") {
    self.identifier = identifier
    self.username = username
    self.environment = environment
  }

  /// The ID by which the account is found again: the identifier or, if it is empty, the username.
  package var id: String { identifier.isEmpty ? username : identifier }

  /// `homeAccountId.tenantId`, or `nil` unless the identifier splits into exactly two parts (msal-cache.md §8).
  var homeTenantID: String? {
    let halves = identifier.split(separator: ".", omittingEmptySubsequences: false)
    return halves.count == 2 && !halves[1].isEmpty ? String(halves[1]) : nil
  }
}

/// The tokens of one account in an app's cache.
package struct HeldTokens {
  /// The access token that expires last, or `nil` if there is none.
  package var accessToken: TokenDates?
  /// The scopes or the resource of that token.
  package var target: String?
  /// The refresh tokens in the order in which a silent call redeems them.
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

/// The times at which a token's state changes merely because time passes.
package struct TokenDates: Hashable {
  /// The expiration time, or `nil` if the token counts as valid forever.
  package var expiresOn: Instant?
  package var refreshOn: Instant?

  package init(expiresOn: Instant?, refreshOn: Instant? = nil) {
    self.expiresOn = expiresOn
    self.refreshOn = refreshOn
  }
}

extension SDKAccount {
  /// Returns the home account ID, looked up by the username if the account has none, as may be after a legacy item.
  ///
  /// The result is empty if the ID is not known. If `environments` is empty, the items of every host match.
  func homeAccountID(in cache: TokenCache, _ environments: [String] = []) throws -> String {
    guard identifier.isEmpty, !username.isEmpty else { return identifier }
    return try cache.accounts(username: username, environments: environments).first?.homeAccountID ?? ""
  }
}
