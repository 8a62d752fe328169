import Essentials

/// A reader for a few strings of a cache entity's JSON, which creates no other values, for lists of a hundred thousand.
///
/// It scans only the top level. It leaves what it does not handle (an escape, a nested value, damage) to
/// ``JSONParser``, so the result for valid JSON is the same but takes longer.
package struct EntityText {
  private let keys: [[UInt8]]

  package init(_ keys: [String]) { self.keys = keys.map { Array($0.utf8) } }

  /// Returns the strings of the keys, in order, with `nil` for each value that is absent or not a string.
  ///
  /// Returns `nil` if the data is not a JSON object.
  package func read(_ data: Data) -> [String?]? {
    let quick = data.withUnsafeBytes { raw -> [String?]? in
      var scan = Scan(bytes: raw.bindMemory(to: UInt8.self))
      return scan.texts(keys)
    }
    if let quick { return quick }
    guard let fields = try? JSONParser.parse(data).object else { return nil }
    return keys.map { fields[String(decoding: $0, as: UTF8.self)]?.string }
  }
}

private struct Scan {
  let bytes: UnsafeBufferPointer<UInt8>
  var position = 0

  init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  mutating func texts(_ keys: [[UInt8]]) -> [String?]? {
    var found = [String?](repeating: nil, count: keys.count)
    guard take(UInt8(ascii: "{")) else { return nil }
    if take(UInt8(ascii: "}")) { return found }
    repeat {
      guard let key = string(), take(UInt8(ascii: ":")) else { return nil }
      let wanted = keys.firstIndex { $0.count == key.count && $0.elementsEqual(bytes[key]) }
      if peek() == UInt8(ascii: "\"") {
        guard let text = string() else { return nil }
        if let wanted { found[wanted] = String(decoding: bytes[text], as: UTF8.self) }
      } else {
        guard skipValue() else { return nil }
        if let wanted { found[wanted] = nil }
      }
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}")) ? found : nil
  }

  private mutating func peek() -> UInt8? {
    while position < bytes.count, bytes[position] == 0x20 || (0x09...0x0D).contains(bytes[position]) {
      position += 1
    }
    return position < bytes.count ? bytes[position] : nil
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    position += 1
    return true
  }

  /// Returns the range between the quotation marks, or `nil` if it contains an escape.
  private mutating func string() -> Range<Int>? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      if bytes[position] == UInt8(ascii: "\\") { return nil }
      position += 1
    }
    guard position < bytes.count else { return nil }
    position += 1
    return start..<(position - 1)
  }

  /// Skips a positive integer or a literal name; any other value is left to the parser.
  private mutating func skipValue() -> Bool {
    guard let first = peek() else { return false }
    for word in [StaticString("true"), "false", "null"] where word.utf8Start.pointee == first {
      let end = position + word.utf8CodeUnitCount
      guard end <= bytes.count else { return false }
      defer { position = end }
      return bytes[position..<end].elementsEqual(
        UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }
    guard (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(first) else { return false }
    while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
      position += 1
    }
    return true
  }
}
