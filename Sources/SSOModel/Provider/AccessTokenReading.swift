import SSOCore

/// An access token of this provider, as somebody presents it.
struct AccessTokenReading {
  /// What signature and time leave: empty if the token is not to be trusted.
  private(set) var claims: [String: JSONValue] = [:]
  /// Why it is not; nil if it is.
  private(set) var fault: String?
  /// Expired, or from the future: a clock was put back.
  private(set) var isOutOfTime = false

  init(compact: String, keys: [TokenVerificationKey], now: Instant) {
    do throws(JSONWebToken.Refusal) {
      let verified = try JSONWebToken(verifying: compact, keys: keys).claims
      let start = Instant(Int(verified["nbf"]?.integer ?? 0))
      let end = Instant(Int(verified["exp"]?.integer ?? 0))
      isOutOfTime = end <= now || start > now.adding(seconds: ClientAssertion.skew)
      if isOutOfTime {
        fault =
          end <= now
          ? "it expired \(end.seconds(until: now)) s ago" : "it begins in \(now.seconds(until: start)) s"
      } else if verified["appid"] == nil {
        fault = "it is no access token"
      } else {
        claims = verified
      }
    } catch {
      fault =
        switch error {
        case .tooLong: "it is too long"
        case .notThreeParts, .notBase64URL, .notJSON: "it is no token"
        case .algorithm(let name): "it is signed with '\(name.prefix(16))'"
        case .unknownKey: "it is signed by an unknown key"
        case .signature: "its signature is wrong"
        }
    }
  }

  func hasScope(_ scope: String) -> Bool {
    claims["scp"]?.string?.split(separator: " ").contains { $0.lowercased() == scope } ?? false
  }
}

extension Provider {
  /// The claims of the bearer token of a request to an API (RFC 6750 §2.1).
  /// - Throws: `invalid_token` if there is none, if it is not to be trusted, or if it is for another API.
  func bearerToken(for audiences: [String], _ exchange: inout Exchange) throws -> AccessTokenReading {
    let words = exchange.request.header("Authorization")?.split(separator: " ", maxSplits: 1) ?? []
    let header = words.count == 2 && words[0].lowercased() == "bearer" ? words[1].trimmed : nil
    let compact = header ?? exchange.request.form["access_token"] ?? ""
    let reading = AccessTokenReading(compact: compact, keys: try keys.published(), now: now)
    try exchange.checks.require(
      Finding(
        "bearer token valid", expected: "an access token of this provider",
        found: compact.isEmpty ? "none" : reading.fault ?? "valid", reading.fault == nil,
        source: "RFC 6750 §3.1",
        else: OAuthError(
          .invalidToken,
          compact.isEmpty
            ? "An access token is needed." : "The access token is refused: \(reading.fault ?? "")."
        )))
    let audience = reading.claims["aud"]?.string ?? ""
    try exchange.checks.require(
      Finding(
        "bearer token is for this API", expected: audiences.joined(separator: " or "), found: audience,
        audiences.contains { $0 == (audience.hasSuffix("/") ? String(audience.dropLast()) : audience) },
        source: "RFC 6750 §3.1",
        else: OAuthError(.invalidToken, "The access token is for '\(audience)', not for '\(audiences[0])'.")))
    return reading
  }

  /// RFC 6750 §3: 401 and a challenge, 403 if the token is good but not for this.
  func refuseBearer(_ error: OAuthError, body: JSONValue, _ exchange: inout Exchange) throws
    -> ProviderResponse
  {
    exchange.refusal = error
    let isNone =
      exchange.request.header("Authorization") == nil && exchange.request.form["access_token"] == nil
    let reason = error.reason.replacing("\"", with: "'")
    var response = HTTPResponse.json(error.code == .insufficientScope ? 403 : 401, body)
    response.headers.append(
      NameValue(
        "WWW-Authenticate",
        isNone
          ? "Bearer authorization_uri=\"\(exchange.request.origin)/common/oauth2/authorize\""
          : "Bearer error=\"\(error.code.rawValue)\", error_description=\"\(reason)\""))
    return ProviderResponse(response)
  }
}
