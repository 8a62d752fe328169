import Crypto
import CryptoExtras
import Essentials
import SwiftASN1
import X509

/// The self-signed certificate of a signing key.
///
/// Entra publishes one with each key (`x5c`, `x5t`), and some libraries require it (RFC 7517 §4.7).
struct SigningCertificate: Codable, Hashable {
  var der: Data

  /// Creates the certificate, once for each key.
  ///
  /// It is valid for five years, as Entra's are.
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

  /// The PEM encoding: `-----BEGIN CERTIFICATE-----` (RFC 7468 §5).
  var pem: Data {
    let lines = der.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
    return Data("-----BEGIN CERTIFICATE-----\n\(lines)\n-----END CERTIFICATE-----\n".utf8)
  }

  /// The members `x5c` and `x5t` of a key (RFC 7517 §4.7, §4.8).
  var members: [String: JSONValue] {
    [
      "x5c": [.string(der.base64EncodedString())],
      "x5t": .string(Base64URL.encode(Insecure.SHA1.hash(data: der))),
    ]
  }
}

extension TokenVerificationKey {
  /// Creates a key from a PEM certificate or public key, the formats that tools and portals export.
  ///
  /// Returns `nil` if the PEM is neither, or if its key is not an RSA key of at least 2048 bits.
  package init?(keyOrCertificate pem: String) {
    let certificate = try? Certificate(pemEncoded: pem)
    let key = certificate.flatMap { _RSA.Signing.PublicKey($0.publicKey) }
    self.init(pem: key?.pemRepresentation ?? pem)
  }
}
