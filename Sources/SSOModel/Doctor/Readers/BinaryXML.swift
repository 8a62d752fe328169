import Essentials

/// A reader of the binary XML of an APK (Android: `ResourceTypes.h`), which it turns into a tree of elements.
struct BinaryXML {
  private static let stringLimit = 100_000
  private static let elementLimit = 100_000
  private static let textLimit = 16 << 20
  private static let android = "http://schemas.android.com/apk/res/android"
  /// The attribute names by resource ID, for files from which the names were removed.
  private static let names: [Int: String] = [
    0x0101_0003: "name", 0x0101_0010: "exported", 0x0101_0027: "scheme", 0x0101_0028: "host",
    0x0101_002A: "path", 0x0101_0270: "targetSdkVersion",
  ]

  private let file: ByteReader
  private var strings: [String] = []
  private var resources: [Int] = []

  static func read(_ data: Data) throws(ReadingError) -> XMLElement {
    var reader = BinaryXML(file: ByteReader(data))
    return try reader.root()
  }

  private init(file: ByteReader) { self.file = file }

  private mutating func root() throws(ReadingError) -> XMLElement {
    guard try file.little(0, 2) == 0x0003 else { throw ReadingError("not binary XML") }
    // The open elements, outermost first. A document that is nested too deeply is rejected.
    var open: [XMLElement] = []
    var count = 0
    var place = try file.little(2, 2)
    while place + 8 <= file.count {
      let size = try file.little(place + 4)
      guard size >= 8 else { throw ReadingError("byte \(place): a chunk of \(size) bytes") }
      switch try file.little(place, 2) {
      case 0x0001 where strings.isEmpty: strings = try pool(place)
      case 0x0180:
        for offset in stride(from: place + 8, to: min(place + size, file.count) - 3, by: 4) {
          resources.append(try file.little(offset))
        }
      case 0x0102:
        count += 1
        guard open.count < PropertyListNode.depthLimit, count < Self.elementLimit else {
          throw ReadingError("byte \(place): too many elements, or nested too deeply")
        }
        open.append(try element(place))
      case 0x0103:
        guard let closed = open.popLast() else { throw ReadingError("byte \(place): nothing is open here") }
        guard !open.isEmpty else { return closed }
        open[open.count - 1].children.append(closed)
      default: break
      }
      place += size
    }
    throw ReadingError("the document ends early")
  }

  private func string(_ index: Int) -> String? { strings.indices.contains(index) ? strings[index] : nil }

  // MARK: Strings

  private func pool(_ chunk: Int) throws(ReadingError) -> [String] {
    let count = try file.little(chunk + 8)
    guard count <= Self.stringLimit else { throw ReadingError("\(count) strings") }
    let isUTF8 = try file.little(chunk + 16) & 0x100 != 0
    let start = chunk + (try file.little(chunk + 20))
    let header = try file.little(chunk + 2, 2)
    var strings: [String] = []
    var length = 0
    for index in 0..<count {
      let place = start + (try file.little(chunk + header + index * 4))
      let string = isUTF8 ? try utf8(place) : try utf16(place)
      // Many entries may refer to the same bytes.
      length += string.utf8.count
      guard length <= Self.textLimit else {
        throw ReadingError("more than \(Self.textLimit) bytes of strings")
      }
      strings.append(string)
    }
    return strings
  }

  /// Reads a string whose length is given in characters and then in bytes.
  ///
  /// Each length takes two bytes if its first byte has the high bit set.
  private func utf8(_ place: Int) throws(ReadingError) -> String {
    var place = place + (try file.little(place, 1) & 0x80 == 0 ? 1 : 2)
    var length = try file.little(place, 1)
    place += 1
    if length & 0x80 != 0 {
      length = (length & 0x7F) << 8 | (try file.little(place, 1))
      place += 1
    }
    return String(decoding: try file.slice(place, length), as: UTF8.self)
  }

  private func utf16(_ place: Int) throws(ReadingError) -> String {
    var place = place
    var length = try file.little(place, 2)
    place += 2
    if length & 0x8000 != 0 {
      length = (length & 0x7FFF) << 16 | (try file.little(place, 2))
      place += 2
    }
    guard length <= file.count else { throw ReadingError("byte \(place): a string beyond the file") }
    let bytes = Array(try file.slice(place, length * 2))
    let units = stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
    return String(decoding: units, as: UTF16.self)
  }

  // MARK: Elements

  private func element(_ chunk: Int) throws(ReadingError) -> XMLElement {
    let body = chunk + (try file.little(chunk + 2, 2))
    var element = XMLElement(name: string(try file.little(body + 4)) ?? "", line: nil)
    let (first, size, count) = (
      body + (try file.little(body + 8, 2)), try file.little(body + 10, 2), try file.little(body + 12, 2)
    )
    guard size >= 20, count * size <= (try file.little(chunk + 4)) else {
      throw ReadingError("byte \(chunk): \(count) attributes of \(size) bytes")
    }
    for index in 0..<count { element.attributes.append(try attribute(first + index * size)) }
    return element
  }

  private func attribute(_ place: Int) throws(ReadingError) -> XMLElement.Attribute {
    let isAndroid = string(try file.little(place)) == Self.android
    let nameIndex = try file.little(place + 4)
    let known = resources.indices.contains(nameIndex) ? Self.names[resources[nameIndex]] : nil
    let name = string(nameIndex).flatMap { $0.isEmpty ? nil : $0 } ?? known ?? "?"
    let data = try file.little(place + 16)
    let value =
      switch try file.little(place + 15, 1) {
      case 0x03: string(data) ?? ""
      case 0x12: data == 0 ? "false" : "true"
      case 0x10, 0x11: String(data)
      default: string(try file.little(place + 8)) ?? "@\(data)"
      }
    return XMLElement.Attribute(
      name: (isAndroid || known != nil ? "android:" : "") + name, value: value, line: nil)
  }
}
