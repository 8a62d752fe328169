import CZlib
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

  /// Returns the offset of the directory's end record, or `nil` if there is none.
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
