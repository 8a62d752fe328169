extension KeyContext { static let signInEnded = KeyContext("sign-in ended") }

/// Takes the place of a prompt whose program no longer waits for the answer.
///
/// Only Esc and Enter act, as the person may be typing a password at that moment.
struct SignInEnded: DialogComponent {
  /// The program's name.
  var client: String

  static let keys: [KeyContext: [KeyCommand]] = [
    .signInEnded: [.close([.escape, .enter], "close", name: "close", "Goes back to the screen.")]
  ]

  var context: KeyContext { .signInEnded }

  func draw(in model: AppModel, into grid: inout Grid, _ layout: Layout) {
    let width = min(64, layout.size.width)
    let why = "It has ended or cancelled its call, or the sign-in was answered in another terminal."
    let text =
      wrapped("✗ \(client) no longer waits for this sign-in.", width - 4, indent: "  ").map {
        PanelLine($0, .bad)
      } + [PanelLine("")] + wrapped(why, width - 4).map { PanelLine($0) }
    let area = layout.body.centred(width: width, height: min(layout.body.height, text.count + 2))
    grid.lines(text, in: grid.window(area, "Sign-in"))
  }
}
