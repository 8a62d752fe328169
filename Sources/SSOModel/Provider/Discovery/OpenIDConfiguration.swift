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

  /// Returns the configuration of AD FS 2019 (`GET /adfs/.well-known/openid-configuration`).
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
      "as_access_token_token_binding_supported": .bool(false),
      "claims_supported": .array(
        ["aud", "iss", "iat", "exp", "auth_time", "nonce", "sub", "upn", "unique_name", "ver", "appid"]
          .map(JSONValue.string)),
    ]
    for name in [
      "response_types_supported", "response_modes_supported", "grant_types_supported", "scopes_supported",
      "subject_types_supported", "id_token_signing_alg_values_supported",
      "token_endpoint_auth_methods_supported", "code_challenge_methods_supported",
    ] { body[name] = (supportedBesides[name] ?? supported[name]).map { .array($0.map(JSONValue.string)) } }
    return .object(body)
  }
}
