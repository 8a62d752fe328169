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
    #expect(lab.model.screens.scenarios.entries.map(\.name) == names)
    lab.press("/claim:B2\r")
    #expect(lab.model.screens.scenarios.selected?.claims.contains("B2") == true)
    #expect(lab.text.contains("claim B2") && lab.text.contains("redirect URI gets no token"))
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
    #expect(update(&model, .event(.key(.enter))) == [.finish(.demo("two-vendors"))])
    let file = try ScenarioLibrary().scenario("two-vendors")
    var demo = try LabByKeys(file)
    _ = update(&model, .demoLeft(try #require(demo.model.screens.story.story)))
    #expect(model.screens.scenarios.results.isEmpty)
    #expect(model.notice?.text == "Demo two-vendors left: 0 of 4 steps run.")
    for _ in 0..<100 where demo.model.screens.story.story?.next != nil { demo.press(">") }
    _ = update(&model, .demoLeft(try #require(demo.model.screens.story.story)))
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
