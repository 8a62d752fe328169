import CKernel
import Essentials
import SSOReference

/// A connection to a session bus, used by one thread.
final class BusConnection {
  private static let driver = "org.freedesktop.DBus"

  private let library: DBusLibrary
  private let pointer: DBusLibrary.Object
  /// The descriptor to poll; it is readable when messages have arrived.
  let descriptor: Int32

  /// Connects to the bus at an address that a lab contains.
  ///
  /// - Throws: `BusError` as ``init(address:)``, and if another user's process listens on the socket.
  convenience init(_ address: OwnBusAddress) throws(BusError) {
    try self.init(address: address.text, isOwn: true)
  }

  /// Connects to the bus at an address that this user specified.
  ///
  /// - Parameters:
  ///   - address: `unix:path=/run/user/1000/bus`.
  ///   - isOwn: Whether only this user's bus is meant.
  /// - Throws: `BusError` if libdbus is not installed or no bus answers there.
  init(address: String, isOwn: Bool = false) throws(BusError) {
    let library = try DBusLibrary()
    let opened = library.reporting { library.open(address, $0) }
    guard case .success(let pointer) = opened else { throw Self.unreachable(address, opened) }
    library.setExitOnDisconnect(pointer, 0)
    // Nothing has been sent yet. The check of the path was made before, and the path may lead elsewhere since then.
    var socket: Int32 = -1
    guard !isOwn || library.descriptor(pointer, &socket) != 0 && ck_peer_user(socket) == Int64(getuid())
    else {
      library.close(pointer)
      library.unref(pointer)
      throw Self.unreachable(
        address, Result<Void, DBusLibrary.ErrorText>.failure(.init(text: "another user listens there")))
    }
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

  /// Subscribes to the `NameOwnerChanged` signal that the bus sends when a connection begins or ends.
  func watchConnections() {
    library.addMatch(
      pointer, "type='signal',sender='\(Self.driver)',member='NameOwnerChanged'", nil)
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
///
/// In another mount namespace, the path can belong to another file than here, so the files are compared.
func executable(ofProcess id: Int) -> String {
  let link = "/proc/\(id)/exe"
  guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: link) else { return "" }
  var (running, here) = (stat(), stat())
  let isHere =
    stat(link, &running) == 0 && stat(path, &here) == 0 && running.st_dev == here.st_dev
    && running.st_ino == here.st_ino
  return isHere ? path : path + " (another file than here)"
}

/// A D-Bus message whose arguments are strings.
final class BusMessage {
  enum Kind: Int32 {
    case call = 1
    case reply, error, signal
  }

  /// The limit on the length of a string argument, in bytes.
  ///
  /// A string this long or longer is not read.
  static let textLimit = 16 << 20
  private static let textType = Int32(UInt8(ascii: "s"))
  private static let numberType = Int32(UInt8(ascii: "u"))

  let library: DBusLibrary
  let pointer: DBusLibrary.Object

  /// Creates a message that takes ownership of a reference.
  init(_ pointer: DBusLibrary.Object, _ library: DBusLibrary) {
    self.pointer = pointer
    self.library = library
  }

  deinit { library.messageUnref(pointer) }

  var kind: Kind? { Kind(rawValue: library.messageType(pointer)) }
  /// The unique name of the connection that sent it.
  var sender: String { text(library.messageSender) }
  var path: String { text(library.messagePath) }
  var interface: String { text(library.messageInterface) }
  var member: String { text(library.messageMember) }
  /// The types of the arguments, such as `sss`.
  var signature: String { text(library.messageSignature) }

  private func text(_ field: (DBusLibrary.Object) -> DBusLibrary.Text?) -> String {
    field(pointer).map { String(cString: $0) } ?? ""
  }

  /// The leading string arguments; the bus has already validated that they are UTF-8.
  var texts: [String] {
    arguments { type, iterator -> String? in
      guard type == Self.textType else { return nil }
      var text: DBusLibrary.Text?
      withUnsafeMutablePointer(to: &text) { library.argument(iterator, $0) }
      guard let text, strnlen(text, Self.textLimit) < Self.textLimit else { return nil }
      return String(cString: text)
    }
  }

  /// The first argument, if it is a 32-bit number.
  var number: UInt32? {
    arguments { type, iterator -> UInt32? in
      guard type == Self.numberType else { return nil }
      var number: UInt32 = 0
      withUnsafeMutablePointer(to: &number) { library.argument(iterator, $0) }
      return number
    }.first
  }

  private func arguments<Value>(
    _ read: (_ type: Int32, UnsafeMutableRawPointer) -> Value?
  ) -> [Value] {
    withIterator { iterator -> [Value] in
      guard library.iterate(pointer, iterator) != 0 else { return [] }
      var values: [Value] = []
      repeat {
        guard let value = read(library.argumentType(iterator), iterator) else { break }
        values.append(value)
      } while library.iterateNext(iterator) != 0
      return values
    }
  }

  /// Appends strings as arguments.
  func append(_ texts: [String]) {
    withIterator { iterator in
      library.iterateAppend(pointer, iterator)
      for text in texts {
        text.withCString { bytes in
          var bytes: DBusLibrary.Text? = bytes
          _ = withUnsafePointer(to: &bytes) { library.append(iterator, Self.textType, $0) }
        }
      }
    }
  }

  /// Calls `body` with storage for a `DBusMessageIter`, which has 14 fields and at most 112 bytes.
  private func withIterator<Value>(_ body: (UnsafeMutableRawPointer) -> Value) -> Value {
    let iterator = UnsafeMutableRawPointer.allocate(byteCount: 256, alignment: 16)
    defer { iterator.deallocate() }
    return body(iterator)
  }

  /// Creates a reply to this call; a string ends at the first NUL, which D-Bus strings cannot contain.
  func reply(_ texts: [String] = []) -> BusMessage? {
    let reply = library.newReturn(pointer).map { BusMessage($0, library) }
    reply?.append(texts)
    return reply
  }

  /// Creates an error reply with a name of the bus's own namespace, such as `org.freedesktop.DBus.Error.UnknownMethod`.
  func error(_ name: String, _ text: String) -> BusMessage? {
    library.newError(pointer, "org.freedesktop.DBus.Error." + name, text).map { BusMessage($0, library) }
  }
}

/// An error that occurs if the bus, or the broker on it, is not available.
///
/// It contains the problem, its cause, and the next step.
package struct BusError: Error, Hashable, Sendable {
  package var what: String
  package var why: String
  package var next: Advice

  static func noLibrary(_ why: String) -> BusError {
    BusError(
      what: "The broker needs libdbus, which is not installed.", why: why,
      next: "apt install libdbus-1-3 dbus-daemon")
  }

  static func noDaemon(_ why: String) -> BusError {
    BusError(
      what: "No private session bus could be started.", why: why,
      next: "apt install dbus-daemon dbus-session-bus-common")
  }

  static func taken(_ name: String, by owner: String) -> BusError {
    BusError(
      what: "The name \(name) is taken on this bus.", why: "\(owner) owns it: there is a broker already.",
      next: "End that one, or use a private bus: \(.serveBroker)")
  }
}
