import Foundation

/// A program that waits for connections on a free loopback port.
struct LoopbackListener {
  let port: Int
  private let descriptor: Int32

  init?(family: Int32 = Int32(AF_INET)) {
    #if canImport(Glibc)
      descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(family, SOCK_STREAM, 0)
    #endif
    var storage = sockaddr_storage()
    storage.ss_family = sa_family_t(family)
    let size = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
    var length = socklen_t(size)
    let descriptor = descriptor
    let found: Int? = withUnsafeMutableBytes(of: &storage) { bytes in
      guard let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return nil }
      guard bind(descriptor, address, length) == 0, listen(descriptor, 1) == 0,
        getsockname(descriptor, address, &length) == 0
      else { return nil }
      // The port is the second field of either kind of address, in network byte order.
      return Int(bytes[2]) << 8 | Int(bytes[3])
    }
    guard let found else { return nil }
    port = found
  }

  func end() { close(descriptor) }
}
