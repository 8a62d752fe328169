/// The escape sequence that copies text to the clipboard of the user's terminal, including over SSH (OSC 52).
struct Clipboard {
  /// The approximate maximum number of bytes that terminals accept.
  static let limit = 74_994

  enum Multiplexer { case none, tmux, screen }

  /// - Returns: The escape sequence, or `nil` if the text is too long.
  static func sequence(for text: String, through multiplexer: Multiplexer) -> String? {
    let bytes = Array(text.utf8)
    guard bytes.count <= limit else { return nil }
    let sequence = "\u{1B}]52;c;\(base64(bytes))\u{7}"
    switch multiplexer {
    case .none: return sequence
    case .tmux:
      // tmux accepts the plain sequence if `set-clipboard` is `on`; otherwise, it may pass through the wrapped one.
      let doubled = sequence.split(separator: "\u{1B}", omittingEmptySubsequences: false)
        .joined(separator: "\u{1B}\u{1B}")
      return sequence + "\u{1B}Ptmux;\(doubled)\u{1B}\\"
    case .screen:
      var wrapped = ""
      var rest = sequence.unicodeScalars[...]
      while !rest.isEmpty {  // screen has a small string buffer
        wrapped += "\u{1B}P\(String(rest.prefix(240)))\u{1B}\\"
        rest = rest.dropFirst(240)
      }
      return wrapped
    }
  }

  static func base64(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var word = group.reduce(0) { $0 << 8 | Int($1) }
      word <<= 8 * (3 - group.count)
      for position in 0..<4 {
        text.append(position <= group.count ? alphabet[word >> (18 - 6 * position) & 63] : "=")
      }
    }
    return text
  }
}
