import Essentials

/// The addresses that can be reached only from this machine.
package enum LoopbackAddress: String, CaseIterable, Sendable {
  case ipv4 = "127.0.0.1"
  case ipv6 = "::1"

  /// The address as a certificate contains it, in network byte order.
  var bytes: [UInt8] {
    switch self {
    case .ipv4: [127, 0, 0, 1]
    case .ipv6: [UInt8](repeating: 0, count: 15) + [1]
    }
  }

  /// The address as a name constraint contains it: with a mask for this address alone (RFC 5280 §4.2.1.10).
  var range: [UInt8] { bytes + [UInt8](repeating: 0xFF, count: bytes.count) }

  /// Returns the addresses for a name that the user may specify for the server to listen on.
  /// - Throws: `LabError` for any address that other machines can reach.
  package static func listening(on name: String?) throws(LabError) -> [LoopbackAddress] {
    guard let name else { return allCases }
    guard let host = Loopback(host: name) else {
      throw LabError(
        .badInput, "The provider does not listen on \(name.lowercased()).",
        why:
          "It signs in test users, with a lab's keys and passwords: only this machine may reach it.",
        next: "Omit --bind, or use localhost, 127.0.0.1 or ::1")
    }
    return LoopbackAddress(rawValue: host.rawValue).map { [$0] } ?? allCases
  }
}
