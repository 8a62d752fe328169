import Essentials
import SSOCore

/// A token, inspected on its own: its form, its claims, and its problems (docs/behaviour/real-logs.md §7).
package struct TokenReading: Sendable {
  /// The number of seconds by which two clocks may differ: Entra's own, where RFC 7519 §4.1.4 says "a few minutes".
  static let clockLeeway = 300

  /// The possible forms of a text.
  package enum Form: String, Sendable {
    case idToken, accessToken, appToken, otherToken
    /// An access token inside a token that its holder signed for one request.
    case signedRequest
    /// A token of five parts, which is encrypted for its recipient (RFC 7516 §7.1).
    case encrypted
    /// A token that only its issuer can read, such as Entra's refresh tokens and codes, and tokens of other providers.
    case opaque

    package var displayText: String {
      switch self {
      case .idToken: "ID token: who signed in, for the app itself"
      case .accessToken: "access token for a user"
      case .appToken: "app-only access token"
      case .otherToken: "signed token"
      case .signedRequest:
        "proof of possession: an access token (at), signed for one request with the key in cnf"
      case .encrypted: "encrypted token: only its recipient can decrypt it"
      case .opaque: "opaque token: only its issuer can read it"
      }
    }
  }

  package private(set) var form: Form
  package private(set) var header: [String: JSONValue] = [:]
  package private(set) var claims: [String: JSONValue] = [:]
  package private(set) var checks: [Check] = []
  package private(set) var status = TokenStatus(.none)

  /// The values with which a token is compared.
  package struct Expectation: Sendable {
    package var now: Instant
    /// The keys for the signature, or `nil` to skip the check of the signature.
    package var keys: [TokenVerificationKey]?
    /// A description of where the keys come from.
    package var keySource = ""
    /// The tenants all of whose keys are in `keys`, or `nil` if it may have the keys of any issuer.
    package var tenants: Set<String>?
    package var audience: String?
    package var nonce: String?

    package init(now: Instant) { self.now = now }
  }

  /// Creates a reading of a token, with or without `Bearer `, quotes, and white space around it.
  package init(_ text: String, _ expected: Expectation) {
    let compact = Self.bare(text)
    let parts = compact.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).count
    // A copy without its end still has its claims.
    let isCut = parts == 2 && compact.hasPrefix("eyJ")
    let token: JSONWebToken
    do {
      token = try JSONWebToken(unverified: isCut ? compact + "." : compact)
    } catch {
      form = parts == 5 && compact.hasPrefix("eyJ") ? .encrypted : .opaque
      // A text with three parts is probably meant to be a signed token, so its problem is worth reporting.
      if parts == 3 || isCut, compact.hasPrefix("eyJ") {
        form = .otherToken
        checkForm(found: error.displayText)
      }
      return
    }
    (header, claims) = (token.header, token.claims)
    form = Self.form(of: claims, header)
    if isCut {
      checkForm(found: "two parts: the signature is missing")
    } else {
      checkSignature(compact, expected)
    }
    checkTimes(expected.now)
    checkParties(expected)
  }

  package var hasFailed: Bool { checks.contains { $0.verdict == .failed } }

  private static func bare(_ text: String) -> String {
    let text = text.trimmed
    let rest = text.lowercased().hasPrefix("authorization:") ? String(text.dropFirst(14)).trimmed : text
    let token = rest.lowercased().hasPrefix("bearer ") ? String(rest.dropFirst(7)).trimmed : rest
    // Mail programs break long lines.
    return token.trimming { ["\"", "'"].contains($0) }.filter { !$0.isWhitespace }
  }

  private static func form(of claims: [String: JSONValue], _ header: [String: JSONValue]) -> Form {
    // draft-ietf-oauth-signed-http-request-03 §3
    if header["typ"]?.string?.lowercased() == "pop", claims["at"] != nil { return .signedRequest }
    // An app's own token is for its service principal (Microsoft Learn, "Access token claims reference").
    let isOfServicePrincipal =
      claims["roles"] != nil || claims["sub"] != nil && claims["sub"] == claims["oid"]
    if claims["idtyp"]?.string == "app"
      || claims["scp"] == nil && isOfServicePrincipal && claims["azp"] ?? claims["appid"] != nil
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

  private mutating func checkForm(found: String) {
    check(
      "form", expected: "header.claims.signature, each base64url of JSON", found: found, false,
      "RFC 7519 §7.2")
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
    if form == .signedRequest {
      return check(
        "signature", expected: "the key whose hash the access token has in cnf",
        found: "not checked: inspect the access token separately", nil, "RFC 7800 §3")
    }
    if let tenants = expected.tenants, !tenants.contains(claims["tid"]?.string ?? ""),
      !keys.contains(where: { $0.id == header["kid"]?.string })
    {
      return check(
        "signature", expected: keysOfTheIssuer, found: "not checked: \(expected.keySource) did not issue it",
        nil, "RFC 7515 §5.2")
    }
    let source = expected.keySource.isEmpty ? "" : " of \(expected.keySource)"
    do {
      _ = try JSONWebToken(verifying: compact, keys: keys, allowing: [.rs256, .ps256])
      check("signature", expected: "a key\(source)", found: "valid", true, "RFC 7515 §5.2")
    } catch {
      check("signature", expected: "a key\(source)", found: error.displayText, false, "RFC 7515 §5.2")
    }
  }

  /// Instructions for getting the issuer's keys; for Entra, the address is the `jwks_uri` of its discovery document.
  private var keysOfTheIssuer: String {
    let issuer = claims["iss"]?.string ?? ""
    // The issuer is shown as part of a command.
    let isPlain =
      issuer.hasPrefix("https://")
      && issuer.utf8.allSatisfy {
        $0.isLetter || $0.isDigit || [0x2D, 0x2E, 0x2F, 0x3A, 0x5F].contains($0)
      }
    guard isPlain else { return "the keys of its issuer, with --keys FILE" }
    let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
    let address =
      if base.hasPrefix("https://sts.windows.net/") {
        "https://\(PublicCloud.preferredNetwork)" + base.dropFirst(23) + "/discovery/keys"
      } else if base.hasPrefix("https://login.microsoftonline."), base.hasSuffix("/v2.0") {
        String(base.dropLast(5)) + "/discovery/v2.0/keys"
      } else {
        "the jwks_uri of \(base)/.well-known/openid-configuration"
      }
    return "the keys of its issuer, with --keys FILE: \(address)"
  }

  private mutating func checkTimes(_ now: Instant) {
    if let start = moment("nbf", "not before", "RFC 7519 §4.1.5") {
      check(
        "not before", expected: "a time in the past", found: start.displayText,
        start <= now.adding(seconds: Self.clockLeeway), "RFC 7519 §4.1.5")
    }
    if let issued = moment("iat", "issued", "RFC 7519 §4.1.6") {
      check(
        "issued", expected: "a time in the past", found: issued.displayText,
        issued <= now.adding(seconds: Self.clockLeeway), "RFC 7519 §4.1.6")
    }
    guard claims["exp"] != nil else {
      return check(
        "expiry", expected: "an exp", found: "none", needsNoClaims ? nil : false, "RFC 7519 §4.1.4")
    }
    guard let end = moment("exp", "expiry", "RFC 7519 §4.1.4") else { return }
    status = TokenStatus(until: end, at: now)
    let left = now.seconds(until: end)
    check(
      "expiry", expected: "later than \(now.displayText)",
      found: "\(end.displayText), \(durationText(left)) \(left > 0 ? "left" : "ago")", left > 0,
      "RFC 7519 §4.1.4")
  }

  /// Whether a token of this form may lack claims that an access token or ID token has.
  private var needsNoClaims: Bool { form == .otherToken || form == .signedRequest }

  /// Returns the time in a claim, or `nil` if the claim is missing or not a time, which is a failed check.
  private mutating func moment(_ claim: String, _ name: String, _ source: String) -> Instant? {
    guard let value = claims[claim] else { return nil }
    let seconds = "seconds since 1970, a number"
    guard let moment = value.numericDate else {
      check(
        name, expected: seconds, found: value.string.map { "“\($0)”, a string" } ?? value.text(.wire), false,
        source)
      return nil
    }
    // A time after the year 9999 is in milliseconds.
    guard moment.seconds < 253_402_300_800 else {
      check(name, expected: seconds, found: "\(moment.seconds), which are milliseconds", false, source)
      return nil
    }
    return moment
  }

  private mutating func checkParties(_ expected: Expectation) {
    let audiences = claims["aud"]?.array?.compactMap(\.string) ?? claims["aud"]?.string.map { [$0] } ?? []
    if let audience = expected.audience {
      check(
        "audience", expected: audience, found: audiences.isEmpty ? "none" : audiences.joined(separator: ", "),
        audiences.contains(audience), "RFC 7519 §4.1.3")
    } else if audiences.isEmpty {
      check(
        "audience", expected: "an aud", found: "none", needsNoClaims ? nil : false, "RFC 7519 §4.1.3")
    }
    if let nonce = expected.nonce {
      let found = claims["nonce"]?.string
      check(
        "nonce", expected: nonce, found: found ?? "none", found == nonce, "OpenID Connect Core §3.1.3.7")
    }
    checkIssuer()
  }

  /// Checks that Entra's issuer contains the tenant in `tid` and the version in `ver`.
  private mutating func checkIssuer() {
    guard let issuer = claims["iss"]?.string else { return }
    guard let tenant = claims["tid"]?.string, let version = claims["ver"]?.string else { return }
    // Azure AD B2C writes version 1.0 into every token, and includes the policy.
    let isB2C = claims["tfp"] != nil || issuer.contains(".b2clogin.com/")
    let ending = isB2C ? "/v2.0/" : version == "2.0" ? "\(tenant)/v2.0" : "\(tenant)/"
    let holds =
      isB2C
      ? issuer.contains("/\(tenant)/") && issuer.hasSuffix(ending)
      : issuer.hasSuffix(ending) || issuer.hasSuffix(tenant)
    check(
      "issuer",
      expected: isB2C
        ? "one that names \(tenant), as tid says, and ends with /v2.0/"
        : "one that ends with \(ending), as tid and ver say",
      found: issuer, holds, "real-logs.md §7")
  }
}

extension JSONWebToken.Refusal {
  /// A description of the problem, for a check.
  package var displayText: String {
    switch self {
    case .tooLong: "more than \(JSONWebToken.maximumLength) bytes"
    case .notThreeParts: "not three parts"
    case .notBase64URL: "a part that is not base64url"
    case .notJSON: "a part that is not a JSON object"
    case .algorithm(let name): "algorithm \(name.isEmpty ? "none" : name)"
    case .unknownKey(let id): "no key \(id.isEmpty ? "at all" : id)"
    case .criticalExtension: "unknown extensions (crit)"
    case .signature: "a signature of another key, or a changed token"
    }
  }
}
