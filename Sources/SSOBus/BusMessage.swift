import Essentials

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
