import SSOCore
import SSOProvider
import SSOReference
import TerminalUI
import Testing

@testable import SSOLab
@testable import SSOTermApp

/// Each key has an effect or says why not, Esc closes the innermost layer, and errors can be read in full.
struct KeyAnswerTests {
  private let small = Size(width: 80, height: 24)

  private func text(_ model: AppModel, _ size: Size? = nil) -> String {
    FrameSample("", model).frame(size ?? small).text()
  }

  @Test(
    arguments: [
      (
        .apps, "d",
        "d does nothing here: it is “delete” on 3 Tokens and 5 Keychain, “fault clear” on 7 Provider, “withdraw” on 9 Scenarios."
      ),
      (.apps, "x", "x: there is no guide; on 4 Trace it exports the trace."),
      (.tokens, "#", "# does nothing here."),
      (.traces, "f", "f does nothing here: it is “forget” on 2 Accounts, “failed” on 9 Scenarios."),
      (.trace(2), "F", "F does nothing here: it is “follow” on the list of traces."),
      (.trace(2), "[", "[: first step."), (.provider, "\r", "Enter: no sign-in waits."),
    ] as [(Place, String, String)])
  func aKeyThatDoesNothingSaysWhy(_ place: Place, _ keys: String, _ words: String) {
    var model = FrameSample.pressed(Sample.model(place), "M")
    #expect(FrameSample.commands(&model, keys) == [])
    #expect(model.notice?.text == words)
  }

  @Test func aKeyWithoutMeaningInADialogSaysSoToo() {
    var model = FrameSample.pressed(Sample.model(.apps), "?")
    #expect(update(&model, .event(.key(.function(9)))) == [])
    #expect(model.notice?.text == "F9 does nothing here.")
  }

  @Test func zoomIsNamedEndsWithTheSameKeyWithEscapeAndOnAnotherScreen() {
    var zoomed = FrameSample.pressed(Sample.model(.apps), "+")
    #expect(text(zoomed).contains("_ all panels") && text(zoomed).contains("ZOOM"))
    for key in ["+", "_", "4"] as [Character] {
      var model = zoomed
      _ = update(&model, .event(.key(.character(key))))
      #expect(!model.isZoomed, "\(key)")
    }
    _ = update(&zoomed, .event(.key(.escape)))
    #expect(!zoomed.isZoomed)
    let opened = FrameSample.pressed(Sample.model(.traces), "")
    var model = opened
    model.isZoomed = true
    _ = update(&model, .event(.key(.enter)))
    #expect(!model.isZoomed)
  }

  @Test func aMenuTakesArrowsAndEnterAsWellAsItsLetters() {
    var model = FrameSample.pressed(Sample.model(.apps), "O")
    for key in [KeyPress.down, .character("j"), .up, .down, .enter] {
      _ = update(&model, .event(.key(key)))
    }
    #expect(model.mainList.sorting?.column == AppColumn.redirect.rawValue && model.dialogs.isEmpty)
    model = FrameSample.pressed(Sample.model(.apps), "yj")
    #expect(update(&model, .event(.key(.enter))) == [.copy(Copy(text: Sample.client, label: "client ID"))])
    model = FrameSample.pressed(Sample.model(.apps), ",x")
    #expect(model.notice?.text == "x does nothing here." && model.dialogs.count == 1)
    #expect(FrameSample.pressed(model, "q").dialogs.isEmpty)
    // No menu has a letter that moves in lists.
    for context in [.copyMenu, .exportMenu] as [KeyContext] {
      for letter in "jkgG" { #expect(KeyTable.standard.find(.character(letter), in: context) == nil) }
    }
  }

  @Test func theColumnMenuSaysWhichColumnsHaveNoRoom() {
    let model = FrameSample.pressed(Sample.model(.apps), ",")
    #expect(text(model).contains("[x] REDIRECT URI  no room in this window"))
    var wide = Sample.model(.apps)
    wide.size = Size(width: 200, height: 40)
    #expect(FrameSample.pressed(wide, ",").columns.allSatisfy { $0.hasRoom })
  }

  @Test func helpGoesToItsEndAndByHalfPages() {
    var model = FrameSample.pressed(Sample.model(.apps), "?")
    func selection() -> Int? { model.topDialog(Help.self)?.list.state.selection }
    let count = model.topDialog(Help.self)?.list.count ?? 0
    _ = update(&model, .event(.key(.control("d"))))
    #expect(selection() == 6)
    _ = update(&model, .event(.key(.end)))
    #expect(selection() == count - 1)
    _ = update(&model, .event(.key(.home)))
    #expect(selection() == 0)
  }

  @Test func escapeShowsAllOfANarrowedListBeforeItClosesIt() {
    var model = FrameSample.pressed(Sample.model(.apps), "?exp")
    #expect(update(&model, .event(.key(.escape))) == [])
    #expect(model.topDialog(Help.self)?.list.isFiltered == false)
    #expect(update(&model, .event(.key(.escape))) == [] && model.dialogs.isEmpty)
  }

  /// Regression: the help said that only the selected app loses the account.
  @Test func signingOutSaysInHelpAndBeforeItHappensWhomItConcerns() throws {
    var keys = try LabByKeys("contoso-suite")
    keys.signIn()
    keys.press("jjo")
    let losses = keys.model.topDialog(Confirmation.self)?.radius.losses.map(\.app) ?? []
    #expect(losses == ["My Test App 1", "My Test App 2", "My Test App 3"])
    let command = KeyTable.standard.find(.character("o"), in: .apps)
    #expect(command?.sentence.contains("and of the apps that share its tokens") == true)
  }

  @Test(
    arguments: [
      ("clock banana", "“banana” is not an argument of clock. Try +1h | -30m | reset."),
      ("app set clientID=foo", "“clientID=foo” is not an argument of app set."),
      ("app set", "It needs an argument; Tab goes there."),
      ("nosuchthing", "No command, app, account, record, trace, or code matches."),
    ])
  func thePaletteSaysWhatAnArgumentMayBe(_ line: String, _ words: String) {
    #expect(text(FrameSample.pressed(Sample.model(.apps), ":" + line)).contains(words))
  }

  @Test func escapeOnTheEffectsOfAChangeUndoesItAndTheKeyBarSaysSo() throws {
    var keys = try LabByKeys("contoso-suite")
    keys.signIn()
    keys.press("jC\r")
    keys.press(.control("u"))
    keys.press("F6G7H8I9J0\r")
    #expect(keys.model.topDialog(Effects.self) != nil)
    #expect(keys.text.contains("Enter keep  Esc undo"))
    keys.press(.escape)
    #expect(keys.model.dialogs.isEmpty && keys.text.contains("A1B2C3D4E5"))
  }

  @Test func aDemoInWhichSomethingWasDoneAsksBeforeItIsLost() throws {
    var model = Sample.model(.apps)
    #expect(FrameSample.commands(&model, "q") == [.finish(.quit)], "its store is a file")
    model.lab.status?.storePath = nil
    #expect(FrameSample.commands(&model, "q") == [] && text(model).contains("Quit the demo?"))
    #expect(update(&model, .event(.key(.escape))) == [] && model.dialogs.isEmpty)
    #expect(FrameSample.commands(&model, "qq") == [.finish(.quit)])
    model.dialogs = []
    #expect(FrameSample.commands(&model, "Q") == [.finish(.quit)])
    #expect(update(&model, .event(.key(.control("c")))) == [.finish(.cancelled)])
    model.lab.status?.canUndo = nil
    #expect(FrameSample.commands(&model, "q") == [.finish(.quit)], "nothing was done")
  }

  @Test func anErrorIsShortAndItsNextStepIsAKeyThatIsNeverCutOff() throws {
    var keys = try LabByKeys("contoso-suite")
    keys.signIn()
    keys.press("eIes")
    let frame = text(keys.model)
    #expect(frame.contains("Press i to sign in.") && frame.contains("W explain"))
    #expect(!frame.contains("UserInfo="), "\(frame)")
    #expect(keys.model.notice?.printed.contains("UserInfo=") == true)
    #expect(!FrameSample.pressed(keys.model, "?").dialogs.isEmpty)
    #expect(
      !text(FrameSample.pressed(keys.model, "?")).contains("Press i to sign in"), "stale below a dialog")
    keys.press("W")
    #expect(text(keys.model, Size(width: 120, height: 40)).contains("As the SDK prints it"))
    var model = Sample.model(.apps)
    let long = Array(repeating: "words without end", count: 60).joined(separator: " ")
    _ = update(&model, .failed(Problem(what: long, next: "Sign in first: \(.signIn, "APP")")))
    #expect(text(model).contains("…") && text(model).contains("Sign in first: i on the app"))
  }

  @Test func anErrorThatWasExplainedIsStillThereAndCanBeExplainedAgain() throws {
    var keys = try LabByKeys("contoso-suite")
    keys.press("s")
    let said = try #require(keys.model.notice)
    for _ in 0..<2 {
      keys.press("W")
      #expect(keys.model.topDialog(Explained.self)?.codes.map(\.code) == ["-50002"])
      keys.press(.escape)
      #expect(keys.model.notice == said && text(keys.model).contains("W explain"))
    }
    keys.press("j")
    #expect(keys.model.notice == nil)
  }

  /// The screens word an action as the key or the place that does the same, and the command line as a command.
  @Test(
    arguments: [
      (
        "\(.signIn, "APP")", "Press i to sign in.",
        "ssoterm signin APP"
      ),
      (
        "Name one: \(.silent, "com.contoso.mail", with: [.account: "ada@contoso.com"])",
        "Name one: s on the app", "Name one: ssoterm silent com.contoso.mail --account ada@contoso.com"
      ),
      (
        "\(.why, "APP"); to undo it: \(.undo)", "w on the app; to undo it: z",
        "ssoterm why APP; to undo it: ssoterm undo"
      ),
      ("\(.undoForAnyone)", "ssoterm undo --anyone", "ssoterm undo --anyone"),
      ("Use \(.explain) with the code.", "Use :explain with the code.", "Use ssoterm explain with the code."),
      (
        "\(.set, "registration", "APP", "spaRedirectURIs+=URI").",
        ":registration set APP spaRedirectURIs+=URI.", "ssoterm registration set APP spaRedirectURIs+=URI."
      ),
      (
        "\(.set, "app", "mail", "displayName=My app")", ":app set mail displayName=My app",
        "ssoterm app set mail displayName='My app'"
      ),
      (
        "\(.add, "policy", "NAME", with: [.require: "compliantDevice"])", "6 Lab",
        "ssoterm policy add NAME --require compliantDevice"
      ),
      (
        "\(.addFault, "token", "503", with: [.times: "1"])", "! Provider",
        "ssoterm fault add token 503 --times 1"
      ),
      ("The people are in \(.status).", "The people are in 6 Lab.", "The people are in ssoterm status."),
      (
        "Its key (\(.exportKey)), then: \(.importKey, "FILE", with: [.store: "my lab"])",
        "Its key (ssoterm key export), then: ssoterm key import FILE --store 'my lab'",
        "Its key (ssoterm key export), then: ssoterm key import FILE --store 'my lab'"
      ),
      ("Use ssoterm {undo}.", "Use ssoterm {undo}.", "Use ssoterm {undo}."),
    ] as [(Advice, String, String)])
  func adviceNamesKeysOnTheScreens(_ advice: Advice, _ words: String, _ commandLine: String) {
    #expect(KeyTable.standard.displayText(advice) == words)
    #expect(advice.commandLine == commandLine)
  }

  /// Each key, place, and line of the palette that advice may name is one of the screens.
  @Test(arguments: Advice.Verb.allCases)
  func everyActionOfAdviceIsRegistered(_ verb: Advice.Verb) {
    let keys = KeyTable.standard
    let words = keys.displayText("\(verb, "app")")
    #expect(!words.contains("{") && !words.contains("*"), "\(words)")
    guard words.hasPrefix(":") else { return }
    #expect(keys.names.contains { words.dropFirst().hasPrefix($0) }, "\(words)")
  }

  @Test func aCancelledCallNamesItsCodeAndTheErrorPageItsCodeOnce() throws {
    var keys = try LabByKeys("contoso-suite")
    keys.press("i")
    keys.press(.escape)
    #expect(keys.model.notice?.text == "· Cancelled by the user. (-50005)")
    let page = text(Sample.prompt(.errorPage(Sample.errorPage)), Size(width: 120, height: 40))
    #expect(page.split(separator: "AADSTS50011").count == 2)
    #expect(page.contains("7f1c22e2-aaaa-4bbb") && page.contains("the app gets -50005"))
  }

  @Test func downFillsInWhoIsSignedInToTheBrowser() {
    var model = Sample.prompt(.signIn(Sample.signIn(.username)))
    for name in ["ada@contoso.com", "bob@contoso.com", "ada@contoso.com"] {
      _ = update(&model, .event(.key(.down)))
      #expect(model.topDialog(PromptDialog.self)?.field.text == name)
    }
  }

  @Test func aHopThatFailedIsToldByAMark() {
    var trace = Sample.trace
    trace.hops[1].checks = [Sample.failed]
    var model = Sample.model(.trace(2))
    _ = update(&model, .loaded(.trace(trace)))
    for size in [Size(width: 120, height: 40), Size(width: 60, height: 20)] {
      #expect(text(model, size).contains("✗ "), "\(size)")
    }
  }

  /// A path is truncated at the start, where all paths are alike.
  @Test func theHeaderNamesTheStoreByItsPath() {
    let model = Sample.model(.apps)
    #expect(text(model).prefix { $0 != "\n" }.contains("….local/share/ssoterm/store.sqlite "))
    let narrow = text(model, Size(width: 60, height: 20)).prefix { $0 != "\n" }
    #expect(narrow.contains("…") && narrow.contains("store.sqlite "), "\(narrow)")
  }

  @Test func onlyWhatIsNotAsUsualIsLoudInTheHeader() {
    var model = Sample.model(.apps)
    model.lab.status?.clockOffset = nil
    model.lab.status?.waitingCount = 2
    let grid = FrameSample("", model).frame(Size(width: 120, height: 40))
    let line = Array(grid.text().prefix { $0 != "\n" })
    let loud = line.indices.filter { grid[$0, 0].style.reverse }.map { line[$0] }
    #expect(String(loud) == " WAITS 2 ")
  }
}
