import Testing

@testable import SSOLab
@testable import SSOTermApp
@testable import TerminalUI

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

@Suite("Keys and commands of one's own") struct OwnKeysTests {
  private func model(_ text: String) throws -> AppModel {
    var model = Sample.model(.apps)
    model.shared.keys = KeyTable(Settings.examined(text, file: "c.yaml").settings)
    return model
  }

  private static func picture(of model: AppModel) -> String {
    var grid = Grid(width: 100, height: 30)
    view(model, into: &grid)
    return grid.text()
  }

  private func press(_ key: Character, _ model: inout AppModel) -> [Command] {
    update(&model, .event(.key(.character(key))))
  }

  @Test func theKeyRunsItTheOldOneDoesNotAndBarAndHelpSayIt() throws {
    var model = try model("keys: {silent: [S, F2], help: [H]}")
    #expect(Self.picture(of: model).contains("S silent") && !Self.picture(of: model).contains("s silent"))
    #expect(Self.picture(of: model).contains("H help"))
    _ = press("s", &model)
    #expect(model.notice?.text.hasPrefix("s does nothing here") == true)
    _ = press("S", &model)
    #expect(model.working != nil)
    _ = press("H", &model)
    #expect(
      model.topDialog(Help.self)?.rows.contains { $0.term == "S F2" && $0.command?.isSet == true } == true)
  }

  @Test func textsNameThePersonsKeys() throws {
    let table = KeyTable(Settings.examined("keys: {undo: U, mouse: []}", file: "c.yaml").settings)
    #expect(
      table.fill("Undo with {undo}; {mouse}; {apps}; {no such} {") == "Undo with U; :mouse; 1; {no such} {")
    #expect(KeyTable.standard.fill("Undo with {undo}.") == "Undo with z.")
  }

  @Test(arguments: [
    ("keys: {undo: U}", KeyContext.effects, "undo this", ["Esc", "U"]),
    ("keys: {undo: q}", .effects, "undo this", ["Esc"]),
    ("keys: {undo: []}", .effects, "undo this", ["Esc"]),
    ("keys: {why: D, explain: [X, F3]}", .why, "the rule", ["X", "F3"]),
    ("keys: {why: D}", .visibility, "why these", ["Enter", "D"]),
    ("keys: {why: f}", .why, "with another app", ["w"]),
    ("keys: {help: H}", .why, "help", ["H"]),
    ("keys: {copy: Y}", .picker, "copy ID", ["Y"]),
    ("keys: {quit: X}", .why, "back from here", ["Esc", "X"]),
    ("keys: {demo next: F4}", .signIn, "demo next", ["F4"]),
    ("keys: {redraw: R}", .filter, "redraw", ["C-l"]),
    ("keys: {redraw: F9}", .fieldEdit, "redraw", ["F9"]),
  ])
  func aDialogHasThePersonsKeys(
    _ text: String, _ context: KeyContext, _ name: String, _ keys: [String]
  ) throws {
    let table = KeyTable(Settings.examined(text, file: "c.yaml").settings)
    #expect(table.commands(in: context).first { $0.name == name }?.keys.map(\.displayText) == keys)
  }

  @Test func dialogsNameThePersonsKeys() throws {
    var model = try model("keys: {undo: U}")
    model.shared.open(Effects(summary: "clock +1h", lines: []))
    #expect(!Self.picture(of: model).contains(" z "))
    let undo = model.shared.keys.commands(in: .effects).first { $0.name == "undo this" }
    #expect(undo.map(model.shared.keys.sentence) == "Undoes the change, as U does.")
    model.dialogs = []
    model.shared.open(FieldEdit(adding: .app))
    #expect(Self.picture(of: model).contains("U undoes it"))
  }

  @Test func aCommandGetsItsValuesAsWholeArguments() throws {
    var model = try model("commands: [{name: show, key: X, run: 'printf $ROW:$CLIENT_ID \"$ACCOUNT x\"'}]")
    guard case .runProgram(let program)? = press("X", &model).first else {
      Issue.record("nothing is run")
      return
    }
    let app = try #require(model.selection.app)
    #expect(
      program.words == ["printf", app.bundleID + ":" + app.clientID, (app.accounts.first ?? "") + " x"])
    #expect(program.variables["CLIENT_ID"] == app.clientID)
    #expect(!program.variables.values.contains { $0.contains("eyJ") }, "no secret")
  }

  @Test func aCommandThatAsksIsRunByEnterOnly() throws {
    var model = try model("commands: [{name: show, key: X, run: 'ls $ROW', confirm: true}]")
    #expect(press("X", &model).isEmpty)
    #expect(Self.picture(of: model).contains("Run “show”?"))
    _ = update(&model, .event(.key(.escape)))
    #expect(model.dialogs.isEmpty)
    _ = press("X", &model)
    let commands = update(&model, .event(.key(.enter)))
    guard case .runProgram? = commands.first else {
      Issue.record("Enter runs it")
      return
    }
    #expect(model.dialogs.isEmpty)
  }

  @Test func aValueThatIsMissingOrLooksLikeAnOptionIsRefused() throws {
    var model = try model(
      "commands: [{name: show, key: X, run: 'ls $CORRELATION_ID'}, {name: up, key: K, run: 'ls $ROW'}]")
    #expect(press("X", &model).isEmpty)
    #expect(model.notice?.text.contains("nothing that is selected has $CORRELATION_ID") == true)
    model.lab.apps[0].bundleID = "--output=/etc/passwd"
    #expect(press("K", &model).isEmpty)
    #expect(model.notice?.text.contains("which programs take for an option") == true)
  }
}
