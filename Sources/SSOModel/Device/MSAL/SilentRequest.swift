/// A call of `acquireTokenSilentWithParameters:` (docs/behaviour/silent-call.md §1).
package struct SilentRequest: Hashable {
  var account: SDKAccount?
  package var scopes: [String]
  package var forceRefresh = false
  /// The requested claims as JSON, with which cached access tokens are not used.
  package var claims: String?
  /// The authority of this call, or `nil` for the authority that the app was configured with.
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

/// A refresh that was decided on: the tokens to redeem, and the tokens to fall back on.
package struct Redemption: Hashable {
  /// A refresh token, with the source of the result that it produces.
  struct Candidate: Hashable {
    var token: CredentialItem
    var source: SDKResult.Source
    /// The token in ADAL's format, if it is stored there.
    var legacy: LegacyItem? = nil
  }

  var account: SDKAccount
  /// The authority as the app requested it; ``authority`` is the one resolved to a tenant.
  var requestedAuthority: Authority
  var authority: Authority
  var aliases: EnvironmentAliases
  /// The refresh tokens in the order in which they are tried.
  var candidates: [Candidate] = []
  /// An access token that has expired or belongs to another enrollment, and is deleted before anything is sent.
  var useless: CredentialItem?
  /// A valid access token past its `refresh_on`, which is returned after a 5xx response.
  var proactive: CredentialItem?
  /// An expired access token with `extended_expires_on` in the future, returned after a 5xx response if the app allows
  /// it.
  var extended: CredentialItem?

  var environments: [String] { aliases.candidates(for: authority.host) }
}
