import SSOCore

extension Provider {
  /// The hosts of the public cloud: one environment under several names (fact sheet §3.3).
  package static let aliases = [
    "login.microsoftonline.com", "login.windows.net", "login.microsoft.com", "sts.windows.net",
  ]
  /// The alias under which caches are kept.
  package static let preferredCache = "login.windows.net"
  /// The alias that requests go to.
  package static let preferredNetwork = "login.microsoftonline.com"

  /// Origin that stands in `iss`: the preferred one for every alias, otherwise the one that was asked.
  func issuerOrigin(_ request: HTTPRequest) -> String {
    let host = URLParts(request.origin)?.host ?? ""
    return Self.aliases.contains(host.lowercased()) ? "https://" + Self.preferredNetwork : request.origin
  }

  /// `GET /common/discovery/instance?authorization_endpoint=…`: which hosts are the same environment.
  func instanceDiscovery(_ exchange: inout Exchange) throws -> ProviderResponse {
    let request = exchange.request
    let endpoint = URLParts(request.field("authorization_endpoint") ?? "")
    let own = URLParts(request.origin)?.host.lowercased() ?? ""
    let host = endpoint?.host.lowercased() ?? ""
    // MSAL Python leaves the port out (`real-clients.md` §2.1): the answer has it again.
    let isOwn = !host.isEmpty && (host == own || host == hostWithoutPort(own))
    try exchange.checks.require(
      Finding(
        "authority host", expected: (Self.aliases + [own]).joined(separator: ", "), found: host,
        Self.aliases.contains(host) || isOwn, source: "fact sheet 3.3",
        else: OAuthError(.invalidInstance, "Unknown or invalid instance.", aadsts: 50049)))
    let tenant = endpoint?.path.split(separator: "/").first.map(String.init) ?? "common"
    let cloud: JSONValue = [
      "preferred_network": .string(Self.preferredNetwork), "preferred_cache": .string(Self.preferredCache),
      "aliases": .array(Self.aliases.map(JSONValue.string)),
    ]
    let itself: JSONValue = [
      "preferred_network": .string(own), "preferred_cache": .string(hostWithoutPort(own)),
      "aliases": .array(
        own == hostWithoutPort(own) ? [.string(own)] : [.string(own), .string(hostWithoutPort(own))]),
    ]
    let isAlias = Self.aliases.contains(own)
    let origin = isOwn && !isAlias ? request.origin : "https://\(host)"
    let body: JSONValue = [
      "api-version": "1.1",
      "tenant_discovery_endpoint": .string("\(origin)/\(tenant)/v2.0/.well-known/openid-configuration"),
      "metadata": .array(isAlias || !isOwn ? [cloud] : [cloud, itself]),
    ]
    return ProviderResponse(.json(200, body))
  }

  /// Where a tenant's endpoints are: at the host that was asked, or at that of the tenant's own cloud.
  private func origin(of tenant: AuthorityTenant, _ request: HTTPRequest) -> String {
    if let host = tenant.tenant?.cloudHost, !tenant.isFederation { return "https://" + host }
    return request.origin
  }

  /// `GET /{tenant}/v2.0/.well-known/openid-configuration` (OpenID Connect Discovery §3): Entra's document, with
  /// what the lab knows besides (registration, revocation, introspection, PKCE and the grants).
  func configuration(_ tenant: AuthorityTenant, _ exchange: inout Exchange) throws -> ProviderResponse {
    try exchange.checks.require(checkTenantExists(tenant))
    let origin = origin(of: tenant, exchange.request)
    if tenant.isFederation { return ProviderResponse(.json(200, Self.federation(at: origin))) }
    let base = origin + "/" + tenant.segment
    let endpoints = [
      "authorization_endpoint": "authorize", "token_endpoint": "token",
      "device_authorization_endpoint": "devicecode", "end_session_endpoint": "logout",
      "revocation_endpoint": "revoke", "introspection_endpoint": "introspect",
      "registration_endpoint": "register",
    ]
    var body: [String: JSONValue] = endpoints.mapValues { .string("\(base)/oauth2/v2.0/\($0)") }
    body["issuer"] = .string(issuer(of: tenant, exchange.request))
    body["userinfo_endpoint"] = .string(origin + "/oidc/userinfo")
    body["jwks_uri"] = .string(base + "/discovery/v2.0/keys")
    for (name, values) in Self.supported { body[name] = .array(values.map(JSONValue.string)) }
    body["http_logout_supported"] = .bool(true)
    body["frontchannel_logout_supported"] = .bool(false)
    body["request_uri_parameter_supported"] = .bool(false)
    body["tenant_region_scope"] = .null
    body["cloud_instance_name"] = "microsoftonline.com"
    body["cloud_graph_host_name"] = "graph.windows.net"
    body["msgraph_host"] = "graph.microsoft.com"
    return ProviderResponse(.json(200, .object(body)))
  }

  /// Lists of the configuration that no tenant changes.
  private static let supported: [String: [String]] = [
    "response_types_supported": ["code"],
    "response_modes_supported": ["query", "fragment", "form_post"],
    "grant_types_supported": GrantType.allCases.map(\.rawValue),
    "scopes_supported": ["openid", "profile", "email", "offline_access"],
    "subject_types_supported": ["pairwise"],
    "id_token_signing_alg_values_supported": ["RS256"],
    "token_endpoint_auth_methods_supported": [
      "client_secret_post", "private_key_jwt", "client_secret_basic", "none",
    ],
    "token_endpoint_auth_signing_alg_values_supported": ["RS256", "PS256"],
    "code_challenge_methods_supported": ["S256"],
    "claims_supported": [
      "sub", "iss", "aud", "exp", "iat", "auth_time", "nonce", "preferred_username", "name", "given_name",
      "family_name", "email", "oid", "tid", "ver",
    ],
  ]

  /// `iss` of the tokens of a named tenant; for the others Entra's template.
  private func issuer(of tenant: AuthorityTenant, _ request: HTTPRequest) -> String {
    let id =
      switch tenant {
      case .named(let named), .policy(_, let named), .federation(let named): named.id
      case .consumers: Tenant.personalID
      case .common, .organizations, .unknown: "{tenantid}"
      }
    return TokenIssuer.issuer(at: issuerOrigin(request), tenantID: id, policy: tenant.policy)
  }

  /// `GET /adfs/.well-known/openid-configuration`, as AD FS 2019 has it.
  private static func federation(at origin: String) -> JSONValue {
    let base = origin + "/adfs"
    let host = URLParts(origin)?.host ?? ""
    var body: [String: JSONValue] = [
      "issuer": .string(base), "access_token_issuer": .string("http://\(host)/adfs/services/trust"),
      "authorization_endpoint": .string(base + "/oauth2/authorize/"),
      "token_endpoint": .string(base + "/oauth2/token/"),
      "device_authorization_endpoint": .string(base + "/oauth2/devicecode"),
      "end_session_endpoint": .string(base + "/oauth2/logout"),
      "jwks_uri": .string(base + "/discovery/keys"), "userinfo_endpoint": .string(base + "/userinfo"),
      "as_access_token_token_binding_supported": .bool(false),
      "claims_supported": .array(
        ["aud", "iss", "iat", "exp", "auth_time", "nonce", "sub", "upn", "unique_name", "ver", "appid"]
          .map(JSONValue.string)),
    ]
    for name in [
      "response_types_supported", "response_modes_supported", "grant_types_supported", "scopes_supported",
      "subject_types_supported", "id_token_signing_alg_values_supported",
      "token_endpoint_auth_methods_supported", "code_challenge_methods_supported",
    ] { body[name] = supported[name].map { .array($0.map(JSONValue.string)) } }
    return .object(body)
  }

  /// `GET /{tenant}/discovery/v2.0/keys`: the public halves of the signing keys (RFC 7517 §5).
  func publishedKeys(_ tenant: AuthorityTenant, _ exchange: inout Exchange) throws -> ProviderResponse {
    try exchange.checks.require(checkTenantExists(tenant))
    let issuer = JSONValue.string(issuer(of: tenant, exchange.request))
    let list = try keys.published().map { key in
      JSONValue.object((key.json.object ?? [:]).merging(["issuer": issuer]) { $1 })
    }
    return ProviderResponse(.json(200, ["keys": .array(list)]))
  }
}
