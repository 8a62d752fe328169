import Essentials
import SSOCore

/// A check of the JSON that Gson reads, with which MSAL for Android loads its configuration.
///
/// Gson takes more than JSON has: comments, single quotes, no quotes, `;` for a comma, `=` for a colon, and gaps in
/// arrays. The check makes no values. It only finds the first byte at which Gson gives up.
///
/// Source: google/gson, `JsonReader`, lenient, and `Gson.fromJson`, which reads the document to its end.
struct LenientJSON {
  private let bytes: [UInt8]
  private var index = 0

  private static let depthLimit = 100
  /// The characters at which a text without quotes ends.
  private static let ends = Set("/\\;#={}[]:, \t\u{C}\r\n".utf8)

  /// Returns the line of a document at which Gson gives up, or `nil` if it reads the document.
  static func line(ofErrorIn bytes: [UInt8]) -> Int? {
    var reader = LenientJSON(bytes: bytes)
    // A byte order mark.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.index = 3 }
    guard !reader.takeDocument() else { return nil }
    return bytes.prefix(reader.index).count { $0 == UInt8(ascii: "\n") } + 1
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func takeDocument() -> Bool {
    guard takeValue(depth: 0) else { return false }
    skipSpace()
    return index == bytes.count
  }

  private mutating func takeValue(depth: Int) -> Bool {
    skipSpace()
    // The check says nothing about a document that is nested too deeply.
    guard depth < Self.depthLimit else {
      index = bytes.count
      return true
    }
    if take("{") { return takeObject(depth: depth + 1) }
    if take("[") { return takeArray(depth: depth + 1) }
    return takeText()
  }

  private mutating func takeObject(depth: Int) -> Bool {
    skipSpace()
    if take("}") { return true }
    while true {
      skipSpace()
      guard takeText() else { return false }
      skipSpace()
      guard take(":") || take("=") else { return false }
      _ = take(">")
      guard takeValue(depth: depth) else { return false }
      skipSpace()
      if take("}") { return true }
      guard take(",") || take(";") else { return false }
    }
  }

  private mutating func takeArray(depth: Int) -> Bool {
    while true {
      skipSpace()
      if take("]") { return true }
      // A gap is a null.
      if take(",") || take(";") { continue }
      guard takeValue(depth: depth) else { return false }
      skipSpace()
      if take("]") { return true }
      guard take(",") || take(";") else { return false }
    }
  }

  /// Takes a string, a name, or a word, with quotes or without.
  private mutating func takeText() -> Bool {
    guard index < bytes.count else { return false }
    let quote = bytes[index]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      let start = index
      while index < bytes.count, !Self.ends.contains(bytes[index]) { index += 1 }
      return index > start
    }
    let start = index
    index += 1
    while index < bytes.count {
      if bytes[index] == quote {
        index += 1
        return true
      }
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    // The string that nothing closes is where to look.
    index = start
    return false
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
