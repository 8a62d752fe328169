import SSOReference
import TerminalUI
import Testing

@testable import SSOLab
@testable import SSOTermApp

struct UpdateTests {
  private func press(_ model: inout AppModel, _ key: KeyPress) -> [Command] {
    update(&model, .event(.key(key)))
  }

  @Test(
    arguments: [
      (
        "s",
        Command.perform(
          AcquireSilently(app: "com.contoso.mail", account: nil, scopes: [], forceRefresh: false), [])
      ),
      ("i", .perform(Sample.intent, [])),
      ("e", .change(.expire, .accessTokens([Sample.mailScope]))),
      ("I", .change(.invalidate, .refreshTokens([Sample.mailScope]))),
      ("o", .load(.blastRadius(of: SignOut(app: "com.contoso.mail", account: "ada@contoso.com")))),
      ("z", .undo), ("t", .perform(MoveClock(bySeconds: 3600))),
      ("T", .perform(MoveClock(bySeconds: nil))),
      ("q", .finish(.quit)), ("Q", .finish(.quit)),
    ] as [(Character, Command)])
  func aKeyOnAppsAsksForOneThing(_ key: Character, _ command: Command) {
    var model = Sample.model(.apps)
    #expect(press(&model, .character(key)) == [command])
  }

  @Test func redoWithNothingToRedoSaysSo() {
    var model = Sample.model(.apps)
    #expect(press(&model, .character("Z")).isEmpty)
    #expect(model.notice?.text == "Z: nothing to redo.")
  }

  @Test func deletingACredentialAsksFirstAndEnterAloneCancels() {
    var model = Sample.model(.tokens)
    #expect(press(&model, .character("d")) == [.load(.blastRadius(of: ChangeCredentials(.delete, ["t1"])))])
    _ = update(&model, .loaded(.blastRadius(AnyIntent(ChangeCredentials(.delete, ["t1"])), Sample.radius)))
    #expect(press(&model, .enter).isEmpty)
    #expect(model.dialogs.isEmpty)
  }

  @Test func confirmedRemovalIsPerformed() {
    var model = Sample.model(.accounts)
    _ = update(&model, .loaded(.blastRadius(AnyIntent(ForgetAccount(account: Sample.home)), Sample.radius)))
    _ = press(&model, .tab)
    #expect(press(&model, .enter) == [.perform(ForgetAccount(account: Sample.home))])
  }

  @Test func escapeClearsTheFilterFirstAndNeverQuits() {
    var model = FrameSample.pressed(Sample.model(.apps), "/mail")
    #expect(model.screens.apps.list.countText == "1 of 5")
    _ = press(&model, .enter)
    #expect(press(&model, .escape).isEmpty)
    #expect(model.screens.apps.list.countText == "5")
    #expect(press(&model, .escape).isEmpty)
  }

  @Test func selectionStaysOnItsRowWhenOthersAppear() {
    var model = FrameSample.pressed(Sample.model(.apps), "jj")
    #expect(model.screens.apps.selected(model.shared)?.displayName == "Chat")
    _ = update(&model, .loaded(.apps(Array(Sample.apps.reversed()))))
    #expect(model.screens.apps.selected(model.shared)?.displayName == "Chat")
  }

  @Test func aRevealedTokenIsMaskedAgainAtTheDeadline() {
    var model = Sample.model(.tokens)
    #expect(press(&model, .character("v")) == [.load(.detail("t1", revealed: true))])
    _ = update(&model, .loaded(.detail(Sample.detail(revealed: true), revealed: true)))
    #expect(frame(model).contains("SECRETSECRET"))
    for left in (1...9).reversed() {
      #expect(model.alarms[.conceal]?.milliseconds == 1000)
      #expect(update(&model, .alarm(.conceal)).isEmpty)
      #expect(frame(model).contains("Secret  \(left) s  (v again: +10 s)"))
    }
    #expect(update(&model, .alarm(.conceal)) == [.load(.detail("t1", revealed: false))])
    #expect(!frame(model).contains("SECRETSECRET"))
    #expect(model.alarms[.conceal] == nil)
  }

  @Test func aSecretIsShownForTenMoreSecondsIfItIsRevealedAgain() {
    var model = Sample.model(.tokens)
    for seconds in [10, 20] {
      _ = press(&model, .character("v"))
      _ = update(&model, .loaded(.detail(Sample.detail(revealed: true), revealed: true)))
      #expect(frame(model).contains("Secret  \(seconds) s"))
    }
  }

  @Test func enterOnAnAppOpensItsTokensAndEscapeComesBack() {
    var model = Sample.model(.apps)
    let scope = TokenScope(
      clientID: Sample.client, redirectURI: "msauth.com.contoso.mail://auth", title: "Mail")
    #expect(press(&model, .enter) == [.load(.tokens(scope))])
    #expect(press(&model, .escape) == [.load(.apps), .load(.traces)])
    #expect(model.place == .apps)
  }

  @Test func traceStepsForwardAndBack() {
    var model = FrameSample.pressed(Sample.model(.trace(2)), "].][")
    #expect(model.screens.trace.list.state.selection == 2)
    _ = press(&model, .escape)
    #expect(model.place == .traces)
  }

  /// If scrolling went beyond the end, the user would have to press the opposite key as often.
  @Test func aPanelOfTextScrollsToItsEndAndNoFurther() {
    var model = Sample.model(.tokens)
    let low = Size(width: 80, height: 18)
    model.size = low
    func text(_ model: AppModel) -> String { FrameSample("", model).frame(low).text() }
    _ = press(&model, .tab)
    _ = press(&model, .character("G"))
    let end = text(model)
    #expect(model.scroll > 0 && text(FrameSample.pressed(model, "jjj")) == end)
    #expect(text(FrameSample.pressed(model, "jjjk")) != end)
  }

  @Test func aPanelOfTextThatFitsDoesNotScroll() {
    var model = FrameSample.pressed(Sample.model(.accounts), "j")
    model.size = Size(width: 120, height: 40)
    _ = press(&model, .tab)
    #expect(FrameSample.pressed(model, "jG").scroll == 0)
  }

  @Test func aWindowTooSmallToSeeAnythingTakesNoKeyButThoseThatLeave() {
    var model = Sample.model(.apps)
    model.size = Size(width: 39, height: 12)
    for key in "siIedz:/q" { #expect(press(&model, .character(key)).isEmpty) }
    _ = update(&model, .event(.paste("x")))
    #expect(model.dialogs.isEmpty && press(&model, .control("c")) == [.finish(.cancelled)])
    model.size = Size(width: 40, height: 12)
    #expect(!press(&model, .character("s")).isEmpty)
  }

  @Test func pastedTextIsCutWhereAFilterHasNoUseForIt() {
    var model = FrameSample.pressed(Sample.model(.apps), "/")
    for _ in 0..<3 { _ = update(&model, .event(.paste(String(repeating: "x ", count: 50_000)))) }
    #expect(model.screens.apps.list.query.text.count == 200)
  }

  /// The next step to take is at the end of the error.
  @Test func anErrorThatIsLongCanBeReadToItsEnd() {
    var model = Sample.model(.apps)
    let problem = Problem(
      what: "Port 8443 is in use.", why: "Another program listens on 127.0.0.1, and a port has one listener.",
      next: "Choose another one: o")
    _ = update(&model, .failed(problem))
    #expect(frame(model).contains("listener. Choose another one: o"))
    #expect(!frame(model).contains("W explain"))
    #expect(!frame(FrameSample.pressed(model, "?")).contains("Choose another one"))
    _ = update(&model, .failed(Problem(what: "MSALErrorDomain -50000", why: "The app was not configured.")))
    #expect(frame(model).contains("W explain"))
  }

  @Test func pathOpensAScreenUnderAFilter() {
    var model = AppModel(title: "demo")
    #expect(model.follow(path: "tokens/mail") == [.load(.status), .load(.tokens(.everything))])
    #expect(model.screens.tokens.list.query.text == "mail")
  }

  private func frame(_ model: AppModel) -> String {
    var grid = Grid(width: 80, height: 24)
    view(model, into: &grid)
    return grid.text()
  }
}
