import CZlib
import Crypto
import Essentials

/// A zip archive: an .ipa or an .apk (PKWARE, .ZIP File Format Specification §4.3).
///
/// Its central directory lists the contents. Sizes are limited, so that a few bytes cannot expand to gigabytes.
struct ZipArchive {
  struct Entry: Hashable {
    var name: String
    var method: Int
    var compressedSize: Int
    var size: Int
    /// The offset of the entry's local header.
    var offset: Int
  }

  private static let entryLimit = 100_000
  static let sizeLimit = 128 << 20

  let reader: ByteReader
  let entries: [Entry]
  /// The offset of the central directory, which is the end of an APK's signing block.
  let directoryOffset: Int

  init(_ data: Data) throws(ReadingError) {
    reader = ByteReader(data)
    guard let end = try Self.endOfDirectory(reader) else { throw ReadingError("not a zip archive") }
    let count = try reader.little(end + 10, 2)
    directoryOffset = try reader.little(end + 16)
    var entries: [Entry] = []
    var place = directoryOffset
    for _ in 0..<min(count, Self.entryLimit) {
      guard try reader.little(place) == 0x0201_4B50 else {
        throw ReadingError("byte \(place): an entry of the central directory is expected")
      }
      let nameLength = try reader.little(place + 28, 2)
      let name = try reader.slice(place + 46, nameLength)
      entries.append(
        Entry(
          name: String(decoding: name, as: UTF8.self), method: try reader.little(place + 10, 2),
          compressedSize: try reader.little(place + 20), size: try reader.little(place + 24),
          offset: try reader.little(place + 42)))
      place += 46 + nameLength + (try reader.little(place + 30, 2)) + (try reader.little(place + 32, 2))
    }
    self.entries = entries
  }

  /// Returns the offset of the directory's end record, or `nil` if it is missing.
  ///
  /// The record is at the end of the file, before a comment of at most 64 KiB.
  private static func endOfDirectory(_ reader: ByteReader) throws(ReadingError) -> Int? {
    var place = reader.count - 22
    let last = max(0, place - 0xFFFF)
    while place >= last {
      if try reader.little(place) == 0x0605_4B50 { return place }
      place -= 1
    }
    return nil
  }

  func entry(_ name: String) -> Entry? { entries.first { $0.name == name } }

  func data(_ entry: Entry) throws(ReadingError) -> Data {
    guard entry.size <= Self.sizeLimit else {
      throw ReadingError("\(entry.name) is larger than \(Self.sizeLimit) bytes")
    }
    guard try reader.little(entry.offset) == 0x0403_4B50 else {
      throw ReadingError("byte \(entry.offset): a local file header is expected")
    }
    let start =
      entry.offset + 30 + (try reader.little(entry.offset + 26, 2))
      + (try reader.little(entry.offset + 28, 2))
    let bytes = try reader.slice(start, entry.compressedSize)
    switch entry.method {
    case 0: return Data(bytes)
    case 8: return try inflated(Array(bytes), to: entry.size, entry.name)
    default: throw ReadingError("\(entry.name) is compressed by method \(entry.method)")
    }
  }

  /// Decompresses an entry to `size` bytes, as the directory promises; any other size is rejected.
  private func inflated(_ bytes: [UInt8], to size: Int, _ name: String) throws(ReadingError) -> Data {
    var output = [UInt8](repeating: 0, count: size)
    let result = bytes.withUnsafeBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        ssoterm_inflate(input.baseAddress, input.count, output.baseAddress, output.count)
      }
    }
    guard result == size else { throw ReadingError("\(name) cannot be decompressed") }
    return Data(output)
  }
}

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

/// The certificates in an APK's signing block, which is before the zip's central directory (Android: APK Signature
/// Scheme v2 and v3).
enum APKSignature {
  private static let magic = "APK Sig Block 42"
  private static let pairLimit = 100

  /// Returns the base64-encoded SHA-1 hash of each signer's first certificate, or an empty array without a signing
  /// block.
  static func hashes(_ archive: ZipArchive) throws(ReadingError) -> [String] {
    let file = archive.reader
    let end = archive.directoryOffset
    guard end >= 32, try file.slice(end - 16, 16).elementsEqual(magic.utf8) else { return [] }
    let size = try file.size(end - 24)
    var place = end - size
    guard place >= 0, size >= 24 else { throw ReadingError("the signing block is larger than the file") }
    var hashes: [String] = []
    for _ in 0..<pairLimit where place + 12 <= end - 24 {
      let length = try file.size(place)
      if [0x7109_871A, 0xF053_68C0].contains(try file.little(place + 8)), length >= 4 {
        for hash in try signers(Pieces(try file.slice(place + 12, length - 4))) where !hashes.contains(hash) {
          hashes.append(hash)
        }
      }
      place += 8 + length
    }
    return hashes
  }

  private static func signers(_ value: Pieces) throws(ReadingError) -> [String] {
    var hashes: [String] = []
    var value = value
    var list = try value.next()
    while !list.isEmpty, hashes.count < pairLimit {
      var signer = try list.next()
      var signed = try signer.next()
      _ = try signed.next()
      var certificates = try signed.next()
      let certificate = try certificates.next()
      hashes.append(Data(Insecure.SHA1.hash(data: Data(certificate.bytes))).base64EncodedString())
    }
    return hashes
  }

  /// A sequence of pieces that each begin with their length in 4 bytes.
  private struct Pieces {
    private(set) var bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    var isEmpty: Bool { bytes.isEmpty }

    mutating func next() throws(ReadingError) -> Pieces {
      let length = bytes.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      guard bytes.count >= 4, length <= bytes.count - 4 else {
        throw ReadingError("the signing block is cut off")
      }
      let piece = bytes.dropFirst(4).prefix(length)
      bytes = bytes.dropFirst(4 + length)
      return Pieces(piece)
    }
  }
}

/// A reader of numbers and byte ranges in an untrusted binary file, which never reads outside the file's bytes.
struct ByteReader {
  let bytes: [UInt8]

  init(_ data: some Sequence<UInt8>) { bytes = Array(data) }

  var count: Int { bytes.count }

  /// - Throws: `ReadingError` if the range is not entirely in the file.
  func slice(_ offset: Int, _ length: Int) throws(ReadingError) -> ArraySlice<UInt8> {
    guard offset >= 0, length >= 0, offset <= bytes.count, length <= bytes.count - offset else {
      throw ReadingError("byte \(offset): the file ends early")
    }
    return bytes[offset..<offset + length]
  }

  /// Returns the little-endian number of `width` bytes at an offset.
  func little(_ offset: Int, _ width: Int = 4) throws(ReadingError) -> Int {
    try slice(offset, width).reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  func big(_ offset: Int, _ width: Int = 4) throws(ReadingError) -> Int {
    try slice(offset, width).reduce(0) { $0 << 8 | Int($1) }
  }

  /// Returns a little-endian number of 8 bytes that is an offset or a size in this file.
  func size(_ offset: Int) throws(ReadingError) -> Int {
    let high = try little(offset + 4)
    let low = try little(offset)
    guard high == 0, low <= bytes.count else { throw ReadingError("byte \(offset): a size beyond the file") }
    return low
  }

  /// Returns the offset at which a string first occurs, at `start` or later, or `nil` if it does not occur.
  func firstIndex(of text: String, from start: Int = 0) -> Int? {
    let wanted = Array(text.utf8)
    guard let first = wanted.first, bytes.count >= wanted.count else { return nil }
    var index = start
    while index <= bytes.count - wanted.count {
      if bytes[index] == first, bytes[index..<index + wanted.count].elementsEqual(wanted) { return index }
      index += 1
    }
    return nil
  }
}
