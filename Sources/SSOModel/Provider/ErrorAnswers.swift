import SSOCore

extension Provider {
  /// An error page: the request is not to be trusted with a redirect.
  func errorPage(
    _ error: OAuthError, setCookies: [NameValue] = [], _ exchange: inout Exchange
  ) -> ProviderResponse {
    exchange.refusal = error
    let page = ErrorPage(
      aadsts: error.aadsts ?? 0, message: error.message, correlationID: exchange.correlationID)
    return ProviderResponse(.page(400, cookies: setCookies), page: .error(page), setCookies: setCookies)
  }

  /// A refusal as Entra's JSON body, status 400.
  func refuse(_ error: OAuthError, _ exchange: inout Exchange) throws -> ProviderResponse {
    exchange.refusal = error
    let body = OAuthErrorBody(error, traceID: chance.uuid(), correlationID: exchange.correlationID, now: now)
    guard error.code == .invalidClient, let usedHeader = exchange.authenticatesByHeader else {
      return ProviderResponse(body.response())
    }
    // RFC 6749 §5.2: who used the Authorization header is told to.
    var response = body.response(status: 401)
    if usedHeader {
      response.headers.append(NameValue("WWW-Authenticate", "Basic realm=\"\(exchange.request.origin)\""))
    }
    return ProviderResponse(response)
  }
}

extension HTTPResponse {
  /// An answer for a browser, still without a body: whoever serves it draws the page.
  package static func page(_ status: Int, cookies: [NameValue] = []) -> HTTPResponse {
    HTTPResponse(
      status,
      headers: [
        NameValue("Content-Type", "text/html; charset=utf-8"), NameValue("Cache-Control", "no-store"),
      ] + cookies.map(settingCookie))
  }

  /// The header that sets a cookie; an empty value deletes it.
  package static func settingCookie(_ cookie: NameValue) -> NameValue {
    let end = cookie.value.isEmpty ? "; Max-Age=0" : ""
    return NameValue(
      "Set-Cookie", "\(cookie.name)=\(cookie.value); Path=/; Secure; HttpOnly; SameSite=None\(end)")
  }
}
