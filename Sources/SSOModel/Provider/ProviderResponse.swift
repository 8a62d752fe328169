import Essentials

/// A response of the provider: the HTTP response, and the page as a value if it shows one.
package struct ProviderResponse: Codable, Hashable, Sendable {
  package var http: HTTPResponse
  package var page: Page?
  /// The cookies to set for the request's origin.
  ///
  /// An empty value deletes a cookie.
  ///
  /// `Set-Cookie` of `http` contains them too.
  package var setCookies: [NameValue]
  /// The delivery, which the holder of the connection carries out.
  package var delivery = Delivery.whole

  package init(_ http: HTTPResponse, page: Page? = nil, setCookies: [NameValue] = []) {
    self.http = http
    self.page = page
    self.setCookies = setCookies
  }

  /// Creates a response that shows a page, with status 200.
  init(_ page: Page, cookies: [NameValue] = []) {
    self.init(.page(200, cookies: cookies), page: page, setCookies: cookies)
  }

  /// Creates a redirect.
  init(to url: String, cookies: [NameValue] = []) {
    var response = HTTPResponse.page(302, cookies: cookies)
    response.headers.append(NameValue("Location", url))
    self.init(response, setCookies: cookies)
  }

  /// Adds cookies to set.
  package mutating func set(_ cookies: [NameValue]) {
    setCookies += cookies
    http.headers += cookies.map(HTTPResponse.settingCookie)
  }

  /// Removes all cookies to set.
  package mutating func removeCookies() {
    setCookies = []
    http.headers.removeAll { $0.name == "Set-Cookie" }
  }

  /// The response as a simulated client receives it.
  ///
  /// The client does not wait for a late response, and a response that never arrives counts as no connection.
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

/// The delivery of a response.
///
/// Only a fault makes it other than `whole`.
package enum Delivery: Codable, Hashable, Sendable {
  case whole
  case late(seconds: Int)
  /// The connection stays open without a response.
  case never
  /// The connection is closed after this number of bytes of the body, although the headers announce more.
  case truncated(bytes: Int)
}

extension HTTPResponse {
  /// Creates a response for a browser.
  ///
  /// Its body is still empty: the server or the web view renders the page.
  package static func page(_ status: Int, cookies: [NameValue] = []) -> HTTPResponse {
    HTTPResponse(
      status,
      headers: [
        NameValue("Content-Type", "text/html; charset=utf-8"), NameValue("Cache-Control", "no-store"),
      ] + cookies.map(settingCookie))
  }

  /// Returns the header that sets a cookie, or deletes it if the value is empty.
  package static func settingCookie(_ cookie: NameValue) -> NameValue {
    let end = cookie.value.isEmpty ? "; Max-Age=0" : ""
    let site = cookie.name == BrowserBinding.cookieName ? "Lax" : "None"
    return NameValue(
      "Set-Cookie", "\(cookie.name)=\(cookie.value); Path=/; Secure; HttpOnly; SameSite=\(site)\(end)")
  }
}
