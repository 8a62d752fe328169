import Essentials
import NIOCore
import SSOCore
import SSOLab
import SSOReference

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
        if error.code == EADDRNOTAVAIL || error.code == EAFNOSUPPORT { continue }
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
      case .failure(let error) where error.code == EADDRINUSE: return true
      case .failure: continue
      }
    }
    return isFree ? false : nil
  }

  deinit { for descriptor in held { close(descriptor) } }

  private static func refusal(_ error: SystemError, _ port: Int, _ address: LoopbackAddress) -> LabError {
    let reason =
      error.code == EADDRINUSE ? "Another program listens there." : "The system says: \(error.displayText)."
    return LabError(
      .badInput, "Port \(port) of \(address.rawValue) cannot be used.", why: reason,
      next: "Let the system choose one: \(.serve, with: [.port: "0"])")
  }
}

/// Returns a socket that is bound to the port.
private func bound(_ address: LoopbackAddress, _ port: Int) -> Result<
  (port: Int, descriptor: Int32), SystemError
> {
  let family = address == .ipv4 ? AF_INET : AF_INET6
  let descriptor = socket(family, streamType, 0)
  guard descriptor >= 0 else { return .failure(SystemError(code: errno)) }
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
      let error = SystemError(code: errno)
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
          "It signs in test users with a lab's keys and passwords, so only this machine may reach it.",
        next: "\(.serve)")
    }
    return LoopbackAddress(rawValue: host.rawValue).map { [$0] } ?? allCases
  }
}

/// A channel handler that limits the number of accepted connections.
///
/// Further clients wait in the system's queue.
final class AcceptLimit: ChannelDuplexHandler {
  typealias InboundIn = any Channel
  typealias InboundOut = any Channel
  typealias OutboundIn = Never

  private let limit: Int
  private var open = 0
  private var holdsRead = false

  init(_ limit: Int) { self.limit = limit }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    open += 1
    unwrapInboundIn(data).closeFuture.hop(to: context.eventLoop).assumeIsolated().whenComplete { _ in
      self.open -= 1
      guard self.holdsRead, self.open < self.limit else { return }
      self.holdsRead = false
      context.read()
    }
    context.fireChannelRead(data)
  }

  func read(context: ChannelHandlerContext) {
    holdsRead = open >= limit
    if !holdsRead { context.read() }
  }
}

/// The number of connections that fit into the process's limit of open files.
///
/// The store, the terminal, and the runtime's timers need some files at any time, and the runtime terminates the
/// program if it cannot get one.
struct OpenFiles {
  /// The maximum number of connections that stay open.
  var connections: Int
  /// The maximum number of connections that one address accepts: a quarter more, because closing takes time.
  var perAddress: Int

  /// The number of files that are left free if the limit is high.
  private static let reserve = 256
  /// The maximum number of connections.
  ///
  /// Each one uses some tens of kilobytes.
  private static let maximum = 1024
  /// The minimum number of connections that an address accepts.
  private static let fewest = 10

  /// - Throws: `LabError` if the limit leaves no room for connections.
  init(addresses: Int) throws(LabError) {
    self = try Self(
      addresses: addresses, limit: Self.raisedLimit(to: Self.wanted(addresses)), cores: System.coreCount)
  }

  /// Divides the process's open files among the addresses.
  ///
  /// `limit` is the number of files, after the soft limit has been raised. Each of the `cores` has an event loop with
  /// three files.
  /// - Throws: `LabError` if there are too few files for the fewest connections.
  init(addresses: Int, limit: Int, cores: Int) throws(LabError) {
    let needed = 32 + 3 * cores + 2 * addresses
    let least = needed + Self.fewest * addresses
    guard limit >= least else {
      throw LabError(
        .system, "The server cannot start: this process may open \(limit) files.",
        why: "It needs \(least) at least: \(needed) for itself, the others for connections.",
        next: "ulimit -n \(least)")
    }
    let share = (limit - min(Self.reserve, max(needed, limit / 2))) / addresses
    perAddress = max(Self.fewest, min(Self.open(for: Self.maximum), share))
    connections = perAddress * 4 / 5
  }

  private static func open(for connections: Int) -> Int { connections * 5 / 4 }
  private static func wanted(_ addresses: Int) -> Int { reserve + open(for: maximum) * addresses }

  /// Raises the soft limit of open files up to `wanted`, if the hard limit allows it, and returns the result.
  private static func raisedLimit(to wanted: Int) -> Int {
    var limits = rlimit()
    guard getrlimit(files, &limits) == 0 else { return 256 }
    let useful = min(limits.rlim_max, rlim_t(wanted))
    if limits.rlim_cur < useful {
      limits.rlim_cur = useful
      _ = setrlimit(files, &limits)
      _ = getrlimit(files, &limits)
    }
    return Int(clamping: min(limits.rlim_cur, rlim_t(wanted)))
  }

  #if canImport(Glibc)
    private static var files: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
  #else
    private static var files: Int32 { RLIMIT_NOFILE }
  #endif
}
