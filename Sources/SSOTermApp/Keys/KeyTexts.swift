/// How the keys of commands are written, for texts that name them.
struct KeyTexts: Equatable, Sendable {
  private let byName: [String: String]

  /// Of a command without a key the way in which the palette runs it.
  init(of commands: [KeyCommand]) {
    byName = Dictionary(commands.map { ($0.name, $0.keyText.isEmpty ? ":" + $0.name : $0.keyText) }) {
      first, _ in
      first
    }
  }

  /// An advice of the command line, as it is followed on the screens.
  func onScreens(_ advice: String) -> String { fill(AdviceOnScreens.text(advice)) }

  /// A text with the keys of the commands that it names: `{undo}` becomes `z`.
  func fill(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
    var parts = text.split(separator: "{", omittingEmptySubsequences: false)[...]
    var filled = String(parts.removeFirst())
    for part in parts {
      let name = part.prefix { $0 != "}" }
      if name.count < part.count, let word = byName[String(name)] {
        filled += word + part.dropFirst(name.count + 1)
      } else {
        filled += "{" + part
      }
    }
    return filled
  }
}
