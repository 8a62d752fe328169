/// What pages of other origins may ask by script, and read (Fetch §3.3, CORS).
///
/// Entra opens discovery and keys to all, the token endpoint to be judged by `RedeemingOrigin`, and Graph. Its authorization
/// endpoint is for navigation only.
extension Route {
  fileprivate var isOpenToPages: Bool {
    switch self {
    case .instanceDiscovery, .configuration, .keys, .token, .userInfo, .graph, .resource: true
    default: false
    }
  }

  fileprivate var pageMethods: String { (methods + ["OPTIONS"]).joined(separator: ", ") }

  /// Headers of a response that a page of another origin may read.
  ///
  /// Entra names no origin, since no cookie is read there. Discovery says so to everybody, the token endpoint to pages.
  func crossOriginHeaders(to request: HTTPRequest) -> [NameValue] {
    guard isOpenToPages, methods == ["GET"] || request.foreignOrigin != nil else { return [] }
    let headers: [NameValue] = [
      NameValue("Access-Control-Allow-Origin", "*"), NameValue("Access-Control-Allow-Methods", pageMethods),
    ]
    // Graph's list has it, so that a page can read why its token was refused.
    let isGraph = [.userInfo, .graph, .resource].contains(self)
    return headers + (isGraph ? [NameValue("Access-Control-Expose-Headers", "WWW-Authenticate")] : [])
  }

  /// Which headers a page may send: those of MSAL.js, and the bearer token.
  fileprivate func takesFromPage(_ header: String) -> Bool {
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
  /// The response to `OPTIONS` (RFC 9110 §9.3.7), and to a browser that asks before it sends what a page wants (Fetch §4.9).
  ///
  /// Nil: there is nothing at this address.
  package var optionsResponse: HTTPResponse? {
    guard let route else { return nil }
    var response = HTTPResponse(204, headers: [NameValue("Allow", route.allowed)])
    guard header("Access-Control-Request-Method") != nil else { return response }
    response.headers += route.crossOriginHeaders(to: self)
    let asked = (header("Access-Control-Request-Headers") ?? "").lowercased().split(separator: ",")
      .map { $0.trimmed }.filter(route.takesFromPage)
    if route.isOpenToPages, !asked.isEmpty {
      response.headers.append(NameValue("Access-Control-Allow-Headers", asked.joined(separator: ", ")))
    }
    return response
  }
}
