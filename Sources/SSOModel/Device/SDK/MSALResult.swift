import SSOCore

/// What an `acquireToken` call of MSAL gives the app.
package struct MSALResult: Hashable {
  package enum Source: String, Hashable {
    case cache = "cache"
    case appRefreshToken = "app refresh token"
    case familyRefreshToken = "family refresh token"
    case webSession = "web session"
    case broker = "broker"
    /// What ADAL left: of this client, and of its family (fact sheet §2.6).
    case legacyRefreshToken = "legacy refresh token"
    case legacyFamilyRefreshToken = "legacy family refresh token"
  }

  package var homeAccountID: String
  package var username: String
  package var accessToken: String
  package var scopes: [String]
  package var expiresOn: Instant
  package var source: Source
  /// False if the app was ended in between: the tokens are cached, but nobody waited for the result (fact sheet §5.5).
  package var isAwaited = true
  /// The refresh failed because the server was down, and a cached token helped out.
  package var isFallback = false
  /// `extendedLifeTimeToken`: it has expired, and is good for the time of the outage only.
  package var isExtendedLifetime = false
}

/// An account as the app names it for a silent call.
package struct MSALAccount: Hashable {
  /// Where every personal account is at home (fact sheet §3.4).
  static let personalTenantID = "9188040d-6c67-4c5b-b112-36a304b66dad"

  /// Home account ID; empty if only ADAL before 2.7 knows the account (fact sheet §2.6).
  package var identifier: String
  package var username: String
  package var environment: String

  package init(identifier: String, username: String, environment: String) {
    self.identifier = identifier
    self.username = username
    self.environment = environment
  }

  /// `homeAccountId.tenantId`: only if the identifier splits into exactly two (§3.2).
  var homeTenantID: String? {
    let halves = identifier.split(separator: ".", omittingEmptySubsequences: false)
    return halves.count == 2 && !halves[1].isEmpty ? String(halves[1]) : nil
  }
}
