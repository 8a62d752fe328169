import Essentials

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

/// The certificate that a server shows, as the store keeps it: a browser that was told to trust it goes on to after a restart.
package struct KeptServerCertificate: Codable, Hashable, Sendable {
  /// PEM of the certificate.
  package var certificate: String
  /// PEM of the private key.
  package var key: String
  /// Seconds since 1970.
  package var validUntil: Int

  package init(certificate: String, key: String, validUntil: Int) {
    self.certificate = certificate
    self.key = key
    self.validUntil = validUntil
  }
}

extension KeptServerCertificate {
  /// The last one that a server made; nil: there is none.
  /// - Parameters:
  ///   - name: one for clients that ask by name, one for those that ask by address.
  ///   - lab: whose store has it.
  /// - Returns: the certificate and its key.
  /// - Throws: `StoreError`.
  package static func kept(as name: String, in lab: Lab) throws -> KeptServerCertificate? {
    try lab.read { try $0.documents.read(Self.self, .certificateAuthority, key(name)) }
  }

  /// Keeps it for the next start; a store that is only read does not.
  /// - Throws: `StoreError`.
  package func keep(as name: String, in lab: Lab) throws {
    guard !lab.isReadOnly else { return }
    try lab.store.write(nil) { try $0.write(self, .certificateAuthority, Self.key(name)) }
  }

  private static func key(_ name: String) -> String { "server/" + name }
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
