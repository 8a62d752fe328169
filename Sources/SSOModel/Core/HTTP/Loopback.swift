/// The name and the addresses of this machine (RFC 8252 §7.3, §8.3).
package enum Loopback: String, CaseIterable, Sendable {
  case name = "localhost"
  case ipv4 = "127.0.0.1"
  case ipv6 = "::1"

  /// Creates the case for a host in any spelling: an IPv6 address with or without brackets, letters in either case.
  package init?(host: some StringProtocol) {
    let host = host.lowercased()
    guard let found = Self.allCases.first(where: { $0.rawValue == host || $0.inURL == host }) else {
      return nil
    }
    self = found
  }

  /// The host as a URL contains it.
  package var inURL: String { self == .ipv6 ? "[\(rawValue)]" : rawValue }

  package static let words = allCases.map(\.rawValue).joined(separator: ", ")
}

/// The names of this machine in a URL.
package let loopbackHosts = Loopback.allCases.map(\.inURL)

/// Returns whether a lowercase host from a URL is a name of this machine.
package func isLoopback(_ host: some StringProtocol) -> Bool { loopbackHosts.contains { $0 == host } }
