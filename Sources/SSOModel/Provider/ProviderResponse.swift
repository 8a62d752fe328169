import Essentials
import SSOCore

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
  /// The client does not wait for a late response, and a response that never arrives counts as a failed connection.
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
  static func settingCookie(_ cookie: NameValue) -> NameValue {
    let end = cookie.value.isEmpty ? "; Max-Age=0" : ""
    let site = cookie.name == BrowserBinding.cookieName ? "Lax" : "None"
    return NameValue(
      "Set-Cookie", "\(cookie.name)=\(cookie.value); Path=/; Secure; HttpOnly; SameSite=\(site)\(end)")
  }
}

/// The cross-origin rules of each route (Fetch §3.3, CORS).
///
/// Entra opens discovery, keys and Graph to all origins, and the token endpoint subject to `RedeemingOrigin`.
/// Its authorization endpoint is only for navigation.
extension Route {
  fileprivate var isOpenToPages: Bool {
    switch self {
    case .instanceDiscovery, .configuration, .keys, .token, .userInfo, .graph, .resource, .resourceMetadata:
      true
    default: false
    }
  }

  fileprivate var pageMethods: String { (methods + ["OPTIONS"]).joined(separator: ", ") }

  /// Returns the headers that allow a page of another origin to read a response.
  ///
  /// Entra allows any origin, since these routes do not read cookies. Discovery always sends the headers, the
  /// token endpoint only to pages.
  func crossOriginHeaders(to request: HTTPRequest) -> [NameValue] {
    guard isOpenToPages, methods == ["GET"] || request.foreignOrigin != nil else { return [] }
    let headers: [NameValue] = [
      NameValue("Access-Control-Allow-Origin", "*"), NameValue("Access-Control-Allow-Methods", pageMethods),
    ]
    // Graph exposes this header so that a page can read why its token was rejected.
    let isGraph = [.userInfo, .graph, .resource].contains(self)
    return headers + (isGraph ? [NameValue("Access-Control-Expose-Headers", "WWW-Authenticate")] : [])
  }

  /// Returns whether a page may send a header: MSAL.js's headers and the bearer token.
  fileprivate func allowsRequestHeader(_ header: String) -> Bool {
    let known = [
      "accept", "authorization", "content-type", "client-request-id", "return-client-request-id",
      "x-anchormailbox",
    ]
    // Graph's SDKs send the first one with each request (microsoftgraph/msgraph-sdk-design, middleware/TelemetryHandler.md).
    if self == .graph, ["sdkversion", "consistencylevel", "prefer"].contains(header) { return true }
    let prefixes = ["x-client-", "x-ms-", "x-app-"]
    return header.utf8.allSatisfy { $0 == 0x2D || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
      && (known.contains(header) || prefixes.contains { header.hasPrefix($0) })
  }
}

extension HTTPRequest {
  /// The response to `OPTIONS` (RFC 9110 §9.3.7), including a browser's preflight request (Fetch §4.9).
  ///
  /// The value is `nil` if the path does not exist.
  package var optionsResponse: HTTPResponse? {
    guard let route else { return nil }
    var response = HTTPResponse(204, headers: [NameValue("Allow", route.allowed)])
    guard header("Access-Control-Request-Method") != nil else { return response }
    response.headers += route.crossOriginHeaders(to: self)
    let asked = (header("Access-Control-Request-Headers") ?? "").lowercased().split(separator: ",")
      .map { $0.trimmed }.filter(route.allowsRequestHeader)
    if route.isOpenToPages, !asked.isEmpty {
      response.headers.append(NameValue("Access-Control-Allow-Headers", asked.joined(separator: ", ")))
    }
    return response
  }
}
