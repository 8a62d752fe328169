import Essentials

/// The checks of the token endpoint: what is redeemed, and what is returned.
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
        ? [] : [check("code verifier", "none, as no challenge was sent", "one", false, "RFC 7636 §4.6")]
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
      let words = [error, body["suberror"]?.string, body["error_description"]?.string].compactMap(\.self)
        .joined(separator: ": ")
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
