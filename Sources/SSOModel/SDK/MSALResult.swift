/// What an `acquireToken` call of MSAL gives the app.
struct MSALResult: Hashable {
  enum Source: String, Hashable {
    case cache = "cache"
    case appRefreshToken = "app refresh token"
    case familyRefreshToken = "family refresh token"
    case webSession = "web session"
    case broker = "broker"
  }

  var homeAccountID: String
  var username: String
  var accessToken: String
  var scopes: [String]
  var expiresOn: Instant
  var source: Source
  /// False if the app was ended in between: the tokens are cached, but nobody waited for the result (fact sheet §5.5).
  var isAwaited = true
}

/// An account as the app names it for a silent call.
struct MSALAccount: Hashable {
  var identifier: String
  var username: String
  var environment: String
}
