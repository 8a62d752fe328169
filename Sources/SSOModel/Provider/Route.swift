import SSOCore
import SSOReference

/// The endpoint of a request path.
package enum Route {
  case authorize, adminConsent, login, consent, token, deviceCode, devicePage, logout
  case instanceDiscovery, configuration, keys, userRealm
  case enrollDevice
  case userInfo, revoke, introspect, register, tenants, subscriptions
  case forgedKeys, forgedCertificate
  case managedIdentity, foreignConfiguration, foreignKeys, graph, resource
  case resourceMetadata

  /// The paths relative to `/{tenant}`, in lowercase: Entra's endpoints, then the lab's pages.
  private static let belowTenant: [String: Route] = [
    "oauth2/v2.0/authorize": .authorize, "oauth2/authorize": .authorize,
    "v2.0/adminconsent": .adminConsent, "adminconsent": .adminConsent,
    "oauth2/v2.0/token": .token, "oauth2/token": .token,
    "oauth2/v2.0/devicecode": .deviceCode, "oauth2/deviceauth": .devicePage,
    "oauth2/v2.0/logout": .logout, "oauth2/logout": .logout,
    "discovery/instance": .instanceDiscovery, "userrealm": .userRealm,
    "v2.0/.well-known/openid-configuration": .configuration,
    ".well-known/openid-configuration": .configuration, "oauth2/devicecode": .deviceCode,
    "discovery/v2.0/keys": .keys, "discovery/keys": .keys,
    "oauth2/v2.0/revoke": .revoke, "oauth2/v2.0/introspect": .introspect, "oauth2/v2.0/register": .register,
    "openid/userinfo": .userInfo, "enrollmentserver/device": .enrollDevice, "login": .login,
    "consent": .consent,
  ]

  /// The endpoints that are on other hosts in reality.
  ///
  /// They are Graph's user info, Azure Resource Manager, machines with managed identities, and the issuer of
  /// workload identities.
  private static let ofOtherHosts: [String: Route] = [
    "oidc/userinfo": .userInfo, "tenants": .tenants, "subscriptions": .subscriptions,
    "forged/keys": .forgedKeys, "forged/certificate.pem": .forgedCertificate,
    "metadata/identity/oauth2/token": .managedIdentity, "msi/token": .managedIdentity,
    "msi/auth": .managedIdentity,
    "federation/.well-known/openid-configuration": .foreignConfiguration, "federation/keys": .foreignKeys,
    "resource": .resource,
  ]

  /// The paths relative to `/adfs` in addition to those without `v2.0` above.
  private static let belowFederation: [String: Route] = [
    "userinfo": .userInfo
  ]

  init?(_ path: AuthorityPath) {
    let authority = path.authority.lowercased()
    if authority == "v1.0", !path.rest.isEmpty {
      self = .graph
      return
    }
    if authority == "resource", path.rest.count == 1 {
      self = .resource
      return
    }
    if path.rest.count == 3,
      "\(path.authority)/\(path.rest[0])/\(path.rest[1])" == ProtectedResourceEndpoint.wellKnown + "/resource"
    {
      self = .resourceMetadata
      return
    }
    let below = path.rest.joined(separator: "/").lowercased()
    if let route = Self.ofOtherHosts[below.isEmpty ? authority : "\(authority)/\(below)"] {
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

  /// The methods that the endpoint accepts, as Entra lists them.
  ///
  /// HEAD is handled like GET, except that it does not sign in.
  var methods: [String] {
    switch self {
    case .authorize, .login, .devicePage, .logout, .userInfo, .graph, .resource: ["GET", "POST"]
    case .consent, .token, .deviceCode, .revoke, .introspect, .register, .enrollDevice: ["POST"]
    case .adminConsent, .instanceDiscovery, .configuration, .keys, .userRealm, .tenants, .subscriptions,
      .forgedKeys,
      .forgedCertificate, .managedIdentity, .foreignConfiguration, .foreignKeys, .resourceMetadata:
      ["GET"]
    }
  }

  /// Whether each user flow has the endpoint, below its own path.
  fileprivate var isOfUserFlow: Bool { [.configuration, .keys, .authorize, .token].contains(self) }

  var allowed: String {
    (methods + (methods.contains("GET") ? ["HEAD"] : []) + ["OPTIONS"]).joined(separator: ", ")
  }
}

extension HTTPRequest {
  /// The endpoint of the path, or `nil` if it does not exist.
  package var route: Route? { Route(AuthorityPath(self)) }
}

extension ProviderResources {
  /// Returns the endpoint's response, 404 for an unknown path, or an error for a method that is not allowed.
  func route(_ context: inout RequestContext) throws -> ProviderResponse {
    let request = context.request
    let path = AuthorityPath(request)
    // A machine's endpoint does not exist at the provider, and vice versa; paths that Entra lacks exist only where they
    // are requested. User flows and AD FS do not ask for consent.
    guard let route = Route(path), (route == .managedIdentity) == (machine != nil),
      isGeneric || ![.revoke, .introspect, .register].contains(route),
      route != .adminConsent || !(path.isPolicy || path.isFederation),
      route != .deviceCode || !path.isPolicy,
      // B2C's hosts have these endpoints only below a user flow (AzureAD/microsoft-identity-web#456).
      path.authority.contains("/") || !route.isOfUserFlow || !request.origin.hasSuffix(".b2clogin.com")
    else {
      context.checks.append(
        Check(
          "address", expected: "an endpoint of this server", found: shortened(request.path), false,
          source: "provider.md §1(2)"))
      return ProviderResponse(HTTPResponse(404))
    }
    let method = request.method.uppercased() == "HEAD" ? "GET" : request.method.uppercased()
    guard route.methods.contains(method) else { return refuseMethod(route, &context) }
    // A code must not go to a program that only fetches the link, such as a mail scanner.
    if [.authorize, .adminConsent].contains(route), request.method.uppercased() == "HEAD" {
      return ProviderResponse(.page(200))
    }
    let tenant = try AuthorityTenant(path.authority, in: directory)
    let discovery = DiscoveryEndpoints(provider: self)
    let signIn = SignInEndpoint(provider: self)
    let devicePage = DeviceCodePageEndpoint(provider: self)
    let management = ResourceManagerEndpoint(provider: self)
    return switch route {
    case .authorize: try AuthorizationEndpoint(provider: self).respond(tenant, &context)
    case .adminConsent: try AdminConsentEndpoint(provider: self).respond(tenant, &context)
    case .login where method == "GET": try page(&context, signIn.showAgain)
    case .login: try answer(&context, signIn.respond)
    case .consent: try answer(&context, ConsentEndpoint(provider: self).respond)
    case .token: try TokenEndpoint(provider: self).respond(tenant, &context)
    case .deviceCode: try DeviceAuthorizationEndpoint(provider: self).respond(tenant, &context)
    case .devicePage where method == "GET": try page(&context) { try devicePage.show(tenant, &$0) }
    case .devicePage: try answer(&context) { try devicePage.respond(tenant, &$0) }
    case .logout: try EndSessionEndpoint(provider: self).respond(tenant, &context)
    case .instanceDiscovery: try discovery.instance(&context)
    case .configuration: try discovery.configuration(tenant, &context)
    case .keys: try discovery.publishedKeys(tenant, &context)
    case .userRealm: try discovery.userRealm(path.rest.count > 1 ? path.rest[1] : nil, context)
    case .enrollDevice: try DeviceEnrollmentEndpoint(provider: self).respond(&context)
    case .userInfo: try UserInfoEndpoint(provider: self).respond(&context)
    case .revoke: try RevocationEndpoint(provider: self).respond(tenant, &context)
    case .introspect: try IntrospectionEndpoint(provider: self).respond(tenant, &context)
    case .register: try ClientRegistrationEndpoint(provider: self).respond(tenant, &context)
    case .tenants: try management.tenants(&context)
    case .subscriptions: try management.subscriptions(&context)
    case .forgedKeys: try ForgedKeysEndpoint(provider: self).keys()
    case .forgedCertificate: try ForgedKeysEndpoint(provider: self).certificate()
    case .managedIdentity: try managedIdentity(&context)
    case .graph: try GraphEndpoint(provider: self).respond(path.rest, &context)
    case .resource: try ProtectedResourceEndpoint(provider: self).respond(path.rest.first, &context)
    case .resourceMetadata: try ProtectedResourceEndpoint(provider: self).metadata(of: path.rest[2], &context)
    case .foreignConfiguration:
      ProviderResponse(.json(200, ForeignIssuer.configuration(at: context.request.origin)))
    case .foreignKeys:
      ProviderResponse(
        .json(200, ["keys": [try ForeignIssuer(documents: documents, random: random).publicKey().json]]))
    }
  }

  private func managedIdentity(_ context: inout RequestContext) throws -> ProviderResponse {
    guard let machine else { return ProviderResponse(HTTPResponse(404)) }
    return try ManagedIdentityEndpoint(provider: self, host: machine).respond(&context)
  }

  /// Responds to a browser, which gets an error page on failure.
  private func page(
    _ context: inout RequestContext, _ respond: (inout RequestContext) throws -> ProviderResponse
  ) throws -> ProviderResponse {
    do { return try respond(&context) } catch let error as OAuthError { return context.errorPage(error) }
  }

  /// Responds to a form that only a page of the provider may send.
  private func answer(
    _ context: inout RequestContext, _ respond: (inout RequestContext) throws -> ProviderResponse
  ) throws -> ProviderResponse {
    try page(&context) { context in
      try context.require(checkSentByOwnPage(context.request))
      return try respond(&context)
    }
  }

  /// Rejects the method with Entra's wording.
  ///
  /// The token endpoint's sentence is public, and its status is assumed; the other endpoints follow RFC 9110 §15.5.6.
  private func refuseMethod(_ route: Route, _ context: inout RequestContext) -> ProviderResponse {
    let isTokenEndpoint = route == .token
    let allowed = (route.methods + (isTokenEndpoint ? ["OPTIONS"] : [])).joined(separator: ", ")
    let error = OAuthError(
      .invalidRequest,
      "The endpoint only accepts \(allowed) requests. Received a \(context.request.method) request.",
      aadsts: .methodNotAllowed)
    context.checks.append(
      Check(
        "method", expected: allowed, found: shortened(context.request.method), false,
        source: "RFC 9110 §15.5.6"))
    let isBrowser = context.request.header("Accept")?.lowercased().contains("text/html") ?? false
    if isTokenEndpoint, isBrowser { return context.errorPage(error) }
    var response = refuse(error, &context)
    response.http.status = isTokenEndpoint ? 400 : 405
    response.http.headers.append(NameValue("Allow", route.allowed))
    return response
  }
}
