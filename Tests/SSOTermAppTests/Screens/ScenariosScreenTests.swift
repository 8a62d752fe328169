import Foundation
import SSOReference
import TerminalUI
import Testing

@testable import SSOCore
@testable import SSOScenarios
@testable import SSOTermApp

/// The list of scenarios: its contents, its results, and how to open a demo.
struct ScenariosScreenTests {
  @Test func theListHasEveryScenarioWithItsClaimsAndIsFilteredByThem() throws {
    var lab = try LabByKeys("contoso-suite")
    lab.press("9")
    let names = ScenarioLibrary().names()
    let listed = lab.model.screens.scenarios.entries.map(\.name)
    #expect(listed.sorted() == names.sorted())
    #expect(listed.prefix(2) == ["contoso-suite", "two-vendors"], "the ones to begin with come first")
    #expect(lab.text.contains(" Start with these") && lab.text.contains(" Apps on one phone"))
    let groups = lab.model.screens.scenarios.entries.map(ScenarioGroup.init)
    #expect(groupHeadings(groups.map(\.rawValue)).count == ScenarioGroup.allCases.count)
    lab.press("/two")
    #expect(lab.model.screens.scenarios.selected?.name == "two-vendors", "names come before titles")
    #expect(!lab.text.contains("Start with these"))
    lab.press(.escape)
    lab.press("/claim:B2\r")
    #expect(lab.model.screens.scenarios.selected?.claims.contains("B2") == true)
    #expect(lab.text.contains("claim B2") && lab.text.contains("gets no"))
  }

  /// The titles are whole from 120 columns on, and the names and the numbers of steps are beside them from 160 on.
  @Test(arguments: [120, 160])
  func noTitleIsCut(_ width: Int) throws {
    var lab = try LabByKeys("contoso-suite")
    lab.press("9")
    let screen = lab.model.screens.scenarios
    let size = Size(width: width, height: 110)
    let list = screen.panels(in: Layout(size: size)).first
    let text = FrameSample("", lab.model).frame(size).text()
    let rows = text.split(separator: "\n").dropFirst(3).map { $0.prefix(list.width) }
    for entry in screen.entries {
      #expect(rows.contains { $0.contains(" \(entry.title) ") }, "\(entry.name)")
    }
    let hasNames = rows.contains { $0.contains(" contoso-suite-broken-entitlement ") }
    #expect(hasNames == (width == 160) && !rows.contains { $0.contains("…") })
    #expect(text.contains("STEPS") == (width == 160))
  }

  /// The presenter's bar has this much room beside its key at 80 columns.
  @Test func everyQuestionFitsThePresentersBar() {
    let steps = ScenarioLibrary().all().flatMap { (try? $0.file.get())?.steps ?? [] }
    let questions = steps.map(\.question).filter { !$0.isEmpty }
    #expect(questions.count >= 7)
    #expect(questions.filter { $0.count > 61 } == [])
  }

  @Test func runningOneShowsItsStepsAndRunningAllGoesOnToTheLastOfThoseShown() throws {
    var lab = try LabByKeys("contoso-suite")
    lab.press("9/broken\r")
    let count = lab.model.screens.scenarios.list.count
    #expect(count > 1)
    lab.press("r")
    let selected = try #require(lab.model.screens.scenarios.selected)
    #expect(lab.model.screens.scenarios.results.keys.sorted() == [selected.name])
    #expect(lab.text.contains("✓ 1 \(selected.steps[0].prefix(20))"))
    lab.press("A")
    #expect(lab.model.screens.scenarios.results.count == count)
    #expect(lab.model.notice?.text == "✓ \(count) scenarios passed.")
    #expect(lab.model.working == nil)
  }

  @Test func whileScenariosRunAnotherRunIsRefusedAndTheSameKeyEndsIt() throws {
    var model = try LabByKeys("contoso-suite").model
    _ = update(&model, .loaded(.scenarios(["one", "two", "three"].map(Self.entry))))
    model.stack = [.scenarios]
    #expect(FrameSample.commands(&model, "A") == [.runScenario("one", from: "one")])
    #expect(model.working == "Running 1 of 3, one…")
    #expect(FrameSample.commands(&model, "r").isEmpty)
    #expect(FrameSample.commands(&model, "A").isEmpty)
    #expect(update(&model, .scenarioRun("one", TrialResult(.failed, at: Instant(0)))).isEmpty)
    #expect(model.notice?.text == "✗ 1 of 1 scenario failed: one." && model.working == nil)
  }

  @Test func enterStartsADemoAndOneThatWasRunToItsEndCountsAsRun() throws {
    var model = try LabByKeys("contoso-suite").model
    _ = update(&model, .loaded(.scenarios(ScenarioLibrary().names().map(Self.entry))))
    model.stack = [.scenarios]
    model.activeList.filter(by: "two-vendors")
    #expect(update(&model, .event(.key(.enter))) == [.finish(.demo(.scenario("two-vendors")))])
    let file = try ScenarioLibrary().scenario("two-vendors")
    var demo = try LabByKeys(file)
    _ = update(&model, .demoLeft(try #require(demo.model.screens.demo.running)))
    #expect(model.screens.scenarios.results.isEmpty)
    #expect(model.notice?.text == "Demo two-vendors left: 0 of 4 steps run.")
    for _ in 0..<100 where demo.model.screens.demo.running?.next != nil { demo.press(">") }
    _ = update(&model, .demoLeft(try #require(demo.model.screens.demo.running)))
    #expect(model.screens.scenarios.results["two-vendors"]?.verdict == .passed)
  }

  @Test func aFileThatCannotBeReadSaysWhyAndCannotBeRun() {
    var model = Sample.model(.scenarios)
    let error = ScenarioError(file: "mine.yaml", line: 3, key: "clok", "is not known here")
    _ = update(&model, .loaded(.scenarios([ScenarioEntry("mine", .failure(error))])))
    #expect(model.obstacle(to: ScenarioRunAction.run) == "its file cannot be read")
    let text = FrameSample("", model).frame(Size(width: 100, height: 30)).text()
    #expect(text.contains("mine.yaml:3: key 'clok' is not known"))
  }

  private static func entry(_ name: String) -> ScenarioEntry {
    ScenarioEntry(
      name, Result { () throws(ScenarioError) in try ScenarioLibrary().scenario("contoso-suite") })
  }
}

/// Verdicts on the Scenarios screen: a scenario that was run, and the manual steps of a checklist.
struct VerdictTests {
  private static func checklist(_ text: String) throws -> ChecklistFile {
    let path = NSTemporaryDirectory() + "checklist-\(UUID().uuidString).yaml"
    try Data(text.utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try ScenarioLibrary().checklist(path)
  }

  private static let release = """
    checklist: Release 5.2
    items:
      - scenario: two-vendors
      - manual: Open Mail on the phone.
        expect: No picker is shown.
    """

  @Test func theChecklistsItemsAreTheRowsAndKeysAssessThem() throws {
    var lab = try LabByKeys("contoso-suite")
    lab.model.screens.scenarios.show(ChecklistToTry(try Self.checklist(Self.release)))
    lab.press("9r")
    #expect(lab.model.screens.scenarios.results["two-vendors"]?.verdict == .passed)
    let evidence = try #require(lab.model.screens.scenarios.results["two-vendors"]?.evidence)
    #expect(evidence.count == 5 && evidence.last?.text.contains("Fabrikam Notes") == true)
    lab.press("j")
    #expect(lab.model.obstacle(to: ScenarioRunAction.run)?.hasPrefix("a person does this step") == true)
    #expect(lab.model.obstacle(to: VerdictAction.remark) == "p, f or S first")
    lab.press("f;saw one\r")
    let run = lab.model.screens.scenarios.run
    #expect(run.title == "Release 5.2" && run.items.map { $0.result?.verdict } == [.passed, .failed])
    #expect(run.items[1].result?.remark == "saw one")
    #expect(lab.text.contains("✗ failed: saw one"))
    #expect(lab.text.contains("expected   No picker is shown."))
  }

  @Test func aVerdictCanBeWithdrawn() throws {
    var lab = try LabByKeys("contoso-suite")
    lab.model.screens.scenarios.show(ChecklistToTry(try Self.checklist(Self.release)))
    lab.press("9")
    #expect(lab.model.obstacle(to: VerdictAction.withdraw) == "it has no verdict")
    lab.press("jpd")
    #expect(lab.model.screens.scenarios.results.isEmpty && lab.text.contains("No verdict any more."))
    // The result of a run that a user overruled applies again, and is then withdrawn too.
    lab.press("krf;a person's\rd")
    let result = try #require(lab.model.screens.scenarios.results["two-vendors"])
    #expect(result.verdict == .passed && result.isOfRun && result.evidence.count == 5)
    #expect(lab.text.contains("The run counts again: passed."))
    lab.press("d")
    #expect(lab.model.screens.scenarios.run.items.allSatisfy { $0.result == nil })
    lab.press("q")
    #expect(lab.model.dialogs.isEmpty, "nothing is lost")
  }

  @Test func evidenceIsAddedByHandAsAFileOrAsTheScreenBefore() throws {
    let folder = NSTemporaryDirectory() + "evidence-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data("saw it\nrefresh_token=0.AAABBBCCC\n".utf8).write(to: URL(filePath: folder + "/log.txt"))
    try Data([0x89, 0x50, 0xFF, 0x00]).write(to: URL(filePath: folder + "/shot.png"))
    var lab = try LabByKeys("contoso-suite")
    lab.model.screens.scenarios.show(ChecklistToTry(try Self.checklist(Self.release)))
    lab.press("9ja\r")
    #expect(lab.text.contains("1 piece of evidence: screen Apps"), "\(lab.text)")
    lab.press("a\(folder)/log.txt\ra\(folder)/shot.png\ra/nonexistent\r")
    #expect(lab.model.notice?.text == "/nonexistent cannot be read: No such file or directory.")
    lab.press("p")
    let evidence = try #require(lab.model.screens.scenarios.run.items[1].result?.evidence)
    #expect(evidence.map(\.name) == ["screen Apps", "file log.txt", "file shot.png"])
    #expect(evidence[0].text.contains("My Test App 1"))
    #expect(evidence[1].text.hasPrefix("saw it\nrefresh_token=<hash:"))
    #expect(
      evidence[2].text == "4 bytes, SHA-256 \(sha256([0x89, 0x50, 0xFF, 0x00]).map(hexadecimal).joined())")
    #expect(markdownText(lab.model.screens.scenarios.run).contains("<summary>file log.txt</summary>"))
  }

  @Test func aRunOfAllPassesOverManualStepsAndTakesScenariosByTheirPath() throws {
    let folder = NSTemporaryDirectory() + "checklist-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let own = """
      name: our-own
      title: Our own
      inherit: contoso-suite
      steps:
        - title: No account yet
          do: {silent: {app: com.contoso.mytestapp1}}
          expect: {verdict: failed}
      """
    try Data(own.utf8).write(to: URL(filePath: folder + "/our-own.yaml"))
    let items = "checklist: x\nitems:\n  - manual: Look.\n  - scenario: ./our-own.yaml\n"
    try Data(items.utf8).write(to: URL(filePath: folder + "/c.yaml"))
    let checklist = try ScenarioLibrary().checklist(folder + "/c.yaml")
    guard case .scenario(let file) = checklist.items[1] else {
      Issue.record("no scenario")
      return
    }
    #expect(file.claims.isEmpty, "it tells another demo than the one whose world it inherits")
    var lab = try LabByKeys("contoso-suite")
    lab.model.screens.scenarios.show(ChecklistToTry(checklist))
    lab.press("9A")
    #expect(lab.model.screens.scenarios.results.map(\.key) == ["our-own"])
    #expect(lab.model.screens.scenarios.results["our-own"]?.verdict == .passed, "\(lab.text)")
    lab.press("q")
    #expect(lab.model.topDialog(QuitConfirmation.self) == .checklist)
  }

  @Test func aMissingFileAndAWrongScenarioAreSaidAsWhatTheyAre() {
    let missing = #expect(throws: ScenarioError.self) { try ScenarioLibrary().checklist("/nonexistent.yaml") }
    #expect(missing?.why == "")
    let wrong = #expect(throws: ScenarioError.self) {
      try Self.checklist("checklist: x\nitems:\n  - scenario: two-vendorz")
    }
    #expect(wrong?.line == 3 && wrong?.next == "Did you mean 'two-vendors'?", "\(wrong?.what ?? "")")
  }

  @Test func thereIsNoReportBeforeAnythingWasTried() throws {
    var lab = try LabByKeys("contoso-suite")
    lab.press("9")
    #expect(lab.model.obstacle(to: VerdictAction.report) == "nothing was tried yet")
    lab.press("p")
    #expect(lab.model.obstacle(to: VerdictAction.report) == nil)
    _ = VerdictAction.build.run(with: "Mail 5.2 (812)", on: &lab.model)
    let environment = lab.model.screens.scenarios.run.environment
    #expect(environment.first?.name == "build under test" && environment.first?.value == "Mail 5.2 (812)")
  }

  @Test(arguments: [
    ("items: []", "key 'checklist' is missing"), ("checklist: x\nitems: []", "key 'items' is empty"),
    ("checklist: x\nitems:\n  - scenario: two-vendors\n    expect: y", "stands alone"),
    ("checklist: x\nitems:\n  - manul: y", "nearest: manual"),
    ("checklist: x\nitems:\n  - scenario: two-vendor", "nearest: two-vendors"),
  ])
  func aMistakeInTheFileIsNamedWithItsPlace(_ text: String, _ words: String) {
    let error = #expect(throws: ScenarioError.self) { try Self.checklist(text) }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }
}
