import Essentials

/// The certificate authority as stored: sealed, like everything secret.
package struct StoredCertificateAuthority: Codable, Hashable, Sendable {
  /// The DER of the certificate.
  package var certificate: Data
  /// The DER of the private key.
  package var key: Data

  package init(certificate: Data, key: Data) {
    self.certificate = certificate
    self.key = key
  }
}

/// A server's certificate as stored, so that a browser that trusts it still does after a restart.
package struct StoredServerCertificate: Codable, Hashable, Sendable {
  /// The PEM of the certificate.
  package var certificate: String
  /// The PEM of the private key.
  package var key: String
  /// The expiration, in seconds since 1970.
  package var validUntil: Int

  package init(certificate: String, key: String, validUntil: Int) {
    self.certificate = certificate
    self.key = key
    self.validUntil = validUntil
  }
}

extension StoredServerCertificate {
  /// Returns the last certificate that a server created, or `nil` if there is none.
  ///
  /// - Parameters:
  ///   - name: The kind of certificate: for clients that connect by name, or for clients that connect by
  ///     address.
  ///   - lab: The lab whose store contains it.
  /// - Returns: The certificate and its key.
  /// - Throws: `StoreError`.
  package static func kept(as name: String, in lab: Lab) throws -> StoredServerCertificate? {
    try lab.read { try $0.documents.read(Self.self, .certificateAuthority, key(name)) }
  }

  /// Saves the certificate for the next start, unless the lab is read-only.
  ///
  /// - Throws: `StoreError`.
  package func keep(as name: String, in lab: Lab) throws {
    guard !lab.isReadOnly else { return }
    try lab.store.write(nil) { try $0.write(self, .certificateAuthority, Self.key(name)) }
  }

  private static func key(_ name: String) -> String { "server/" + name }
}

extension Lab {
  /// Returns the lab's certificate authority, which is created on first use.
  ///
  /// A second process gets the first one's.
  package func certificateAuthority(
    making make: () throws -> StoredCertificateAuthority
  ) throws -> StoredCertificateAuthority {
    let key = "current"
    func stored(in documents: any DocumentReader) throws -> StoredCertificateAuthority? {
      try documents.read(StoredCertificateAuthority.self, .certificateAuthority, key)
    }
    if let known = try read({ try stored(in: $0.documents) }) { return known }
    try checkWritable()
    return try store.write(nil) { transaction in
      if let known = try stored(in: transaction) { return known }
      let made = try make()
      try transaction.write(made, .certificateAuthority, key)
      return made
    }
  }
}
