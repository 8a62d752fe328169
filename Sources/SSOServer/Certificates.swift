import Crypto
import Essentials
import NIOCore
import NIOSSL
import SSOCore
import SSOLab
import SwiftASN1
import Synchronization
import X509

/// The lab's certificate authority: P-256, ten years.
///
/// Its name constraints (RFC 5280 §4.2.1.10) protect the clients that trust it: a stolen key can sign only for the
/// host, addresses, and URIs of `localhost`, and only for servers.
///
/// Throws the errors of swift-certificates; `init(of:)` also throws `StoreError`.
package struct CertificateAuthority: Sendable {
  let certificate: Certificate
  private let key: P256.Signing.PrivateKey

  private static let day: TimeInterval = 86_400

  /// A new authority.
  ///
  /// `now` is the system's time, which clients compare with.
  package init(newAt now: Date) throws {
    key = P256.Signing.PrivateKey()
    let signer = Certificate.PrivateKey(key)
    let identifier = SubjectKeyIdentifier(hash: signer.publicKey)
    // A part of the key's hash in the name: a client may trust the authorities of several labs.
    let mark = identifier.keyIdentifier.prefix(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
      .joined()
    let name = try DistinguishedName {
      OrganizationName("SSOTerm")
      CommonName("SSOTerm lab CA \(mark)")
    }
    certificate = try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: signer.publicKey,
      notValidBefore: now - Self.day, notValidAfter: now + 3650 * Self.day, issuer: name, subject: name,
      signatureAlgorithm: .ecdsaWithSHA256,
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
        Critical(KeyUsage(keyCertSign: true, cRLSign: true))
        Critical(
          NameConstraints(
            permittedDNSDomains: [Loopback.name.rawValue],
            permittedIPRanges:
              LoopbackAddress.allCases.map { ASN1OctetString(contentBytes: $0.range[...]) },
            permittedURIDomains: [Loopback.name.rawValue]))
        // No mail: verifiers such as swift-certificates refuse an authority that constrains mailboxes by name.
        try ExtendedKeyUsage([.serverAuth])
        identifier
      },
      issuerPrivateKey: signer)
  }

  /// The authority of a lab, made on first use.
  package init(of lab: Lab, now: Date = Date()) throws {
    let kept = try lab.certificateAuthority {
      let made = try CertificateAuthority(newAt: now)
      return StoredCertificateAuthority(certificate: Data(try made.der), key: made.key.derRepresentation)
    }
    certificate = try Certificate(derEncoded: Array(kept.certificate))
    key = try P256.Signing.PrivateKey(derRepresentation: kept.key)
  }

  package var pem: String { get throws { try certificate.serializeAsPEM().pemString + "\n" } }

  private var der: [UInt8] {
    get throws {
      var serializer = DER.Serializer()
      try serializer.serialize(certificate)
      return serializer.serializedBytes
    }
  }

  /// SHA-256 of the certificate, as `openssl x509 -fingerprint -sha256` prints it.
  package var fingerprint: String {
    get throws {
      SHA256.hash(data: try der).map { ($0 < 16 ? "0" : "") + String($0, radix: 16).uppercased() }
        .joined(separator: ":")
    }
  }

  package var subject: String { String(describing: certificate.subject) }
  package var validFrom: Date { certificate.notValidBefore }
  package var validUntil: Date { certificate.notValidAfter }

  /// A certificate for this machine's loopback names.
  ///
  /// Its lifetime is below the 825 days that macOS accepts.
  ///
  /// With `byName` it has no addresses: BoringSSL refuses a certificate with addresses below an authority whose addresses
  /// are constrained.
  func serverCertificate(at now: Date, byName: Bool) throws -> ServerCertificate {
    let addresses =
      byName ? [] : LoopbackAddress.allCases.map { ASN1OctetString(contentBytes: $0.bytes[...]) }
    return try certificate(
      for: [.dnsName(Loopback.name.rawValue)] + addresses.map { .ipAddress($0) }, at: now)
  }

  func certificate(for names: [GeneralName], at now: Date) throws -> ServerCertificate {
    let serverKey = P256.Signing.PrivateKey()
    let server = Certificate.PrivateKey(serverKey)
    let certificate = try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: server.publicKey,
      notValidBefore: now - Self.day, notValidAfter: now + ServerCertificate.lifetime,
      issuer: certificate.subject,
      subject: try DistinguishedName { CommonName(Loopback.name.rawValue) },
      signatureAlgorithm: .ecdsaWithSHA256,
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.notCertificateAuthority)
        Critical(KeyUsage(digitalSignature: true))
        try ExtendedKeyUsage([.serverAuth])
        SubjectAlternativeNames(names)
        SubjectKeyIdentifier(hash: server.publicKey)
        AuthorityKeyIdentifier(
          keyIdentifier: try self.certificate.extensions.subjectKeyIdentifier?.keyIdentifier)
      },
      issuerPrivateKey: Certificate.PrivateKey(key))
    return ServerCertificate(
      pem: try certificate.serializeAsPEM().pemString, keyPEM: serverKey.pemRepresentation,
      validUntil: certificate.notValidAfter)
  }
}

/// The server's certificate and key.
package struct ServerCertificate: Sendable {
  package var pem: String
  var keyPEM: String
  package var validUntil: Date

  /// The lifetime of a certificate in seconds, which is ninety days.
  static let lifetime: TimeInterval = 90 * 86_400
  /// The number of seconds before its expiry at which a running server replaces the certificate.
  static let renewalMargin: TimeInterval = 30 * 86_400

  /// Returns whether the certificate expires within the renewal margin.
  func isDue(at now: Date) -> Bool { validUntil.timeIntervalSince(now) < Self.renewalMargin }
}

/// The certificates of the TLS handshake, issued by the lab's authority and renewed while the server runs.
///
/// One is for clients that connect by name (RFC 6066 §3), the other for clients that connect by address.
///
/// Throws `StoreError`, and the errors of swift-certificates.
final class ServerIdentity: Sendable {
  private let authority: CertificateAuthority
  private let now: @Sendable () -> Date
  /// Keeps a certificate for the next start.
  private let keep: @Sendable (ServerCertificate, Bool) throws -> Void
  private let current = Mutex<[Bool: ServerCertificate]>([:])

  package init(_ authority: CertificateAuthority, now: @escaping @Sendable () -> Date = { Date() }) throws {
    self.authority = authority
    self.now = now
    keep = { _, _ in }
  }

  /// Goes on with the certificates of the last start.
  package init(of lab: Lab) throws {
    authority = try CertificateAuthority(of: lab)
    now = { Date() }
    keep = { certificate, byName in try certificate.kept.keep(as: Self.name(byName), in: lab) }
    for byName in [true, false] {
      guard let kept = try StoredServerCertificate.kept(as: Self.name(byName), in: lab) else { continue }
      current.withLock { $0[byName] = ServerCertificate(kept) }
    }
  }

  private static func name(_ byName: Bool) -> String { byName ? "name" : "address" }

  /// The current certificate, replaced first if it expires soon.
  package func certificate(byName: Bool) throws -> ServerCertificate {
    try current.withLock { current in
      let now = now()
      if let known = current[byName], !known.isDue(at: now) { return known }
      let new = try authority.serverCertificate(at: now, byName: byName)
      current[byName] = new
      try keep(new, byName)
      return new
    }
  }

  /// TLS 1.2 and later, with authenticated ciphers only.
  ///
  /// Each handshake takes the current certificate.
  func tlsConfiguration() throws -> TLSConfiguration {
    let first = try certificate(byName: false)
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: try first.chain, privateKey: try first.privateKey)
    configuration.minimumTLSVersion = .tlsv12
    configuration.cipherSuiteValues = [
      .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
      .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
    ]
    configuration.applicationProtocols = ["http/1.1"]
    // An idle client does not answer the close alert; stopping the server and evicting the connection wait for it.
    configuration.shutdownTimeout = .milliseconds(250)
    configuration.sslContextCallback = { client, promise in
      promise.completeWith(
        Result {
          let certificate = try self.certificate(byName: client.serverHostname != nil)
          var shown = NIOSSLContextConfigurationOverride()
          shown.certificateChain = try certificate.chain
          shown.privateKey = try certificate.privateKey
          return shown
        })
    }
    return configuration
  }
}

extension ServerCertificate {
  fileprivate init(_ kept: StoredServerCertificate) {
    pem = kept.certificate
    keyPEM = kept.key
    validUntil = Date(timeIntervalSince1970: TimeInterval(kept.validUntil))
  }

  fileprivate var kept: StoredServerCertificate {
    StoredServerCertificate(
      certificate: pem, key: keyPEM, validUntil: Int(validUntil.timeIntervalSince1970))
  }

  fileprivate var chain: [NIOSSLCertificateSource] {
    get throws { try NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)).map { .certificate($0) } }
  }

  fileprivate var privateKey: NIOSSLPrivateKeySource {
    get throws { .privateKey(try NIOSSLPrivateKey(bytes: Array(keyPEM.utf8), format: .pem)) }
  }
}
