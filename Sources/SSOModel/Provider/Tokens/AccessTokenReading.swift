import SSOCore

/// An access token of this provider, as a request presents it.
struct AccessTokenReading {
  /// The claims, or an empty dictionary if the token cannot be trusted.
  private(set) var claims: [String: JSONValue] = [:]
  /// The reason that the token is not trusted, or `nil` if it is.
  private(set) var fault: String?
  /// The step that failed, or `nil` if the token is trusted.
  private(set) var failedStep: Step?
  /// The expiration of a token of this provider, or `nil` for another token.
  private(set) var expiresAt: Instant?
  /// Whether the token is expired, or from the future because a clock was set back.
  private(set) var isOutOfTime = false

  /// The verification steps, in order.
  enum Step: String, CaseIterable {
    case form = "JSON web token"
    case algorithm
    case key
    case signature
    case time
    case kind = "kind of token"

    var expected: String {
      switch self {
      case .form: "three parts of base64url with JSON objects"
      case .algorithm: "RS256"
      case .key: "kid of a published key"
      case .signature: "by that key"
      case .time: "now between nbf and exp"
      case .kind: "an access token: appid or azp"
      }
    }

    var source: String {
      switch self {
      case .form, .signature: "RFC 7515 §5.2"
      case .algorithm: "RFC 8725 §3.1"
      case .key: "RFC 7515 §4.1.4"
      case .time: "RFC 7519 §4.1.4"
      case .kind: "graph.md §3"
      }
    }
  }

  /// `resolvesNonce` is whether the reader can verify the tokens of Microsoft Graph.
  init(compact: String, keys: [TokenVerificationKey], now: Instant, resolvesNonce: Bool = true) {
    do throws(JSONWebToken.Refusal) {
      let verified = try JSONWebToken(
        verifying: compact, keys: keys, resolvesNonce: resolvesNonce
      ).claims
      let start = Instant(Int(verified["nbf"]?.integer ?? 0))
      let end = Instant(Int(verified["exp"]?.integer ?? 0))
      expiresAt = end
      isOutOfTime = end <= now || start > now.adding(seconds: ClientAssertion.skew)
      if isOutOfTime {
        failedStep = .time
        fault =
          end <= now
          ? "it expired \(end.seconds(until: now)) s ago" : "it begins in \(now.seconds(until: start)) s"
      } else if (verified["appid"] ?? verified["azp"]) == nil {
        failedStep = .kind
        fault = "it is not an access token"
      } else {
        claims = verified
      }
    } catch {
      (failedStep, fault) =
        switch error {
        case .tooLong: (.form, "it is too long")
        case .notThreeParts, .notBase64URL, .notJSON: (.form, "it is not a token")
        case .algorithm(let name): (.algorithm, "it is signed with '\(name.prefix(16))'")
        case .unknownKey: (.key, "it is signed by an unknown key")
        case .criticalExtension: (.form, "it has unknown extensions (crit)")
        case .signature: (.signature, "its signature is wrong")
        }
    }
  }

  func hasScope(_ scope: String) -> Bool {
    claims["scp"]?.string?.split(separator: " ").contains { $0.lowercased() == scope } ?? false
  }
}

extension Directory {
  /// Returns the user of a verified access token, or `nil` for an app-only token or a deleted account.
  func person(of claims: [String: JSONValue], evenDisabled: Bool = false) throws -> DirectoryUser? {
    // An AD FS token does not contain these IDs.
    if let upn = claims["upn"]?.string, claims["tid"] == nil { return try person(username: upn) }
    // A version 1 token contains `unique_name`.
    guard let username = (claims["preferred_username"] ?? claims["unique_name"])?.string,
      let tenantID = claims["tid"]?.string,
      let person = try person(username: username), evenDisabled || !person.isDisabled
    else { return nil }
    return person.objectID(in: tenantID) == claims["oid"]?.string ? person : nil
  }
}
