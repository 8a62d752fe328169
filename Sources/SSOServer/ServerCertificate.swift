import Essentials

/// The server's certificate and key.
package struct ServerCertificate: Sendable {
  package var pem: String
  var keyPEM: String
  package var validUntil: Date

  /// Ninety days, in seconds.
  static let lifetime: TimeInterval = 90 * 86_400
  /// A running server replaces the certificate this many seconds before it expires.
  static let renewalMargin: TimeInterval = 30 * 86_400

  /// Whether less than the renewal margin is left of it.
  package func isDue(at now: Date) -> Bool { validUntil.timeIntervalSince(now) < Self.renewalMargin }
}
