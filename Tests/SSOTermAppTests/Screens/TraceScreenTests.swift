import SSOReference
import TerminalUI
import Testing

@testable import SSOCore
@testable import SSODevice
@testable import SSOLab
@testable import SSOProvider
@testable import SSOTermApp

/// An interactive call from the first prompt to the outcome.
struct FlowTests {
  private func press(_ model: inout AppModel, _ key: KeyPress) -> [Command] {
    update(&model, .event(.key(key)))
  }

  @Test func hintedAccountIsMarkedAndDigitsSendNothing() {
    var model = Sample.prompt(.chooseAccount(Sample.picker(.transition)))
    #expect(press(&model, .character("1")).isEmpty)
    let chosen = Answer.account(homeAccountID: "ada@contoso.com")
    #expect(press(&model, .enter) == [.perform(Sample.intent, [chosen])])
    #expect(press(&model, .enter).isEmpty, "one answer at a time")
  }

  @Test func answersAddUpAlongTheFlow() {
    var model = Sample.prompt(.chooseAccount(Sample.picker(.overlay)))
    #expect(press(&model, .character("+")) == [.perform(Sample.intent, [.useAnotherAccount])])
    _ = update(
      &model,
      .performed(
        Sample.intent, answers: [.useAnotherAccount],
        .needs(.signIn(Sample.signIn(.username)), hopsSoFar: [])))
    #expect(model.dialogs.count == 1)
    _ = press(&model, .control("t"))
    #expect(
      press(&model, .enter)
        == [.perform(Sample.intent, [.useAnotherAccount, .username("ada@contoso.com")])])
    let outcome = Outcome(.failed, "x", errorText: "MSALErrorDomain -50005", next: "Try i.")
    _ = update(&model, .performed(Sample.intent, answers: [], .done(outcome, traceID: 3)))
    #expect(model.dialogs.isEmpty)
    #expect(
      model.notice
        == Notice(text: "✗ x", kind: .bad, next: "Try i.", printed: "MSALErrorDomain -50005"))
  }

  @Test func controlTFillsInThePasswordOfTheLabsPerson() {
    var model = Sample.prompt(.signIn(Sample.signIn(.password)))
    let ada = TestPerson(username: "ada@contoso.com", password: "analytical-engine", remark: "")
    _ = update(&model, .loaded(.people([ada])))
    _ = press(&model, .control("t"))
    #expect(press(&model, .enter) == [.perform(Sample.intent, [.password("analytical-engine")])])
  }

  @Test func escapeInAPromptCancelsTheFlow() {
    var model = Sample.prompt(.consent(Sample.consent))
    #expect(press(&model, .escape) == [.perform(Sample.intent, [.cancel])])
  }

  @Test func pickerAloneEndsTheProgramWithTheChoice() {
    var model = AppModel(title: "pick")
    model.isPickerOnly = true
    model.dialogs = [Dialog(PromptDialog(.chooseAccount(Sample.picker(.transition)), intent: nil))]
    #expect(press(&model, .enter) == [.finish(.picked(Sample.picker(.transition).candidates[1]))])
    #expect(press(&model, .escape) == [.finish(.cancelled)])
  }

  /// The picker has no sign-in, so no account can be added, and there is no app to return to.
  @Test func pickerAloneOffersOnlyWhatItCanDo() {
    var picker = Sample.picker(.transition)
    (picker.appName, picker.signsIn) = ("", false)
    var model = AppModel(title: "pick")
    model.isPickerOnly = true
    model.dialogs = [Dialog(PromptDialog(.chooseAccount(picker), intent: nil))]
    let text = FrameSample("pick", model).frame(Size(width: 80, height: 24)).text()
    #expect(text.contains("Which account?") && text.hasSuffix("F1 help"))
    #expect(!text.contains("Use another account"))
    #expect(FrameSample.commands(&model, "+f").isEmpty && model.dialogs.count == 1)
  }
}

/// The display of a trace: runs in one row, phases, and steps that play.
@Suite struct TraceFlowTests {
  private static func read(_ result: String, _ verb: String = "read") -> Hop {
    Hop(from: .sdk, to: .keychain, action: "\(verb) account", result: result)
  }

  private static let hops =
    [Hop(from: .person, to: .app, action: "sign in")]
    + Array(repeating: read("no item"), count: 6)
    + [
      Hop(from: .sdk, to: .provider, action: "GET /common/oauth2/v2.0/authorize", result: "200 sign-in page"),
      Hop(from: .person, to: .provider, action: "asked for the password", result: "password entered"),
      Hop(from: .person, to: .provider, action: "asked for consent", result: "accepted"),
      Hop(from: .sdk, to: .provider, action: "POST /common/consent", result: "302 code"),
      Hop(from: .sdk, to: .provider, action: "POST /common/oauth2/v2.0/token", result: "200"),
    ] + [read("no item"), read("errSecItemNotFound (-25300)", "update"), read("added", "add")]
    + [Hop(from: .sdk, to: .app, action: "result", result: "ada@contoso.com")]

  @Test func repeatedCallsIntoTheKeychainAreOneRow() {
    let flow = Flow(Self.hops)
    #expect(
      flow.rows == [.step(0), .run(1..<7)] + (7..<12).map { .step($0) } + [.run(12..<15), .step(15)])
    #expect(flow.displayText(flow.rows[1]) == "6 reads, nothing found")
    #expect(flow.displayText(flow.rows[7]) == "1 read, 1 update, 1 add")
    #expect((0..<16).allSatisfy { flow.row(of: $0) != nil })
  }

  @Test func phasesBeginWhereTheWorkChanges() {
    let flow = Flow(Self.hops)
    #expect(
      flow.rows.indices.map { flow.phase(beginningAt: $0)?.rawValue } == [
        "find", nil, "ask", nil, "consent", nil, nil, "store", nil,
      ])
  }

  @Test func whatIsMarkedOrOpenedHasARowOfItsOwn() {
    #expect(Flow(Self.hops, open: [1]).rows[1...6].allSatisfy { if case .step = $0 { true } else { false } })
    // The two steps before the mark are too few for a combined row, but the three after it are enough.
    #expect(
      Flow(Self.hops, kept: [3]).rows.prefix(6) == [
        .step(0), .step(1), .step(2), .step(3), .run(4..<7), .step(7),
      ])
    #expect(Flow(Self.hops).start(ofRunWith: 3) == 1 && Flow(Self.hops).start(ofRunWith: 8) == nil)
  }

  @Test func aFailedCheckIsNeverHiddenInARun() {
    var hops = Self.hops
    hops[3].checks = [Sample.failed]
    #expect(Flow(hops).rows.prefix(4) == [.step(0), .step(1), .step(2), .step(3)])
    #expect(Flow(hops).displayText(.step(3)).hasPrefix("✗ "))
  }

  /// A check of a log has the name of its step, which its row says only once.
  @Test func aFailedStepOfALogSaysWhatWasExpected() {
    var hop = Hop(from: .system, to: .app, action: "openURL", result: "skipped")
    hop.checks = [
      Check("openURL", expected: "a waiting request", found: "none", verdict: .failed, source: "")
    ]
    let text = FrameSample("log", Self.model([hop])).frame(Size(width: 120, height: 40)).text()
    #expect(text.contains("✗ openURL = skipped  ✗ no waiting request"))
  }

  private static func model(_ hops: [Hop] = hops) -> AppModel {
    var model = Sample.model(.trace(2))
    _ = update(
      &model, .loaded(.trace(Trace(summary: Sample.traces[0], hops: hops, outcome: Sample.trace.outcome))))
    return model
  }

  @Test func enterOpensARowOfSeveralStepsAndClosesIt() {
    let open = FrameSample.pressed(Self.model(), ".\r")
    #expect(open.screens.trace.selectedRow == .step(1) && open.screens.trace.list.count == 14)
    let closed = FrameSample.pressed(open, "..\r")
    #expect(closed.screens.trace.selectedRow == .run(1..<7) && closed.screens.trace.list.count == 9)
    #expect(FrameSample.pressed(Self.model(), "m\r").panel == 1, "a step of its own shows its details")
    #expect(FrameSample.pressed(Self.model(), ".m").notice?.text.contains("select one step first") == true)
  }

  @Test func lanesCrossAndAFailureHasASign() {
    var hops = Self.hops
    hops[11].checks = [Sample.failed]
    let text = FrameSample("", Self.model(hops)).frame(Size(width: 120, height: 40)).text()
    #expect(text.contains("┼") && text.contains("6 reads, nothing found") && text.contains(" consent "))
    #expect(text.contains("✗ POST /common/oauth2/v2.0/token = 200"))
  }

  @Test func undoneStepsAreMarked() {
    var summary = Sample.traces[0]
    summary.isUndone = true
    var model = Sample.model(.trace(2))
    _ = update(&model, .loaded(.trace(Trace(summary: summary, hops: Self.hops, outcome: nil))))
    let rows = FrameSample("", model).frame(Size(width: 120, height: 40)).text().split(separator: "\n")
    #expect(rows.filter { $0.contains("↶") }.count == 10, "the title and each of nine rows")
  }

  @Test func spacePlaysToTheEndAndNoFurther() {
    var model = FrameSample.pressed(Self.model(), " ")
    var seen: [Int] = []
    while let wait = model.alarms[.nextStep], seen.count < 50 {
      #expect(wait.milliseconds == 1000)
      _ = update(&model, .alarm(.nextStep))
      seen.append(model.screens.trace.list.state.selection)
    }
    #expect(seen == Array(1...8) && model.alarms[.nextStep] == nil)
    // At the end, it starts again.
    model = FrameSample.pressed(model, " ")
    #expect(model.screens.trace.list.state.selection == 0 && model.alarms[.nextStep] != nil)
    #expect(FrameSample.pressed(model, " ").alarms[.nextStep] == nil)
  }

  @Test func aStepOrAnotherScreenStopsThePlay() {
    let playing = FrameSample.pressed(Self.model(), " }}")
    #expect(playing.alarms[.nextStep]?.milliseconds == 250)
    #expect(FrameSample.pressed(playing, "}").notice?.text.contains("it is the fastest") == true)
    #expect(FrameSample.pressed(playing, ".").alarms[.nextStep] == nil)
    #expect(FrameSample.pressed(playing, "?").alarms[.nextStep] == nil)
    #expect(FrameSample.pressed(playing, "1").alarms[.nextStep] == nil)
  }

  /// `.` repeats a call on other screens.
  ///
  /// Here it must not, even at the last step.
  @Test func theLastStepRepeatsNoCall() {
    var model = FrameSample.pressed(Self.model(), "G")
    model.lastFlow = Sample.intent
    #expect(FrameSample.commands(&model, ".").isEmpty)
    #expect(model.notice?.text.contains("last step") == true)
  }

  /// A long flow uses the entire screen, and the selected step is drawn over it, away from its row.
  @Test func theDetailsOfAStepLieOverALongFlow() throws {
    var keys = try LabByKeys("two-vendors")
    keys.press("gi")
    keys.answerPages()
    keys.press("4\r")
    let small = Size(width: 80, height: 24)
    func lines() -> [String] {
      FrameSample("", keys.model).frame(small).text().split(separator: "\n", omittingEmptySubsequences: false)
        .map(String.init)
    }
    #expect(keys.model.screens.trace.list.count > 10)
    #expect(!lines().contains { $0.contains("┌ Step ") || $0.hasPrefix(" Step ") })
    keys.press("\r")
    #expect(lines().contains { $0.contains("┌ Step 1 ") })
    let first = try #require(lines().firstIndex { $0.hasPrefix(" > ") })
    #expect(try #require(lines().firstIndex { $0.contains("┌ Step 1 ") }) > first)
    keys.press(".")
    #expect(lines().contains { $0.contains("┌ Step 2 ") }, "it follows the selection")
    keys.press(.escape)
    #expect(!lines().contains { $0.contains("┌ Step ") } && keys.model.place.screen == .trace)
    keys.press("G")
    keys.press(.tab)
    let last = try #require(lines().firstIndex { $0.hasPrefix(" > ") })
    #expect(try #require(lines().firstIndex { $0.contains("┌ Step") }) < last)
  }

  /// The question for consent is refused first, which is not a failure of a call that then gets tokens.
  @Test func aRefusalThatALaterStepOvercomesIsNoFailure() throws {
    var keys = try LabByKeys("contoso-suite")
    keys.signIn()
    var hops = try #require(try keys.lab.read { try $0.traces.trace(1) }).hops
    let code = try #require(hops.firstIndex { $0.result == "302 code" })
    let check = Check("consent is given", expected: "User.Read", found: "nothing", false, source: "RFC 6749")
    hops[code - 1].to = .provider
    hops[code - 1].checks = [check]
    hops[code - 1].result = "400 invalid_grant AADSTS65001"
    hops[code - 1].refusal = Refusal(
      error: "invalid_grant", suberror: nil, number: "AADSTS65001", place: .token)
    let flow = Flow(hops)
    #expect(hops.overcomeRefusals == [code - 1])
    #expect(flow.style(.step(code - 1)) == .plain && !flow.displayText(.step(code - 1)).hasPrefix("✗"))
    let page = Hop(
      from: .broker, to: .provider, action: "GET /common/oauth2/v2.0/authorize", result: "200 consent page")
    #expect(Flow(hops.prefix(code) + [page]).style(.step(code - 1)) == .plain, "the page is still open")
    let failed = Flow(Array(hops.prefix(code)))
    #expect(failed.style(.step(code - 1)) == .bad && failed.displayText(.step(code - 1)).hasPrefix("✗"))
  }

  /// An expired access token is the ordinary reason for a renewal.
  @Test func theReasonToRenewATokenIsNoFailure() throws {
    var keys = try LabByKeys("contoso-suite")
    keys.signIn()
    keys.press("es")
    let trace = try #require(keys.model.screens.traces.rows.first)
    let hops = try #require(try keys.lab.read { try $0.traces.trace(trace.id) }).hops
    let step = try #require(hops.firstIndex { $0.result == "redeem the app refresh token" })
    let flow = Flow(hops)
    #expect(hops[step].hasFailed && flow.style(.step(step)) == .plain)
    #expect(!flow.displayText(.step(step)).hasPrefix("✗"))
    keys.press("4\r")
    #expect(keys.text.contains("· the access token has expired") && !keys.text.contains("✗"), "\(keys.text)")
  }

  /// Checks that do not fit beside their step have a line of their own while no other step needs it.
  @Test func checksHaveTheLinesThatAreLeft() {
    var hop = Hop(from: .sdk, to: .provider, action: "POST /common/oauth2/v2.0/token", result: "refused")
    let failure = "the refresh token was issued for another client than the one that redeems it now"
    hop.checks = [
      Check("client", expected: "a", found: "b", verdict: .failed, source: "", failure: failure)
    ]
    let text = FrameSample("", Self.model([hop])).frame(Size(width: 120, height: 40)).text()
    #expect(text.contains("✗ \(failure)") && !text.contains("…"), "\(text)")
  }

  /// A wide window shows the outcomes of all calls in full beside the selected call.
  @Test func aWideListOfTracesIsWhole() throws {
    var keys = try LabByKeys("contoso-suite")
    keys.signIn()
    keys.press("js4")
    let longest = "Token for ada@contoso.com from the cache, after instance discovery."
    let text = FrameSample("", keys.model).frame(Size(width: 220, height: 60)).text()
    #expect(text.contains(longest), "\(text)")
  }

  /// A flow that leaves no room for the step below it has the remaining rows itself.
  @Test func theTextsOfALongFlowHaveTheRowsThatAreLeft() {
    var hops = (1...29).map {
      Hop(from: .sdk, to: .provider, action: "GET /common/page\($0)", result: "200")
    }
    hops[7].result = "302 to https://login.contoso.com/adfs/ls with the name of the user, and then back again"
    let text = FrameSample("", Self.model(hops)).frame(Size(width: 120, height: 40)).text()
    #expect(text.contains("back again") && !text.contains("…"), "\(text)")
  }

  /// Steps are shown one by one only if that cuts none of their texts.
  @Test func aCallIsFoldedBeforeItsTextsAreCut() throws {
    var keys = try LabByKeys("contoso-suite")
    keys.signIn()
    keys.press("4")
    func text(_ height: Int) -> String {
      FrameSample("", keys.model).frame(Size(width: 180, height: height)).text()
    }
    #expect(text(60).contains("add idtoken = added"), "\(text(60))")
    #expect(text(39).contains("7 adds") && !text(39).contains("add idtoken"), "\(text(39))")
  }

  /// In a window of fewer columns, the call is below a short list, which would leave the rows empty.
  @Test func aShortListOfTracesHasTheSelectedCallBelowIt() throws {
    var keys = try LabByKeys("contoso-suite")
    keys.signIn()
    keys.press("js4")
    #expect(keys.text.contains("silent My Test App 2 ─") && keys.text.contains("result = access token"))
    let layout = Layout(size: Size(width: 80, height: 24))
    #expect(!keys.model.screens.traces.panels(in: layout).second.isEmpty)
    for _ in 0..<12 { keys.press("1s4") }
    #expect(keys.model.screens.traces.panels(in: layout).second.isEmpty, "the list needs the rows itself")
  }

  /// If there is no room for a step, its action gives way to its result.
  @Test(arguments: [40, 44, 60])
  func theResultOfAStepIsNeverCut(_ width: Int) {
    let hop = Hop(
      from: .sdk, to: .provider, action: "POST /common/oauth2/v2.0/token",
      result: "400 invalid_grant AADSTS50076")
    let text = Flow([hop]).displayText(.step(0), width: width)
    #expect(columnWidth(text) <= width && text.hasPrefix("POST") && text.hasSuffix(" = " + hop.result))
  }
}

struct TraceKeyTests {
  @Test func marksAreJumpedToRoundAndRound() {
    var model = FrameSample.pressed(Sample.model(.trace(2)), "]m]]m[")
    #expect(model.screens.trace.marks[2] == [1, 3])
    for expected in [3, 1, 3] {
      model = FrameSample.pressed(model, "'")
      #expect(model.screens.trace.list.selectedRow == expected)
    }
    #expect(FrameSample.pressed(model, "m").screens.trace.marks[2] == [1])
  }

  /// The list is the only pane of the screen, so Tab has no effect.
  @Test func tabLeavesTheKeysToTheListOfTraces() {
    var model = Sample.model(.traces)
    _ = update(&model, .event(.key(.tab)))
    #expect(FrameSample.pressed(model, "j").screens.traces.list.state.selection == 1)
  }

  @Test func aFilterThatNoStepPassesSaysSo() {
    let model = FrameSample.pressed(Sample.model(.trace(2)), "/nosuchstep")
    let text = FrameSample("", model).frame(Size(width: 80, height: 24)).text()
    #expect(text.contains("No step matches the filter.") && text.contains("\n Step ─"))
  }

  @Test func aNoteIsWrittenOnTheSelectedStep() {
    var model = FrameSample.pressed(Sample.model(.trace(2)), "];q is typed")
    #expect(
      FrameSample.commands(&model, "\r") == [.note(trace: 2, step: 1, text: "q is typed")])
    #expect(model.dialogs.isEmpty)
  }

  @Test func escapeLeavesTheNoteAsItWas() {
    var model = FrameSample.pressed(Sample.model(.trace(2)), ";x")
    #expect(update(&model, .event(.key(.escape))).isEmpty)
    #expect(model.dialogs.isEmpty)
  }

  @Test(arguments: [
    ("t", ExportForm.text), ("m", .mermaid), ("J", .json), ("s", .svg), ("h", .har), ("c", .cast),
    ("w", .html),
  ])
  func exportAsksForTheForm(_ letter: String, _ form: ExportForm) {
    var list = Sample.model(.traces)
    #expect(FrameSample.commands(&list, "x" + letter) == [.export(trace: 2, form)])
    var open = Sample.model(.trace(2))
    #expect(FrameSample.commands(&open, "x" + letter) == [.export(trace: 2, form)])
    #expect(open.dialogs.isEmpty)
  }

  @Test func aTraceIsAMermaidDiagramWithItsFailedChecksAndNotes() {
    var trace = Sample.trace
    trace.hops = Array(trace.hops.prefix(3))
    trace.notes = [0: "Look: a <tap>; 100%"]
    #expect(
      mermaid(trace) == """
        sequenceDiagram
          title Mail: sign in
          participant person as User
          participant app as App
          participant sdk as MSAL
          participant broker as Broker
          participant keychain as Keychain
          person->>app: tap Sign in
          Note over person: Look: a #60;tap#62;#59; 100#37;
          sdk->>keychain: read account = no item
          sdk->>broker: openURL msauthv3://broker
          Note over broker: ✗ Same client ID: expected 4b0db8c2-9f26-4417-8bde-3f0e3656f8e0, \
        found 9c1e77aa-1111-4222-8333-444455556666
        """)
  }

  @Test func theLastCallIsMadeAgainOnAnyScreen() {
    var model = Sample.model(.apps)
    #expect(FrameSample.commands(&model, ".").isEmpty)
    let first = FrameSample.commands(&model, "s")
    model = FrameSample.pressed(model, "4")
    #expect(FrameSample.commands(&model, ".") == first)
  }

  @Test func sortingTurnsRoundAndSurvivesAReload() {
    var model = FrameSample.pressed(Sample.model(.apps), "O1")
    #expect(model.lab.apps.map(\.displayName) == ["Chat", "Files", "Kiosk", "Mail", "漢字 太郎"])
    model = FrameSample.pressed(model, "O1")
    _ = update(&model, .loaded(.apps(Sample.apps)))
    #expect(model.lab.apps.map(\.displayName) == ["漢字 太郎", "Mail", "Kiosk", "Files", "Chat"])
    #expect(FrameSample.commands(&model, "O0") == [.load(.status), .load(.apps), .load(.traces)])
  }

  @Test func aColumnIsHiddenAndShownAgain() {
    var model = FrameSample.pressed(Sample.model(.traces), ",4q")
    #expect(!FrameSample("", model).frame(Size(width: 120, height: 40)).text().contains("OUTCOME"))
    model = FrameSample.pressed(model, ",4q")
    #expect(FrameSample("", model).frame(Size(width: 120, height: 40)).text().contains("OUTCOME"))
    #expect(
      FrameSample.pressed(model, ",1").notice?.text == "The column AT cannot be hidden: it names the rows.")
  }

  /// A log that is pasted in pieces is read as one.
  ///
  /// Without a paste, Enter says so.
  @Test func aPastedLogIsReadOnEnter() {
    var model = Sample.model(.traces)
    _ = FrameSample.commands(&model, "p")
    #expect(model.topDialog(PasteField.self) != nil)
    #expect(FrameSample.commands(&model, "\r").isEmpty)
    _ = update(&model, .event(.paste("TID=1 MSAL 1.0.0 iOS 17.0 ")))
    _ = update(&model, .event(.paste("[2024-05-06 09:41:07 - x] Beginning silent flow.\r")))
    #expect(
      FrameSample.commands(&model, "\r") == [
        .readLog("TID=1 MSAL 1.0.0 iOS 17.0 [2024-05-06 09:41:07 - x] Beginning silent flow.\n")
      ])
    #expect(model.topDialog(PasteField.self) == nil)
  }
}

struct ComparisonTests {
  private func hop(_ action: String, _ result: String = "", fails: Bool = false) -> Hop {
    let check = Check("same team", expected: "A", found: fails ? "B" : "A", !fails, source: "claim C1")
    return Hop(from: .sdk, to: .keychain, action: action, result: result, checks: [check])
  }

  private func trace(_ id: Int64, _ hops: [Hop]) -> Trace {
    var trace = Sample.trace
    trace.summary.id = id
    trace.hops = hops
    return trace
  }

  @Test func equalStepsAreFoldedAndTheFirstDifferenceIsSelected() {
    let good = trace(1, [hop("read a"), hop("read b"), hop("read c", "1 item"), hop("done")])
    let bad = trace(2, [hop("read a"), hop("read b"), hop("read c", "no item", fails: true), hop("done")])
    let comparison = Comparison(good, bad)
    #expect(comparison.alignment.rows == [.same(0..<2, at: 0), .other(2, 2), .same(3..<4, at: 3)])
    #expect(comparison.list.selectedRow == 1)
  }

  /// Regression: the steps were one column further right from the tenth on.
  @Test func theStepsOfAComparisonAreAligned() throws {
    func call(_ id: Int64, _ result: String) -> Trace {
      trace(id, (1...10).map { hop("read \($0)", result) })
    }
    var model = Sample.model(.traces)
    model.shared.open(Comparison(call(1, "1 item"), call(2, "2 items")))
    let lines = FrameSample("", model).frame(Size(width: 100, height: 30)).text().split(separator: "\n")
    let places = ["read 9 = 1 item", "read 10 = 1 item"].map { step in
      lines.lazy.map { String($0) }.compactMap { line in
        line.ranges(of: step).first.map { columnWidth(String(line[..<$0.lowerBound])) }
      }.first
    }
    #expect(places[0] != nil && places[0] == places[1], "\(lines)")
  }

  @Test func aStepThatOnlyOneCallHasStandsAlone() {
    let alignment = TraceAlignment(
      trace(1, [hop("read a"), hop("done")]), trace(2, [hop("read a"), hop("prompt"), hop("done")]))
    #expect(alignment.rows == [.same(0..<1, at: 0), .other(nil, 1), .same(1..<2, at: 2)])
    #expect(TraceAlignment(trace(1, [hop("a")]), trace(2, [hop("a")])).firstDifference == nil)
  }

  @Test func twoCallsOfTheListAreCompared() throws {
    var keys = try LabByKeys("contoso-suite-broken-team")
    keys.signIn()
    keys.press("jsjs4j=")
    #expect(keys.model.notice?.text.contains("press = again") == true)
    keys.press("k=")
    let comparison = try #require(keys.model.topDialog(Comparison.self))
    // The call that succeeded is on the left, whichever is older, and the panel below says why the other one failed.
    #expect(comparison.alignment.first.outcome?.verdict == .succeeded)
    #expect(comparison.alignment.second.summary.id < comparison.alignment.first.summary.id)
    #expect(comparison.alignment.firstDifference != nil)
    #expect(keys.text.contains("Why        its team differs from My Test App 1's: F6G7H8I9J0 ≠ A1B2C3D4E5"))
    #expect(keys.text.contains("A1B2C3D4E5.com.microsoft.adalcache ≠ F6G7H8I9J0.com.microsoft.adalcache"))
    #expect(comparison.text.hasPrefix("<") && comparison.text.contains("First difference"))
    // The calls' names are above their columns.
    let lines = keys.text.split(separator: "\n").map(String.init)
    let names = try #require(lines.first { $0.contains("✗ 09:00 silent My Test App 2") })
    let step = try #require(lines.first { $0.contains("= no item") })
    func column(_ text: String, in line: String) -> Int? {
      line.ranges(of: text).last.map { columnWidth(String(line[..<$0.lowerBound])) }
    }
    let cell = try #require(step.ranges(of: /3 +read accountmetadata/).last)
    #expect(column("✗ 09:00", in: names) == columnWidth(String(step[..<cell.lowerBound])))
    #expect(
      FrameSample.commands(&keys.model, "xy") == [
        .writeComparison(comparison.text), .copy(Copy(text: comparison.text, label: "comparison")),
      ])
  }
}
