import Essentials

/// One connection of libpq to a server, and what waits for its answers.
///
/// Every wait has an end: a server that answers nothing is given up, and the connection with it.
final class PostgresLink {
  let address: LabAddress
  let library: PostgresLibrary
  private(set) var handle: OpaquePointer
  /// Told when the server has not answered for `patience`, and when it answers again.
  var news: (@Sendable (StoreNews) -> Void)?
  /// Called when the person has been told that the server does not answer.
  var becameSilent: (() -> Void)?
  private var isSilent = false
  /// Whether an answer did not come in time: if it came later, it would be taken for another's.
  private var isGivenUp = false

  /// Seconds until an answer is no longer waited for, and until the person is informed.
  var (answerLimit, patience) = (30.0, 2.0)

  private var name: String { address.name }

  init(_ address: LabAddress) throws(StoreError) {
    self.address = address
    do throws(ServerTrouble) {
      library = try PostgresLibrary()
      handle = try Self.connect(address, library)
    } catch {
      throw .server(address.name, error)
    }
  }

  deinit { library.finish(handle) }

  /// A new connection in place of one that was lost.
  func reconnect() throws(StoreError) {
    do throws(ServerTrouble) {
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
  /// As whom the server knows the person.
  var person: String { library.user(handle).map { String(cString: $0) } ?? "" }

  private static func connect(
    _ address: LabAddress, _ library: PostgresLibrary
  ) throws(ServerTrouble) -> OpaquePointer {
    // What comes before the address can be said otherwise in it. A keepalive finds out that the other end has gone.
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
    guard let handle else { throw .unreachable("there is no memory for a connection") }
    guard library.status(handle) == 0 else {
      let message = library.errorMessage(handle).map { String(cString: $0) } ?? "no reason given"
      library.finish(handle)
      throw ServerTrouble(connecting: address.masked(message))
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

  /// `ssoterm ada@host 4711`, for an administrator who looks up who holds a lock; PostgreSQL keeps 63 bytes.
  private static var programName: String {
    let person =
      getpwuid(getuid()).flatMap { $0.pointee.pw_name.map { String(cString: $0) } } ?? "\(getuid())"
    return "ssoterm \(person)@\(ProcessInfo.processInfo.hostName.prefix(30)) \(getpid())"
  }

  /// Takes what the server has said by itself; false if the connection has ended.
  func takeNotifications() -> Bool {
    guard library.consumeInput(handle) == 1 else { return false }
    while let notification = library.notification(handle) { library.freeMemory(notification) }
    return !isLost
  }

  // MARK: Answers

  /// - Parameter isSent: what libpq answers to a call that sends; 0 is a failure.
  /// - Throws: `StoreError.server` if it could not be sent.
  func send(_ isSent: Int32) throws(StoreError) {
    guard isSent == 1 else { throw trouble() }
  }

  private func trouble() -> StoreError {
    let message = library.errorMessage(handle).map { String(cString: $0) } ?? "no reason given"
    let masked = address.masked(message)
    return .server(name, isLost ? .lost(masked) : .other(masked))
  }

  /// What the server answers to what was sent: one result for each statement.
  /// - Parameter limit: in seconds; nil: the usual.
  /// - Returns: one for each statement.
  /// - Throws: `StoreError.server` for a refusal, a lost connection, or no answer within the limit.
  func answers(within limit: Double? = nil) throws(StoreError) -> [PostgresResult] {
    var found: [PostgresResult] = []
    var refusal: ServerTrouble?
    var wait = AnswerWait(limit: limit ?? answerLimit, patience: patience)
    while true {
      while library.flush(handle) == 1 {
        try waitForSocket(&wait, toWrite: true)
      }
      while library.isBusy(handle) == 1 {
        try waitForSocket(&wait, toWrite: false)
        guard library.consumeInput(handle) == 1 else { throw trouble() }
      }
      guard let pointer = library.result(handle) else { break }
      let result = PostgresResult(pointer, library, name: name)
      if let code = result.errorCode {
        refusal = refusal ?? ServerTrouble(code: code, message: address.masked(result.errorMessage))
      } else {
        found.append(result)
      }
    }
    if !isLost { sayAnswering() }
    if let refusal { throw .server(name, isLost ? .lost(Self.message(refusal)) : refusal) }
    if isLost { throw trouble() }
    return found
  }

  private func waitForSocket(_ wait: inout AnswerWait, toWrite: Bool) throws(StoreError) {
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
    news?(.silent)
    becameSilent?()
  }

  private func sayAnswering() {
    guard isSilent else { return }
    isSilent = false
    news?(.answers)
  }

  private static func message(_ trouble: ServerTrouble) -> String {
    switch trouble {
    case .lost(let message), .other(let message), .readOnly(let message), .full(let message): message
    default: "the connection was closed"
    }
  }
}
