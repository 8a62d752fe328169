import Foundation
import SSOModel

/// The port to listen on, and the addresses that this machine has: without IPv6 there is one.
/// - Parameter port: 0 for any that is free.
/// - Throws: `LabError` if it is taken.
func freePort(_ port: Int, on addresses: [LoopbackAddress]) throws -> (
  port: Int, addresses: [LoopbackAddress]
) {
  var port = port
  var usable: [LoopbackAddress] = []
  for address in addresses {
    switch probe(address, port) {
    case .success(let bound):
      port = bound
      usable.append(address)
    case .failure(let error):
      if error.rawValue == EADDRNOTAVAIL || error.rawValue == EAFNOSUPPORT { continue }
      let reason =
        error.rawValue == EADDRINUSE
        ? "another program listens there" : String(cString: strerror(error.rawValue))
      throw LabError(
        .badInput, "Port \(port) of \(address.rawValue) cannot be used.", why: "The system says: \(reason).",
        next: "ssoterm serve --port 0 takes a free one")
    }
  }
  guard !usable.isEmpty else {
    throw LabError(
      .badInput, "There is no loopback address to listen on.", why: "The system has none of those asked for.",
      next: "ssoterm serve --bind 127.0.0.1")
  }
  return (port, usable)
}

private struct SystemError: Error { var rawValue: Int32 }

/// Binds for a moment.
private func probe(_ address: LoopbackAddress, _ port: Int) -> Result<Int, SystemError> {
  let family = address == .ipv4 ? AF_INET : AF_INET6
  let descriptor = socket(family, streamType, 0)
  guard descriptor >= 0 else { return .failure(SystemError(rawValue: errno)) }
  defer { close(descriptor) }
  var yes: Int32 = 1
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
  let networkPort = in_port_t(truncatingIfNeeded: port).bigEndian
  func bound<Address>(_ value: Address, _ portOf: (Address) -> in_port_t) -> Result<Int, SystemError> {
    var value = value
    var size = socklen_t(MemoryLayout<Address>.size)
    let status = withUnsafeMutableBytes(of: &value) { bytes -> Int32 in
      guard let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return -1 }
      guard bind(descriptor, pointer, size) == 0, listen(descriptor, 1) == 0 else { return -1 }
      return getsockname(descriptor, pointer, &size)
    }
    guard status == 0 else { return .failure(SystemError(rawValue: errno)) }
    return .success(Int(in_port_t(bigEndian: portOf(value))))
  }
  switch address {
  case .ipv4:
    var value = sockaddr_in()
    value.sin_family = sa_family_t(AF_INET)
    value.sin_port = networkPort
    value.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    return bound(value) { $0.sin_port }
  case .ipv6:
    var value = sockaddr_in6()
    value.sin6_family = sa_family_t(AF_INET6)
    value.sin6_port = networkPort
    value.sin6_addr = in6addr_loopback
    return bound(value) { $0.sin6_port }
  }
}

#if canImport(Glibc)
  private let streamType = Int32(SOCK_STREAM.rawValue)
#else
  private let streamType = SOCK_STREAM
#endif
