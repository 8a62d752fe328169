import Essentials

/// A writer of length-prefixed fields: the encoding of row keys and of the journal's row images.
struct ByteWriter {
  private var bytes: [UInt8] = []
  var data: Data { Data(bytes) }

  init(capacity: Int) { bytes.reserveCapacity(capacity) }

  mutating func append(byte: UInt8) { bytes.append(byte) }
  mutating func append(_ number: Int64) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }
  mutating func append(_ data: Data) {
    append(length: data.count)
    bytes.append(contentsOf: data)
  }
  mutating func append(_ text: String) {
    append(length: text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }
  private mutating func append(length: Int) {
    withUnsafeBytes(of: UInt32(length).bigEndian) { bytes.append(contentsOf: $0) }
  }
  /// Appends a count with seven bits a byte, the lowest first.
  ///
  /// The top bit marks that more bytes follow.
  mutating func append(count: Int) {
    var rest = UInt(bitPattern: count)
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F | 0x80))
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
  /// Appends a byte that states whether there is a value, followed by the value.
  mutating func append<T>(_ value: T?, _ write: (inout ByteWriter, T) -> Void) {
    append(byte: value == nil ? 0 : 1)
    if let value { write(&self, value) }
  }
}

/// A reader of the bytes that `ByteWriter` wrote.
///
/// Every read is bounded and returns `nil` at the end.
struct ByteReader {
  private var rest: Data

  init(_ data: Data) { rest = data }

  mutating func byte() -> UInt8? { rest.popFirst() }
  mutating func number() -> Int64? {
    guard rest.count >= 8 else { return nil }
    defer { rest = rest.dropFirst(8) }
    return Int64(bitPattern: rest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
  mutating func count() -> Int? {
    var (count, shift) = (UInt(0), 0)
    while let byte = byte(), shift < 56 {
      count |= UInt(byte & 0x7F) << shift
      if byte < 0x80 { return Int(count) }
      shift += 7
    }
    return nil
  }
  mutating func bytes() -> Data? {
    guard rest.count >= 4 else { return nil }
    let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    guard rest.count - 4 >= count else { return nil }
    defer { rest = rest.dropFirst(4 + count) }
    return Data(rest.dropFirst(4).prefix(count))
  }
  mutating func string() -> String? { bytes().flatMap { String(bytes: $0, encoding: .utf8) } }
  /// Reads a value that follows the byte that states whether there is one.
  ///
  /// The outer optional is `nil` if the bytes are malformed.
  mutating func optional<T>(_ read: (inout ByteReader) -> T?) -> T?? {
    switch byte() {
    case 0: .some(.none)
    case 1: read(&self).map { .some($0) }
    default: .none
    }
  }
}
