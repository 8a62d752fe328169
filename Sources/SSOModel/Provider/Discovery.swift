extension Provider {
  /// The hosts of the public cloud: one environment under several names (fact sheet §3.3).
  public static let aliases = [
    "login.microsoftonline.com", "login.windows.net", "login.microsoft.com", "sts.windows.net",
  ]
  /// The alias under which caches are kept.
  public static let preferredCache = "login.windows.net"
  /// The alias that requests go to.
  public static let preferredNetwork = "login.microsoftonline.com"

  /// Origin that stands in `iss`: the preferred one for every alias, otherwise the one that was asked.
  func issuerOrigin(_ request: HTTPRequest) -> String {
    let host = URLParts(request.origin)?.host ?? ""
    return Self.aliases.contains(host.lowercased()) ? "https://" + Self.preferredNetwork : request.origin
  }

  /// `GET /common/discovery/instance?authorization_endpoint=…`: which hosts are the same environment.
  func instanceDiscovery(_ exchange: inout Exchange) throws -> ProviderAnswer {
    let request = exchange.request
    let endpoint = URLParts(request.field("authorization_endpoint") ?? "")
    let own = URLParts(request.origin)?.host ?? ""
    let host = endpoint?.host.lowercased() ?? ""
    let isOwn = host == own.lowercased() && !host.isEmpty
    try exchange.checks.require(
      Finding(
        "authority host", expected: Self.aliases.joined(separator: ", "), found: host,
        Self.aliases.contains(host) || isOwn, source: "fact sheet 3.3",
        else: OAuthError(.invalidInstance, "Unknown or invalid instance.", aadsts: 50049)))
    let tenant = endpoint?.path.split(separator: "/").first.map(String.init) ?? "common"
    let cloud: JSONValue = [
      "preferred_network": .string(Self.preferredNetwork), "preferred_cache": .string(Self.preferredCache),
      "aliases": .array(Self.aliases.map(JSONValue.string)),
    ]
    let itself: JSONValue = [
      "preferred_network": .string(own), "preferred_cache": .string(own), "aliases": [.string(own)],
    ]
    let body: JSONValue = [
      "api-version": "1.1",
      "tenant_discovery_endpoint": .string(
        "https://\(host)/\(tenant)/v2.0/.well-known/openid-configuration"),
      "metadata": .array(Self.aliases.contains(own) || !isOwn ? [cloud] : [cloud, itself]),
    ]
    return ProviderAnswer(try .json(200, body))
  }

  /// `GET /{tenant}/v2.0/.well-known/openid-configuration` (OpenID Connect Discovery §3).
  func configuration(_ tenant: AuthorityTenant, _ exchange: inout Exchange) throws -> ProviderAnswer {
    try exchange.checks.require(checkTenantExists(tenant))
    let base = exchange.request.origin + "/" + tenant.segment
    var issuer = "{tenantid}"
    if case .named(let named) = tenant { issuer = named.id }
    if case .consumers = tenant { issuer = Tenant.personalID }
    let body: JSONValue = [
      "issuer": .string("\(issuerOrigin(exchange.request))/\(issuer)/v2.0"),
      "authorization_endpoint": .string(base + "/oauth2/v2.0/authorize"),
      "token_endpoint": .string(base + "/oauth2/v2.0/token"),
      "end_session_endpoint": .string(base + "/oauth2/v2.0/logout"),
      "jwks_uri": .string(base + "/discovery/v2.0/keys"),
      "response_types_supported": ["code"],
      "response_modes_supported": ["query", "fragment", "form_post"],
      "grant_types_supported": ["authorization_code", "refresh_token"],
      "scopes_supported": ["openid", "profile", "email", "offline_access"],
      "subject_types_supported": ["pairwise"],
      "id_token_signing_alg_values_supported": ["RS256"],
      "token_endpoint_auth_methods_supported": ["none"],
      "code_challenge_methods_supported": ["S256"],
      "claims_supported": [
        "sub", "iss", "aud", "exp", "iat", "nonce", "preferred_username", "name", "oid", "tid", "ver",
      ],
      "tenant_region_scope": .null,
    ]
    return ProviderAnswer(try .json(200, body))
  }

  /// `GET /{tenant}/discovery/v2.0/keys`: the public halves of the signing keys (RFC 7517 §5).
  func publishedKeys() throws -> ProviderAnswer {
    ProviderAnswer(try .json(200, ["keys": [try keys.current().publicKey.json]]))
  }
}
