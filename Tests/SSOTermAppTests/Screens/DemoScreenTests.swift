import Foundation
import SSODoctor
import TerminalUI
import Testing

@testable import SSOCore
@testable import SSOLab
@testable import SSOScenarios
@testable import SSOTermApp

/// A demo runs its scenario step by step in the screens, forward and back.
struct DemoTests {
  /// The model of a demo, with the lab that performs its commands.
  private struct RunningDemo {
    var model: AppModel
    let runner: CommandRunner

    init(_ scenario: String) throws {
      let file = try ScenarioLibrary().scenario(scenario)
      model = AppModel(title: scenario)
      runner = CommandRunner(lab: try Lab.temporary(file), clipboard: ClipboardController(.off) { _ in nil })
      {}
      model.screens.demo.show(file, &model.shared)
      carryOut(model.follow(path: "apps"))
    }

    mutating func carryOut(_ commands: [Command]) {
      var queue = commands
      while !queue.isEmpty {
        if let message = runner.run(queue.removeFirst()) { queue += update(&model, message) }
      }
    }

    mutating func press(_ key: KeyPress) { carryOut(update(&model, .event(.key(key)))) }

    /// Runs the next step as a user would, and sends what is filled in.
    mutating func tell() {
      press(.character(">"))
      for _ in 0..<16 where !model.dialogs.isEmpty {
        press(model.topDialog(PromptDialog.self)?.isAsScripted == false ? .escape : .enter)
      }
    }
  }

  /// The key bar and the page say the same as the status line: Esc leaves the step, and cancels nothing.
  @Test func inAStepEscGoesBackAndTheScreenSaysSo() throws {
    let lab = try RobotUser(demo: "contoso-suite", size: Size(width: 80, height: 24))
    lab.press(">").doesNotSee("cancel to app").sees("Esc or < goes back")
    lab.press(.enter).sees("Username", "Esc goes back.").doesNotSee("Esc cancels")
    lab.press(.escape).sees("Left step 1; nothing changed.")
    lab.press("i").sees("cancel to app")
  }

  /// Beside the notes there is no room for a long title in a window of 100 columns, so the notes are below the steps.
  @Test(arguments: [80, 100, 120])
  func noTitleOfAStepIsCut(_ width: Int) throws {
    try RobotUser(demo: "two-vendors", size: Size(width: width, height: 30)).press("8")
      .sees(
        "Ada signs in to My Test App 1, by choosing her account", "Grace is in the picker too, but has to")
  }

  /// At 80x24, a low prompt leaves room for four steps of the call above it.
  @Test func theLastStepsOfTheCallAreAboveAPrompt() throws {
    try RobotUser(demo: "contoso-suite", size: Size(width: 80, height: 24)).press("i")
      .sees("MSALPublicClientApplication init", "acquireToken = web session", "waiting for an answer")
  }

  /// Each scenario has something special: prompts of every kind, an undo, a cancel, changes to credentials, or a
  /// transfer.
  @Test(
    arguments: [
      "contoso-suite", "two-vendors", "shared-removal", "B2-spoofed-request", "A4-broker-from-the-store",
      "D6-answer-not-handed-on", "F6-none-one-several",
    ])
  func everyStepHoldsWhenThePersonSendsWhatIsFilledIn(_ scenario: String) throws {
    var demo = try RunningDemo(scenario)
    let steps = try #require(demo.model.screens.demo.running).steps
    for _ in steps { demo.tell() }
    let reports = try #require(demo.model.screens.demo.running).reports
    #expect(reports.count == steps.count)
    for report in reports { #expect(report.mismatches == [], "\(report.index) \(report.title)") }
    #expect(demo.model.obstacle(to: DemoAction.next) == "end of the demo; < goes back")
  }

  @Test func goingBackTakesTheStepAndWhatWasDoneBesidesBack() throws {
    var demo = try RunningDemo("contoso-suite")
    demo.tell()
    let after = demo.model.lab.apps
    #expect(demo.model.screens.apps.selected(demo.model.shared)?.displayName == "My Test App 1")
    demo.tell()
    #expect(demo.model.screens.apps.selected(demo.model.shared)?.displayName == "My Test App 2")
    demo.press(.character("e"))
    #expect(demo.model.lab.apps != after)
    demo.press(.character("<"))
    #expect(demo.model.lab.apps == after)
    #expect(demo.model.screens.demo.running?.reports.count == 1)
    demo.press(.character("<"))
    #expect(demo.model.lab.apps.allSatisfy { $0.accounts.isEmpty })
    #expect(demo.model.obstacle(to: DemoAction.back) == "no step was run yet")
  }

  @Test func anotherAnswerThanTheDemosIsCheckedByWhatCameOfIt() throws {
    var demo = try RunningDemo("contoso-suite")
    demo.press(.character(">"))
    demo.press(.tab)
    demo.press(.enter)
    let report = try #require(demo.model.screens.demo.running?.reports.first)
    #expect(report.mismatches.contains(Mismatch(expected: "success", found: "a cancelled call")))
    #expect(demo.model.notice?.kind == .bad)
  }

  @Test(arguments: ["contoso-suite", "two-vendors", "A4-broker-from-the-store"])
  func theKeyOfTheNextStepSendsTheScenariosAnswers(_ scenario: String) throws {
    var demo = try RunningDemo(scenario)
    let steps = try #require(demo.model.screens.demo.running).steps
    for _ in 0..<100 where demo.model.screens.demo.running?.next != nil { demo.press(.character(">")) }
    let reports = try #require(demo.model.screens.demo.running).reports
    #expect(reports.count == steps.count && reports.allSatisfy(\.passed))
  }

  @Test(arguments: [KeyPress.character("<"), .escape])
  func stepBackOrEscapeInAnOpenStepLeavesItWithoutAResult(_ key: KeyPress) throws {
    var demo = try RunningDemo("contoso-suite")
    demo.press(.character(">"))
    #expect(
      demo.model.topDialog(PromptDialog.self)?.scriptHint?.hasSuffix("Esc or < goes back.") == true)
    demo.press(key)
    #expect(demo.model.dialogs.isEmpty && demo.model.screens.demo.running?.reports == [])
    #expect(demo.model.notice?.text.hasPrefix("Left step 1") == true)
    demo.tell()
    #expect(demo.model.screens.demo.running?.reports.map(\.passed) == [true])
  }

  /// F6: the user closes the picker, which is the purpose of the step.
  @Test func whereTheScenarioCancelsEscapeIsItsAnswer() throws {
    var demo = try RunningDemo("F6-none-one-several")
    for _ in 0..<100 where demo.model.topDialog(PromptDialog.self)?.scripted?.answer != .cancel {
      demo.press(.character(">"))
    }
    let step = try #require(demo.model.topDialog(PromptDialog.self)?.scripted).step
    demo.press(.escape)
    #expect(demo.model.screens.demo.running?.reports.last?.index == step)
    #expect(demo.model.screens.demo.running?.reports.last?.passed == true)
  }

  @Test func theHintFollowsWhatIsSelectedAndAFieldTakesItsLetters() throws {
    var demo = try RunningDemo("two-vendors")
    demo.press(.character(">"))
    func hint() -> String { demo.model.topDialog(PromptDialog.self)?.scriptHint ?? "" }
    #expect(hint().contains("Enter or > sends its answer"))
    demo.press(.character("j"))
    #expect(hint().contains("not the scripted answer"))
    demo.press(.character("k"))
    #expect(hint().contains("Enter or > sends"))
    demo = try RunningDemo("contoso-suite")
    // The first press is for the step, and the second for the system alert.
    demo.press(.character(">"))
    demo.press(.character(">"))
    let filled = try #require(demo.model.topDialog(PromptDialog.self)).field.text
    demo.press(.character("x"))
    #expect(demo.model.topDialog(PromptDialog.self)?.field.text == filled + "x")
    // As the status line says, > sends the scenario's answer, whatever was typed.
    demo.press(.character(">"))
    #expect(demo.model.topDialog(PromptDialog.self)?.field.text == "analytical-engine")
  }

  @Test func aPageThatAsksAgainIsOfferedTheSameAnswer() throws {
    var demo = try RunningDemo("contoso-suite")
    demo.press(.character(">"))
    demo.press(.character(">"))
    func prompt() throws -> PromptDialog { try #require(demo.model.topDialog(PromptDialog.self)) }
    let username = try #require(try prompt().scripted?.answer)
    demo.press(.character("x"))
    demo.press(.enter)
    #expect(try prompt().answers.last != username && prompt().scripted?.answer == username)
    #expect(try prompt().isAsScripted)
    demo.press(.enter)
    demo.press(.character("x"))
    demo.press(.enter)
    #expect(try prompt().scripted?.answer == .password("analytical-engine"))
    for _ in 0..<16 where demo.model.screens.demo.running?.execution != nil { demo.press(.character(">")) }
    #expect(demo.model.screens.demo.running?.reports.map(\.passed) == [true])
  }

  /// A presenter's remote has Page Up and Page Down; some remotes send Space.
  @Test(arguments: [KeyPress.pageDown, .character(" ")])
  func aRemoteGoesThroughTheStepsWhileTheDemoIsPresented(_ key: KeyPress) throws {
    var demo = try RunningDemo("contoso-suite")
    demo.press(key)
    #expect(demo.model.dialogs.isEmpty && demo.model.screens.demo.running?.execution == nil)
    demo.press(.character("P"))
    for _ in 0..<100 where demo.model.screens.demo.running?.next != nil { demo.press(key) }
    #expect(demo.model.screens.demo.running?.reports.allSatisfy(\.passed) == true)
    demo.press(.pageUp)
    #expect(demo.model.screens.demo.running?.reports.count == 3)
    // If the help is open, the same keys belong to the help.
    demo.press(.character("?"))
    demo.press(.pageUp)
    #expect(demo.model.screens.demo.running?.reports.count == 3)
  }

  @Test func thePresenterBarHasTheStepsNoteBesideWhateverIsShown() throws {
    var demo = try RunningDemo("contoso-suite")
    func rows() -> String {
      FrameSample("", demo.model).frame(Size(width: 100, height: 30)).text()
    }
    demo.press(.character("P"))
    let running = try #require(demo.model.screens.demo.running)
    #expect(rows().contains(running.note.prefix(60)))
    demo.press(.character(">"))
    #expect(demo.model.topDialog(PromptDialog.self) != nil)
    #expect(
      rows().contains("Step 1 of 4: \(running.steps[0].title)")
        && rows().contains(running.steps[0].note.prefix(60)))
    demo.press(.character("<"))
    #expect(!rows().contains("Step 1 of 4:"))
  }

  /// After a step, the bar is about the next one: its key, and the question that it answers in place of the last note.
  @Test func thePresenterBarLooksAhead() throws {
    var demo = try RunningDemo("two-vendors")
    func rows() -> String { FrameSample("", demo.model).frame(Size(width: 80, height: 24)).text() }
    demo.press(.character("P"))
    for _ in 0..<20 where demo.model.screens.demo.running?.reports.count != 1 { demo.press(.character(">")) }
    let running = try #require(demo.model.screens.demo.running)
    let next = try #require(running.next)
    #expect(rows().contains("Step 2 of 4 is next") && rows().contains(next.question))
    #expect(rows().contains("press >") && !rows().contains(running.steps[0].note.prefix(40)))
    #expect(!rows().contains(next.title.prefix(30)))
    // The help and the palette take the key as a letter.
    for key in ["?", ":"] {
      demo.press(.character(Character(key)))
      #expect(rows().contains("Esc, then >") && !rows().contains("press >"), "\(rows())")
      demo.press(.escape)
    }
  }

  @Test func withoutADemoItsKeysAndItsScreenSayWhy() {
    let model = Sample.model(.apps)
    for action in [DemoAction.next, DemoAction.back, NavigationAction.screen(7)] as [any FeatureAction] {
      #expect(model.obstacle(to: action) == "only ssoterm demo has steps")
    }
    #expect(!FrameSample("", model).frame(Size(width: 120, height: 40)).text().contains("8 Demo"))
  }
}

/// The file that a demo writes for `ssoterm notes` in another terminal.
struct DemoProgressTests {
  @Test func theFileFollowsTheStepsAndIsGoneAfterTheDemo() throws {
    let path = NSTemporaryDirectory() + "ssoterm-notes-\(UUID().uuidString)/demo.json"
    defer { try? FileManager.default.removeItem(atPath: folder(of: path)) }
    var file = DemoProgressFile(path: path)
    var demo = try LabByKeys(try ScenarioLibrary().scenario("contoso-suite"))
    #expect(DemoProgress.read(path) == nil)
    file.keep(try #require(demo.model.screens.demo.running))
    let first = try #require(Self.written(path))
    #expect(first.present == 0 && first.next?.title == first.steps[0].title && first.steps.count == 4)
    demo.press(">")
    file.keep(try #require(demo.model.screens.demo.running))
    let asking = try #require(Self.written(path))
    #expect(asking.isAsking && asking.present == 1)
    for _ in 0..<16 where demo.model.screens.demo.running?.reports.isEmpty == true { demo.press(">") }
    file.keep(try #require(demo.model.screens.demo.running))
    let last = try #require(Self.written(path))
    #expect(!last.isAsking && last.steps.map(\.passed) == [true, nil, nil, nil])
    file.remove()
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  /// A demo that was killed leaves its file behind, and a file that another process wrote belongs to that process.
  @Test func aFileOfAnEndedProcessOrWithDamageIsOfNoDemo() throws {
    let path = NSTemporaryDirectory() + "ssoterm-notes-\(UUID().uuidString).json"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var progress = try Self.progress()
    progress.process.id = 0x7FFF_FFF0
    try encodeJSON([progress]).write(to: URL(filePath: path))
    #expect(DemoProgress.read(path) == nil)
    try Data("{\"process\": ".utf8).write(to: URL(filePath: path))
    #expect(DemoProgress.read(path) == nil)
  }

  /// `ssoterm notes` continues with a demo that still runs after another one has ended.
  @Test func aDemoThatEndsLeavesTheNotesOfAnother() throws {
    let path = NSTemporaryDirectory() + "ssoterm-notes-\(UUID().uuidString).json"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var (first, second) = (DemoProgressFile(path: path), DemoProgressFile(path: path))
    let suite = try LabByKeys(try ScenarioLibrary().scenario("contoso-suite"))
    let vendors = try LabByKeys(try ScenarioLibrary().scenario("two-vendors"))
    first.keep(try #require(suite.model.screens.demo.running))
    second.keep(try #require(vendors.model.screens.demo.running))
    #expect(Self.written(path)?.name == "two-vendors")
    second.remove()
    #expect(DemoProgress.read(path)?.name == "contoso-suite")
    first.remove()
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func theNotesHaveTheStepTheNextOneAndTheTime() throws {
    var progress = try Self.progress()
    let now = progress.startedAt.adding(seconds: 754)
    progress.stepAt = progress.startedAt.adding(seconds: 700)
    #expect(
      notesText(progress, now: now, width: 60, TextInk()).first
        == "contoso-suite  00:12:34  this step 00:00:54")
    #expect(notesText(progress, now: now, width: 60, TextInk()).contains("Next: \(progress.steps[0].title)"))
    progress.present = 4
    progress.steps[3].passed = false
    let lines = notesText(progress, now: now, width: 60, TextInk())
    #expect(lines.contains("✗ not as expected") && lines.last == "That was the last step.")
    progress.steps[3].note = "red \u{1B}[31m"
    #expect(!notesText(progress, now: now, width: 60, TextInk()).joined().contains("\u{1B}"))
    #expect(notesText(nil, now: now, width: 60, TextInk())[0] == "No demo is running.")
  }

  @Test func thePlaceIsOfThePersonAlone() {
    #expect(
      DemoProgress.path { $0 == "XDG_RUNTIME_DIR" ? "/run/user/7" : nil } == "/run/user/7/ssoterm-demo.json")
    #expect(DemoProgress.path { $0 == "XDG_DATA_HOME" ? "/data" : nil } == "/data/ssoterm/demo.json")
    #expect(
      DemoProgress.path { ["XDG_RUNTIME_DIR": "here", "XDG_DATA_HOME": "/data"][$0] }
        == "/data/ssoterm/demo.json")
  }

  private static func written(_ path: String) -> DemoProgress? {
    DemoProgressFile.writing.sync { DemoProgress.read(path) }
  }

  private static func progress() throws -> DemoProgress {
    let demo = try LabByKeys(try ScenarioLibrary().scenario("contoso-suite"))
    let now = Instant(1_768_466_467)
    return DemoProgress(try #require(demo.model.screens.demo.running), startedAt: now, stepAt: now)
  }
}

struct AutomaticDemoTests {
  @Test func aDemoRunsItsStepsByItselfAndBeginsAgain() throws {
    var demo = try LabByKeys(try ScenarioLibrary().scenario("contoso-suite"))
    demo.model.autoPace = 6000
    let count = try #require(demo.model.screens.demo.running?.steps.count)
    #expect(demo.model.alarms[.autoStep]?.milliseconds == 6000)
    for _ in 0..<40 where demo.model.screens.demo.running?.reports.count != count {
      demo.take(.alarm(.autoStep))
    }
    #expect(demo.model.screens.demo.running?.reports.allSatisfy(\.passed) == true)
    for _ in 0..<2 where demo.model.screens.demo.running?.reports.isEmpty == false {
      demo.take(.alarm(.autoStep))
    }
    #expect(demo.model.screens.demo.running?.reports.isEmpty == true, "it begins again")
  }

  @Test func aKeyHoldsTheNextStepForHalfAMinute() throws {
    var demo = try LabByKeys(try ScenarioLibrary().scenario("contoso-suite"))
    demo.model.autoPace = 6000
    let before = demo.model.alarms[.autoStep]
    demo.press("j")
    #expect(demo.model.alarms[.autoStep] != before && demo.model.alarms[.autoStep]?.milliseconds == 30_000)
    demo.take(.alarm(.autoStep))
    #expect(demo.model.alarms[.autoStep]?.milliseconds == 6000)
  }

  @Test func qQuitsFromAPromptToo() throws {
    var demo = try LabByKeys(try ScenarioLibrary().scenario("contoso-suite"))
    demo.model.autoPace = 6000
    demo.take(.alarm(.autoStep))
    #expect(demo.model.topDialog(PromptDialog.self) != nil)
    #expect(update(&demo.model, .event(.key(.character("q")))) == [.finish(.quit)])
  }
}

struct StepByHandTests {
  private func reports(_ demo: LabByKeys) -> [StepReport] { demo.model.screens.demo.running?.reports ?? [] }

  @Test func aStepThatTheUserPerformsByHandIsDone() throws {
    var demo = try LabByKeys(try ScenarioLibrary().scenario("contoso-suite"))
    demo.signIn()
    #expect(reports(demo).map(\.index) == [1] && reports(demo).allSatisfy(\.passed))
    #expect(demo.model.notice?.text.hasSuffix(" That was step 1 of 4: press > for step 2.") == true)
    demo.press(">")
    #expect(reports(demo).map(\.index) == [1, 2], "step 1 is not run again")
  }

  @Test func anotherAppOrAnotherResultIsNotTheStep() throws {
    var demo = try LabByKeys(try ScenarioLibrary().scenario("contoso-suite"))
    demo.press("s")
    demo.press("i")
    demo.press(.escape)
    #expect(reports(demo).isEmpty, "a silent call and a cancelled sign-in are not step 1")
    demo.signIn()
    demo.press("s")
    #expect(reports(demo).count == 1, "step 2 is a silent call of another app")
    demo.press("js")
    #expect(reports(demo).count == 2)
  }
}

struct QuestionForTheRoomTests {
  @Test func theBarAsksTheRoomBeforeTheStepThatAnswers() throws {
    let robot = try RobotUser(demo: "two-vendors")
    robot.press("P").press(">").press(">").press(">")
      .sees("? Another team, another client ID: is a password needed?")
      .press(">").doesNotSee("is a password needed")
  }
}
