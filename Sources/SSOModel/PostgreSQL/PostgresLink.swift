import CKernel
import Dispatch
import Essentials
import SSOStore

/// A libpq connection to a server, which waits for responses with a limit.
///
/// If the server does not respond in time, the connection is abandoned.
final class PostgresLink {
  let address: LabAddress
  let library: PostgresLibrary
  private(set) var handle: OpaquePointer
  /// The listener for events: the server has not responded for `patience`, or responds again.
  var news: (@Sendable (StoreEvent) -> Void)?
  /// The closure to call after the user has been notified that the server does not respond.
  var becameSilent: (() -> Void)?
  private var isSilent = false
  /// Whether a response did not arrive in time.
  ///
  /// If it came later, it would be mistaken for another response.
  private var isGivenUp = false

  /// The seconds after which a response is given up, and after which the user is notified.
  var (answerLimit, patience) = (30.0, 2.0)

  private var name: String { address.name }

  init(_ address: LabAddress) throws(StoreError) {
    self.address = address
    do throws(PostgresError) {
      library = try PostgresLibrary()
      handle = try Self.connect(address, library)
    } catch {
      throw .server(address.name, error)
    }
  }

  deinit { library.finish(handle) }

  /// Replaces a lost connection with a new one.
  func reconnect() throws(StoreError) {
    do throws(PostgresError) {
      let fresh = try Self.connect(address, library)
      library.finish(handle)
      handle = fresh
      isGivenUp = false
    } catch {
      throw .server(name, error)
    }
  }

  var isLost: Bool { isGivenUp || library.status(handle) != 0 }
  var socket: Int32 { library.socket(handle) }
  /// The user's name on the server.
  var person: String { library.user(handle).map { String(cString: $0) } ?? "" }

  private static func connect(
    _ address: LabAddress, _ library: PostgresLibrary
  ) throws(PostgresError) -> OpaquePointer {
    // The address can override these settings. Keepalives detect that the other end is gone.
    var settings = [
      ("fallback_application_name", Self.programName), ("tcp_user_timeout", "15000"),
      ("keepalives_idle", "10"),
      ("keepalives_interval", "5"), ("keepalives_count", "3"),
    ]
    if getenv("PGCONNECT_TIMEOUT") == nil { settings.append(("connect_timeout", "10")) }
    if address.hasSeveralHosts, getenv("PGTARGETSESSIONATTRS") == nil {
      settings.append(("target_session_attrs", "read-write"))
    }
    settings += [("dbname", address.url), ("client_encoding", "UTF8")]
    let handle = withTexts(settings.map(\.0)) { names in
      withTexts(settings.map(\.1)) { values in library.connect(names, values, 1) }
    }
    guard let handle else { throw .unreachable("there is not enough memory for a connection") }
    guard library.status(handle) == 0 else {
      let message = library.errorMessage(handle).map { String(cString: $0) } ?? "no reason given"
      library.finish(handle)
      throw PostgresError(connecting: address.masked(message))
    }
    let version = Int(library.serverVersion(handle)) / 10_000
    guard version >= 13 else {
      library.finish(handle)
      throw .oldServer(found: version)
    }
    // Notices would be written over the screen.
    _ = library.setNoticeReceiver(handle, { _, _ in }, nil)
    _ = library.setNonBlocking(handle, 1)
    return handle
  }

  /// The program name, such as `ssoterm ada@host 4711`, for an administrator who looks up a lock.
  ///
  /// PostgreSQL keeps 63 bytes.
  private static var programName: String {
    let person =
      getpwuid(getuid()).flatMap { $0.pointee.pw_name.map { String(cString: $0) } } ?? "\(getuid())"
    return "ssoterm \(person)@\(ProcessInfo.processInfo.hostName.prefix(30)) \(getpid())"
  }

  /// Reads the server's pending notifications.
  ///
  /// Returns `false` if the connection has ended.
  func takeNotifications() -> Bool {
    guard library.consumeInput(handle) == 1 else { return false }
    while let notification = library.notification(handle) { library.freeMemory(notification) }
    return !isLost
  }

  // MARK: Answers

  /// Checks the result of a libpq function that sends.
  ///
  /// - Parameter isSent: The result of the function. 0 means failure.
  /// - Throws: `StoreError.server` if the data could not be sent.
  func send(_ isSent: Int32) throws(StoreError) {
    guard isSent == 1 else { throw trouble() }
  }

  private func trouble() -> StoreError {
    let message = library.errorMessage(handle).map { String(cString: $0) } ?? "no reason given"
    let masked = address.masked(message)
    return .server(name, isLost ? .lost(masked) : .other(masked))
  }

  /// Waits for the server's response to the statements that were sent.
  ///
  /// - Parameter limit: The limit in seconds, or `nil` for the default.
  /// - Returns: One result for each statement.
  /// - Throws: `StoreError.server` for an error, a lost connection, or no response within the limit.
  func answers(within limit: Double? = nil) throws(StoreError) -> [PostgresResult] {
    var found: [PostgresResult] = []
    var refusal: PostgresError?
    var received = 0
    var reserved = 0
    var results = 0
    // Count only memory that libpq's own calls reserve, because other threads reserve memory at the same time.
    func reserving(_ call: (PostgresLibrary.Object) -> Int32) -> Int32 {
      let before = ck_reserved_bytes()
      defer { reserved += Int(ck_reserved_bytes()) - Int(before) }
      return call(handle)
    }
    var wait = ResponseTimer(limit: limit ?? answerLimit, patience: patience)
    while true {
      while library.flush(handle) == 1 {
        try waitForSocket(&wait, toWrite: true)
      }
      while reserving(library.isBusy) == 1 {
        try waitForSocket(&wait, toWrite: false)
        received += waitingBytes
        // For a message that announces a length of 1 GB, libpq reserves as much, and then reads as long as there is
        // more.
        guard received <= Self.mostBytes, reserved <= Self.mostReserved else {
          throw giveUp("an answer of more than \(Self.mostBytes >> 20) MiB")
        }
        guard reserving(library.consumeInput) == 1 else { throw trouble() }
      }
      guard let pointer = library.result(handle) else { break }
      let result = PostgresResult(pointer, library, name: name)
      if let code = result.errorCode {
        refusal = refusal ?? PostgresError(code: code, message: address.masked(result.errorMessage))
      } else {
        found.append(result)
      }
      // A server that begins an unrequested copy returns the same result again and again.
      results += 1
      guard results <= Self.mostResults else { throw giveUp("more than \(Self.mostResults) results") }
    }
    if !isLost { sayAnswering() }
    if let refusal { throw .server(name, isLost ? .lost(Self.message(refusal)) : refusal) }
    if isLost { throw trouble() }
    return found
  }

  /// The limits of one response, because libpq keeps all of it in memory, and a server may send endlessly.
  private static let (mostBytes, mostResults) = (64 << 20, 1000)
  /// The limit for the memory that is reserved during a response: libpq doubles its buffer, and keeps the rows.
  private static let mostReserved = 256 << 20

  /// The number of bytes that have arrived and are not read yet.
  private var waitingBytes: Int {
    var count: Int32 = 0
    return ioctl(library.socket(handle), UInt(FIONREAD), &count) == 0 ? Int(count) : 0
  }

  /// Abandons the connection, because the rest of a response would be mistaken for the next one.
  private func giveUp(_ found: String) -> StoreError {
    isGivenUp = true
    return .server(name, .other(found))
  }

  private func waitForSocket(_ wait: inout ResponseTimer, toWrite: Bool) throws(StoreError) {
    do throws(StoreError) {
      try wait.forSocket(library.socket(handle), toWrite: toWrite, name) { saySilent() }
    } catch {
      isGivenUp = true
      throw error
    }
  }

  // MARK: News

  func saySilent() {
    guard !isSilent else { return }
    isSilent = true
    news?(.unresponsive)
    becameSilent?()
  }

  private func sayAnswering() {
    guard isSilent else { return }
    isSilent = false
    news?(.recovered)
  }

  private static func message(_ trouble: PostgresError) -> String {
    switch trouble {
    case .lost(let message), .other(let message), .readOnly(let message), .full(let message): message
    default: "the connection was closed"
    }
  }
}

/// A time limit for a response of the server.
struct ResponseTimer {
  private let began = DispatchTime.now()
  private let limit: Double
  private let patience: Double
  private var hasNotified = false

  /// Creates a time limit.
  ///
  /// - Parameters:
  ///   - limit: The seconds after which to give up.
  ///   - patience: The seconds after which to notify the user.
  init(limit: Double, patience: Double) {
    self.limit = limit
    self.patience = patience
  }

  /// Waits until the socket can be read or written.
  ///
  /// `tell` is called once, after `patience`.
  ///
  /// - Throws: `lost` after `limit`.
  mutating func forSocket(
    _ socket: Int32, toWrite: Bool, _ store: String, _ tell: () -> Void
  ) throws(StoreError) {
    while true {
      let elapsed = began.secondsAgo
      guard elapsed < limit else {
        throw .server(store, .lost("no answer for \(Int(limit)) seconds"))
      }
      if !hasNotified, elapsed >= patience {
        hasNotified = true
        tell()
      }
      let rest = (hasNotified ? limit : min(limit, patience)) - elapsed
      // Sending may have to wait until the server's pending data has been read.
      var polled = pollfd(fd: socket, events: Int16(toWrite ? POLLIN | POLLOUT : POLLIN), revents: 0)
      let ready = poll(&polled, 1, Int32(max(1, rest * 1000)))
      if ready > 0 { return }
      if ready < 0, errno != EINTR { throw .server(store, .lost(String(cString: strerror(errno)))) }
    }
  }
}

extension DispatchTime {
  var secondsAgo: Double {
    Double(DispatchTime.now().uptimeNanoseconds - uptimeNanoseconds) / 1_000_000_000
  }
}

/// The values of a statement in the format of libpq.
struct PostgresParameters {
  private var bytes: [UInt8] = []
  private var ranges: [Range<Int>?] = []

  init(_ values: [SQLParameter]) {
    for value in values {
      let start = bytes.count
      switch value {
      case .null:
        ranges.append(nil)
        continue
      case .integer(let number): withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
      case .bytes(let data): bytes.append(contentsOf: data)
      }
      ranges.append(start..<bytes.count)
    }
    // Give an empty value a start address too, because libpq treats a null pointer as NULL.
    bytes.append(0)
  }

  func withPointers(
    _ body: (Int32, PostgresLibrary.Texts?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Int32
  ) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      let start = buffer.bindMemory(to: CChar.self).baseAddress
      let values = ranges.map { range in range.flatMap { range in start.map { $0 + range.lowerBound } } }
      let lengths = ranges.map { Int32($0?.count ?? 0) }
      let formats = [Int32](repeating: 1, count: ranges.count)
      return values.withUnsafeBufferPointer { values in
        lengths.withUnsafeBufferPointer { lengths in
          formats.withUnsafeBufferPointer { formats in
            body(Int32(ranges.count), values.baseAddress, lengths.baseAddress, formats.baseAddress)
          }
        }
      }
    }
  }
}

/// Calls `body` with C strings, followed by a null pointer.
func withTexts<T>(_ texts: [String], _ body: (PostgresLibrary.Texts) -> T) -> T {
  let copies = texts.map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  let pointers = copies.map { $0.map { UnsafePointer($0) } } + [nil]
  return pointers.withUnsafeBufferPointer { buffer in
    guard let start = buffer.baseAddress else { preconditionFailure("there is always the last nil") }
    return body(start)
  }
}
