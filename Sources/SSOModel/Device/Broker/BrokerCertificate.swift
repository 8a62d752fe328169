/// Sign-in with a certificate in the system browser (claim D4).
///
/// The broker's web view cannot present a certificate, but the system browser can. The sign-in ends at the app's second
/// redirect URI, whose scheme is the broker's.
extension Broker {
  /// Returns `msauth://code/<redirect URI, URL-encoded>`.
  static func certificateRedirectURI(for redirectURI: String) -> String {
    RedirectOwner.certificatePrefix + FormEncoding.percentEncode(redirectURI)
  }

  /// Responds to the page's certificate challenge with the device's certificate.
  ///
  /// `challenge` is the URL at which the page continues.
  func signInByCertificate(_ challenge: URLParts, _ request: BrokerRequest, _ caller: Caller) throws
    -> [NameValue]
  {
    let proof = ProofKey(random: context.random.bytes(32))
    let (origin, tenant) = splitAuthority(request.authority)
    let redirectURI = Self.certificateRedirectURI(for: request.redirectURI)
    let page = HTTPRequest(
      "GET", origin: origin, path: path(tenant, "authorize", request),
      query: [
        NameValue("client_id", request.clientID), NameValue("response_type", "code"),
        NameValue("redirect_uri", redirectURI),
        NameValue("code_challenge", proof.challenge), NameValue("code_challenge_method", "S256"),
        NameValue("state", context.random.upperUUID()),
        NameValue("login_hint", challenge.fields?["login_hint"] ?? ""),
        NameValue("client-request-id", request.correlationID),
      ].filter { !$0.value.isEmpty } + wanted(request))
    context.trace.add(
      .broker, .system, actor: caller.app.bundleID, "open the browser",
      result: "it can present a certificate",
      sent: [NameValue("redirect_uri", redirectURI)])
    switch try context.system.browse(page, in: .ofSystem) {
    case .cancelled(let page):
      return failure(.userCanceled, page ?? "User cancelled", request)
    case .redirected(let url):
      guard let code = URLParts(url)?.fields?["code"] else {
        return failure(
          .invalidGrant,
          URLParts(url)?.fields?["error_description"] ?? "The redirect has no authorization code.", request)
      }
      let answer = try context.system.send(
        tokenRequest(
          request,
          [
            NameValue("grant_type", "authorization_code"), NameValue("client_id", request.clientID),
            NameValue("code", code), NameValue("redirect_uri", redirectURI),
            NameValue("code_verifier", proof.verifier), NameValue("client_info", "1"),
          ]))
      guard answer.status == 200 else {
        let refusal = OAuthError(reading: answer)
        return response(request).failure(.invalidGrant, refusal.message, oauth: refusal)
      }
      return try success(answer, request, caller)
    }
  }
}
