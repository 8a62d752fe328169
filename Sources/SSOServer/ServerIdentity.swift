import Foundation
import NIOCore
import NIOSSL
import Synchronization

/// The certificate of the TLS handshake, issued by the lab's authority and renewed while the server runs.
package final class ServerIdentity: Sendable {
  private let authority: CertificateAuthority
  private let now: @Sendable () -> Date
  private let current: Mutex<ServerCertificate>

  package init(_ authority: CertificateAuthority, now: @escaping @Sendable () -> Date = { Date() }) throws {
    self.authority = authority
    self.now = now
    current = Mutex(try authority.serverCertificate(at: now()))
  }

  /// The current certificate, replaced first if it expires soon.
  package func certificate() throws -> ServerCertificate {
    try current.withLock { certificate in
      let now = now()
      if certificate.isDue(at: now) { certificate = try authority.serverCertificate(at: now) }
      return certificate
    }
  }

  /// TLS 1.2 and later. Each handshake takes the current certificate.
  func tlsConfiguration() throws -> TLSConfiguration {
    let first = try certificate()
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: try first.chain, privateKey: try first.privateKey)
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["http/1.1"]
    // An idle client does not answer the close alert; stopping the server and evicting the connection wait for it.
    configuration.shutdownTimeout = .milliseconds(250)
    configuration.sslContextCallback = { _, promise in
      promise.completeWith(
        Result {
          let certificate = try self.certificate()
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
  fileprivate var chain: [NIOSSLCertificateSource] {
    get throws { try NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)).map { .certificate($0) } }
  }

  fileprivate var privateKey: NIOSSLPrivateKeySource {
    get throws { .privateKey(try NIOSSLPrivateKey(bytes: Array(keyPEM.utf8), format: .pem)) }
  }
}
