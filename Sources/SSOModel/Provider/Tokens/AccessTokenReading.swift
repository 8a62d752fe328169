/// An access token of this provider, as a request presents it.
struct AccessTokenReading {
  /// What signature and time leave: empty if the token is not to be trusted.
  private(set) var claims: [String: JSONValue] = [:]
  /// Why it is not; nil if it is.
  private(set) var fault: String?
  /// What the fault is about.
  private(set) var failedStep: Step?
  /// Expired, or from the future: a clock was put back.
  private(set) var isOutOfTime = false

  /// What is looked at, in order.
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

  init(compact: String, keys: [TokenVerificationKey], now: Instant) {
    do throws(JSONWebToken.Refusal) {
      let verified = try JSONWebToken(verifying: compact, keys: keys).claims
      let start = Instant(Int(verified["nbf"]?.integer ?? 0))
      let end = Instant(Int(verified["exp"]?.integer ?? 0))
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
  /// The person of an access token that was verified; nil if it is an app's, or the account is gone.
  func person(of claims: [String: JSONValue], evenDisabled: Bool = false) throws -> Person? {
    // A token of AD FS knows no IDs.
    if let upn = claims["upn"]?.string, claims["tid"] == nil { return try person(username: upn) }
    // `unique_name` in a token of version 1.
    guard let username = (claims["preferred_username"] ?? claims["unique_name"])?.string,
      let tenantID = claims["tid"]?.string,
      let person = try person(username: username), evenDisabled || !person.isDisabled
    else { return nil }
    return person.objectID(in: tenantID) == claims["oid"]?.string ? person : nil
  }
}
