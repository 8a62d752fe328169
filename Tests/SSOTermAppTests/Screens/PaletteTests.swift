import SSOReference
import TerminalUI
import Testing

@testable import SSOLab
@testable import SSOTermApp

struct PaletteTests {
  private func press(_ model: inout AppModel, _ key: KeyPress) -> [Command] {
    update(&model, .event(.key(key)))
  }

  private func lines(_ model: AppModel) -> [String] {
    guard let palette = model.topDialog(Palette.self) else { return [] }
    return palette.suggestions(in: model.behind).map(\.line)
  }

  private func text(_ model: AppModel) -> String? {
    guard let palette = model.topDialog(Palette.self) else { return nil }
    return palette.field.text
  }

  @Test(arguments: [
    ("sil", "silent"), ("rpt", "repeat"), ("ch acc", "choose account"), ("acc exp", "account expire"),
    ("one hour on", "clock +1h"), ("clk", "clock +1h"), ("clock", "clock"),
    ("current", "current"), ("wipe ca", "wipe cache"), ("sign out browser", "browser signout"),
  ])
  func whatIsMeantComesFirst(_ typed: String, _ name: String) {
    let model = FrameSample.pressed(Sample.model(.apps), ":" + typed)
    #expect(lines(model).first == name)
  }

  @Test func tabCompletesTheNameAndThenTheArgument() {
    var model = FrameSample.pressed(Sample.model(.apps), ":sil")
    _ = press(&model, .tab)
    #expect(text(model) == "silent ")
    model = FrameSample.pressed(model, "chat")
    _ = press(&model, .tab)
    #expect(text(model) == "silent com.contoso.chat")
    let intent = AnyIntent(
      AcquireSilently(
        app: "com.contoso.chat", account: nil, scopes: [], forceRefresh: false))
    #expect(press(&model, .enter) == [.perform(intent, [])])
    #expect(model.dialogs.isEmpty)
  }

  @Test func aDemoThatIsNotThereIsNoPlaceToGo() {
    var model = FrameSample.pressed(Sample.model(.apps), ":go ")
    #expect(lines(model) == Place.tabs.filter { $0 != .demo }.map { "go " + $0.title.lowercased() })
    let command = KeyTable.standard.commands(in: .apps).first { $0.action == Action(NavigationAction.go) }
    #expect(command.map { model.run($0, "demo") } == [])
    #expect(model.place == .apps)
  }

  @Test func aCommandOfAnotherScreenAsksForItsArgumentFirst() {
    var model = FrameSample.pressed(Sample.model(.tokens), ":signout")
    #expect(press(&model, .enter).isEmpty)
    #expect(text(model) == "signout ")
    model = FrameSample.pressed(model, "mail")
    #expect(
      press(&model, .enter)
        == [.load(.blastRadius(of: SignOut(app: "com.contoso.mail", account: nil)))])
  }

  @Test(
    arguments: [
      ("clock +90m", [.perform(MoveClock(bySeconds: 5400))]),
      ("clock -1d", [.perform(MoveClock(bySeconds: -86_400))]),
      ("clock reset", [.perform(MoveClock(bySeconds: nil))]),
      ("expire t2 t4", [.change(.expire, .credentials(["t2", "t4"]))]),
      ("invalidate t3", [.change(.invalidate, .credentials(["t3"]))]),
      ("expire all", [.change(.expire, .credentials(["t1", "t2", "t3", "t4"]))]),
      (
        "account expire grace",
        [.change(.expire, .accessTokens([TokenScope(account: "grace@outlook.example")]))]
      ),
      ("forget grace", [.load(.blastRadius(of: ForgetAccount(account: "grace@outlook.example")))]),
      ("go trace", [.load(.status), .load(.traces)]), ("go trace/2", [.load(.status), .load(.trace(2))]),
      ("copy client", [.copy(Copy(text: Sample.client, label: "client ID"))]),
    ] as [(String, [Command])])
  func anArgumentSaysWhatIsMeant(_ line: String, _ commands: [Command]) {
    var model = FrameSample.pressed(Sample.model(.tokens), ":" + line)
    #expect(press(&model, .enter) == commands)
  }

  @Test func aNameThatFitsNothingRunsNothing() {
    var model = FrameSample.pressed(Sample.model(.apps), ":silent nobody")
    #expect(lines(model).isEmpty)
    #expect(press(&model, .enter).isEmpty)
    #expect(text(model) == "silent nobody")
  }

  @Test func upRecallsWhatWasRunAndDownComesBackToWhatWasTyped() {
    var model = FrameSample.pressed(Sample.model(.apps), ":clock +1d")
    _ = press(&model, .enter)
    model = FrameSample.pressed(model, ":filter mail")
    _ = press(&model, .enter)
    #expect(model.history == ["clock +1d", "filter mail"])
    model = FrameSample.pressed(model, ":und")
    for expected in ["filter mail", "clock +1d", "clock +1d"] {
      _ = press(&model, .up)
      #expect(text(model) == expected)
    }
    for expected in ["filter mail", "und"] {
      _ = press(&model, .down)
      #expect(text(model) == expected)
    }
  }

  @Test(
    arguments: [
      (.apps, "silent ", "ssoterm silent com.contoso.mail"),
      (.apps, "choose", "ssoterm signin com.contoso.mail --prompt select_account"),
      (.apps, "current chat", "ssoterm current com.contoso.chat"),
      (.apps, "browser signout chat", "ssoterm signout com.contoso.chat --browser"),
      (.apps, "wipe account chat", "ssoterm signout com.contoso.chat --wipe-account"),
      (.apps, "wipe cache chat", "ssoterm signout com.contoso.chat --wipe-cache"),
      (.apps, "signout chat", "ssoterm signout com.contoso.chat"), (.apps, "undo", "ssoterm undo"),
      (.apps, "clock -1h", "ssoterm clock -1h"), (.tokens, "expire ", "ssoterm expire t1"),
      (.tokens, "delete t1 t2", "ssoterm delete t1 t2"),
      (.accounts, "forget ", "ssoterm forget ada@contoso.com"),
      (.trace(2), "trace export mermaid", "ssoterm trace export 2 --as mermaid"),
      (.trace(2), "note it's here", "ssoterm trace note 2 1 'it'\\''s here'"),
      (.apps, "go tokens/mail", "ssoterm tui tokens/mail"),
    ] as [(Place, String, String)])
  func controlXCopiesTheCommandLine(_ place: Place, _ line: String, _ words: String) {
    var model = FrameSample.pressed(Sample.model(place), ":" + line)
    #expect(press(&model, .control("x")) == [.copy(Copy(text: words, label: "command"))])
  }

  @Test func theCommandLineNamesAStoreThatIsNotTheUsualOne() {
    var model = Sample.model(.apps)
    model.lab.storeOption = "/tmp/my lab.sqlite"
    model = FrameSample.pressed(model, ":undo")
    #expect(
      press(&model, .control("x"))
        == [.copy(Copy(text: "ssoterm undo --store '/tmp/my lab.sqlite'", label: "command"))])
  }

  /// Regression: a log of last year said that its clock was moved.
  @Test func aLogHasNoClockToMove() {
    var model = Sample.model(.traces)
    #expect(model.obstacle(to: ClockAction.forward) == nil)
    model.lab.logFacts = "3 calls"
    #expect(model.obstacle(to: ClockAction.forward) == "a log has no clock")
    #expect(press(&model, .character("t")).isEmpty)
    #expect(model.notice?.text.contains("a log has no clock") == true)
  }

  @Test func readonlyRefusesAnArgumentToo() {
    var model = Sample.model(.apps)
    model.lab.isReadOnly = true
    model = FrameSample.pressed(model, ":clock +1h")
    #expect(press(&model, .enter).isEmpty)
    #expect(model.notice?.text.contains("reading only") == true)
  }

  @Test(
    arguments: [
      ("export", "trace export", Place.traces), ("issue", "issue", .apps), ("decline", "decline", .provider),
    ] as [(String, String, Place)])
  func aCommandOfAnotherScreenIsFoundAndGoesThere(_ typed: String, _ name: String, _ place: Place) {
    var model = FrameSample.pressed(Sample.model(.apps), ":" + typed)
    #expect(lines(model).first == name)
    _ = press(&model, .enter)
    #expect(model.place == place && model.topDialog(Palette.self) == nil)
  }

  /// The words of the key bar and of docs/terms.md find the command, on any screen.
  @Test(arguments: ["who reuses", "who can reuse whose", "matrix"])
  func theGridIsFoundByItsWords(_ typed: String) {
    var model = FrameSample.pressed(Sample.model(.traces), ":" + typed)
    #expect(lines(model).first == "who reuses")
    model = FrameSample.pressed(Sample.model(.traces), "?" + typed)
    #expect(model.topDialog(Help.self)?.selected?.command?.name == "who reuses")
  }

  /// As in the palette, a name comes before a description.
  @Test func theFilterOfTheHelpRanksNamesFirst() {
    let model = FrameSample.pressed(Sample.model(.apps), "?presenter")
    #expect(model.topDialog(Help.self)?.selected?.command?.name == "presenter")
  }

  /// Regression: a customer's log had the apps of the usual lab beside it.
  @Test func aLogHasNoApps() {
    var model = Sample.model(.traces)
    model.lab.logFacts = "3 calls"
    #expect(model.tabs == [.traces])
    #expect(press(&model, .character("1")).isEmpty && model.place == .traces)
    #expect(model.notice?.text.contains("a log has no apps") == true)
    #expect(press(&model, .character("!")).isEmpty && model.place == .traces)
    #expect(!lines(FrameSample.pressed(model, ":mail")).contains("Mail"))
  }

  /// The help of an opened trace has the commands of other screens too.
  @Test func theHelpOfAnOpenedTraceFindsCommandsOfOtherScreens() throws {
    var keys = try LabByKeys("contoso-suite")
    keys.signIn()
    keys.press("4\r?lifetimes")
    #expect(keys.model.topDialog(Help.self)?.selected?.command?.name == "lifetimes")
  }

  /// A record that was opened from the list of records has its own name in the path.
  @Test func thePathOfARecordHasItsName() throws {
    var keys = try LabByKeys("contoso-suite")
    keys.press("6")
    _ = keys.model.open(.record(RecordID(kind: .person, name: "ada@contoso.com")))
    #expect(keys.text.contains("6 Lab > Ada Lovelace"), "\(keys.text)")
  }

  @Test func thingsAreFoundByName() throws {
    var keys = try LabByKeys("contoso-suite")
    keys.press(":my test app 3")
    #expect(lines(keys.model).first == "My Test App 3")
    keys.press("\r")
    #expect(keys.model.screens.apps.selected(keys.model.shared)?.displayName == "My Test App 3")
    keys.press(":two-v")
    #expect(lines(keys.model).first == "two-vendors")
    keys.press("\r")
    #expect(keys.model.place == .scenarios && keys.model.screens.scenarios.selected?.name == "two-vendors")
    keys.press(":-5000")
    #expect(lines(keys.model).prefix(2) == ["-50000", "-50001"])
    keys.press("\r")
    #expect(keys.model.topDialog(Explained.self)?.codes.first?.code == "-50000")
  }

  @Test func aThemeIsSetAndPreviewedInItsList() {
    var model = FrameSample.pressed(Sample.model(.apps), ":dark")
    #expect(lines(model).first == "theme dark")
    _ = press(&model, .enter)
    #expect(model.theme == .dark && model.shownTheme == .dark)
    _ = press(&model, .function(9))
    _ = press(&model, .down)
    #expect(model.theme == .dark && model.shownTheme == .light)
    _ = press(&model, .escape)
    #expect(model.shownTheme == .dark)
  }

  @Test func aThemeIsPreviewedInThePalette() {
    var model = FrameSample.pressed(Sample.model(.apps), ":theme li")
    #expect(lines(model).first == "theme light")
    #expect(model.theme == nil && model.shownTheme == .light)
    _ = press(&model, .escape)
    #expect(model.shownTheme == nil)
    // The command of the same name shows the list, and its line none of the themes.
    model = FrameSample.pressed(model, ":theme")
    #expect(lines(model).first == "theme" && model.shownTheme == nil)
    _ = press(&model, .down)
    #expect(model.shownTheme != nil)
  }

  /// A word of a description counts only from its beginning, and after every name.
  @Test func namesComeBeforeDescriptions() {
    let found = lines(FrameSample.pressed(Sample.model(.apps), ":tok"))
    #expect(found.first == "tokens")
    #expect(!found.contains("open") || found.firstIndex(of: "open") ?? 0 > 0)
  }

  /// A user is found even before signing in, and before the scenarios whose names have the same letters.
  @Test(
    arguments: [
      ("ada", "Ada Lovelace", RecordKind.person), ("contoso sui", "Contoso Suite", .registration),
      ("iphone", "Ada's iPhone", .device), ("5b1f3c2e", "Contoso", .tenant),
    ])
  func recordsAreFoundByName(_ typed: String, _ title: String, _ kind: RecordKind) throws {
    var keys = try LabByKeys("contoso-suite")
    keys.press(":" + typed)
    #expect(lines(keys.model).first == title)
    keys.press("\r")
    #expect(keys.model.place.screen == .records && keys.model.screens.lab.selected?.record?.kind == kind)
    #expect(keys.model.screens.lab.selected?.title == title)
  }

  @Test func aPasteRightAfterTheKeyIsTyped() {
    var model = FrameSample.pressed(Sample.model(.apps), ":")
    _ = update(&model, .event(.paste("silent")))
    #expect(text(model) == "silent")
  }
}
