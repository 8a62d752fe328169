/// One `acquireTokenSilentWithParameters:` (docs/behaviour/silent-call.md §1).
package struct SilentRequest: Hashable {
  var account: SDKAccount?
  package var scopes: [String]
  package var forceRefresh = false
  /// Requested claims as JSON; the cache of access tokens is then passed over.
  package var claims: String?
  /// Authority of this call; nil: the one the app was configured with.
  var authority: String?
  var correlationID: String

  package init(
    account: SDKAccount? = nil, scopes: [String], forceRefresh: Bool = false, claims: String? = nil,
    authority: String? = nil, correlationID: String
  ) {
    self.account = account
    self.scopes = scopes
    self.forceRefresh = forceRefresh
    self.claims = claims
    self.authority = authority
    self.correlationID = correlationID
  }

  var hasClaims: Bool { claims.map { !normalized($0).isEmpty } ?? false }
}

/// A refresh that was decided on: what to redeem, and what to fall back on.
package struct Redemption: Hashable {
  /// A refresh token, with the kind of result it gives.
  struct Candidate: Hashable {
    var token: CredentialItem
    var source: SDKResult.Source
    /// Where the token is in ADAL's format, if it is there.
    var legacy: LegacyItem? = nil
  }

  var account: SDKAccount
  /// As the app asked for it, and resolved to a tenant.
  var requestedAuthority: Authority
  var authority: Authority
  var aliases: EnvironmentAliases
  /// In the order they are tried.
  var candidates: [Candidate] = []
  /// An access token that has expired, or is of another enrolment: deleted before anything is sent.
  var useless: CredentialItem?
  /// Valid, but past `refresh_on`: returned on 5xx.
  var proactive: CredentialItem?
  /// Expired with `extended_expires_on` in the future: returned on 5xx, if the app wants such tokens.
  var extended: CredentialItem?

  var environments: [String] { aliases.candidates(for: authority.host) }
}
