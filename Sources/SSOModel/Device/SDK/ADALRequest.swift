import SSOCore

/// `ADPromptBehavior`.
package enum ADALPrompt: String, Hashable {
  case auto = "AD_PROMPT_AUTO"
  case always = "AD_PROMPT_ALWAYS"
  case force = "AD_FORCE_PROMPT"
  case refreshSession = "AD_PROMPT_REFRESH_SESSION"

  /// The query parameter; nil for auto.
  var parameter: String? {
    switch self {
    case .auto: nil
    case .always, .force: "login"
    case .refreshSession: "refresh_session"
    }
  }
}

/// `ADUserIdentifierType`: what the user ID that an app passes means (fact sheet §4.3, §5.4).
package enum UserIDType: String, Codable, CaseIterable, Hashable, Sendable {
  /// Default: the user who signs in must have this displayable ID.
  case requiredDisplayableID = "RequiredDisplayableId"
  /// A hint; whoever signs in is taken.
  case optionalDisplayableID = "OptionalDisplayableId"
  /// The object ID (or `sub`); the user who signs in must have it.
  case uniqueID = "UniqueId"
}

/// One call of `acquireTokenWithResource:…` or `acquireTokenSilentWithResource:…`.
package struct ADALRequest: Hashable {
  var resource: String
  /// nil: the only user in the cache.
  var userID: String?
  var userIDType: UserIDType = .requiredDisplayableID
  package var prompt: ADALPrompt = .auto
  /// Claims make the cache of access tokens useless.
  package var claims: String?
  package var forceRefresh = false
  var correlationID: String

  package init(
    resource: String, userID: String? = nil, userIDType: UserIDType = .requiredDisplayableID,
    prompt: ADALPrompt = .auto, claims: String? = nil, forceRefresh: Bool = false, correlationID: String
  ) {
    self.resource = resource
    self.userID = userID
    self.userIDType = userIDType
    self.prompt = prompt
    self.claims = claims
    self.forceRefresh = forceRefresh
    self.correlationID = correlationID
  }

  var skipsAccessTokens: Bool { forceRefresh || claims?.isEmpty == false }
}

/// What a call of ADAL gives the app.
package struct ADALResult: Hashable {
  /// The displayable ID of `ADUserInformation`.
  package var userID: String
  /// From 2.7, if the provider sent `client_info`.
  package var homeAccountID: String?
  package var accessToken: String
  package var resource: String
  package var expiresOn: Instant
  package var source: Source
  /// False if the app was ended in between: the tokens are cached, but nobody waited for the result (fact sheet §5.5).
  package var isAwaited = true

  package enum Source: String, Hashable {
    case cache = "cache"
    /// The multi-resource token of this client, legacy or unified.
    case multiResourceRefreshToken = "app refresh token"
    case familyRefreshToken = "family refresh token"
    /// ADFS: a refresh token that lies beside its access token.
    case singleResourceRefreshToken = "single-resource refresh token"
    case webSession = "web session"
    case broker = "broker"
  }
}
