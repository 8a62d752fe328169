import SSOCore
import SSOReference

/// The endpoints that a client calls before a sign-in: instance discovery, OpenID configuration, signing
/// keys, and user realm.
struct DiscoveryEndpoints {
  let provider: ProviderResources

  /// Returns the aliases of an environment (`GET /common/discovery/instance?authorization_endpoint=…`).
  func instance(_ context: inout RequestContext) throws -> ProviderResponse {
    let request = context.request
    let endpoint = URLParts(request.field("authorization_endpoint") ?? "")
    let server = URLParts(request.origin)
    let own = server?.authority.lowercased() ?? ""
    let name = server?.host.lowercased() ?? ""
    let host = endpoint?.authority.lowercased() ?? ""
    if host.isEmpty { try context.require(checkNamesEndpoint(host)) }
    // MSAL Python omits the port, so the response adds it.
    let isOwn = !host.isEmpty && (host == own || host == name)
    try context.require(checkInstance(host, own: own, isOwn: isOwn))
    let tenant = endpoint?.path.split(separator: "/").first.map(String.init) ?? "common"
    let clouds = Cloud.allInstances.map(record)
    let itself = record(
      Cloud.Instance(
        preferredNetwork: own, preferredCache: name, aliases: own == name ? [own] : [own, name]))
    let isAlias = Cloud(host: own) != nil
    let origin = isOwn && !isAlias ? request.origin : "https://\(host)"
    let body: JSONValue = [
      "api-version": "1.1",
      "tenant_discovery_endpoint": .string("\(origin)/\(tenant)/v2.0/.well-known/openid-configuration"),
      "metadata": .array(isAlias || !isOwn ? clouds : clouds + [itself]),
    ]
    return ProviderResponse(.metadata(body))
  }

  private func record(_ instance: Cloud.Instance) -> JSONValue {
    [
      "preferred_network": .string(instance.preferredNetwork),
      "preferred_cache": .string(instance.preferredCache),
      "aliases": .array(instance.aliases.map(JSONValue.string)),
    ]
  }

  /// Returns the origin of a tenant's endpoints: the host of the tenant's cloud, or else the host that
  /// received the request.
  ///
  /// This machine is never a cloud's host; otherwise, a real program would send a secret of the lab to the Internet.
  private func origin(of tenant: AuthorityTenant, _ request: HTTPRequest) -> String {
    guard let host = tenant.tenant?.cloudHost, !tenant.isFederation,
      !isLoopback(URLParts(request.origin)?.host.lowercased() ?? "")
    else { return request.origin }
    return "https://" + host
  }

  /// Returns Entra's configuration document (`GET /{tenant}/v2.0/.well-known/openid-configuration`).
  ///
  /// See OpenID Connect Discovery §3 and docs/behaviour/provider.md §3.
  func configuration(_ tenant: AuthorityTenant, _ context: inout RequestContext) throws -> ProviderResponse {
    try context.require(checkTenantExists(tenant, isDiscovery: true))
    let origin = origin(of: tenant, context.request)
    if tenant.isFederation { return ProviderResponse(.metadata(OpenIDConfiguration.federation(at: origin))) }
    if let appID = context.request.query["appid"] {
      let isKnown = try provider.directory.registration(clientID: appID) != nil
      try context.require(checkIsAppID(appID, isKnown: isKnown))
    }
    let base = origin + "/" + tenant.segment
    let isVersionOne = context.request.isVersionOne
    let version = isVersionOne ? "" : "v2.0/"
    var endpoints = [
      "authorization_endpoint": "authorize", "token_endpoint": "token",
      "device_authorization_endpoint": "devicecode", "end_session_endpoint": "logout",
    ]
    if provider.isGeneric, !isVersionOne {
      endpoints.merge(OpenIDConfiguration.endpointsBesides) { $1 }
    }
    var body: [String: JSONValue] = endpoints.mapValues { .string("\(base)/oauth2/\(version)\($0)") }
    body["issuer"] = .string(issuer(of: tenant, context.request))
    body["userinfo_endpoint"] = .string(
      isVersionOne ? base + "/openid/userinfo" : origin + "/oidc/userinfo")
    // An app with its own signing key names itself, and gets the address of its keys (Entra: Access tokens).
    let appID = context.request.query["appid"].map { "?" + FormEncoding.encode([NameValue("appid", $0)]) }
    body["jwks_uri"] = .string("\(base)/discovery/\(version)keys\(appID ?? "")")
    var lists = OpenIDConfiguration.supported
    if isVersionOne { lists.merge(OpenIDConfiguration.supportedByVersionOne) { $1 } }
    if provider.isGeneric { lists.merge(OpenIDConfiguration.supportedBesides) { $1 } }
    for (name, values) in lists { body[name] = .array(values.map(JSONValue.string)) }
    if isVersionOne {
      body["microsoft_multi_refresh_token"] = .bool(true)
      body["check_session_iframe"] = .string(base + "/oauth2/checksession")
    }
    body["kerberos_endpoint"] = .string(base + "/kerberos")
    body["tls_client_certificate_bound_access_tokens"] = .bool(true)
    body["mtls_endpoint_aliases"] = [
      "token_endpoint": .string("https://mtlsauth.microsoft.com/\(tenant.segment)/oauth2/\(version)token")
    ]
    body["http_logout_supported"] = .bool(true)
    body["frontchannel_logout_supported"] = .bool(true)
    body["request_uri_parameter_supported"] = .bool(false)
    let cloud =
      (tenant.tenant?.cloudHost ?? URLParts(origin)?.authority).flatMap { Cloud(host: $0) } ?? .global
    body["tenant_region_scope"] = tenant.tenant.flatMap { _ in cloud.regionScope } ?? .null
    body["cloud_instance_name"] = .string(cloud.documentHosts.instance)
    body["cloud_graph_host_name"] = .string(cloud.documentHosts.graph)
    body["msgraph_host"] = .string(cloud.documentHosts.microsoftGraph)
    body["rbac_url"] = .string(cloud.documentHosts.rbac)
    if tenant.policy != nil { OpenIDConfiguration.makeUserFlow(&body, isGeneric: provider.isGeneric) }
    return ProviderResponse(.metadata(.object(body)))
  }

  /// Checks that an app is named by its client ID, which in the lab need not be a GUID (pluginsGLPI/oauthimap#111).
  private func checkIsAppID(_ appID: String, isKnown: Bool) -> RuleResult {
    RuleResult(
      "appid", expected: "a GUID", found: appID, isKnown || RequestedScopes.isAppID(appID), source: "Entra",
      else: OAuthError(
        .invalidRequest, "Application identifier is expected to be a GUID.", aadsts: .clientIDNotGUID))
  }

  /// Returns the `iss` of a named tenant's tokens, or Entra's template for other authorities.
  private func issuer(of tenant: AuthorityTenant, _ request: HTTPRequest) -> String {
    let id =
      switch tenant {
      case .named(let named), .policy(_, let named), .federation(let named): named.id
      case .consumers: Tenant.personalID
      case .common, .organizations, .unknown: "{tenantid}"
      }
    if request.isVersionOne, tenant.policy == nil, !tenant.isFederation {
      return issuerOfVersionOne(tenantID: id)
    }
    return TokenIssuer.issuer(
      at: TokenIssuer.origin(for: request), tenantID: id, policy: tenant.policy,
      isExternal: tenant.tenant?.isExternal == true)
  }

  /// Returns the public keys for signatures (`GET /{tenant}/discovery/v2.0/keys`, RFC 7517 §5).
  func publishedKeys(_ tenant: AuthorityTenant, _ context: inout RequestContext) throws -> ProviderResponse {
    try context.require(checkTenantExists(tenant, isDiscovery: true))
    let issuer = JSONValue.string(issuer(of: tenant, context.request))
    let list = try provider.keys.keySet().map { key in
      var key = key
      if tenant.policy != nil {
        for name in ["x5c", "x5t"] { key[name] = nil }
      } else if !tenant.isFederation {
        key["issuer"] = issuer
      }
      // A client that needs `alg` cannot read Entra's keys (lestrrat-go/jwx#469, dapr/components-contrib#3033).
      if !tenant.isFederation, !provider.isGeneric { key["alg"] = nil }
      return JSONValue.object(key)
    }
    return ProviderResponse(.metadata(["keys": .array(list)]))
  }

  /// Returns whether a domain signs in here, which MSAL checks before it sends a password.
  ///
  /// The paths are `GET /common/userrealm/{user name}?api-version=1.0` and
  /// `/common/UserRealm?user=…&api-version=2.1`.
  func userRealm(_ name: String?, _ context: RequestContext) throws -> ProviderResponse {
    let asked = name.flatMap { FormEncoding.decodeText($0, plusIsSpace: false) }
    let username = asked ?? context.request.field("user") ?? context.request.field("login") ?? ""
    let domain = username.split(separator: "@").last.map { $0.lowercased() } ?? ""
    let tenant = try provider.directory.tenant(byNameOrID: domain)
    let isManaged = tenant?.domains.contains(domain) ?? false
    let kind = isManaged ? "Managed" : "Unknown"
    let isVersion1 = (context.request.field("api-version") ?? "1.0").hasPrefix("1")
    var body: [String: JSONValue] = ["cloud_instance_name": "microsoftonline.com"]
    if isVersion1 {
      body["ver"] = "1.0"
      body["account_type"] = .string(kind)
      if isManaged { body["domain_name"] = .string(domain) }
    } else {
      body["NameSpaceType"] = .string(kind)
      body["Login"] = .string(username)
      if isManaged { body["DomainName"] = .string(domain) }
      body["FederationBrandName"] = tenant.map { .string($0.displayName) }
    }
    if isManaged { body["cloud_audience_urn"] = "urn:federation:MicrosoftOnline" }
    return ProviderResponse(.json(200, .object(body)))
  }
}

extension Cloud {
  /// `tenant_region_scope` of a tenant, or `nil` where it is not known.
  ///
  /// A government tenant has USG or USGov (azure-docs, "Compare Azure Government and global Azure").
  var regionScope: JSONValue? {
    switch self {
    case .global: "WW"
    case .government: "USGov"
    case .china, .germany: nil
    }
  }
}

/// Checks that instance discovery is asked about a host (f-bader/EntraID-ErrorCodes: the number and its sentence).
private func checkNamesEndpoint(_ host: String) -> RuleResult {
  RuleResult(
    "authorization endpoint", expected: "a URL", found: host.isEmpty ? "none" : host, !host.isEmpty,
    source: "Entra",
    failure: "the request names no authorization endpoint",
    else: OAuthError(
      .invalidRequest, "The request is malformed: invalid format for 'authorization_endpoint' value.",
      aadsts: .instanceRequestMalformed))
}

private func checkInstance(_ host: String, own: String, isOwn: Bool) -> RuleResult {
  RuleResult(
    "authority host", expected: (PublicCloud.aliases + ["another cloud's", own]).joined(separator: ", "),
    found: host, Cloud(host: host) != nil || isOwn, source: "msal-cache.md §9",
    else: .unknownInstance)
}

/// The parts of the configuration documents that are the same for all tenants (OpenID Connect Discovery §3).
enum OpenIDConfiguration {
  /// The lists of Entra's configuration that are the same for all tenants (docs/behaviour/provider.md §3(1)).
  static let supported: [String: [String]] = [
    "response_types_supported": ResponseType.published.map(\.rawValue),
    "response_modes_supported": ["query", "fragment", "form_post"],
    "scopes_supported": ["openid", "profile", "email", "offline_access"],
    "subject_types_supported": ["pairwise"],
    "id_token_signing_alg_values_supported": ["RS256"],
    "token_endpoint_auth_methods_supported": [
      "client_secret_post", "private_key_jwt", "client_secret_basic", "self_signed_tls_client_auth",
    ],
    "claims_supported": [
      "sub", "iss", "cloud_instance_name", "cloud_instance_host_name", "cloud_graph_host_name",
      "msgraph_host", "aud", "exp", "iat", "auth_time", "acr", "nonce", "preferred_username", "name", "tid",
      "ver", "at_hash", "c_hash", "email",
    ],
  ]

  /// The lists that differ in version 1.
  static let supportedByVersionOne: [String: [String]] = [
    "response_types_supported": ["code", "id_token", "code id_token", "token id_token", "token"],
    "scopes_supported": ["openid"],
    "claims_supported": [
      "sub", "iss", "cloud_instance_name", "cloud_instance_host_name", "cloud_graph_host_name",
      "msgraph_host", "aud", "exp", "iat", "auth_time", "acr", "amr", "nonce", "email", "given_name",
      "family_name", "nickname",
    ],
  ]

  /// The lists that differ at AD FS.
  static let supportedByFederation: [String: [String]] = [
    "response_types_supported": [
      "code", "id_token", "code id_token", "id_token token", "code token", "code id_token token",
    ],
    "grant_types_supported": [
      "authorization_code", "refresh_token", "client_credentials",
      "urn:ietf:params:oauth:grant-type:jwt-bearer", "implicit", "password", "srv_challenge",
      "urn:ietf:params:oauth:grant-type:device_code", "device_code",
    ],
    "scopes_supported": [
      "allatclaims", "email", "user_impersonation", "logon_cert", "aza", "profile", "vpn_cert",
      "winhello_cert", "openid",
    ],
    "token_endpoint_auth_methods_supported": [
      "client_secret_post", "client_secret_basic", "private_key_jwt", "windows_client_authentication",
    ],
    "token_endpoint_auth_signing_alg_values_supported": ["RS256"],
    "code_challenge_methods_supported": ["S256", "plain"],
    "claims_supported": [
      "aud", "iss", "iat", "exp", "auth_time", "nonce", "at_hash", "c_hash", "sub", "upn", "unique_name",
      "pwd_url", "pwd_exp", "sid",
    ],
  ]

  /// The lists that Entra does not publish, but some clients require.
  static let supportedBesides: [String: [String]] = [
    "grant_types_supported": GrantType.allCases.map(\.rawValue),
    "token_endpoint_auth_methods_supported": [
      "client_secret_post", "private_key_jwt", "client_secret_basic", "none",
    ],
    "token_endpoint_auth_signing_alg_values_supported": ["RS256", "PS256"],
    "code_challenge_methods_supported": ["S256", "plain"],
  ]

  /// The endpoints that Entra does not have, relative to `oauth2/v2.0`.
  static let endpointsBesides = [
    "revocation_endpoint": "revoke", "introspection_endpoint": "introspect",
    "registration_endpoint": "register",
  ]

  /// Makes a document that of a user flow of Azure AD B2C, which has fewer fields, and names other values.
  ///
  /// The claims depend on the flow, and are the same here.
  static func makeUserFlow(_ body: inout [String: JSONValue], isGeneric: Bool) {
    for name in [
      "cloud_graph_host_name", "cloud_instance_name", "device_authorization_endpoint",
      "frontchannel_logout_supported", "http_logout_supported", "kerberos_endpoint", "msgraph_host",
      "mtls_endpoint_aliases", "rbac_url", "request_uri_parameter_supported", "tenant_region_scope",
      "tls_client_certificate_bound_access_tokens", "userinfo_endpoint",
    ] { body[name] = nil }
    var lists = [
      "response_types_supported": [
        "code", "code id_token", "code token", "code id_token token", "id_token", "id_token token", "token",
        "token id_token",
      ], "scopes_supported": ["openid"],
      "claims_supported": ["name", "emails", "iss", "iat", "exp", "aud", "acr", "nonce", "auth_time"],
      "token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"],
    ]
    if isGeneric { lists["token_endpoint_auth_methods_supported"]?.append("none") }
    for (name, values) in lists { body[name] = .array(values.map(JSONValue.string)) }
  }

  /// Returns the configuration of AD FS 2019 (`GET /adfs/.well-known/openid-configuration`; Microsoft: "Single log-out
  /// for OpenID Connect with AD FS").
  ///
  /// The endpoint for device codes and PKCE came with later updates. Tokens are not bound to a connection here.
  static func federation(at origin: String) -> JSONValue {
    let base = origin + "/adfs"
    let host = URLParts(origin)?.authority ?? ""
    var body: [String: JSONValue] = [
      "issuer": .string(base), "access_token_issuer": .string("http://\(host)/adfs/services/trust"),
      "authorization_endpoint": .string(base + "/oauth2/authorize/"),
      "token_endpoint": .string(base + "/oauth2/token/"),
      "device_authorization_endpoint": .string(base + "/oauth2/devicecode"),
      "end_session_endpoint": .string(base + "/oauth2/logout"),
      "jwks_uri": .string(base + "/discovery/keys"), "userinfo_endpoint": .string(base + "/userinfo"),
      "capabilities": .array([]), "microsoft_multi_refresh_token": .bool(true),
      "frontchannel_logout_supported": .bool(true), "frontchannel_logout_session_supported": .bool(true),
    ]
    for kind in [
      "as_access_token", "as_refresh_token", "resource_access_token", "op_id_token", "rp_id_token",
    ] {
      body[kind + "_token_binding_supported"] = .bool(true)
    }
    for (name, values) in supported.merging(supportedByFederation, uniquingKeysWith: { $1 }) {
      body[name] = .array(values.map(JSONValue.string))
    }
    return .object(body)
  }
}
