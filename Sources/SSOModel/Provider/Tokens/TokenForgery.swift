import Crypto
import Essentials

/// A factory for tokens that a resource server must reject: each is a valid token with one change.
struct TokenForgery {
  let provider: ProviderResources
  /// The origin of the provider, as in `iss`.
  let origin: String
  let person: Person
  let client: ClientRegistration
  let target: ProtectedResource
  let scopes: RequestedScopes

  /// The number of bytes before base64url encoding.
  ///
  /// The token still fits in a command-line argument (Linux: 128 KiB).
  private static let padding = 75_000
  private static let day = 86_400

  func token(_ kind: ForgedToken.Kind) throws -> ForgedToken {
    ForgedToken(compact: try compact(kind))
  }

  private func compact(_ kind: ForgedToken.Kind) throws -> String {
    let claims = try changed(claims(), kind)
    let right = try provider.keys.current()
    switch kind {
    case .valid, .audience, .tenant, .early, .expired, .huge:
      return try provider.keys.sign(JSONWebToken(claims: claims))
    case .signature:
      return Self.turningSignature(of: try provider.keys.sign(JSONWebToken(claims: claims)))
    case .none: return input(["alg": "none", "typ": "JWT"], claims) + "."
    case .hmac:
      let signed = input(["alg": "HS256", "kid": .string(right.id), "typ": "JWT"], claims)
      let secret = SymmetricKey(data: Data(try right.publicKey.pem.utf8))
      return signed + "."
        + Base64URL.encode(HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: secret))
    case .unknownKey, .jwk, .jku, .x5u:
      let forger = try ForgedSigningKey.key()
      return try JSONWebToken(header: header(kind, forger), claims: claims).signed(by: forger)
    }
  }

  private func header(_ kind: ForgedToken.Kind, _ key: TokenSigningKey) throws -> [String: JSONValue] {
    switch kind {
    case .jwk: ["jwk": try key.publicKey.json]
    case .jku: ["jku": .string(origin + ForgedKeysEndpoint.keysPath)]
    case .x5u: ["x5u": .string(origin + ForgedKeysEndpoint.certificatePath)]
    default: [:]
    }
  }

  private func input(_ header: [String: JSONValue], _ claims: [String: JSONValue]) -> String {
    [header, claims].map { Base64URL.encode(JSONValue.object($0).bytes(.wire)) }.joined(separator: ".")
  }

  /// Changes the signature.
  ///
  /// The last base64url character may hold only padding bits, so the first one is changed.
  private static func turningSignature(of compact: String) -> String {
    guard let dot = compact.lastIndex(of: ".") else { return compact }
    let first = compact.index(after: dot)
    return compact[..<first] + (compact[first] == "A" ? "B" : "A") + compact[first...].dropFirst()
  }

  private func claims() throws -> [String: JSONValue] {
    let http = HTTPRequest("POST", origin: origin, path: "/\(person.homeTenantID)/oauth2/v2.0/token")
    let tenant = try AuthorityTenant(person.homeTenantID, in: provider.directory)
    let claims = try RequestedClaims(nil)
    let request = TokenRequest(
      http: http, tenant: tenant, client: client, authenticationClass: "0", scopes: scopes, claims: claims)
    return try TokenIssuer(provider, for: request).accessClaims(
      TokenIssueRequest(
        person: person, tenantID: person.homeTenantID, client: client, authenticationClass: "0",
        scopes: scopes, claims: claims, wantsClientInfo: false, target: target, isVersionOne: false))
  }

  private func changed(
    _ claims: [String: JSONValue], _ kind: ForgedToken.Kind
  ) throws -> [String: JSONValue] {
    var claims = claims
    switch kind {
    case .audience: claims["aud"] = .string(guid(of: "another API than " + target.appID))
    case .tenant:
      let own = person.homeTenantID
      let other =
        try provider.directory.tenants().map(\.id).first { $0 != own && $0 != Tenant.personalID }
        ?? guid(of: "another tenant than " + own)
      claims["iss"] = claims["iss"]?.string.map { .string($0.replacing(own, with: other)) }
      claims["tid"] = .string(other)
    case .early: shift(&claims, by: Self.day)
    case .expired: shift(&claims, by: -2 * TokenIssuer.lifetime)
    case .huge: claims["padding"] = .string(String(repeating: "x", count: Self.padding))
    default: break
    }
    return claims
  }

  private func shift(_ claims: inout [String: JSONValue], by seconds: Int) {
    for name in ["iat", "nbf", "exp"] {
      claims[name] = claims[name]?.integer.map { .integer($0 + Int64(seconds)) }
    }
  }
}

extension Provider {
  /// Returns a token that is wrong in one way, as the user's app would have it for an API.
  ///
  /// - Throws: `OAuthError` if the API or its permission does not exist.
  package func forge(
    _ kind: ForgedToken.Kind, for resource: String, permission: String, person: Person,
    client: ClientRegistration, origin: String
  ) throws -> ForgedToken {
    let scopes = RequestedScopes(resource + "/" + permission)
    let tenant = try AuthorityTenant(person.homeTenantID, in: resources.directory)
    let request = try ScopeRequest(scopes, for: client, at: tenant, in: resources.directory)
    for rule in [checkResourceIsKnown, checkScopesExist] {
      let result = rule(request)
      if result.check.verdict == .failed { throw result.refusal }
    }
    guard let target = request.resource else { throw checkResourceIsKnown(request).refusal }
    return try TokenForgery(
      provider: resources, origin: origin, person: person, client: client, target: target, scopes: scopes
    ).token(kind)
  }
}
