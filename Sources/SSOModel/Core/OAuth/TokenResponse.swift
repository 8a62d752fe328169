import SSOReference

/// A successful response of the token endpoint (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3, and Entra's fields).
package struct TokenResponse: Hashable, Sendable {
  package var accessToken: String
  package var tokenType: String
  /// The granted scopes, separated by spaces, which are MSAL's target.
  package var scope: String
  /// The lifetime of the access token, in seconds.
  package var expiresIn: Int
  /// The time for which the access token may be used if the provider is unavailable, in seconds.
  package var extExpiresIn: Int?
  /// `refresh_in`: the time after which to refresh the token although it is still valid, in seconds.
  package var refreshIn: Int?
  package var refreshToken: String?
  /// The lifetime of a single-page app's refresh token, in seconds, which MSAL.js caches; absent for other clients.
  package var refreshTokenExpiresIn: Int?
  package var idToken: String?
  /// The base64url encoding of a `ClientInfo`.
  package var clientInfo: String?
  /// `foci`: the family of client IDs that the refresh token serves, `1` for Microsoft's own.
  package var familyID: String?
  /// The primary refresh token, for the broker only.
  package var primaryRefreshToken: String?
  /// The session key of the primary refresh token: base64url of 32 bytes.
  package var sessionKey: String?
  /// The lifetime of the primary refresh token, in seconds.
  package var primaryRefreshTokenExpiresIn: Int?
  /// The resource that the access token is for, in version 1 of the endpoint only (docs/behaviour/adal.md §3).
  package var resource: String?
  /// The expiration time in Unix seconds, in version 1 only.
  package var expiresOn: Int?

  /// The number of seconds by which `iat` and `nbf` of Entra's tokens precede the response, so that an API whose clock is
  /// slow accepts them (docs/behaviour/provider.md §14).
  package static let backdating = 300

  package init(accessToken: String, tokenType: String = "Bearer", scope: String, expiresIn: Int) {
    self.accessToken = accessToken
    self.tokenType = tokenType
    self.scope = scope
    self.expiresIn = expiresIn
  }

  /// The scopes as a list, in the server's order and case.
  package var scopes: [String] { scope.split(separator: " ").map(String.init) }
}

extension TokenResponse {
  /// Creates a token response from an HTTP response, as a client does; a lifetime may be a number or a string of
  /// digits.
  /// - Throws: The provider's error, which a response with status 200 may contain too, or `server_error` if
  ///   `access_token` is missing.
  package init(reading response: HTTPResponse) throws(OAuthError) {
    let body = JSONValue(bounded: response.body)
    guard response.status == 200, body?["error"] == nil else { throw OAuthError(reading: response) }
    guard let body, let token = body["access_token"]?.string else {
      throw OAuthError(.serverError, "The answer does not contain an access_token.")
    }
    func seconds(_ name: String) -> Int? {
      body[name]?.integer.map(Int.init) ?? body[name]?.string.flatMap { Int($0) }
    }
    self.init(
      accessToken: token, tokenType: body["token_type"]?.string ?? "Bearer",
      scope: body["scope"]?.string ?? "", expiresIn: seconds("expires_in") ?? 3600)
    extExpiresIn = seconds("ext_expires_in")
    refreshIn = seconds("refresh_in")
    refreshToken = body["refresh_token"]?.string
    refreshTokenExpiresIn = seconds("refresh_token_expires_in")
    idToken = body["id_token"]?.string
    clientInfo = body["client_info"]?.string
    familyID = body["foci"]?.string
    primaryRefreshToken = body["prt"]?.string
    sessionKey = body["session_key"]?.string
    primaryRefreshTokenExpiresIn = seconds("prt_expires_in")
    resource = body["resource"]?.string
    expiresOn = seconds("expires_on")
  }

  /// Returns the HTTP response, which omits absent fields.
  package func response() -> HTTPResponse {
    var body: [String: JSONValue] = [
      "access_token": .string(accessToken), "token_type": .string(tokenType),
      "expires_in": .integer(Int64(expiresIn)),
    ]
    if !scope.isEmpty { body["scope"] = .string(scope) }
    body["ext_expires_in"] = extExpiresIn.map { .integer(Int64($0)) }
    body["refresh_in"] = refreshIn.map { .integer(Int64($0)) }
    body["refresh_token"] = refreshToken.map(JSONValue.string)
    body["refresh_token_expires_in"] = refreshTokenExpiresIn.map { .integer(Int64($0)) }
    body["id_token"] = idToken.map(JSONValue.string)
    body["client_info"] = clientInfo.map(JSONValue.string)
    body["foci"] = familyID.map(JSONValue.string)
    body["prt"] = primaryRefreshToken.map(JSONValue.string)
    body["session_key"] = sessionKey.map(JSONValue.string)
    body["prt_expires_in"] = primaryRefreshTokenExpiresIn.map { .integer(Int64($0)) }
    if let resource {
      // Version 1 writes numbers as strings.
      body["resource"] = .string(resource)
      body["expires_on"] = expiresOn.map { .string(String($0)) }
      body["not_before"] = expiresOn.map { .string(String($0 - expiresIn - Self.backdating)) }
      for name in ["expires_in", "ext_expires_in"] {
        body[name] = body[name]?.integer.map { .string(String($0)) }
      }
    }
    return .json(200, .object(body))
  }
}

/// The `client_info` value, which identifies a user across tenants.
///
/// It is the base64url encoding of `{"uid":"…","utid":"…"}` (docs/behaviour/msal-cache.md §7).
package struct ClientInfo: Hashable, Sendable {
  /// The user's object ID in the home tenant.
  package var uid: String
  /// The home tenant's ID.
  package var utid: String

  package init(uid: String, utid: String) {
    self.uid = uid
    self.utid = utid
  }

  /// Creates a value from its encoded form, or returns `nil` if it is not base64url of JSON or if either ID is missing
  /// or empty.
  package init?(_ encoded: String) {
    guard let json = Base64URL.decode(encoded).flatMap({ JSONValue(bounded: $0) }) else { return nil }
    guard let uid = json["uid"]?.string, let utid = json["utid"]?.string else { return nil }
    guard !uid.isEmpty, !utid.isEmpty else { return nil }
    self.init(uid: uid, utid: utid)
  }

  package var encoded: String {
    Base64URL.encode(JSONValue.object(["uid": .string(uid), "utid": .string(utid)]).bytes(.wire))
  }

  /// The home account ID: `uid.utid` in lowercase.
  package var homeAccountID: String { (uid + "." + utid).lowercased() }
}

extension [String: JSONValue] {
  /// Whether `iat` and `nbf` of a token with these claims are earlier than the moment in which it was issued.
  ///
  /// The tokens of Azure AD B2C and AD FS, which have no `tid`, are not backdated.
  package var isBackdated: Bool { self["tid"] != nil }
}
