import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSOLab
@testable import SSOScenarios

struct NoteTests {
  private func lab(_ engine: TestEngine) throws -> Lab {
    let lab = try engine.lab(ScenarioLibrary().scenario("contoso-suite"))
    _ = try lab.perform(
      AcquireSilently(app: "com.contoso.mytestapp1", account: nil, scopes: [], forceRefresh: false))
    return lab
  }

  private func notes(_ lab: Lab) throws -> [Int: String] {
    try lab.read { try $0.traces.trace(1) }?.notes ?? [:]
  }

  @Test(arguments: TestEngine.allCases)
  func aNoteIsKeptAndChangedAndRemovedAndUndone(_ engine: TestEngine) throws {
    let lab = try lab(engine)
    try lab.annotate(trace: 1, step: 0, text: "here it begins")
    #expect(try notes(lab) == [0: "here it begins"])
    try lab.annotate(trace: 1, step: 0, text: "here")
    #expect(try lab.undo() == "note on step 1 of trace 1")
    #expect(try notes(lab) == [0: "here it begins"])
    try lab.annotate(trace: 1, step: 0, text: "")
    #expect(try notes(lab) == [:])
    #expect(try lab.read { try $0.traces.rows() }.count == 1, "a note is not a call")
  }

  @Test(
    arguments: TestEngine.allCases,
    [(1, 99, "step 100 in trace 1"), (1, -1, "step 0 in trace 1"), (2, 0, "trace 2")]
      as [(Int64, Int, String)])
  func aStepOrATraceThatIsNotThereIsNamed(_ engine: TestEngine, _ row: (Int64, Int, String)) throws {
    let (trace, step, missing) = row
    let lab = try lab(engine)
    let error = #expect(throws: LabError.self) { try lab.annotate(trace: trace, step: step, text: "x") }
    #expect(error?.what == "There is no \(missing).")
  }

  @Test(arguments: TestEngine.allCases, [(1000, true), (1001, false)])
  func aNoteHasAtMostAThousandCharacters(_ engine: TestEngine, _ row: (Int, Bool)) throws {
    let (count, isKept) = row
    let lab = try lab(engine)
    let text = String(repeating: "n", count: count)
    if isKept {
      try lab.annotate(trace: 1, step: 0, text: text)
    } else {
      #expect(throws: LabError.self) { try lab.annotate(trace: 1, step: 0, text: text) }
    }
    #expect(try notes(lab).isEmpty == !isKept)
  }

  @Test(arguments: TestEngine.allCases)
  func aLabThatIsReadOnlyTakesNoNote(_ engine: TestEngine) throws {
    let lab = try lab(engine).readOnly()
    let error = #expect(throws: LabError.self) { try lab.annotate(trace: 1, step: 0, text: "x") }
    #expect(error?.kind == .readOnly)
  }
}
