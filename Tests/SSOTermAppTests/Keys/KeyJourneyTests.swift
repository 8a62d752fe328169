import Foundation
import TerminalUI
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSOLab
@testable import SSOProvider
@testable import SSOTermApp

/// A user's actions on the Lab and Provider screens, on a real lab.
struct KeyJourneyTests {
  @Test(arguments: TestEngine.allCases)
  func anotherTeamBreaksTheSecondAppWhyNamesItAndUndoMendsIt(_ engine: TestEngine) throws {
    var keys = try LabByKeys("contoso-suite", on: engine)
    keys.signIn()
    keys.press("jC\r")
    keys.press(.control("u"))
    keys.press("F6G7H8I9J0\r")
    guard let effects = keys.model.topDialog(Effects.self) else { return #expect(Bool(false)) }
    #expect(
      effects.lines.contains { $0.hasPrefix("My Test App 2: ") && $0.contains("its team differs from") })
    #expect(keys.text.contains("→ My Test App 2: "))
    keys.press("\rwwmytestapp1\r")
    guard let why = keys.model.topDialog(Why.self) else { return #expect(Bool(false)) }
    #expect(why.selected?.name == "same team" && why.selected?.verdict == .failed)
    keys.press(.escape)
    keys.press("z")
    let mended = try keys.lab.read {
      try $0.why.app("com.contoso.mytestapp2", with: "com.contoso.mytestapp1")
    }
    #expect(mended.sections[0].checks.allSatisfy { $0.verdict == .passed })
    #expect(keys.model.screens.lab.selectedField?.id == "teamID" && keys.text.contains("A1B2C3D4E5"))
  }

  @Test(arguments: TestEngine.allCases)
  func aCredentialUnderThreeRedirectURIsIsOne(_ engine: TestEngine) throws {
    var keys = try LabByKeys("contoso-suite", on: engine)
    keys.signIn()
    keys.press("3")
    #expect(
      keys.model.screens.tokens.list.count == 13 && keys.model.screens.tokens.countText(inPanel: 0) == "3")
    keys.press("g")
    #expect(
      keys.text.contains("1 AT, 1 ID, 1 RT") && keys.text.contains("msauth.com.contoso.mytestapp3://auth"))
    keys.press("/AT\r")
    #expect(keys.model.screens.tokens.countText(inPanel: 0) == "1 of 3")
  }

  /// Regression: an item of one app was listed under another app's name.
  @Test(arguments: TestEngine.allCases)
  func aFilterKeepsTheHeadingsOfWhatItFinds(_ engine: TestEngine) throws {
    var keys = try LabByKeys("contoso-suite", on: engine)
    keys.signIn()
    keys.press("3/mytestapp2\r")
    let shown = keys.model.screens.tokens.list.matches.compactMap { keys.model.screens.tokens.line($0) }
    #expect(shown.map(\.depth) == [0, 1, 2, 2, 2])
    #expect(shown.dropFirst().allSatisfy { $0.id.contains("mytestapp2") })
    #expect(keys.text.contains("3 of 3") && !keys.text.contains("of 13"))
    keys.press(.escape)
    keys.press("/type:rt\r")
    let depths = keys.model.screens.tokens.list.matches.compactMap {
      keys.model.screens.tokens.line($0)?.depth
    }
    #expect(depths == [0, 1, 2, 1, 2, 1, 2])
  }

  /// Regression: they kept their tick, and an exported trace did not mention the undo.
  @Test(arguments: TestEngine.allCases)
  func whatWasUndoneIsMarkedInEventsTracesAndExports(_ engine: TestEngine) throws {
    var keys = try LabByKeys("contoso-suite", on: engine)
    keys.signIn()
    keys.press("ez")
    let events = keys.model.screens.apps.events
    #expect(events.map(\.isUndone) == [true, false])
    #expect(keys.text.contains("↶ The access token") && keys.text.contains("(undone)"))
    keys.press("z4")
    #expect(keys.text.components(separatedBy: "↶ undone: ").count == 4 && !keys.text.contains("✓ Token"))
    let trace = try #require(try keys.lab.read { try $0.traces.trace(events[1].id) })
    for form in ExportForm.allCases {
      #expect(exportText(trace, as: form).contains("undone"), "\(form.word)")
    }
    #expect(trace.json["undone"] == .bool(true))
    keys.press("Z")
    #expect(keys.model.screens.traces.rows.map(\.isUndone) == [true, false])
  }

  @Test(arguments: TestEngine.allCases)
  func anAppsTokensAreThoseOfItsRedirectURI(_ engine: TestEngine) throws {
    var keys = try LabByKeys("contoso-suite", on: engine)
    keys.signIn()
    keys.press("\r")
    #expect(keys.model.screens.tokens.lines.map(\.depth) == [0, 1, 2, 2, 2])
    #expect(!keys.text.contains("mytestapp2://"))
  }

  @Test(arguments: TestEngine.allCases)
  func theVariantsOfSigningOutSayWhatTheyTake(_ engine: TestEngine) throws {
    var keys = try LabByKeys("contoso-suite", on: engine)
    keys.signIn()
    keys.press(":wipe cache mytestapp2\r")
    guard let wipe = keys.model.topDialog(Confirmation.self) else { return #expect(Bool(false)) }
    #expect(wipe.title == "Sign ada@contoso.com out of My Test App 2, wipeCacheForAllAccounts")
    #expect(wipe.radius.itemCount == 7)
    keys.press(.escape)
    keys.press(":current mytestapp2\r")
    #expect(keys.model.notice?.text.contains("ada@contoso.com is signed in") == true)
  }

  @Test func helpHasGroupsAndListsLastInEachWhatCannotBeDoneNow() throws {
    var keys = try LabByKeys("contoso-suite")
    keys.press("?")
    guard let help = keys.model.topDialog(Help.self) else { return #expect(Bool(false)) }
    let here = help.rows.filter { $0.topic == .here }
    let headings = here.map(\.heading)
    #expect(Set(headings).isSuperset(of: ["Calls", "Tokens", "Explain and change"]))
    #expect(groupHeadings(headings).count == Set(headings).count, "each group is in one piece")
    #expect(keys.text.contains(" Calls ") && keys.text.contains(" Tokens "))
    for heading in Set(headings) {
      let can = here.filter { $0.heading == heading }.compactMap(\.command)
        .map { keys.model.behind.obstacle(to: $0.action.value) == nil }
      #expect(can == can.filter { $0 } + can.filter { !$0 }, "\(heading)")
    }
  }

  @Test func helpHasTopicsAndTypingLooksThroughAllOfThem() throws {
    var keys = try LabByKeys("contoso-suite")
    func help() -> Help? { keys.model.topDialog(Help.self) }
    keys.press("?")
    #expect(help()?.topic == .here && help()?.list.count == help()?.rows.filter { $0.topic == .here }.count)
    keys.press(.tab)
    keys.press(.tab)
    #expect(help()?.topic == .moving)
    #expect(help()?.rows.contains { $0.topic == .moving && $0.term == "j k ↓ ↑" } == true)
    keys.press(.enter)
    #expect(keys.model.notice?.text.contains("this row is not a command") == true && help() != nil)
    keys.press("C-u half")
    #expect(help()?.selected?.term == "C-d C-u" && help()?.list.count == 1)
    keys.press(.escape)
    #expect(help()?.topic == .moving && help()?.list.isFiltered == false)
    keys.press("silent expire")
    keys.press(.escape)
    keys.press("@e")
    #expect(help()?.list.count ?? 0 > 0)
    keys.press(.escape)
    keys.press(.backTab)
    keys.press(.backTab)
    #expect(help()?.topic == .here)
    keys.press("clock +1h")
    keys.press(.enter)
    #expect(help() == nil)
    #expect(try keys.lab.status().clockOffset == 3600)
  }

  @Test(arguments: TestEngine.allCases)
  func theBrokerComesByMDMAndTheAppsSayWhatThatChanges(_ engine: TestEngine) throws {
    var keys = try LabByKeys("contoso-suite", on: engine)
    keys.press("6\r")
    #expect(keys.model.screens.lab.selected?.record?.kind == .device)
    keys.press("/push\r")
    keys.press("\r")
    guard let effects = keys.model.topDialog(Effects.self) else { return #expect(Bool(false)) }
    #expect(effects.lines.contains { $0.contains("broker ") && $0.contains("(before: ") })
    #expect(try keys.lab.status().brokerInstalled)
    keys.press("z")
    #expect(try !keys.lab.status().brokerInstalled)
  }

  @Test(arguments: TestEngine.allCases)
  func appsPeopleAndPoliciesComeAndGo(_ engine: TestEngine) throws {
    var keys = try LabByKeys("contoso-suite", on: engine)
    keys.press("6/apps\r")
    keys.press("\r\rcom.contoso.four\r")
    #expect(try keys.lab.read { try $0.apps.rows() }.contains { $0.bundleID == "com.contoso.four" })
    if keys.model.topDialog(Effects.self) != nil { keys.press(.enter) }
    keys.press(.escape)
    keys.press(.escape)
    // The lab has no policy, no group, and no role: their first action adds a group.
    keys.press("/policies\r")
    keys.press("\rj\rapproved\r")
    #expect(
      try keys.lab.read { try $0.status.conditionalAccess() }.policies.map(\.requires) == [.approvedApp])
    #expect(keys.model.notice?.kind == .good)
  }

  @Test func aLetterGoesToItsRowAndTheSameLetterAgainOpensIt() throws {
    var keys = try LabByKeys("contoso-suite")
    keys.press("'")
    let targets = Jump.targets(in: keys.model)
    #expect(targets.prefix(3).map(\.touch.target) == (0..<3).map { Touch.Target.row(list: 0, number: $0) })
    #expect(targets.prefix(3).map(\.letter) == ["a", "s", "d"])
    #expect(targets.dropFirst(3).contains { $0.touch.target == .tab(Place.traces.tab) })
    keys.press("s")
    #expect(keys.model.screens.apps.selected(keys.model.shared)?.displayName == "My Test App 2")
    keys.press("'x")
    #expect(keys.model.notice?.text == "x: no row has this letter.")
    keys.press("s")
    #expect(keys.model.place.screen == .tokens && keys.model.dialogs.isEmpty)
  }

  /// An event whose title continues on the next line is a single target.
  @Test func anEventOfSeveralLinesHasOneLetter() throws {
    var keys = try LabByKeys("contoso-suite")
    keys.signIn()
    let places = Jump.targets(in: keys.model).map(\.touch.target).filter {
      if case .place = $0 { true } else { false }
    }
    #expect(keys.text.contains("✓ sign in My Test") && places.count == 1)
  }

  @Test(arguments: TestEngine.allCases)
  func aFaultIsSetTheHeaderSaysSoAndItIsCleared(_ engine: TestEngine) throws {
    var keys = try LabByKeys("contoso-suite", on: engine)
    keys.press("!a\r429:7\r\r")
    #expect(
      try keys.lab.read { try $0.provider.faults() } == [
        Fault(.token, .throttled(retryAfter: 7), remaining: 1)
      ])
    #expect(keys.text.prefix { $0 != "\n" }.contains("faults 1"))
    keys.press("d")
    #expect(try keys.lab.read { try $0.provider.faults() }.isEmpty)
    #expect(!keys.text.prefix { $0 != "\n" }.contains("faults"))
  }

  @Test(arguments: TestEngine.allCases)
  func aRealProgramsSignInIsAnsweredWhereItComesUp(_ engine: TestEngine) throws {
    var keys = try LabByKeys("contoso-suite", on: engine)
    try keys.lab.registerExternalClients()
    let client = try #require(try keys.lab.read { try $0.directory.wellKnownClients() }.first)
    // The program, and the server that it uses, listen.
    let program = try #require(LoopbackListener())
    defer { program.end() }
    keys.take(.server(.starting(port: program.port)))
    keys.take(.server(.on))
    let request = HTTPRequest(
      "GET", origin: "https://localhost:\(program.port)",
      path: "/common/oauth2/v2.0/authorize",
      query: [
        NameValue("client_id", client.clientID), NameValue("response_type", "code"),
        NameValue("redirect_uri", "http://localhost:\(program.port)"), NameValue("scope", "openid"),
        NameValue("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
        NameValue("code_challenge_method", "S256"),
      ])
    #expect(try keys.lab.serve(request, approval: .terminal).startsWaiting)
    keys.take(.server(.waits))
    #expect(keys.text.contains("\(client.displayName) asks. Its page shows "))
    keys.answerPages()
    #expect(keys.model.dialogs.isEmpty)
    #expect(keys.model.notice?.text.hasPrefix("✓ \(client.displayName) continues in the browser") == true)
    #expect(try keys.lab.read { try $0.provider.waitingSignIns() }.isEmpty)
  }

  /// The device's browser and the picker show a number, in every size, so that the user can compare the two.
  @Test(arguments: TestEngine.allCases)
  func thePickerOfADeviceCodeShowsTheNumberOfItsPage(_ engine: TestEngine) throws {
    var keys = try LabByKeys("contoso-suite", on: engine)
    try keys.lab.registerExternalClients()
    let client = try #require(try keys.lab.read { try $0.directory.wellKnownClients() }.first)
    let server = try #require(LoopbackListener())
    defer { server.end() }
    keys.take(.server(.starting(port: server.port)))
    keys.take(.server(.on))
    func post(_ path: String, _ form: [NameValue]) throws -> ServedAnswer {
      try keys.lab.serve(
        HTTPRequest("POST", origin: "https://localhost:\(server.port)", path: path, form: form),
        approval: .terminal)
    }
    let code = try post(
      "/common/oauth2/v2.0/devicecode",
      [NameValue("client_id", client.clientID), NameValue("scope", "openid")])
    let userCode = try #require(JSONValue(bounded: code.answer.http.body)?["user_code"]?.string)
    #expect(try post("/common/oauth2/deviceauth", [NameValue("user_code", userCode)]).startsWaiting)
    keys.take(.server(.waits))
    let number = try #require(try keys.lab.read { try $0.provider.waitingSignIns() }.first).number
    for size in [Size(width: 40, height: 12), Size(width: 60, height: 20), Size(width: 80, height: 24)] {
      let text = FrameSample("", keys.model).frame(size).text()
      #expect(text.contains("\(client.displayName) asks."), "\(size)")
      #expect(text.split(separator: "\n").contains { $0.contains(" \(number)") }, "\(size): \(text)")
    }
    keys.answerPages()
    #expect(keys.model.notice?.kind == .good)
  }

  /// The help for `c`, and the effect of the key.
  @Test(
    arguments: TestEngine.allCases,
    [
      ("two-vendors", "in the broker's picker", true),
      ("contoso-suite", "without a broker on the provider's page", false),
    ])
  func chooseAccountAsksWhereItsHelpSays(_ engine: TestEngine, _ row: (String, String, Bool)) throws {
    let (scenario, words, hasBroker) = row
    var keys = try LabByKeys(scenario, on: engine)
    let command = try #require(KeyTable.standard.find(.character("c"), in: .apps))
    #expect(command.sentence.contains(words))
    keys.press("c")
    // The system alert precedes a web page.
    if case .systemAlert? = keys.model.topDialog(PromptDialog.self)?.prompt { keys.press("\r") }
    let prompt = try #require(keys.model.topDialog(PromptDialog.self)).prompt
    let isPicker = if case .chooseAccount = prompt { true } else { false }
    let isPage = if case .signIn = prompt { true } else { false }
    #expect(isPicker == hasBroker && isPage == !hasBroker, "\(prompt)")
  }
}

/// The results of a user's keys on every screen and dialog, on real labs: the place, the status line, and the intents.
struct KeyJourneyTableTests {
  struct Journey: Sendable, CustomTestStringConvertible {
    var scenario = "contoso-suite"
    /// Whether Ada signs in to the first app first.
    var isSignedIn = true
    /// The keys: a carriage return is Enter, `⎋` is Esc, and `⇥` is Tab.
    var keys: String
    var place: Place = .apps
    /// The dialog that has the keyboard focus at the end, or `nil` for the screen.
    var dialog: KeyContext?
    /// The start of the status line.
    var says: String?
    /// The descriptions of the intents that the keys performed, in order.
    var performed: [String] = []

    var testDescription: String { "\(scenario) \(isSignedIn ? "signed in " : "")\(keys.debugDescription)" }
  }

  private static let app = "com.contoso.mytestapp"

  @Test(arguments: [
    // Apps.
    Journey(
      isSignedIn: false, keys: "s", says: "✗ No account is signed in (-50002).", performed: ["silent 1"]),
    Journey(isSignedIn: false, keys: "i⎋", dialog: nil, says: "· ", performed: ["sign in 1"]),
    Journey(keys: "js", says: "✓ Token for ada@contoso.com from the cache", performed: ["silent 2"]),
    Journey(keys: "jsj", performed: ["silent 2"]),
    Journey(keys: "es", says: "✓ Token for ada@contoso.com", performed: ["expire", "silent 1"]),
    Journey(keys: "Ies", says: "✗", performed: ["invalidate", "expire", "silent 1"]),
    Journey(keys: "o", dialog: .confirm), Journey(keys: "o\r", says: "Nothing was deleted."),
    Journey(keys: "o⇥\r", says: "✓", performed: ["sign out of 1 as ada@contoso.com"]),
    Journey(isSignedIn: false, keys: "o", says: "o: no account is signed in."),
    Journey(keys: "ez", says: "Undone: expire", performed: ["expire"]),
    Journey(keys: "ezZ", says: "Redone: expire", performed: ["expire"]),
    Journey(isSignedIn: false, keys: "z", says: "z: nothing to undo."),
    Journey(keys: "t", says: "✓ Clock +1h.", performed: ["clock +1h"]),
    Journey(
      keys: "tT", says: "✓ Clock reset.", performed: ["clock +1h", "reset the clock"]),
    Journey(keys: "s.", says: "✓ Token for", performed: ["silent 1", "silent 1"]),
    Journey(isSignedIn: false, keys: ".", says: ".: "),
    Journey(keys: "w", dialog: .why), Journey(keys: "w⎋"), Journey(keys: "wa", dialog: .why),
    Journey(keys: "m", dialog: .visibility), Journey(keys: "m\r", dialog: .why), Journey(keys: "m⎋"),
    Journey(
      isSignedIn: false, keys: "sW", dialog: .explained, says: "✗ No account is signed in (-50002).",
      performed: ["silent 1"]),
    Journey(keys: "y", dialog: .copyMenu), Journey(keys: "O", dialog: .sortMenu),
    Journey(keys: ",", dialog: .columnMenu),
    Journey(keys: "/zzz\r", says: nil), Journey(keys: "d", says: "d does nothing here: it is “delete” on "),
    Journey(keys: "⎋", says: "Esc: no previous screen."),
    // The message disappears with the next key.
    Journey(keys: "⎋j"), Journey(keys: "⎋/", dialog: .filter), Journey(keys: "⎋:⎋"), Journey(keys: "⎋?⎋"),
    // The other screens, there and back.
    Journey(keys: "2", place: .accounts), Journey(keys: "2\r", place: .tokens),
    Journey(keys: "2f", place: .accounts, dialog: .confirm),
    Journey(keys: "2f⇥\r", place: .accounts, says: "✓", performed: ["forget"]),
    Journey(keys: "2E", place: .accounts, says: "✓", performed: ["expire"]),
    Journey(keys: "3", place: .tokens), Journey(keys: "3-"), Journey(keys: "33", place: .tokens),
    Journey(keys: "3jjd", place: .tokens, dialog: .confirm), Journey(keys: "3jjv", place: .tokens),
    Journey(keys: "4", place: .traces), Journey(keys: "4\r]]", place: Place(.trace)),
    Journey(keys: "4\r;x\r", place: Place(.trace), says: "The note on step 1 is kept."),
    Journey(keys: "4\rw", place: Place(.trace), dialog: .why),
    Journey(keys: "4x", place: .traces, dialog: .exportMenu),
    Journey(keys: "4\r⎋", place: .traces), Journey(keys: "4\rm'", place: Place(.trace)),
    Journey(keys: "5", place: .keychain), Journey(keys: "5l", place: .keychain),
    Journey(keys: "6", place: .records), Journey(keys: "6\r", place: Place(.records)),
    Journey(keys: "7", place: .provider), Journey(keys: "7a", place: .provider, dialog: .faultForm),
    Journey(keys: "!", place: .provider),
    Journey(keys: "7D", place: .provider, says: "D: "), Journey(keys: "9", place: .scenarios),
    Journey(keys: "8", says: "8: "),
    Journey(keys: "C", place: Place(.records)), Journey(keys: "C⎋", place: Place(.records)),
    // Commands by name, and the layers over the screen.
    Journey(keys: "?", dialog: .help), Journey(keys: ":", dialog: .palette),
    Journey(keys: ":tokens\r", place: .tokens),
    Journey(keys: ":expire t99\r", says: "There is no credential t99."),
    Journey(keys: ":silent mytestapp3\r", says: "✓ Token for", performed: ["silent 3"]),
    Journey(keys: ":why mytestapp2\r", dialog: .why),
    Journey(keys: "+"), Journey(keys: "+_"), Journey(keys: "P"), Journey(keys: "u", says: "Showing "),
    // The broker's picker, and the pages after it.
    Journey(scenario: "two-vendors", isSignedIn: false, keys: "i", dialog: .picker),
    Journey(scenario: "two-vendors", isSignedIn: false, keys: "i?", dialog: .picker),
    Journey(scenario: "two-vendors", isSignedIn: false, keys: "i?⎋", dialog: .picker),
    Journey(scenario: "two-vendors", isSignedIn: false, keys: "i/grace\r⎋", dialog: .picker),
    Journey(scenario: "two-vendors", isSignedIn: false, keys: "i-", dialog: .signOutOne),
    Journey(scenario: "two-vendors", isSignedIn: false, keys: "i\r", dialog: .consent),
    Journey(
      scenario: "two-vendors", isSignedIn: false, keys: "i\r\r", says: "✓ Token for ada@contoso.com",
      performed: ["sign in com.fabrikam.notes"]),
    Journey(scenario: "two-vendors", isSignedIn: false, keys: "i2\r", dialog: .signIn),
    Journey(
      scenario: "two-vendors", isSignedIn: false, keys: "i⎋", says: "· ",
      performed: ["sign in com.fabrikam.notes"]),
    Journey(
      scenario: "two-vendors", isSignedIn: false, keys: "i\r⇥\r", says: "· ",
      performed: ["sign in com.fabrikam.notes"]),
    Journey(isSignedIn: false, keys: "i", dialog: .systemAlert),
    Journey(isSignedIn: false, keys: "i\r", dialog: .signIn),
  ])
  func keysLead(_ journey: Journey) throws {
    var keys = try LabByKeys(journey.scenario)
    if journey.isSignedIn { keys.signIn() }
    keys.model.notice = nil
    let before = keys.performed.count
    for key in journey.keys {
      switch key {
      case "⎋": keys.press(.escape)
      case "⇥": keys.press(.tab)
      default: keys.press(String(key))
      }
    }
    #expect(keys.model.place.screen == journey.place.screen)
    let context = keys.model.context
    #expect((context == keys.model.place.screen ? nil : context) == journey.dialog)
    let said = keys.model.notice?.text
    if let says = journey.says {
      #expect(said?.hasPrefix(says) == true, "\(said ?? "nothing")")
    } else {
      #expect(said == nil)
    }
    let done = keys.performed.dropFirst(before).map {
      $0.intent.value.displayText.replacing(Self.app, with: "")
    }
    #expect(done.count == journey.performed.count, "\(done)")
    for (words, expected) in zip(done, journey.performed) { #expect(words.hasPrefix(expected)) }
    // Every step of the journey can be drawn.
    for size in FrameSample.sizes { _ = FrameSample("", keys.model).frame(size) }
  }
}
