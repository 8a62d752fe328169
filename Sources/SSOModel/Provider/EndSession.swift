import SSOCore

extension Provider {
  /// `GET` and `POST /{tenant}/oauth2/v2.0/logout` (OpenID Connect RP-Initiated Logout §2): ends the browser's
  /// session, and goes back to the app if the address is one of its own.
  func logout(_ tenant: AuthorityTenant, _ exchange: inout Exchange) throws -> ProviderResponse {
    do { try exchange.checks.require(checkTenantExists(tenant)) } catch { return errorPage(error, &exchange) }
    let request = exchange.request
    try sessions.end(cookies: exchange.cookies)
    let cookies = [NameValue(SSOSession.cookieName, "")]
    let back = request.field("post_logout_redirect_uri")
    let named = request.field("client_id")
    let hinted = try audience(ofHint: request.field("id_token_hint"))
    let client =
      try (named ?? hinted).map { try directory.registration(clientID: $0) } ?? owner(ofAppAddress: back)
    if let back, let client {
      let registered = client.redirectURIs + (client.logoutURIs ?? [])
      let checks = [
        Check(
          "ID token hint is the client's", expected: client.clientID, found: hinted ?? "none",
          hinted.map { $0.lowercased() == client.clientID.lowercased() } ?? true,
          source: "RP-Initiated Logout §2"),
        Check(
          "post-logout URI registered", expected: registered.joined(separator: " or "), found: back,
          isRegistered(back, in: registered), source: "RP-Initiated Logout §3"),
      ]
      exchange.checks += checks
      if checks.allSatisfy({ $0.verdict == .passed }) {
        let fields = request.field("state").map { [NameValue("state", $0)] } ?? []
        var response = HTTPResponse.page(302, cookies: cookies)
        response.headers.append(NameValue("Location", appending(fields, to: back)))
        return ProviderResponse(response, setCookies: cookies)
      }
    }
    return page(
      .notice(NoticePage(title: "Signed out", message: "You signed out of this browser.")), cookies: cookies)
  }

  /// MSAL on iOS names no client (fact sheet §3.6): then the one that registered an address of an app's own scheme. A web
  /// address has to come with its client.
  private func owner(ofAppAddress address: String?) throws -> ClientRegistration? {
    guard let address, let parts = URLParts(address), !["http", "https"].contains(parts.scheme.lowercased())
    else { return nil }
    return try directory.registrations().first {
      isRegistered(address, in: $0.redirectURIs + ($0.logoutURIs ?? []))
    }
  }

  /// Whose ID token it is; it may have expired.
  private func audience(ofHint hint: String?) throws -> String? {
    guard let hint else { return nil }
    return try? JSONWebToken(verifying: hint, keys: keys.published()).claims["aud"]?.string
  }
}

/// `fields` in the query of a URL that may have one already.
func appending(_ fields: [NameValue], to url: String) -> String {
  guard !fields.isEmpty else { return url }
  return url + (url.contains("?") ? "&" : "?") + FormEncoding.encode(fields)
}
