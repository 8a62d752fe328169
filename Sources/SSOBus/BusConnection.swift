import Essentials

/// A connection to a session bus, used by one thread.
final class BusConnection {
  private static let driver = "org.freedesktop.DBus"

  private let library: DBusLibrary
  private let pointer: DBusLibrary.Object
  /// The descriptor to poll; it is readable when messages have arrived.
  let descriptor: Int32

  /// - Parameter address: `unix:path=/run/user/1000/bus`.
  /// - Throws: `BusError` if libdbus is not installed or no bus answers there.
  init(address: String) throws(BusError) {
    let library = try DBusLibrary()
    let opened = library.reporting { library.open(address, $0) }
    guard case .success(let pointer) = opened else { throw Self.unreachable(address, opened) }
    library.setExitOnDisconnect(pointer, 0)
    let registered = library.reporting { library.register(pointer, $0) != 0 ? true : nil }
    guard case .success = registered else {
      library.close(pointer)
      library.unref(pointer)
      throw Self.unreachable(address, registered)
    }
    var descriptor: Int32 = -1
    _ = library.descriptor(pointer, &descriptor)
    self.library = library
    self.pointer = pointer
    self.descriptor = descriptor
  }

  deinit {
    library.close(pointer)
    library.unref(pointer)
  }

  private static func unreachable<Value>(
    _ address: String, _ result: Result<Value, DBusLibrary.ErrorText>
  ) -> BusError {
    var why = "no reason given"
    if case .failure(let error) = result { why = error.text }
    return BusError(
      what: "The session bus at \(address) cannot be reached.", why: why,
      next: "Look at DBUS_SESSION_BUS_ADDRESS, or use a private bus: \(.serveBroker)")
  }

  /// Acquires a name on the bus.
  /// - Throws: `BusError` if another connection owns the name; the request is not queued.
  func own(_ name: String) throws(BusError) {
    let doNotQueue: UInt32 = 4
    let asked = library.reporting { error -> Int32? in
      let result = library.requestName(pointer, name, doNotQueue, error)
      return result < 0 ? nil : result
    }
    switch asked {
    case .success(1), .success(4): return
    case .success: throw .taken(name, by: owner(of: name) ?? "Another program")
    case .failure(let error):
      throw BusError(
        what: "The name \(name) cannot be owned on this bus.", why: error.text,
        next: "Use a private bus: \(.serveBroker)")
    }
  }

  /// Returns the program that owns a name, or `nil` if no program does.
  func owner(of name: String) -> String? {
    guard let connection = ask("GetNameOwner", name)?.texts.first, let id = processID(of: connection) else {
      return nil
    }
    return "\(executable(ofProcess: id)) (process \(id))"
  }

  /// Subscribes to the `NameOwnerChanged` signal that the bus sends when a connection ends.
  func watchConnections() {
    library.addMatch(
      pointer, "type='signal',sender='\(Self.driver)',member='NameOwnerChanged',arg2=''", nil)
    library.flush(pointer)
  }

  /// Reads the messages that have arrived and writes the queued ones.
  ///
  /// Returns `false` if the connection to the bus is lost.
  func exchange() -> Bool { library.readWrite(pointer, 0) != 0 }

  func nextMessage() -> BusMessage? { library.popMessage(pointer).map { BusMessage($0, library) } }

  func send(_ message: BusMessage?) {
    guard let message else { return }
    _ = library.send(pointer, message.pointer, nil)
    library.flush(pointer)
  }

  /// Returns the user ID and process ID of a connection, as reported by the kernel, or `nil` if the connection has
  /// ended.
  func credentials(of connection: String) -> (userID: Int, processID: Int)? {
    guard let user = ask("GetConnectionUnixUser", connection)?.number,
      let process = processID(of: connection)
    else { return nil }
    return (Int(user), process)
  }

  private func processID(of connection: String) -> Int? {
    ask("GetConnectionUnixProcessID", connection)?.number.map(Int.init)
  }

  private func ask(_ method: String, _ argument: String) -> BusMessage? {
    call(Self.driver, "/org/freedesktop/DBus", Self.driver, method, [argument])
  }

  /// Creates a method call without sending it.
  func message(
    _ name: String, _ path: String, _ interface: String, _ method: String, _ arguments: [String]
  ) -> BusMessage? {
    let message = library.newCall(name, path, interface, method).map { BusMessage($0, library) }
    message?.append(arguments)
    return message
  }

  /// Calls a method and waits up to two seconds for its reply, or returns `nil` if the call fails.
  func call(
    _ name: String, _ path: String, _ interface: String, _ method: String, _ arguments: [String]
  ) -> BusMessage? {
    guard let message = message(name, path, interface, method, arguments) else { return nil }
    let answer = library.reporting { library.sendAndWait(pointer, message.pointer, 2000, $0) }
    guard case .success(let reply) = answer else { return nil }
    return BusMessage(reply, library)
  }
}

/// Returns the path of a process's executable, or an empty string if it cannot be read.
func executable(ofProcess id: Int) -> String {
  (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(id)/exe")) ?? ""
}
