import Foundation

/// The certificate authority as the store keeps it: sealed, as everything that is secret.
package struct KeptAuthority: Codable, Hashable, Sendable {
  /// DER of the certificate.
  package var certificate: Data
  /// DER of the private key.
  package var key: Data

  package init(certificate: Data, key: Data) {
    self.certificate = certificate
    self.key = key
  }
}

extension Lab {
  /// The lab's certificate authority, made on first use; a second process gets what the first one made.
  package func certificateAuthority(making make: () throws -> KeptAuthority) throws -> KeptAuthority {
    let key = "current"
    if let kept = try read({ try $0.documents.read(KeptAuthority.self, .certificateAuthority, key) }) {
      return kept
    }
    try checkWritable()
    return try store.write(nil) { transaction in
      if let kept = try transaction.read(KeptAuthority.self, .certificateAuthority, key) { return kept }
      let made = try make()
      try transaction.write(made, .certificateAuthority, key)
      return made
    }
  }
}
