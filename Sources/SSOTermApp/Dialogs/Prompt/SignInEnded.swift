extension KeyContext { static let signInEnded = KeyContext("sign-in ended") }

/// A dialog that replaces a prompt whose program no longer waits for the answer.
///
/// Only Esc and Enter have an effect, because the user may be typing a password at that moment.
struct SignInEnded: TextWindow {
  /// The program's name.
  var client: String

  static let keys: [KeyContext: [KeyCommand]] = [
    .signInEnded: [.close([.escape, .enter], "close", name: "close", "Goes back to the screen.")]
  ]

  var context: KeyContext { .signInEnded }
  var title: String { "Sign-in" }
  var mostWidth: Int { 64 }

  func lines(width: Int) -> [PanelLine] {
    let why = "It has ended or cancelled its call, or the sign-in was answered in another terminal."
    return wrapped("✗ \(client) no longer waits for this sign-in.", width, indent: "  ").map {
      PanelLine($0, .bad)
    } + [PanelLine("")] + wrapped(why, width).map { PanelLine($0) }
  }
}
