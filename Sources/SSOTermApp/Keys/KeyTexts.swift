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

  /// What commands of `ssoterm` are on the screens.
  private static let onScreens = [
    ("ssoterm why APP", "{why} on the app"), ("ssoterm explain", ":explain"),
    ("ssoterm fault list", "{faults} shows the faults"), ("ssoterm status", "{lab} Lab"),
    ("ssoterm keychain", "{keychain} Keychain"), ("ssoterm policy list", "{lab} Lab shows the policies"),
    ("ssoterm registration set", ":registration set"), ("ssoterm undo", "{undo}"),
  ]

  /// An advice of the command line, as it is followed on the screens.
  func onScreens(_ advice: String) -> String {
    guard advice.contains("ssoterm ") else { return advice }
    return fill(
      Self.onScreens.reduce(advice) { $0.replacing($1.0, with: $1.1) })
  }

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
