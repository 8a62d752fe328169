import Testing

@testable import SSOTermApp

/// The key map, whose only source is the table.
struct KeyTableTests {
  @Test(
    arguments: [
      (.apps, "siceIaocyzZ.ut T?:/nNvOP,M+_-RqQ12345678<>wWC!"), (.accounts, "EafyzZ.utT?:/nN v+_-wWC"),
      (.tokens, "eIdEvyu z/nN +_wWC"), (.keychain, "eIdyv z/nNO,wWC"), (.traces, "xFpyO,/nNwWC"),
      (.doctor, "eyrwWC/"),
      (.trace, "][ m';xy/nNwWC"), (.provider, "sadDpo!y/"), (.records, "z/nNwW+_y"),
      (.picker, "123456789/+-fi?"), (.signOutOne, "12/fiy?"), (.pick, "123456789/i?"),
    ] as [(KeyContext, String)])
  func everyLetterOfTheKeymapIsBound(_ context: KeyContext, _ letters: String) {
    for letter in letters {
      #expect(KeyTable.standard.find(.character(letter), in: context) != nil, "\(letter) in \(context)")
    }
  }

  @Test func movementReachesEveryEnd() {
    var model = Sample.model(.apps)
    func press(_ key: KeyPress) -> Int {
      _ = update(&model, .event(.key(key)))
      return model.screens.apps.list.state.selection
    }
    let keys: [(KeyPress, Int)] = [
      (.character("G"), 4), (.character("g"), 0), (.character("g"), 0), (.end, 4), (.home, 0), (.pageDown, 4),
      (.pageUp, 0), (.control("d"), 2), (.control("u"), 0), (.down, 1), (.up, 0), (.character("j"), 1),
      (.character("k"), 0),
    ]
    for (key, row) in keys { #expect(press(key) == row, "\(key)") }
  }

  /// These are prefixes of multiplexers, flow control, and keys that a macOS terminal reserves.
  @Test func noCommandTakesAKeyThatATerminalNeeds() {
    let kept = Set("abqsyov\\").map { KeyPress.control($0) }
    for command in KeyTable.contexts.flatMap(KeyTable.standard.commands) {
      #expect(Set(command.keys).isDisjoint(with: kept), "\(command.name)")
    }
  }

  @Test func aKeyOfAFormIsNotALetter() {
    for context in [.signIn, .help, .palette, .note, .choice, .fieldEdit] as [KeyContext] {
      for key in KeyTable.standard.commands(in: context).flatMap(\.keys) {
        // On the sign-in page, the keys for a demo's steps are letters once something has been typed.
        if case .character(let letter) = key, context != .signIn || !"><".contains(letter) {
          Issue.record("\(letter) cannot be typed in \(context)")
        }
      }
    }
  }
}
