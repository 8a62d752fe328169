import Essentials

/// A message of the bus, with texts as its only arguments.
final class BusMessage {
  enum Kind: Int32 {
    case call = 1
    case reply, error, signal
  }

  /// Longest text that is read, in bytes.
  static let textLimit = 16 << 20
  private static let textType = Int32(UInt8(ascii: "s"))
  private static let numberType = Int32(UInt8(ascii: "u"))

  let library: DBusLibrary
  let pointer: DBusLibrary.Object

  /// Takes over a reference.
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
  /// The types of its arguments: `sss`.
  var signature: String { text(library.messageSignature) }

  private func text(_ field: (DBusLibrary.Object) -> DBusLibrary.Text?) -> String {
    field(pointer).map { String(cString: $0) } ?? ""
  }

  /// The leading arguments that are texts; the bus has checked that they are UTF-8.
  var texts: [String] {
    arguments { type, iterator -> String? in
      guard type == Self.textType else { return nil }
      var text: DBusLibrary.Text?
      withUnsafeMutablePointer(to: &text) { library.argument(iterator, $0) }
      guard let text, strnlen(text, Self.textLimit) < Self.textLimit else { return nil }
      return String(cString: text)
    }
  }

  /// The first argument, if it is a number of 32 bits.
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

  /// Adds texts as arguments.
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

  /// DBusMessageIter: 14 fields, at most 112 bytes.
  private func withIterator<Value>(_ body: (UnsafeMutableRawPointer) -> Value) -> Value {
    let iterator = UnsafeMutableRawPointer.allocate(byteCount: 256, alignment: 16)
    defer { iterator.deallocate() }
    return body(iterator)
  }

  /// An answer to this call; a NUL, which no text of the bus may contain, ends it.
  func reply(_ texts: [String] = []) -> BusMessage? {
    let reply = library.newReturn(pointer).map { BusMessage($0, library) }
    reply?.append(texts)
    return reply
  }

  /// An error of the bus's own kind: `org.freedesktop.DBus.Error.UnknownMethod`.
  func error(_ name: String, _ text: String) -> BusMessage? {
    library.newError(pointer, "org.freedesktop.DBus.Error." + name, text).map { BusMessage($0, library) }
  }
}
