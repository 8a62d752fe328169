import Foundation

/// A token looked at by itself: what it is, what it says, and what is wrong with it (docs/behaviour/real-logs.md §7).
package struct TokenReading: Sendable {
  /// What a text can be.
  package enum Form: String, Sendable {
    case idToken, accessToken, appToken, otherToken
    /// Five parts: encrypted for its reader (RFC 7516 §7.1).
    case encrypted
    /// Entra's refresh tokens and codes, and tokens of other providers: only who made it can read it.
    case opaque

    package var words: String {
      switch self {
      case .idToken: "ID token: who signed in, for the app itself"
      case .accessToken: "access token for a person"
      case .appToken: "access token of an app that acts for no person"
      case .otherToken: "signed token"
      case .encrypted: "encrypted token: only its reader can open it"
      case .opaque: "opaque token: only who made it can read it"
      }
    }
  }

  package private(set) var form: Form
  package private(set) var header: [String: JSONValue] = [:]
  package private(set) var claims: [String: JSONValue] = [:]
  package private(set) var checks: [Check] = []
  package private(set) var standing = TokenStanding(.none)

  /// What a token is compared with.
  package struct Expectation: Sendable {
    package var now: Instant
    /// Nil: the signature is not checked.
    package var keys: [TokenVerificationKey]?
    /// Where the keys come from, in words.
    package var keySource = ""
    package var audience: String?
    package var nonce: String?

    package init(now: Instant) { self.now = now }
  }

  /// Reads a token with or without `Bearer `, quotes and white space around it.
  package init(_ text: String, _ expected: Expectation) {
    let compact = Self.bare(text)
    let parts = compact.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).count
    let token: JSONWebToken
    do {
      token = try JSONWebToken(unverified: compact)
    } catch {
      form = parts == 5 && compact.hasPrefix("eyJ") ? .encrypted : .opaque
      // Something with three parts wants to be a signed token: what is wrong with it is worth saying.
      if parts == 3, compact.hasPrefix("eyJ") {
        form = .otherToken
        check(
          "form", expected: "header.claims.signature, each base64url of JSON", found: error.words, false,
          "RFC 7519 §7.2")
      }
      return
    }
    (header, claims) = (token.header, token.claims)
    form = Self.form(of: claims)
    checkSignature(compact, expected)
    checkTimes(expected.now)
    checkParties(expected)
  }

  package var hasFailed: Bool { checks.contains { $0.verdict == .failed } }

  private static func bare(_ text: String) -> String {
    let text = text.trimmed
    let rest = text.lowercased().hasPrefix("authorization:") ? String(text.dropFirst(14)).trimmed : text
    let token = rest.lowercased().hasPrefix("bearer ") ? String(rest.dropFirst(7)).trimmed : rest
    return token.trimmingCharacters(in: ["\"", "'"])
  }

  private static func form(of claims: [String: JSONValue]) -> Form {
    if claims["idtyp"]?.string == "app"
      || claims["scp"] == nil && claims["roles"] != nil && claims["azp"] ?? claims["appid"] != nil
    {
      return .appToken
    }
    if claims["scp"] != nil { return .accessToken }
    let isForClient = claims["nonce"] != nil || claims["preferred_username"] != nil || claims["c_hash"] != nil
    return isForClient && claims["azp"] == nil && claims["appid"] == nil ? .idToken : .otherToken
  }

  // MARK: - Checks

  private mutating func check(
    _ name: String, expected: String, found: String, _ holds: Bool?, _ source: String
  ) {
    let verdict: Check.Verdict = holds.map { $0 ? .passed : .failed } ?? .skipped
    checks.append(Check(name, expected: expected, found: found, verdict: verdict, source: source))
  }

  private mutating func checkSignature(_ compact: String, _ expected: Expectation) {
    let algorithm = header["alg"]?.string ?? "none"
    check(
      "algorithm", expected: "RS256 or another signature with a public key", found: algorithm,
      algorithm != "none" && !algorithm.hasPrefix("HS"), "RFC 7515 §4.1.1")
    guard let keys = expected.keys else {
      return check(
        "signature", expected: "a key to check it with", found: "no keys were given", nil, "RFC 7515 §5.2")
    }
    // Graph's own tokens have a nonce in the header that is hashed before the signature is checked.
    if header["nonce"] != nil {
      return check(
        "signature", expected: "a token for an API of your own",
        found: "a token that only Microsoft Graph can check",
        nil, "real-logs.md §7")
    }
    let source = expected.keySource.isEmpty ? "" : " of \(expected.keySource)"
    do {
      _ = try JSONWebToken(verifying: compact, keys: keys, allowing: [.rs256, .ps256])
      check("signature", expected: "a key\(source)", found: "valid", true, "RFC 7515 §5.2")
    } catch {
      check("signature", expected: "a key\(source)", found: error.words, false, "RFC 7515 §5.2")
    }
  }

  private mutating func checkTimes(_ now: Instant) {
    // Five minutes of difference between two clocks are usual (RFC 7519 §4.1.4: "a few minutes").
    let leeway = 300
    if let start = claims["nbf"]?.numericDate {
      check(
        "not before", expected: "\(start.words) or later", found: now.words,
        start <= now.adding(seconds: leeway),
        "RFC 7519 §4.1.5")
    }
    if let issued = claims["iat"]?.numericDate {
      check(
        "issued", expected: "a moment that is past", found: issued.words,
        issued <= now.adding(seconds: leeway),
        "RFC 7519 §4.1.6")
    }
    guard let end = claims["exp"]?.numericDate else {
      return check(
        "expiry", expected: "an exp", found: "none", form == .otherToken ? nil : false, "RFC 7519 §4.1.4")
    }
    standing = TokenStanding(until: end, at: now)
    let left = now.seconds(until: end)
    check(
      "expiry", expected: "later than \(now.words)",
      found: "\(end.words), \(durationText(left)) \(left > 0 ? "left" : "ago")", left > 0, "RFC 7519 §4.1.4")
  }

  private mutating func checkParties(_ expected: Expectation) {
    let audiences = claims["aud"]?.array?.compactMap(\.string) ?? claims["aud"]?.string.map { [$0] } ?? []
    if let audience = expected.audience {
      check(
        "audience", expected: audience, found: audiences.isEmpty ? "none" : audiences.joined(separator: ", "),
        audiences.contains(audience), "RFC 7519 §4.1.3")
    } else if audiences.isEmpty {
      check(
        "audience", expected: "an aud", found: "none", form == .otherToken ? nil : false, "RFC 7519 §4.1.3")
    }
    if let nonce = expected.nonce {
      let found = claims["nonce"]?.string
      check(
        "nonce", expected: nonce, found: found ?? "none", found == nonce, "OpenID Connect Core §3.1.3.7")
    }
    checkIssuer()
  }

  /// Entra's issuer names the tenant that `tid` names, and the version that `ver` names.
  private mutating func checkIssuer() {
    guard let issuer = claims["iss"]?.string else { return }
    guard let tenant = claims["tid"]?.string, let version = claims["ver"]?.string else { return }
    let ending = version == "2.0" ? "\(tenant)/v2.0" : "\(tenant)/"
    check(
      "issuer", expected: "one that ends with \(ending), as tid and ver say", found: issuer,
      issuer.hasSuffix(ending) || issuer.hasSuffix(tenant), "real-logs.md §7")
  }
}

extension JSONWebToken.Refusal {
  /// What is wrong, for a check.
  package var words: String {
    switch self {
    case .tooLong: "more than \(JSONWebToken.maximumLength) bytes"
    case .notThreeParts: "not three parts"
    case .notBase64URL: "a part that is not base64url"
    case .notJSON: "a part that is no JSON object"
    case .algorithm(let name): "algorithm \(name.isEmpty ? "none" : name)"
    case .unknownKey(let id): "no key \(id.isEmpty ? "at all" : id)"
    case .criticalExtension: "extensions that are not known (crit)"
    case .signature: "a signature of another key, or a changed token"
    }
  }
}

extension Instant {
  /// `2026-11-21 09:41:07Z`, as Entra writes moments.
  var words: String {
    Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601).replacing("T", with: " ")
  }
}
