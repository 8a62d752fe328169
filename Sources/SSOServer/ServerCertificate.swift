import Foundation

/// The server's certificate with its key. It lives in memory only: each start makes a new one.
package struct ServerCertificate: Sendable {
  package var pem: String
  var keyPEM: String
  package var validUntil: Date

  /// Ninety days, in seconds.
  static let lifetime: TimeInterval = 90 * 86_400
  /// Seconds before its end at which a server that runs so long takes a new one.
  static let renewalMargin: TimeInterval = 30 * 86_400

  package func isDue(at now: Date) -> Bool { validUntil.timeIntervalSince(now) < Self.renewalMargin }
}
