/// The formatting of log texts for display: without secrets, on one line, and truncated.
enum LogText {
  static let longest = 600
  /// The maximum size, in bytes, of a text that is kept unchanged until it is shown; a longer text is kept as it is
  /// shown.
  static let longestKept = 1024

  /// Returns a text for display, with single spaces for white space and hashes for secrets
  /// (``Redaction/text(_:taken:)``).
  static func shown(_ text: String) -> String {
    let line = isPlain(text) ? text : text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let clean = Redaction.text(line)
    return clean.count > longest ? clean.prefix(longest) + "…" : clean
  }

  /// Returns whether a text is ASCII on one line with single spaces between its words, as most lines are.
  private static func isPlain(_ text: String) -> Bool {
    var previous = UInt8(ascii: " ")
    for byte in text.utf8 {
      guard 0x20...0x7E ~= byte, byte != 0x20 || previous != 0x20 else { return false }
      previous = byte
    }
    return previous != 0x20
  }
}
