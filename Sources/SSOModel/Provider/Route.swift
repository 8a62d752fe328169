import SSOCore

/// What a path of the provider leads to.
package enum Route {
  case authorize, login, consent, token, deviceCode, devicePage, logout
  case instanceDiscovery, configuration, keys, userRealm
  case enrollDevice
  case userInfo, revoke, introspect, register, tenants, subscriptions

  /// Below `/{tenant}`, in lower case: Entra's, then the lab's own for the pages.
  private static let belowTenant: [String: Route] = [
    "oauth2/v2.0/authorize": .authorize, "oauth2/authorize": .authorize,
    "oauth2/v2.0/token": .token, "oauth2/token": .token,
    "oauth2/v2.0/devicecode": .deviceCode, "oauth2/deviceauth": .devicePage,
    "oauth2/v2.0/logout": .logout, "oauth2/logout": .logout,
    "discovery/instance": .instanceDiscovery, "userrealm": .userRealm,
    "v2.0/.well-known/openid-configuration": .configuration,
    "discovery/v2.0/keys": .keys, "discovery/keys": .keys,
    "oauth2/v2.0/revoke": .revoke, "oauth2/v2.0/introspect": .introspect, "oauth2/v2.0/register": .register,
    "openid/userinfo": .userInfo, "enrollmentserver/device": .enrollDevice, "login": .login,
    "consent": .consent,
  ]

  /// At other hosts in life: Graph's user info, and Azure Resource Manager.
  private static let ofOtherHosts: [String: Route] = [
    "oidc/userinfo": .userInfo, "tenants": .tenants, "subscriptions": .subscriptions,
  ]

  /// Below `/adfs`, besides those without `v2.0` above.
  private static let belowFederation: [String: Route] = [
    ".well-known/openid-configuration": .configuration, "userinfo": .userInfo,
    "oauth2/devicecode": .deviceCode,
  ]

  init?(_ path: AuthorityPath) {
    let below = path.rest.joined(separator: "/").lowercased()
    if let route = Self.ofOtherHosts[(path.authority + "/" + below).lowercased()]
      ?? Self.ofOtherHosts[path.authority]
    {
      self = route
    } else if path.isFederation, let route = Self.belowFederation[below] {
      self = route
    } else if let route = Self.belowTenant[below] {
      self = route
    } else if path.rest.count == 2, below.hasPrefix("userrealm/") {
      self = .userRealm
    } else {
      return nil
    }
  }

  /// The methods that it takes, as Entra names them. HEAD goes where GET goes.
  fileprivate var methods: [String] {
    switch self {
    case .authorize, .login, .devicePage, .logout, .userInfo: ["GET", "POST"]
    case .consent, .token, .deviceCode, .revoke, .introspect, .register, .enrollDevice: ["POST"]
    case .instanceDiscovery, .configuration, .keys, .userRealm, .tenants, .subscriptions: ["GET"]
    }
  }

  var allowed: String {
    (methods + (methods.contains("GET") ? ["HEAD"] : []) + ["OPTIONS"]).joined(separator: ", ")
  }
}

extension HTTPRequest {
  /// What the path leads to; nil: nowhere.
  package var route: Route? { Route(AuthorityPath(self)) }

  /// The header `Allow` for this path (RFC 9110 §10.2.1); nil: there is nothing at this address.
  package var allowedMethods: String? { route?.allowed }
}

extension Provider {
  func route(_ exchange: inout Exchange) throws -> ProviderResponse {
    let request = exchange.request
    let path = AuthorityPath(request)
    guard let route = Route(path) else { return ProviderResponse(HTTPResponse(404)) }
    let method = request.method.uppercased() == "HEAD" ? "GET" : request.method.uppercased()
    guard route.methods.contains(method) else { return try refuseMethod(route, &exchange) }
    let tenant = try AuthorityTenant(path.authority, in: directory)
    switch route {
    case .authorize: return try authorize(tenant, &exchange)
    case .login: return method == "GET" ? try pageAgain(&exchange) : try login(&exchange)
    case .consent: return try consent(&exchange)
    case .token: return try token(tenant, &exchange)
    case .deviceCode: return try deviceCode(tenant, &exchange)
    case .devicePage: return try devicePage(tenant, &exchange)
    case .logout: return try logout(tenant, &exchange)
    case .instanceDiscovery: return try instanceDiscovery(&exchange)
    case .configuration: return try configuration(tenant, &exchange)
    case .keys: return try publishedKeys(tenant, &exchange)
    case .enrollDevice: return try enrollDevice(&exchange)
    case .userRealm: return try userRealm(path.rest.count > 1 ? path.rest[1] : nil, exchange)
    case .userInfo: return try userInfo(&exchange)
    case .revoke: return try revoke(tenant, &exchange)
    case .introspect: return try introspect(tenant, &exchange)
    case .register: return try register(tenant, &exchange)
    case .tenants: return try tenants(&exchange)
    case .subscriptions: return try subscriptions(&exchange)
    }
  }

  /// RFC 9110 §15.5.6, in Entra's words.
  private func refuseMethod(_ route: Route, _ exchange: inout Exchange) throws -> ProviderResponse {
    let allowed = route.methods.joined(separator: ", ")
    let error = OAuthError(
      .invalidRequest,
      "The endpoint only accepts \(allowed) requests. Received a \(exchange.request.method) request.",
      aadsts: 900561)
    var answer = try refuse(error, &exchange)
    answer.http.status = 405
    answer.http.headers.append(NameValue("Allow", route.allowed))
    return answer
  }
}
