import Essentials
import SSOCore

/// A document as Gson reads it, with which MSAL for Android loads its configuration.
///
/// Gson takes more than JSON has: comments, single quotes, no quotes, `;` for a comma, `=` for a colon, and gaps in
/// arrays, each of which is a null.
///
/// Source: google/gson, `JsonReader`, lenient, and `Gson.fromJson`, which reads the document to its end.
struct LenientJSON {
  let value: JSONValue
  /// The line of each key where it occurs first, counted from 1.
  private let lines: [String: Int]
  private let linesInSections: [String: [String: Int]]

  /// - Throws: `ReadingError` with the line at which Gson gives up.
  init(_ text: String) throws(ReadingError) {
    var reading = LenientReading(bytes: Array(text.utf8))
    guard let value = reading.takeDocument() else {
      throw ReadingError(line: reading.line, "not a JSON document")
    }
    (self.value, lines, linesInSections) = (value, reading.lines, reading.linesInSections)
  }

  /// Returns the line of the first key with a name, or `nil` if there is none.
  func line(of key: String) -> Int? { lines[key] }

  /// Returns the line of the first key with a name in an object that is the value of another key, `section`.
  func line(of key: String, in section: String) -> Int? { linesInSections[section]?[key] }
}

/// A document that is being read, up to the byte at an index.
///
/// Each function returns `nil` where Gson gives up.
private struct LenientReading {
  let bytes: [UInt8]
  private(set) var lines: [String: Int] = [:]
  /// The lines of the keys by the key whose value their object is.
  private(set) var linesInSections: [String: [String: Int]] = [:]
  private var index = 0
  /// The place up to which line ends have been counted, and their number.
  private var counted = (index: 0, lines: 0)

  /// Source: google/gson, `JsonReader.DEFAULT_NESTING_LIMIT`.
  private static let depthLimit = 255
  /// The characters at which a text without quotes ends.
  private static let ends = Set("/\\;#={}[]:, \t\u{C}\r\n".utf8)

  init(bytes: [UInt8]) {
    self.bytes = bytes
    // A byte order mark.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  var line: Int {
    mutating get {
      // A string or a comment that nothing closes goes back to its start, which is after the last key.
      let end = max(counted.index, min(index, bytes.count))
      counted.lines += bytes[counted.index..<end].count { $0 == UInt8(ascii: "\n") }
      counted.index = end
      return counted.lines + 1
    }
  }

  mutating func takeDocument() -> JSONValue? {
    guard let value = takeValue(depth: 0) else { return nil }
    skipSpace()
    return index == bytes.count ? value : nil
  }

  private mutating func takeValue(depth: Int, in section: String? = nil) -> JSONValue? {
    skipSpace()
    guard depth < Self.depthLimit else { return nil }
    if take("{") { return takeObject(depth: depth + 1, section) }
    if take("[") { return takeArray(depth: depth + 1) }
    guard index < bytes.count else { return nil }
    return isQuote(bytes[index]) ? takeString().map(JSONValue.string) : takeWord().map(Self.value(of:))
  }

  private mutating func takeObject(depth: Int, _ section: String?) -> JSONValue? {
    var members: [String: JSONValue] = [:]
    skipSpace()
    if take("}") { return .object(members) }
    while true {
      skipSpace()
      let place = line
      guard index < bytes.count, let key = isQuote(bytes[index]) ? takeString() : takeWord() else {
        return nil
      }
      if lines[key] == nil { lines[key] = place }
      if let section, linesInSections[section]?[key] == nil {
        linesInSections[section, default: [:]][key] = place
      }
      skipSpace()
      guard take(":") || take("=") else { return nil }
      _ = take(">")
      guard let value = takeValue(depth: depth, in: key) else { return nil }
      members[key] = value
      skipSpace()
      if take("}") { return .object(members) }
      guard take(",") || take(";") else { return nil }
    }
  }

  private mutating func takeArray(depth: Int) -> JSONValue? {
    var elements: [JSONValue] = []
    while true {
      skipSpace()
      if take("]") { return .array(elements) }
      if take(",") || take(";") {
        elements.append(.null)
        continue
      }
      guard let value = takeValue(depth: depth) else { return nil }
      elements.append(value)
      skipSpace()
      if take("]") { return .array(elements) }
      guard take(",") || take(";") else { return nil }
    }
  }

  private func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

  /// Takes a name or a value without quotes.
  private mutating func takeWord() -> String? {
    let start = index
    while index < bytes.count, !Self.ends.contains(bytes[index]) { index += 1 }
    return index > start ? String(decoding: bytes[start..<index], as: UTF8.self) : nil
  }

  /// Returns the value that a text without quotes has.
  private static func value(of word: String) -> JSONValue {
    switch word.lowercased() {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    default: break
    }
    if let number = Int64(word) { return .integer(number) }
    let isNumeric = word.allSatisfy { "0123456789+-.eE".contains($0) }
    return isNumeric ? Double(word).map(JSONValue.number) ?? .string(word) : .string(word)
  }

  private mutating func takeString() -> String? {
    let (start, quote) = (index, bytes[index])
    var text: [UInt8] = []
    index += 1
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == quote { return String(decoding: text, as: UTF8.self) }
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        continue
      }
      guard let characters = takeEscape() else { return nil }
      text += characters
    }
    // The string that nothing closes is where to look.
    index = start
    return nil
  }

  /// Takes what follows a backslash.
  private mutating func takeEscape() -> [UInt8]? {
    guard index < bytes.count else { return [] }
    let byte = bytes[index]
    index += 1
    switch byte {
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "\n"), UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
      return [byte]
    case UInt8(ascii: "u"):
      guard let unit = takeUnit() else { return nil }
      guard unit & 0xFC00 == 0xD800, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
        bytes[index + 1] == UInt8(ascii: "u")
      else { return Array(String(decoding: [unit], as: UTF16.self).utf8) }
      index += 2
      return takeUnit().map { Array(String(decoding: [unit, $0], as: UTF16.self).utf8) }
    default: return nil
    }
  }

  /// Takes four hexadecimal digits.
  private mutating func takeUnit() -> UInt16? {
    let digits = bytes[index...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else {
      return nil
    }
    index += 4
    return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  /// Skips white space and comments; a comment that does not end stays.
  private mutating func skipSpace() {
    while index < bytes.count {
      if [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) {
        index += 1
      } else if begins("#") || begins("//") {
        while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
      } else if begins("/*") {
        let start = index
        index += 2
        while index < bytes.count, !begins("*/") { index += 1 }
        guard index < bytes.count else {
          index = start
          return
        }
        index += 2
      } else {
        return
      }
    }
  }

  private func begins(_ sign: String) -> Bool { bytes[index...].starts(with: sign.utf8) }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }
}
