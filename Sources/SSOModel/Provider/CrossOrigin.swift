/// The cross-origin rules of each route (Fetch §3.3, CORS).
///
/// Entra opens discovery, keys and Graph to all origins, and the token endpoint subject to `RedeemingOrigin`.
/// Its authorization endpoint is only for navigation.
extension Route {
  fileprivate var isOpenToPages: Bool {
    switch self {
    case .instanceDiscovery, .configuration, .keys, .token, .userInfo, .graph, .resource: true
    default: false
    }
  }

  fileprivate var pageMethods: String { (methods + ["OPTIONS"]).joined(separator: ", ") }

  /// Returns the headers that allow a page of another origin to read a response.
  ///
  /// Entra allows any origin, since these routes read no cookie. Discovery always sends the headers, the
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
