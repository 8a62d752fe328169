/// `ADPromptBehavior`.
enum ADALPrompt: String, Hashable {
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
public enum UserIDType: String, Codable, CaseIterable, Hashable, Sendable {
  /// Default: the user who signs in must have this displayable ID.
  case requiredDisplayableID = "RequiredDisplayableId"
  /// A hint; whoever signs in is taken.
  case optionalDisplayableID = "OptionalDisplayableId"
  /// The object ID (or `sub`); the user who signs in must have it.
  case uniqueID = "UniqueId"
}

/// One call of `acquireTokenWithResource:…` or `acquireTokenSilentWithResource:…`.
struct ADALRequest: Hashable {
  var resource: String
  /// nil: the only user in the cache.
  var userID: String?
  var userIDType: UserIDType = .requiredDisplayableID
  var prompt: ADALPrompt = .auto
  /// Claims make the cache of access tokens useless.
  var claims: String?
  var forceRefresh = false
  var correlationID: String

  var skipsAccessTokens: Bool { forceRefresh || claims?.isEmpty == false }
}

/// What a call of ADAL gives the app.
struct ADALResult: Hashable {
  /// The displayable ID of `ADUserInformation`.
  var userID: String
  /// From 2.7, if the provider sent `client_info`.
  var homeAccountID: String?
  var accessToken: String
  var resource: String
  var expiresOn: Instant
  var source: Source
  /// False if the app was ended in between: the tokens are cached, but nobody waited for the result (fact sheet §5.5).
  var isAwaited = true

  enum Source: String, Hashable {
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
