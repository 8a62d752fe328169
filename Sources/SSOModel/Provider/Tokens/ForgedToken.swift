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
      case .none: "The header says alg none, and there is no signature."
      case .hmac:
        "The header says HS256; the HMAC's secret is the PEM of the provider's key, which is public."
      case .signature: "One character of the signature was changed."
      case .unknownKey: "The kid names no published key; another key signed it."
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
