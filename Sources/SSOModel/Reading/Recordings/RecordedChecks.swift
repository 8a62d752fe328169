import Essentials
import SSOCore
import SSOReference
import SafeText

/// The checks of one request of a recording (docs/behaviour/real-logs.md §5).
struct RecordedChecks {
  /// The number of identical requests, within a number of seconds, that counts as a loop.
  static let loop = (count: 3, seconds: 10)

  let exchange: RecordedExchange
  private let lacksCookies: Bool
  /// Whether a later response has a code, so that a mistake of the user on a page was corrected.
  private let isFollowedByCode: Bool

  init(_ exchange: RecordedExchange, lacksCookies: Bool, isFollowedByCode: Bool = false) {
    self.exchange = exchange
    self.lacksCookies = lacksCookies
    self.isFollowedByCode = isFollowedByCode
  }

  var request: HTTPRequest { exchange.request }
  var response: HTTPResponse { exchange.response }

  func check(_ name: String, _ expected: String, _ found: String, _ holds: Bool?, _ source: String)
    -> Check
  {
    let verdict: Check.Verdict = holds.map { $0 ? .passed : .failed } ?? .skipped
    return Check(name, expected: expected, found: LogText.shown(found), verdict: verdict, source: source)
  }

  // MARK: - Authorization

  /// Returns the checks of an authorization request.
  ///
  /// `recent` is the number of identical requests shortly before it, or `nil` if its time is unknown.
  func authorization(_ signIn: RecordedSignIn, recent: Int?) -> [Check] {
    var checks: [Check] = []
    if let recent, recent + 1 >= Self.loop.count {
      checks.append(
        check(
          "loop", "one request for a sign-in",
          "the same request \(recent + 1) times within \(Self.loop.seconds) s", false, "real-logs.md §5"))
    }
    let method = signIn.challengeMethod ?? "plain"
    checks.append(
      signIn.challenge == nil
        ? check("PKCE", "a code_challenge", "none: the code is not bound to the app", nil, "RFC 7636")
        : check("PKCE", "code_challenge_method S256", method, method == "S256", "RFC 7636"))
    let cookies = request.cookies.map(\.name)
    let hasCredential =
      request.header("x-ms-RefreshTokenCredential") != nil
      || cookies.contains { $0.lowercased() == "x-ms-refreshtokencredential" }
    if hasCredential {
      checks.append(
        check("primary refresh token", "x-ms-RefreshTokenCredential", "sent", true, "real-logs.md §5"))
    }
    if signIn.isSilent, !lacksCookies {
      let found = cookies.isEmpty ? "no cookie" : "\(cookies.count) cookies"
      checks.append(
        check(
          "session cookie", "a cookie of the provider, as prompt=none needs one", found,
          !cookies.isEmpty || hasCredential, "OpenID Connect Core §3.1.2.1"))
    }
    return checks
  }

  func answer(_ answer: RecordedAnswer, _ signIn: RecordedSignIn) -> [Check] {
    var checks: [Check] = []
    if let redirectURI = signIn.redirectURI {
      let same = URLParts(redirectURI).map { $0.origin + $0.path } ?? redirectURI
      checks.append(
        check(
          "redirect URI", same, answer.target,
          same == answer.target || same + "/" == answer.target || isSameOnLoopback(same, answer.target),
          "RFC 6749 §4.1.2"))
    }
    if signIn.state != nil || answer.state != nil {
      checks.append(
        check(
          "state", signIn.state.map(Redaction.hash) ?? "none", answer.state.map(Redaction.hash) ?? "none",
          answer.state == signIn.state, "RFC 6749 §10.12"))
    }
    guard let error = answer.error else { return checks }
    let description = answer.fields["error_description"] ?? ""
    let words = description.isEmpty ? error : "\(error): \(description)"
    if signIn.isSilent, ["login_required", "interaction_required", "consent_required"].contains(error) {
      checks.append(
        check(
          "prompt=none", "a session that does not need a page", words, false, "OpenID Connect Core §3.1.2.6"))
    } else {
      checks.append(
        conditionalAccess(words, claims: answer.fields["claims"])
          ?? check("the provider's answer", "a code", words, false, "RFC 6749 §4.1.2.1"))
    }
    return checks
  }

  private func isSameOnLoopback(_ a: String, _ b: String) -> Bool {
    guard let a = URLParts(a), let b = URLParts(b) else { return false }
    return isLoopback(a.host) && a.host == b.host && a.path == b.path
  }

  /// Returns the checks of a page that reports an error; a redirect has the error in its query instead.
  func errorPage() -> [Check] {
    guard response.location == nil, response.body.count < Self.longestPage else { return [] }
    guard let words = sentenceOfPage else {
      return response.status >= 500 || response.status == 0
        ? [
          check(
            "the provider's answer", "an answer", response.status == 0 ? "none" : "\(response.status)", false,
            "RFC 9110 §15.6")
        ]
        : []
    }
    return [
      conditionalAccess(words, claims: nil)
        ?? check("the provider's answer", "a page without an error", words, false, "real-logs.md §5")
    ]
  }

  /// Returns the check of the app's response to what the provider delivered.
  ///
  /// A server redeems its code out of the browser's sight, so only its response tells that this failed.
  func delivery() -> [Check] {
    guard response.status >= 400 else { return [] }
    return [
      check(
        RecordingReader.appResponse, "the app takes the provider's response",
        sentenceOfPage ?? "status \(response.status)", false, "RFC 6749 §4.1.3")
    ]
  }

  private static let longestPage = 2_000_000

  /// Entra's sentence, with its number, on the page of the response, or `nil` if the page does not show one.
  private var sentenceOfPage: String? {
    guard response.body.count < Self.longestPage else { return nil }
    let text = String(decoding: response.body, as: UTF8.self)
    if !isFollowedByCode, let words = Self.mistake(onPage: text) { return words }
    guard response.status >= 400 || text.contains("AADSTS"), let error = LoggedError(HTMLText.plain(text)),
      error.entra != nil
    else { return nil }
    return error.text
  }

  /// Returns the mistake that a page of a sign-in reports, with its number, or `nil` if it reports none.
  ///
  /// Entra's pages have their state in a script: `$Config={…,"sErrorCode":"50126","sErrTxt":"…"}`. Numbers that only lead to
  /// the next page, such as that of a missing session, are not mistakes (Microsoft Entra authentication and authorization
  /// error codes, “interrupt”).
  private static func mistake(onPage text: String) -> String? {
    guard text.contains("$Config"), let number = value("sErrorCode", in: text),
      (5...8).contains(number.count), number.allSatisfy(\.isNumber), !interrupts.contains(String(number))
    else { return nil }
    let words = value("sErrTxt", in: text).map { HTMLText.plain(String($0)).trimmed } ?? ""
    return "AADSTS\(number): \(words.isEmpty ? "the page does not say more" : words)"
  }

  private static func value(_ name: String, in text: String) -> Substring? {
    guard let start = text.firstRange(of: "\"\(name)\":\"") else { return nil }
    return text[start.upperBound...].prefix { $0 != "\"" }
  }

  private static let interrupts: Set = [
    "16000", "50058", "50072", "50074", "50076", "50079", "50097", "50125", "50127", "50129", "50140",
    "50143", "50199", "50203", "51004",
  ]

  // MARK: - All requests

  /// Returns the check of the server's clock against the browser's, or `nil` if one of the times is missing.
  func clock() -> Check? {
    guard let at = exchange.at,
      let text = response.headers.first(where: { $0.isHeader("Date") })?.value,
      let server = Instant(httpDate: text)
    else { return nil }
    let local = at.adding(seconds: Int(min(max(exchange.duration, 0), 600_000) / 1000))
    let difference = local.seconds(until: server)
    return check(
      "clock", "two clocks that differ by at most \(durationText(TokenReading.clockLeeway))",
      difference.magnitude <= TokenReading.clockLeeway
        ? "they agree" : "\(durationText(difference)) between Date and this device",
      difference.magnitude <= TokenReading.clockLeeway, "RFC 9110 §6.6.1")
  }

  /// Returns the checks of a call to an API: the audience and expiry of the token, and the API's response.
  func resource() -> [Check] {
    var checks: [Check] = []
    let header = request.header("Authorization") ?? ""
    if let now = exchange.at, let token = header.split(separator: " ").last.map(String.init),
      !Redaction.isTakenOut(token)
    {
      let reading = TokenReading(token, TokenReading.Expectation(now: now))
      if let audience = reading.claims["aud"]?.string, exchange.url.host == "graph.microsoft.com" {
        let known = [
          "https://graph.microsoft.com", "https://graph.microsoft.com/",
          "00000003-0000-0000-c000-000000000000",
        ]
        checks.append(check("audience", known[0], audience, known.contains(audience), "RFC 7519 §4.1.3"))
      }
      checks += reading.checks.filter { $0.name == "expiry" }
    }
    guard response.status == 401 || response.status == 403 else { return checks }
    let challenge =
      response.headers.first { $0.isHeader("WWW-Authenticate") }?.value
      ?? "status \(response.status)"
    let isChallenge = challenge.contains("claims=") || challenge.contains("insufficient_claims")
    checks.append(
      check(
        isChallenge ? "Conditional Access" : "API",
        isChallenge ? "a token with the claims that the API demands" : "a token that the API takes",
        challenge, false, "RFC 6750 §3"))
    return checks
  }

  /// Returns the check for a rejection that a policy caused, or `nil` if it has another cause.
  ///
  /// Such a rejection demands claims, or has one of the policies' codes.
  func conditionalAccess(_ words: String, claims: String?) -> Check? {
    guard claims != nil || AADSTSCode.ofPolicies.contains(where: { words.contains($0.text + ":") }) else {
      return nil
    }
    let demanded = claims.map { "; claims \($0)" } ?? ""
    return check(
      "Conditional Access", "tokens without a further condition", words + demanded, false, "provider.md §15")
  }
}

extension Instant {
  /// Creates a time from `Fri, 12 Jun 2026 17:56:16 GMT`, or returns `nil` for any other text.
  init?(httpDate text: String) {
    var text = text
    let found = text.withUTF8 { LineBytes($0).httpDate(at: 0) }
    guard let found else { return nil }
    self = found
  }
}

/// A converter from a page to text, for finding an error in it.
enum HTMLText {
  static func plain(_ html: String) -> String {
    // A script of Entra's page, in which the error is, is marked as character data, which is not a tag.
    var html = html.replacing("<![CDATA[", with: " ").replacing("]]>", with: " ")
    if html.contains("strServiceExceptionMessage") {
      // The error is a string of JSON.
      for (escaped, plain) in [("\\/", "/"), ("\\u0027", "'"), ("\\u0026", "&")] {
        html = html.replacing(escaped, with: plain)
      }
    }
    let parts = html.split(separator: "<").map { part in
      part.firstIndex(of: ">").map { String(part[part.index(after: $0)...]) } ?? String(part)
    }
    return Escaping.readingEntities(parts.joined(separator: " "))
  }
}

/// The checks of the token endpoint's requests and responses.
extension RecordedChecks {
  func redemption(of code: String, _ signIn: RecordedSignIn) -> [Check] {
    var checks = [
      check(
        "code", "a code that was not redeemed before",
        signIn.redeemedCodes.contains(code) ? "redeemed before" : "new",
        !signIn.redeemedCodes.contains(code), "RFC 6749 §4.1.2")
    ]
    let sent = request.form["redirect_uri"]
    if sent != nil || signIn.redirectURI != nil {
      checks.append(
        check(
          "redirect URI", "as in the authorization request, \(signIn.redirectURI ?? "none")", sent ?? "none",
          sent == signIn.redirectURI, "RFC 6749 §4.1.3"))
    }
    if let client = request.form["client_id"] {
      checks.append(check("client", signIn.clientID, client, client == signIn.clientID, "RFC 6749 §4.1.3"))
    }
    return checks + proofKey(signIn)
  }

  /// Returns the check that the verifier's hash matches the challenge that was sent first.
  private func proofKey(_ signIn: RecordedSignIn) -> [Check] {
    let verifier = request.form["code_verifier"]
    guard let challenge = signIn.challenge else {
      return verifier == nil
        ? [] : [check("code verifier", "none, because no challenge was sent", "one", false, "RFC 7636 §4.6")]
    }
    guard let verifier else {
      return [check("code verifier", "the one whose hash is the challenge", "none", false, "RFC 7636 §4.6")]
    }
    guard !Redaction.isTakenOut(verifier), !Redaction.isTakenOut(challenge) else {
      return [
        check(
          "code verifier", "the one whose hash is the challenge", "taken out of the recording", nil,
          "RFC 7636 §4.6")
      ]
    }
    let found = signIn.challengeMethod == "S256" ? ProofKey(verifier: verifier).challenge : verifier
    return [
      check(
        "code verifier", "one with the hash \(Redaction.hash(challenge))",
        "one with the hash \(Redaction.hash(found))",
        found == challenge, "RFC 7636 §4.6")
    ]
  }

  func tokenResponse(_ signIn: RecordedSignIn?) -> (checks: [Check], hasTokens: Bool) {
    guard response.status != 0, !response.body.isEmpty else {
      let isLost = response.status == 200
      return (
        [
          check(
            "token endpoint", "tokens", isLost ? "the recording has no body" : "\(response.status)",
            isLost ? nil : false, "RFC 6749 §5.1")
        ], false
      )
    }
    guard let body = JSONValue(bounded: response.body, maximumBytes: 1_048_576) else {
      return (
        [check("token endpoint", "JSON", "status \(response.status), not JSON", false, "RFC 6749 §5.1")],
        false
      )
    }
    if let error = body["error"]?.string {
      // A suberror such as `bad_token` before a colon reads as the name of a secret.
      let kind = body["suberror"]?.string.map { "\(error) (\($0))" } ?? error
      let words = [kind, body["error_description"]?.string].compactMap(\.self).joined(separator: ": ")
      // A device code that is not approved yet is not a failure.
      if error == OAuthErrorCode.authorizationPending.text {
        return ([check("token endpoint", "tokens", words, nil, "RFC 8628 §3.5")], false)
      }
      return (
        [
          conditionalAccess(words, claims: body["claims"]?.string)
            ?? check("token endpoint", "tokens", words, false, "RFC 6749 §5.2")
        ], false
      )
    }
    let names = ["access_token", "id_token"].filter { body[$0]?.string != nil }
    var checks = names.flatMap { token(body[$0]?.string ?? "", named: $0, signIn) }
    if names.isEmpty { checks.append(check("token endpoint", "tokens", "none", false, "RFC 6749 §5.1")) }
    return (checks, !names.isEmpty)
  }

  private func token(_ text: String, named name: String, _ signIn: RecordedSignIn?) -> [Check] {
    guard let now = exchange.at, !text.hasPrefix("<") else { return [] }
    var expected = TokenReading.Expectation(now: now)
    if name == "id_token", let signIn {
      (expected.audience, expected.nonce) = (signIn.clientID, signIn.nonce)
    }
    let reading = TokenReading(text, expected)
    guard reading.form != .opaque, reading.form != .encrypted else { return [] }
    var checks: [Check] = []
    // The token was issued just now, so a different time means that one of the two clocks is wrong.
    if let issued = reading.claims["iat"]?.numericDate {
      let difference = issued.seconds(until: now)
      // Entra backdates tokens by five minutes.
      let isClose = -TokenReading.clockLeeway...2 * TokenReading.clockLeeway ~= difference
      checks.append(
        check(
          "clock", "two clocks that differ by at most \(durationText(TokenReading.clockLeeway))",
          isClose ? "they agree" : "\(durationText(difference)) between the token's iat and this device",
          isClose, "RFC 7519 §4.1.6"))
      if !isClose { return checks }
    }
    return checks
      + reading.checks.filter { $0.name != "signature" }.map { check in
        let isSecret = check.name == "nonce"
        return Check(
          "\(check.name) of the \(name)",
          expected: isSecret ? Redaction.hash(check.expected) : check.expected,
          found: isSecret ? Redaction.hash(check.found) : LogText.shown(check.found), verdict: check.verdict,
          source: check.source)
      }
  }
}

/// Advice for the real app if a check of a recording failed.
extension Check {
  /// The advice, or `nil` if the check passed or its error says more than its name.
  package var advice: String? {
    guard verdict == .failed else { return nil }
    return Self.advice[name] ?? Self.advice[String(name.split(separator: " of the ")[0])]
  }

  private static let advice = ReferenceTable("recording-advice.tsv").texts
}

extension Trace {
  /// The advice for each failed check, with the number of its hop; each name occurs once.
  package var adviceLines: [Advice] {
    var seen: Set<String> = []
    return hops.enumerated().flatMap { index, hop in
      hop.checks.compactMap { check in
        guard check.verdict == .failed, seen.insert(check.name).inserted,
          let advice = check.advice.map({ Advice($0) })
            ?? Explanation.ofError(check.found).first?.remedyOutside
        else { return nil }
        return "\(check.name) (\(index + 1)): \(advice)"
      }
    }
  }
}
