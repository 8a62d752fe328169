import SSOCore
import SSOReference

/// A client's request for its own registration (RFC 7591 §2).
///
/// oidc-agent sends only `client_name`, `redirect_uris`, `grant_types`, `response_types` and
/// `application_type`.
struct RegistrationRequest {
  static let maximumURIs = 20
  static let maximumLength = 2048

  /// The JSON body, or `nil` if it is not an object or not declared as JSON.
  ///
  /// A page of another site can send any other type without permission.
  var metadata: [String: JSONValue]?
  /// The number of clients that registered within the last hour and do not have tokens yet.
  var unusedCount: Int

  /// The maximum number of unused clients.
  static let maximumUnused = 100

  var name: String { metadata?["client_name"]?.string ?? "Registered client" }
  var redirectURIs: [String] { strings("redirect_uris") }
  var logoutURIs: [String] { strings("post_logout_redirect_uris") }
  /// Whether the client uses redirects, which is the default (RFC 7591 §2).
  var usesRedirects: Bool {
    metadata?["grant_types"] == nil || strings("grant_types").contains("authorization_code")
  }
  /// The authentication method.
  ///
  /// The default is the header (RFC 7591 §2).
  var authenticationMethod: String {
    metadata?["token_endpoint_auth_method"]?.string ?? "client_secret_basic"
  }
  var publicKeys: [TokenVerificationKey] {
    (metadata?["jwks"]?["keys"]?.array ?? []).compactMap { TokenVerificationKey($0) }
  }

  private func strings(_ name: String) -> [String] { metadata?[name]?.array?.compactMap(\.string) ?? [] }

  static let methods = ["client_secret_basic", "client_secret_post", "private_key_jwt", "none"]

  static var rules: [(RegistrationRequest) -> RuleResult] {
    [
      checkMetadataIsObject, checkThereIsRoom, checkName, checkURIsAreSafe, checkMethod, checkKeys,
      checkURIsAreThere,
    ]
  }

  /// Returns whether a redirect URI is https, http on a loopback host, or a private-use scheme that contains
  /// a dot (RFC 8252 §7.1).
  static func isSafe(_ uri: String) -> Bool {
    guard uri.utf8.count <= maximumLength, let parts = URLParts(uri), parts.fragment == nil else {
      return false
    }
    switch parts.scheme {
    case "https": return !parts.authority.isEmpty
    case "http": return isLoopback(parts.host)
    default: return parts.scheme.contains(".")
    }
  }
}

/// `POST /{tenant}/oauth2/v2.0/register` (RFC 7591).
///
/// Entra does not have this endpoint.
struct ClientRegistrationEndpoint {
  let provider: ProviderResources

  func respond(_ tenant: AuthorityTenant, _ context: inout RequestContext) throws -> ProviderResponse {
    try context.require(checkTenantExists(tenant))
    let http = context.request
    let type = http.header("Content-Type")?.lowercased().prefix { $0 != ";" }.trimmed
    let unused = UnusedClients(documents: provider.documents, now: provider.now)
    let request = RegistrationRequest(
      metadata: type == "application/json" ? JSONValue(bounded: http.body)?.object : nil,
      unusedCount: try unused.sweep())
    try context.require(RegistrationRequest.rules, of: request)
    let clientID = provider.random.uuid()
    let hasSecret = request.authenticationMethod.hasPrefix("client_secret")
    let secret = hasSecret ? Base64URL.encode(provider.random.bytes(32)) : nil
    var registration = ClientRegistration(
      clientID: clientID, displayName: request.name, publisher: "registered dynamically",
      redirectURIs: request.redirectURIs, secrets: secret.map { [$0] } ?? [],
      publicKeys: request.publicKeys)
    registration.logoutURIs = request.logoutURIs
    try provider.documents.save(registration)
    try unused.add(clientID)
    var answer = request.metadata ?? [:]
    answer["client_id"] = .string(clientID)
    answer["client_id_issued_at"] = .integer(Int64(provider.now.seconds))
    answer["client_name"] = .string(request.name)
    answer["redirect_uris"] = .array(request.redirectURIs.map(JSONValue.string))
    answer["token_endpoint_auth_method"] = .string(request.authenticationMethod)
    if let secret {
      answer["client_secret"] = .string(secret)
      answer["client_secret_expires_at"] = .integer(0)
    }
    return ProviderResponse(.json(201, .object(answer)))
  }
}

private func checkMetadataIsObject(_ request: RegistrationRequest) -> RuleResult {
  RuleResult(
    "client metadata", expected: "a JSON object",
    found: request.metadata == nil ? "not a JSON object" : "an object",
    request.metadata != nil, source: "RFC 7591 §3.1",
    else: OAuthError(
      .invalidClientMetadata, "The body is not a JSON object of client metadata, of type application/json."))
}

private func checkThereIsRoom(_ request: RegistrationRequest) -> RuleResult {
  RuleResult(
    "clients without tokens", expected: "fewer than \(RegistrationRequest.maximumUnused)",
    found: "\(request.unusedCount)", request.unusedCount < RegistrationRequest.maximumUnused,
    source: "RFC 7591 §5",
    else: OAuthError(
      .temporarilyUnavailable,
      "\(request.unusedCount) clients were registered within the last hour and never signed in: wait, or sign one in."
    ))
}

private func checkName(_ request: RegistrationRequest) -> RuleResult {
  let length = request.name.utf8.count
  return RuleResult(
    "client name", expected: "1 to 200 bytes", found: "\(length)", (1...200).contains(length),
    source: "RFC 7591 §2",
    else: OAuthError(.invalidClientMetadata, "The client_name has \(length) bytes: 1 to 200 are allowed."))
}

private func checkURIsAreThere(_ request: RegistrationRequest) -> RuleResult {
  RuleResult(
    "redirect URIs for the code", expected: request.usesRedirects ? "at least one" : "any",
    found: "\(request.redirectURIs.count)", !request.usesRedirects || !request.redirectURIs.isEmpty,
    source: "RFC 7591 §2",
    else: OAuthError(
      .invalidRedirectURI, "The grant type authorization_code needs redirect_uris: the code is sent there."
    ))
}

private func checkURIsAreSafe(_ request: RegistrationRequest) -> RuleResult {
  let all = request.redirectURIs + request.logoutURIs
  let unsafe = all.first { !RegistrationRequest.isSafe($0) }
  let isTooMany = all.count > RegistrationRequest.maximumURIs
  return RuleResult(
    "redirect URIs",
    expected: "at most \(RegistrationRequest.maximumURIs): https, http on loopback, or a.scheme:",
    found: unsafe.map { String($0.prefix(200)) } ?? "\(all.count)", unsafe == nil && !isTooMany,
    source: "RFC 7591 §3.2.2, RFC 8252 §7",
    else: OAuthError(
      .invalidRedirectURI,
      isTooMany
        ? "\(all.count) redirect URIs: at most \(RegistrationRequest.maximumURIs) are allowed."
        : "The redirect URI '\((unsafe ?? "").prefix(200))' is not allowed: use https, http on localhost, or a "
          + "scheme with a dot in it, without a fragment."))
}

private func checkMethod(_ request: RegistrationRequest) -> RuleResult {
  RuleResult(
    "client authentication method", expected: RegistrationRequest.methods.joined(separator: ", "),
    found: request.authenticationMethod, RegistrationRequest.methods.contains(request.authenticationMethod),
    source: "RFC 7591 §2",
    else: OAuthError(
      .invalidClientMetadata,
      "The token_endpoint_auth_method '\(request.authenticationMethod.prefix(64))' is not supported."))
}

private func checkKeys(_ request: RegistrationRequest) -> RuleResult {
  let isNeeded = request.authenticationMethod == "private_key_jwt"
  let count = request.publicKeys.count
  return RuleResult(
    "keys", expected: isNeeded ? "jwks with an RSA key" : "any", found: "\(count)",
    isNeeded ? (1...10).contains(count) : count <= 10, source: "RFC 7591 §2",
    else: OAuthError(.invalidClientMetadata, "private_key_jwt needs jwks with one to ten RSA keys."))
}

/// The clients that registered themselves but do not have tokens yet.
///
/// Any program can register some.
struct UnusedClients {
  let documents: any DocumentStore
  let now: Instant

  /// The seconds after which an unused client is removed.
  private static let lifetime = 3600
  private static let prefix = "unused/"

  private func key(_ clientID: String) -> String { Self.prefix + clientID.lowercased() }

  func add(_ clientID: String) throws { try documents.write(now, .authorizationCode, key(clientID)) }

  /// Marks a client as used, because it received tokens for a user.
  ///
  /// Its registration stays.
  func remove(_ clientID: String) throws {
    let key = key(clientID)
    if try documents.document(.authorizationCode, key) != nil {
      try documents.delete(.authorizationCode, key)
    }
  }

  /// Removes the registrations of unused clients that are older than an hour.
  ///
  /// - Returns: The number of unused clients that remain.
  func sweep() throws -> Int {
    let all = try documents.documents(.authorizationCode, keyPrefix: Self.prefix)
    let old = try all.filter {
      try decodeJSON(Instant.self, from: $0.body).seconds(until: now) >= Self.lifetime
    }
    for (key, _) in old {
      let clientID = String(key.dropFirst(Self.prefix.count))
      try documents.delete(.authorizationCode, key)
      try documents.delete(.clientRegistration, clientID)
      try documents.delete(.externalClient, clientID)
    }
    return all.count - old.count
  }
}
