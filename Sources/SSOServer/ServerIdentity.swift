import Essentials
import NIOCore
import NIOSSL
import Synchronization

/// The certificates of the TLS handshake, issued by the lab's authority and renewed while the server runs.
///
/// One is for clients that connect by name (RFC 6066 §3), the other for clients that connect by address.
///
/// Throws `StoreError`, and what swift-certificates throws.
package final class ServerIdentity: Sendable {
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
