import Essentials

/// What the provider answers: the HTTP response, and the page as a value where the response shows one.
package struct ProviderResponse: Codable, Hashable, Sendable {
  package var http: HTTPResponse
  package var page: Page?
  /// Cookies for the origin asked, name and value; an empty value deletes.
  ///
  /// Also in `Set-Cookie` of `http`.
  package var setCookies: [NameValue]
  /// To be carried out by the side that has the connection.
  package var delivery = Delivery.whole

  package init(_ http: HTTPResponse, page: Page? = nil, setCookies: [NameValue] = []) {
    self.http = http
    self.page = page
    self.setCookies = setCookies
  }

  /// A page for the person, status 200.
  init(_ page: Page, cookies: [NameValue] = []) {
    self.init(.page(200, cookies: cookies), page: page, setCookies: cookies)
  }

  /// A redirect.
  init(to url: String, cookies: [NameValue] = []) {
    var response = HTTPResponse.page(302, cookies: cookies)
    response.headers.append(NameValue("Location", url))
    self.init(response, setCookies: cookies)
  }

  /// Sets cookies besides those that it sets already.
  package mutating func set(_ cookies: [NameValue]) {
    setCookies += cookies
    http.headers += cookies.map(HTTPResponse.settingCookie)
  }

  /// Sets none.
  package mutating func removeCookies() {
    setCookies = []
    http.headers.removeAll { $0.name == "Set-Cookie" }
  }

  /// What a simulated client gets: it does not wait for a late response, and one that never comes is no connection.
  package var received: HTTPResponse {
    var response = http
    switch delivery {
    case .whole, .late: break
    case .never: return .noConnection
    case .truncated(let bytes): response.body = Data(response.body.prefix(bytes))
    }
    return response
  }
}

/// How a response reaches the client: only a fault makes it anything but whole.
package enum Delivery: Codable, Hashable, Sendable {
  case whole
  case late(seconds: Int)
  /// The connection stays open and silent.
  case never
  /// The connection ends after so many bytes of the body, although the headers promise all.
  case truncated(bytes: Int)
}

extension HTTPResponse {
  /// A response for a browser, still without a body: the server or the web view draws the page.
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
    let site = cookie.name == BrowserBinding.cookieName ? "Lax" : "None"
    return NameValue(
      "Set-Cookie", "\(cookie.name)=\(cookie.value); Path=/; Secure; HttpOnly; SameSite=\(site)\(end)")
  }
}
