import Essentials
import SSOCore

/// An untrusted binary property list (`bplist00`), read object by object.
///
/// Foundation's reader crashes on some files (seen with Swift 6.3 on Linux), so this is a separate
/// implementation. It never reads outside the bytes, never follows a reference on its own, and trusts the
/// numbers in the header only within limits. The layout is: magic, objects, the table of their offsets, and a
/// trailer of 32 bytes with the widths of offsets and references.
package struct BinaryPropertyList {
  static let largest = 1 << 20
  static let mostObjects = 20_000

  private let bytes: [UInt8]
  private let offsets: [Int]
  private let referenceWidth: Int
  /// The offset where the objects end and their offset table begins.
  private let end: Int
  /// The number of the outermost object.
  package let top: Int

  package init(_ data: Data) throws(ArchiveError) {
    guard data.count <= Self.largest else {
      throw ArchiveError(Self.largest, "more than \(Self.largest) bytes")
    }
    let bytes = [UInt8](data)
    let magic = Array("bplist00".utf8)
    guard bytes.starts(with: magic) else {
      throw ArchiveError(0, "a binary property list begins with bplist00")
    }
    guard bytes.count >= magic.count + 32 else {
      throw ArchiveError(bytes.count, "the trailer of 32 bytes is cut off")
    }
    let trailer = bytes.count - 32
    func number(_ at: Int, _ width: Int, _ name: String) throws(ArchiveError) -> Int {
      guard let value = Self.number(bytes[at..<at + width]) else {
        throw ArchiveError(at, "the \(name) is too large")
      }
      return value
    }
    let offsetWidth = Int(bytes[trailer + 6])
    let referenceWidth = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth) else {
      throw ArchiveError(trailer + 6, "offsets and references are 1 to 8 bytes wide")
    }
    let count = try number(trailer + 8, 8, "number of objects")
    let top = try number(trailer + 16, 8, "number of the top object")
    let table = try number(trailer + 24, 8, "place of the offset table")
    guard count >= 1, count <= Self.mostObjects else {
      throw ArchiveError(trailer + 8, "\(count) objects; 1 to \(Self.mostObjects) are allowed")
    }
    guard top < count else { throw ArchiveError(trailer + 16, "the top object is number \(top) of \(count)") }
    guard table >= magic.count, table <= trailer, table + count * offsetWidth == trailer else {
      throw ArchiveError(trailer + 24, "the offset table does not fill the bytes before the trailer")
    }
    var offsets: [Int] = []
    offsets.reserveCapacity(count)
    for index in 0..<count {
      let place = table + index * offsetWidth
      let offset = try number(place, offsetWidth, "offset of object \(index)")
      guard offset >= magic.count, offset < table else {
        throw ArchiveError(place, "object \(index) lies outside the objects")
      }
      offsets.append(offset)
    }
    self.bytes = bytes
    self.offsets = offsets
    self.referenceWidth = referenceWidth
    self.top = top
    end = table
  }

  /// Returns the offset of an object.
  package func offset(of object: Int) -> Int { offsets[object] }

  /// Reads an object.
  ///
  /// - Parameter index: The number of the object, from `top` or another object, which are both validated.
  /// - Returns: The object. Its references are not followed.
  /// - Throws: `ArchiveError` with the byte offset where the object is malformed.
  package func object(_ index: Int) throws(ArchiveError) -> PropertyListObject {
    let start = offsets[index]
    let marker = bytes[start]
    let low = Int(marker & 0x0F)
    switch marker >> 4 {
    case 0x0:
      switch marker {
      case 0x00: return .null
      case 0x08: return .bool(false)
      case 0x09: return .bool(true)
      default: throw ArchiveError(start, "objects of kind \(hex(marker)) do not exist")
      }
    case 0x1: return .integer(try integer(at: start))
    case 0x2:
      switch low {
      case 2: return .real(Double(Float(bitPattern: UInt32(try bits(start + 1, 4, of: start)))))
      case 3: return .real(Double(bitPattern: try bits(start + 1, 8, of: start)))
      default: throw ArchiveError(start, "a real number is 4 or 8 bytes long, not \(1 << low)")
      }
    case 0x3:
      guard low == 3 else { throw ArchiveError(start, "a date is 8 bytes long") }
      return .date(Double(bitPattern: try bits(start + 1, 8, of: start)))
    case 0x4: return .data(Data(try content(start, low, width: 1)))
    case 0x5:
      let text = try content(start, low, width: 1)
      guard text.allSatisfy({ $0 < 0x80 }) else {
        throw ArchiveError(start, "an ASCII string has other bytes")
      }
      return .string(String(decoding: text, as: UTF8.self))
    case 0x6: return .string(try utf16(try content(start, low, width: 2), at: start))
    case 0x8:
      guard let uid = Self.number(try range(start + 1, low + 1, of: start)) else {
        throw ArchiveError(start, "the UID is too large")
      }
      return .uid(uid)
    case 0xA: return .array(try references(start, low, perElement: 1))
    case 0xC: return .set(try references(start, low, perElement: 1))
    case 0xD:
      let all = try references(start, low, perElement: 2)
      let half = all.count / 2
      return .dictionary((0..<half).map { .init(key: all[$0], value: all[half + $0]) })
    default: throw ArchiveError(start, "objects of kind \(hex(marker)) do not exist")
    }
  }

  // MARK: Pieces

  /// Returns an unsigned big-endian number, or `nil` if it exceeds 2^62.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for byte in bytes {
      guard value < 1 << 54 else { return nil }
      value = value << 8 | Int(byte)
    }
    return value
  }

  private func hex(_ byte: UInt8) -> String { "0x" + hexadecimal(byte) }

  private func range(_ from: Int, _ count: Int, of start: Int) throws(ArchiveError) -> ArraySlice<UInt8> {
    guard count <= end - from else {
      throw ArchiveError(start, "the object extends beyond the end of the objects")
    }
    return bytes[from..<from + count]
  }

  private func bits(_ from: Int, _ count: Int, of start: Int) throws(ArchiveError) -> UInt64 {
    try range(from, count, of: start).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Reads an integer.
  ///
  /// 1, 2, and 4 bytes are unsigned, 8 bytes are signed, and 16 bytes hold unsigned numbers
  /// of more than 63 bits.
  private func integer(at start: Int) throws(ArchiveError) -> Int64 {
    let width = 1 << Int(bytes[start] & 0x0F)
    guard width <= 16 else { throw ArchiveError(start, "an integer is 1 to 16 bytes long") }
    if width == 16 {
      guard try bits(start + 1, 8, of: start) == 0,
        let value = Int64(exactly: try bits(start + 9, 8, of: start))
      else { throw ArchiveError(start, "the integer is too large") }
      return value
    }
    let value = try bits(start + 1, width, of: start)
    return width == 8 ? Int64(bitPattern: value) : Int64(value)
  }

  /// Returns the length of a string, data, or container, and the offset of its content.
  private func length(_ start: Int, _ low: Int) throws(ArchiveError) -> (count: Int, from: Int) {
    guard low == 0x0F else { return (low, start + 1) }
    guard start + 1 < end, bytes[start + 1] >> 4 == 0x1, bytes[start + 1] & 0x0F <= 3 else {
      throw ArchiveError(start, "the length is not an integer")
    }
    let count = try integer(at: start + 1)
    guard count >= 0, count <= Int64(end) else {
      throw ArchiveError(start, "the object extends beyond the end of the objects")
    }
    return (Int(count), start + 2 + (1 << Int(bytes[start + 1] & 0x0F)))
  }

  private func content(_ start: Int, _ low: Int, width: Int) throws(ArchiveError) -> ArraySlice<UInt8> {
    let (count, from) = try length(start, low)
    return try range(from, count * width, of: start)
  }

  private func utf16(_ bytes: ArraySlice<UInt8>, at start: Int) throws(ArchiveError) -> String {
    let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
      UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
    }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw ArchiveError(start, "a string is not valid UTF-16")
    }
    return text
  }

  private func references(_ start: Int, _ low: Int, perElement: Int) throws(ArchiveError) -> [Int] {
    let (count, from) = try length(start, low)
    let content = try range(from, count * perElement * referenceWidth, of: start)
    var found: [Int] = []
    found.reserveCapacity(count * perElement)
    for place in stride(from: content.startIndex, to: content.endIndex, by: referenceWidth) {
      guard let index = Self.number(bytes[place..<place + referenceWidth]), index < offsets.count else {
        throw ArchiveError(place, "the object does not exist; there are \(offsets.count)")
      }
      found.append(index)
    }
    return found
  }
}

/// An object of a binary property list.
///
/// Containers hold the numbers of other objects, so that no reference is followed before a reader requests
/// it.
package enum PropertyListObject: Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  /// The seconds since 2001-01-01T00:00:00Z.
  case date(Double)
  case data(Data)
  case string(String)
  /// A reference between the objects of a keyed archive (`CF$UID`).
  case uid(Int)
  case array([Int])
  case set([Int])
  case dictionary([Entry])

  package struct Entry: Hashable {
    package var key: Int
    package var value: Int
  }

  /// The kind of object for error messages, such as `a string`.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .integer: "an integer"
    case .real: "a real number"
    case .date: "a date"
    case .data: "data"
    case .string: "a string"
    case .uid: "a UID"
    case .array: "an array"
    case .set: "a set"
    case .dictionary: "a dictionary"
    }
  }
}

/// A property list to write.
///
/// Property lists from untrusted files are never expanded into this type.
enum PropertyListValue: Hashable {
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case data(Data)
  case string(String)
  case uid(Int)
  case array([PropertyListValue])
  case dictionary([String: PropertyListValue])
}
