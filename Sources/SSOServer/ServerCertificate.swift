import Essentials

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
  package func isDue(at now: Date) -> Bool { validUntil.timeIntervalSince(now) < Self.renewalMargin }
}
