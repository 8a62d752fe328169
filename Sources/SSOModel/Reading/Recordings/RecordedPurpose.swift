/// The purpose of a request in a recording (docs/behaviour/real-logs.md §5).
enum RecordedPurpose: Hashable {
  /// A request to the provider: an endpoint or, in the next case, a page between the authorization request and its
  /// response.
  case endpoint(Route)
  case page
  /// The redirect URI of an authorization request.
  case redirectURI
  /// An API, called with a token.
  case resource
  case other

  var words: String {
    switch self {
    case .endpoint(let route): Self.words(route)
    case .page: "page of the provider"
    case .redirectURI: "answer to the app"
    case .resource: "API"
    case .other: ""
    }
  }

  private static func words(_ route: Route) -> String {
    switch route {
    case .authorize: "authorization endpoint"
    case .login: "sign-in page"
    case .consent: "consent page"
    case .token: "token endpoint"
    case .deviceCode: "device code"
    case .devicePage: "device code page"
    case .logout: "sign-out"
    case .instanceDiscovery: "instance discovery"
    case .configuration: "OpenID configuration"
    case .keys: "signing keys"
    case .userRealm: "user realm"
    case .enrollDevice: "device registration"
    case .userInfo: "user info"
    case .revoke: "revocation"
    case .introspect: "introspection"
    case .register: "client registration"
    case .tenants, .subscriptions: "Azure Resource Manager"
    case .forgedKeys, .forgedCertificate: "keys of forged tokens"
    case .managedIdentity: "managed identity"
    case .foreignConfiguration: "another provider's configuration"
    case .foreignKeys: "another provider's keys"
    case .graph, .resource: "API"
    }
  }

  /// Pages of Entra and ADFS between the request and the response.
  private static let pages = [
    "/kmsi", "/login", "/appverify", "/processauth", "/consent/set", "/getcredentialtype",
    "/ppsecure/post.srf",
    "/sas/", "/reprocess", "/federation/oauth2", "/adfs/ls", "/devicecode", "/resume", "/login.srf",
  ]

  init(_ exchange: RecordedExchange, providers: Set<String>, redirectURIs: Set<String>) {
    let request = exchange.request
    let target = request.origin + request.path
    if redirectURIs.contains(where: { Self.isSame($0, target, exchange.url) }) {
      self = .redirectURI
    } else if let route = request.route, Self.isLikely(route, request, providers) {
      self = .endpoint(route)
    } else if request.path.lowercased().hasSuffix("/token"), request.form["grant_type"] != nil {
      self = .endpoint(.token)
    } else if request.path.lowercased().hasSuffix("/authorize"), request.query["client_id"] != nil {
      self = .endpoint(.authorize)
    } else if providers.contains(request.origin),
      request.method == "POST" || Self.pages.contains(where: { request.path.lowercased().contains($0) })
    {
      self = .page
    } else if request.header("Authorization")?.lowercased().hasPrefix("bearer ") == true
      || request.header("Authorization")?.lowercased().hasPrefix("pop ") == true
    {
      self = .resource
    } else {
      self = .other
    }
  }

  /// Returns whether a request is likely to be for a route, because a path such as `/x/login` may be the app's own.
  private static func isLikely(_ route: Route, _ request: HTTPRequest, _ providers: Set<String>) -> Bool {
    switch route {
    case .login, .consent, .tenants, .subscriptions: providers.contains(request.origin)
    // APIs are recognised by their token.
    case .graph, .resource: false
    case .authorize, .token:
      request.field("client_id") != nil || request.field("grant_type") != nil
        || providers.contains(request.origin)
    default: true
    }
  }

  /// Returns whether a URL is a redirect URI, in which an empty path equals `/`.
  private static func isSame(_ redirectURI: String, _ target: String, _ url: URLParts) -> Bool {
    if redirectURI == target || redirectURI == url.scheme + ":" + url.path { return true }
    guard let registered = URLParts(redirectURI) else { return false }
    let path = registered.path.isEmpty ? "/" : registered.path
    return registered.origin == url.origin && path == (url.path.isEmpty ? "/" : url.path)
  }
}
