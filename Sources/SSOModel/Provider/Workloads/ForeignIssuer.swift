import Essentials

/// A simulated issuer outside Entra, such as a Kubernetes cluster or a CI system (docs/behaviour/workloads.md
/// §3).
///
/// Its key is generated on first use.
///
/// Throws `StoreError`.
package struct ForeignIssuer {
  private struct Kept: Codable {
    var id: String
    var der: Data
  }

  private static let key = "foreign"

  let documents: any DocumentStore
  let random: RandomSource

  package init(documents: any DocumentStore, random: RandomSource) {
    self.documents = documents
    self.random = random
  }

  /// Returns the issuer URL, such as `https://localhost:8443/federation`.
  package static func url(at origin: String) -> String { origin + "/federation" }

  /// Returns a workload's token, such as the token that Kubernetes projects into a pod or that a CI system
  /// gives its job.
  package func token(
    issuer: String, subject: String, audience: String, at now: Instant, lifetime: Int
  ) throws -> String {
    let claims: [String: JSONValue] = [
      "iss": .string(issuer), "sub": .string(subject), "aud": .string(audience),
      "iat": .integer(Int64(now.seconds)), "nbf": .integer(Int64(now.seconds)),
      "exp": .integer(Int64(now.seconds + lifetime)), "jti": .string(random.uuid()),
    ]
    return try JSONWebToken(claims: claims).signed(by: signingKey())
  }

  func publicKey() throws -> TokenVerificationKey { try signingKey().publicKey }

  private func signingKey() throws -> TokenSigningKey {
    if let kept = try documents.read(Kept.self, .signingKey, Self.key) {
      return try TokenSigningKey(id: kept.id, der: kept.der)
    }
    let key = try TokenSigningKey(id: Base64URL.encode(random.bytes(20)), from: random)
    try documents.write(Kept(id: key.id, der: key.der), .signingKey, Self.key)
    return key
  }

  /// Returns the configuration (`GET /federation/.well-known/openid-configuration`, OpenID Connect Discovery
  /// §3).
  static func configuration(at origin: String) -> JSONValue {
    let issuer = url(at: origin)
    return [
      "issuer": .string(issuer), "jwks_uri": .string(issuer + "/keys"),
      "response_types_supported": ["id_token"],
      "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256"],
    ]
  }
}
