import Testing

@testable import SSOCore
@testable import SSOLab
@testable import SSOTermApp

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
    #expect(flow.words(flow.rows[1]) == "6 reads, nothing found")
    #expect(flow.words(flow.rows[7]) == "1 read, 1 update, 1 add")
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
    #expect(Flow(hops).words(.step(3)).hasPrefix("✗ "))
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
    #expect(text.contains("┼") && text.contains("6 reads, nothing found") && text.contains("consent ─"))
    #expect(text.contains("✗ POST /common/oauth2/v2.0/token = 200  ✗ not met: Same cl"))
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

  /// A long flow uses the whole screen, and the selected step is drawn over it, away from its row.
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
}
