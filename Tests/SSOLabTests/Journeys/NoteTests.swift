import Testing

@testable import SSOCore
@testable import SSOLab
@testable import SSOScenarios

struct NoteTests {
  private func lab() throws -> Lab {
    let lab = try Lab.throwaway(ScenarioLibrary().scenario("contoso-suite"))
    _ = try lab.perform(
      .acquireSilently(app: "com.contoso.mytestapp1", account: nil, scopes: [], forceRefresh: false))
    return lab
  }

  private func notes(_ lab: Lab) throws -> [Int: String] {
    try lab.read { try $0.traces.trace(1) }?.notes ?? [:]
  }

  @Test func aNoteIsKeptAndChangedAndRemovedAndUndone() throws {
    let lab = try lab()
    try lab.annotate(trace: 1, step: 0, text: "here it begins")
    #expect(try notes(lab) == [0: "here it begins"])
    try lab.annotate(trace: 1, step: 0, text: "here")
    #expect(try lab.undo() == "note on step 1 of trace 1")
    #expect(try notes(lab) == [0: "here it begins"])
    try lab.annotate(trace: 1, step: 0, text: "")
    #expect(try notes(lab) == [:])
    #expect(try lab.read { try $0.traces.rows() }.count == 1, "a note is no call")
  }

  @Test(arguments: [(1, 99), (1, -1), (2, 0)] as [(Int64, Int)])
  func aStepThatIsNotThereIsNamed(_ trace: Int64, _ step: Int) throws {
    let lab = try lab()
    let error = #expect(throws: LabError.self) { try lab.annotate(trace: trace, step: step, text: "x") }
    #expect(error?.what == "There is no step \(step + 1) in trace \(trace).")
  }

  @Test(arguments: [(1000, true), (1001, false)])
  func aNoteHasAtMostAThousandCharacters(_ count: Int, _ isKept: Bool) throws {
    let lab = try lab()
    let text = String(repeating: "n", count: count)
    if isKept {
      try lab.annotate(trace: 1, step: 0, text: text)
    } else {
      #expect(throws: LabError.self) { try lab.annotate(trace: 1, step: 0, text: text) }
    }
    #expect(try notes(lab).isEmpty == !isKept)
  }

  @Test func aLabThatIsReadOnlyTakesNoNote() throws {
    let lab = try lab().readOnly()
    let error = #expect(throws: LabError.self) { try lab.annotate(trace: 1, step: 0, text: "x") }
    #expect(error?.kind == .readOnly)
  }
}
