import Crypto
import CryptoExtras
import Essentials
import SwiftASN1
import X509

/// The self-signed certificate of a signing key.
///
/// Entra publishes one beside each key (`x5c`, `x5t`), and some libraries read nothing else (RFC 7517 §4.7).
struct SigningCertificate: Codable, Hashable {
  var der: Data

  /// Made once, with the key: five years from then, as Entra's.
  init(of key: TokenSigningKey, at now: Instant) throws {
    let privateKey = try Certificate.PrivateKey(_RSA.Signing.PrivateKey(derRepresentation: key.der))
    let name = try DistinguishedName { CommonName("accounts.accesscontrol.windows.net") }
    let start = Date(timeIntervalSince1970: TimeInterval(now.seconds))
    let certificate = try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(bytes: sha256(key.id.utf8).prefix(16)),
      publicKey: privateKey.publicKey, notValidBefore: start,
      notValidAfter: start.addingTimeInterval(5 * 365 * 86_400), issuer: name, subject: name,
      signatureAlgorithm: .sha256WithRSAEncryption, extensions: Certificate.Extensions {},
      issuerPrivateKey: privateKey)
    var serializer = DER.Serializer()
    try serializer.serialize(certificate)
    der = Data(serializer.serializedBytes)
  }

  /// `-----BEGIN CERTIFICATE-----` (RFC 7468 §5).
  var pem: Data {
    let lines = der.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
    return Data("-----BEGIN CERTIFICATE-----\n\(lines)\n-----END CERTIFICATE-----\n".utf8)
  }

  /// `x5c` and `x5t` of RFC 7517 §4.7, §4.8.
  var members: [String: JSONValue] {
    [
      "x5c": [.string(der.base64EncodedString())],
      "x5t": .string(Base64URL.encode(Insecure.SHA1.hash(data: der))),
    ]
  }
}

extension TokenVerificationKey {
  /// Reads what tools and portals hand out: `-----BEGIN CERTIFICATE-----` or `-----BEGIN PUBLIC KEY-----`.
  ///
  /// Nil if it is neither, or holds no RSA key of 2048 bits or more.
  package init?(keyOrCertificate pem: String) {
    let certificate = try? Certificate(pemEncoded: pem)
    let key = certificate.flatMap { _RSA.Signing.PublicKey($0.publicKey) }
    self.init(pem: key?.pemRepresentation ?? pem)
  }
}
