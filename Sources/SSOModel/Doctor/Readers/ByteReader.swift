import Essentials

/// Numbers and pieces of an untrusted binary file: nothing outside of its bytes is ever read.
struct ByteReader {
  let bytes: [UInt8]

  init(_ data: some Sequence<UInt8>) { bytes = Array(data) }

  var count: Int { bytes.count }

  /// - Throws: if it is not all there.
  func slice(_ offset: Int, _ length: Int) throws(ReadingError) -> ArraySlice<UInt8> {
    guard offset >= 0, length >= 0, offset <= bytes.count, length <= bytes.count - offset else {
      throw ReadingError("byte \(offset): the file ends early")
    }
    return bytes[offset..<offset + length]
  }

  /// Little-endian, of 2 or 4 bytes.
  func little(_ offset: Int, _ width: Int = 4) throws(ReadingError) -> Int {
    try slice(offset, width).reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  func big(_ offset: Int, _ width: Int = 4) throws(ReadingError) -> Int {
    try slice(offset, width).reduce(0) { $0 << 8 | Int($1) }
  }

  /// A little-endian number of 8 bytes that is a place or a size in this file.
  func size(_ offset: Int) throws(ReadingError) -> Int {
    let high = try little(offset + 4)
    let low = try little(offset)
    guard high == 0, low <= bytes.count else { throw ReadingError("byte \(offset): a size beyond the file") }
    return low
  }

  /// Where a text begins, at `start` or later.
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
