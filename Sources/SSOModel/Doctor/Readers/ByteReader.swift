import Essentials

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
