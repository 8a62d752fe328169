import Essentials

/// The port to listen on, and the requested addresses that this machine has.
///
/// There is only one without IPv6.
///
/// The port stays bound on Linux, without listening, for the lifetime of this object, so that two servers that start at
/// the same moment do not get the same free port.
package final class FreePort: Sendable {
  package let port: Int
  let addresses: [LoopbackAddress]
  private let held: [Int32]

  /// Reserves the port `wanted` on all addresses, or any free port if it is 0.
  /// - Throws: `LabError` if the port is in use.
  package init(_ wanted: Int, on addresses: [LoopbackAddress]) throws {
    var port = wanted
    var held: [Int32] = []
    var usable: [LoopbackAddress] = []
    for address in addresses {
      switch bound(address, port) {
      case .success(let found):
        port = found.port
        held.append(found.descriptor)
        usable.append(address)
      case .failure(let error):
        if error.rawValue == EADDRNOTAVAIL || error.rawValue == EAFNOSUPPORT { continue }
        for descriptor in held { close(descriptor) }
        throw Self.refusal(error, port, address)
      }
    }
    guard !usable.isEmpty else {
      throw LabError(
        .badInput, "There is no loopback address to listen on.",
        why: "This system has none of the requested addresses.", next: "\(.serve, with: [.bind: "127.0.0.1"])"
      )
    }
    #if !canImport(Glibc)
      // Only Linux lets the server bind the port a second time.
      for descriptor in held { close(descriptor) }
      held = []
    #endif
    (self.port, self.addresses, self.held) = (port, usable, held)
  }

  /// Returns whether a program listens on this port of the loopback addresses, or `nil` if the system does not allow
  /// the check.
  ///
  /// It binds the port for a moment, because a connection would disturb a program that accepts only one.
  static func isTaken(_ port: Int) -> Bool? {
    guard (1...65_535).contains(port) else { return nil }
    var isFree = false
    for address in LoopbackAddress.allCases {
      switch bound(address, port) {
      case .success(let found):
        close(found.descriptor)
        isFree = true
      case .failure(let error) where error.rawValue == EADDRINUSE: return true
      case .failure: continue
      }
    }
    return isFree ? false : nil
  }

  deinit { for descriptor in held { close(descriptor) } }

  private static func refusal(_ error: SystemError, _ port: Int, _ address: LoopbackAddress) -> LabError {
    let reason =
      error.rawValue == EADDRINUSE
      ? "another program listens there" : String(cString: strerror(error.rawValue))
    return LabError(
      .badInput, "Port \(port) of \(address.rawValue) cannot be used.", why: "The system says: \(reason).",
      next: "\(.serve, with: [.port: "0"]) takes a free one")
  }
}

private struct SystemError: Error { var rawValue: Int32 }

/// Returns a socket that is bound to the port.
private func bound(_ address: LoopbackAddress, _ port: Int) -> Result<
  (port: Int, descriptor: Int32), SystemError
> {
  let family = address == .ipv4 ? AF_INET : AF_INET6
  let descriptor = socket(family, streamType, 0)
  guard descriptor >= 0 else { return .failure(SystemError(rawValue: errno)) }
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  var yes: Int32 = 1
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
  let networkPort = in_port_t(truncatingIfNeeded: port).bigEndian
  func attempt<Address>(_ value: Address, _ portOf: (Address) -> in_port_t) -> Result<
    (port: Int, descriptor: Int32), SystemError
  > {
    var value = value
    var size = socklen_t(MemoryLayout<Address>.size)
    let status = withUnsafeMutableBytes(of: &value) { bytes -> Int32 in
      guard let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return -1 }
      guard bind(descriptor, pointer, size) == 0 else { return -1 }
      return getsockname(descriptor, pointer, &size)
    }
    guard status == 0 else {
      let error = SystemError(rawValue: errno)
      close(descriptor)
      return .failure(error)
    }
    return .success((Int(in_port_t(bigEndian: portOf(value))), descriptor))
  }
  switch address {
  case .ipv4:
    var value = sockaddr_in()
    value.sin_family = sa_family_t(AF_INET)
    value.sin_port = networkPort
    value.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    return attempt(value) { $0.sin_port }
  case .ipv6:
    var value = sockaddr_in6()
    value.sin6_family = sa_family_t(AF_INET6)
    value.sin6_port = networkPort
    value.sin6_addr = in6addr_loopback
    return attempt(value) { $0.sin6_port }
  }
}

#if canImport(Glibc)
  private let streamType = Int32(SOCK_STREAM.rawValue)
#else
  private let streamType = SOCK_STREAM
#endif
