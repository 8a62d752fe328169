import Crypto
import Essentials
import SSOCore

/// A factory for tokens that a resource server must reject: each is a valid token with one change.
struct TokenForgery {
  let provider: ProviderResources
  /// The origin of the provider, as in `iss`.
  let origin: String
  let person: DirectoryUser
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
    _ kind: ForgedToken.Kind, for resource: String, permission: String, person: DirectoryUser,
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

/// A deliberately wrong token for the developer of a resource server (RFC 8725, JSON web token best current
/// practices).
package struct ForgedToken: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case valid, none
    case hmac = "hmac-with-public-key"
    case signature = "wrong-signature"
    case unknownKey = "unknown-kid"
    case jwk, jku, x5u
    case audience = "wrong-audience"
    case tenant = "other-tenant"
    case early = "not-yet-valid"
    case expired, huge

    /// The description of the flaw.
    package var flaw: String {
      switch self {
      case .valid: "Nothing: the server must accept it."
      case .none: "The header says alg none, and the token is not signed."
      case .hmac:
        "The header says HS256; the HMAC's secret is the PEM of the provider's key, which is public."
      case .signature: "One character of the signature was changed."
      case .unknownKey: "The kid does not name a published key; another key signed it."
      case .jwk: "The header contains the forger's public key."
      case .jku: "The header says where the forger's keys are."
      case .x5u: "The header says where the forger's certificate is."
      case .audience: "It is for another API, and correctly signed."
      case .tenant:
        "Another tenant issued it. At Entra one key signs for all tenants, so its signature is valid."
      case .early: "It becomes valid in a day."
      case .expired: "It expired an hour ago."
      case .huge: "It is 100 kB long, and correctly signed."
      }
    }

    /// The check with which the server must reject the token, or `nil` for a valid token.
    package var check: String? {
      switch self {
      case .valid: nil
      case .none, .hmac: "alg is one of the algorithms that the server allows: RS256 alone."
      case .signature: "The signature is verified before a claim is read."
      case .unknownKey: "The key is one of jwks_uri; after one reload at most the token is refused."
      case .jwk, .jku, .x5u: "Keys come from the configured provider only, never from the header."
      case .audience: "aud is this API's own identifier."
      case .tenant: "iss is an allowed tenant, and tid agrees with it."
      case .early: "nbf is not later than now, with some minutes for clock differences."
      case .expired: "exp is later than now, with some minutes for clock differences."
      case .huge: "The length is limited before anything is decoded."
      }
    }

    package var source: String {
      switch self {
      case .valid: "Entra: access tokens, “Validate tokens”"
      case .none, .hmac: "RFC 8725 §2.1, §3.1"
      case .signature: "RFC 8725 §3.3"
      case .unknownKey: "RFC 7515 §4.1.4"
      case .jwk: "RFC 7515 §4.1.3, §10.3"
      case .jku, .x5u: "RFC 8725 §3.10"
      case .audience: "RFC 8725 §3.9"
      case .tenant: "Entra: access tokens, “Validate the issuer”"
      case .early: "RFC 7519 §4.1.5"
      case .expired: "RFC 7519 §4.1.4"
      case .huge: "RFC 7515 §10.3"
      }
    }
  }

  /// The compact form, for `Authorization: Bearer`.
  package var compact: String
}

/// The forger's key.
///
/// It never changes: only a server that accepts keys from a token's header trusts it.
enum ForgedSigningKey {
  static func key() throws -> TokenSigningKey {
    try TokenSigningKey(id: "forged", from: RandomSource(Randomness(seed: 0x666F_7267_6564)))
  }
}

/// The URLs in `jku` and `x5u` of forged tokens.
struct ForgedKeysEndpoint {
  static let keysPath = "/forged/keys"
  static let certificatePath = "/forged/certificate.pem"

  let provider: ProviderResources

  /// Returns the forged key set (`GET /forged/keys`, RFC 7517 §5).
  func keys() throws -> ProviderResponse {
    ProviderResponse(.json(200, ["keys": [try ForgedSigningKey.key().publicKey.json]]))
  }

  /// Returns the forged certificate (`GET /forged/certificate.pem`, RFC 7515 §4.1.5).
  func certificate() throws -> ProviderResponse {
    let certificate = try SigningCertificate(of: ForgedSigningKey.key(), at: provider.now)
    let headers = [NameValue("Content-Type", "application/pem-certificate-chain")]
    return ProviderResponse(HTTPResponse(200, headers: headers, body: certificate.pem))
  }
}
