import Foundation
import Synchronization

/// A relay that passes on the traffic between a program and the tests' server until a test stops it.
final class PostgresRelay: Sendable {
  enum Behavior: Sendable {
    case passesOn
    /// Nothing is passed on in either direction, and no connection ends.
    case hangs
    /// Connections end, and so does each new one.
    case isAway
    /// The next commit of a change does not reach the server, because its connection ends.
    case losesCommit
    /// The next commit of a change reaches the server, but its response is lost: the connection ends, and `then`
    /// follows.
    case losesAnswer(thenAway: Bool)
    /// The server begins an unrequested copy in place of its next response.
    case beginsCopy
  }

  /// The folder of the socket, which a client specifies as the host.
  let folder: ScratchFolder
  private let server: String
  private let listener: Int32
  private let state = Mutex(Behavior.passesOn)

  /// - Parameter server: the folder with the server's socket.
  /// - Throws: `PostgresCluster.Missing` if the relay's own socket cannot be opened.
  init(server: String) throws {
    folder = try ScratchFolder(holdsSockets: true)
    self.server = server + Self.socketName
    listener = Self.socket()
    let path = folder.path + Self.socketName
    guard Self.named(path, { bind(listener, $0, $1) }) == 0, listen(listener, 16) == 0 else {
      throw PostgresCluster.Missing(description: "no socket at \(path)")
    }
    Thread.detachNewThread { [listener, weak self] in
      while case let client = accept(listener, nil, nil), client >= 0 {
        guard let self else {
          _ = close(client)
          return
        }
        Thread.detachNewThread { self.serve(client) }
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  var behavior: Behavior {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  private static let socketName = "/.s.PGSQL.5432"

  private static func socket() -> Int32 {
    #if canImport(Glibc)
      Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #else
      Foundation.socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
  }

  private static func named(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  private func serve(_ client: Int32) {
    let upstream = Self.socket()
    defer {
      close(client)
      close(upstream)
    }
    guard Self.named(server, { connect(upstream, $0, $1) }) == 0 else { return }
    var answerIsLost = false
    while true {
      var polled = [client, upstream].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let now = behavior
      if case .hangs = now {
        usleep(10_000)
        continue
      }
      if case .isAway = now { return }
      _ = poll(&polled, 2, 20)
      if polled[0].revents != 0 {
        guard let said = Self.read(client) else { return }
        if said.range(of: Data("INSERT INTO commit_token".utf8)) != nil {
          switch now {
          case .losesCommit:
            behavior = .passesOn
            return
          case .losesAnswer: answerIsLost = true
          default: break
          }
        }
        Self.write(said, to: upstream)
      }
      if polled[1].revents != 0 {
        guard let said = Self.read(upstream) else { return }
        if case .beginsCopy = now {
          behavior = .passesOn
          // CopyOutResponse without columns (https://www.postgresql.org/docs/current/protocol-message-formats.html).
          Self.write(Data([UInt8(ascii: "H"), 0, 0, 0, 7, 0, 0, 0]), to: client)
          continue
        }
        guard answerIsLost else {
          Self.write(said, to: client)
          continue
        }
        if said.range(of: Data("COMMIT\0".utf8)) != nil {
          if case .losesAnswer(true) = now { behavior = .isAway } else { behavior = .passesOn }
          return
        }
      }
    }
  }

  private static func read(_ descriptor: Int32) -> Data? {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = Foundation.read(descriptor, &bytes, bytes.count)
    return count > 0 ? Data(bytes.prefix(count)) : nil
  }

  private static func write(_ data: Data, to descriptor: Int32) {
    var rest = data
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
