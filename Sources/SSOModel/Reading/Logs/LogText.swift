/// How pieces of a log's text are shown: without secrets, in one line, cut.
enum LogText {
  static let longest = 600
  /// Bytes of a text that may be kept as it is until it is shown; of a longer one only what is shown is kept.
  static let longestKept = 1024

  /// White space becomes one space; secrets become their hashes (``Redaction/text(_:taken:)``).
  static func shown(_ text: String) -> String {
    let line = isPlain(text) ? text : text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let clean = Redaction.text(line)
    return clean.count > longest ? clean.prefix(longest) + "…" : clean
  }

  /// Whether it is ASCII in one line, with single spaces between its words: most lines are.
  private static func isPlain(_ text: String) -> Bool {
    var previous = UInt8(ascii: " ")
    for byte in text.utf8 {
      guard 0x20...0x7E ~= byte, byte != 0x20 || previous != 0x20 else { return false }
      previous = byte
    }
    return previous != 0x20
  }
}
