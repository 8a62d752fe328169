@testable import SSOCore

extension Randomness {
  /// Returns the text with one to four mutations.
  ///
  /// The result is always valid UTF-8.
  package mutating func damaged(_ text: String, inserting hurtful: [String] = Self.hurtful) -> String {
    String(decoding: damaged(Array(text.utf8), inserting: hurtful), as: UTF8.self)
  }

  /// Returns the bytes with one to four mutations: changed, removed, or repeated bytes, or an insertion that hurts
  /// readers.
  package mutating func damaged(_ whole: [UInt8], inserting hurtful: [String] = Self.hurtful) -> [UInt8] {
    var bytes = whole
    for _ in 0...below(4) {
      let place = below(bytes.count + 1)
      switch below(7) {
      case 0 where place < bytes.count: bytes[place] = UInt8(truncatingIfNeeded: next())
      case 1 where place < bytes.count: bytes[place] ^= 1 << UInt8(below(8))
      case 2: bytes.removeSubrange(place..<min(bytes.count, place + 1 + below(12)))
      case 3: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 1 + below(40))], at: place)
      case 4: bytes.removeLast(min(bytes.count, below(30)))
      default: bytes.insert(contentsOf: Array(pick(hurtful).utf8), at: place)
      }
    }
    return bytes
  }

  package static let hurtful = [
    "%", "%00", "%zz", "%F0%9F", "&", "=", "&&", "?", "#", "://", "//", "..", "\0", "\u{1B}[2J", "\u{202E}",
    "\n", "+",
    "9223372036854775808", "-1", "A", "é", "🙂", "\"", "{", "[", "\\", ":", " ", "msauth", "broker",
    "//broker?",
    String(repeating: "a", count: 5000), String(repeating: "&a=b", count: 300),
  ]

  package static let yaml = [
    "- ", "  ", "\t", ": ", "{", "}", "[", "]", "&a ", "*a", "!!int ", "|\n", "? ", "#", "'", "\"", "null",
    "true", "-1",
    "1e999", "99999999999999999999", "inherit: contoso-suite\n", "patch:\n", "steps: []\n", "\u{1B}", "🙂",
    "---\n", "...\n",
    "<<: *a\n", String(repeating: "[", count: 70), String(repeating: "x", count: 3000),
  ]
}

/// Returns whether a message is not empty and not excessively long.
///
/// Quoted text is made safe to display where it is printed.
package func isPresentable(_ message: String) -> Bool {
  !message.isEmpty && message.utf8.count < 100_000
}
