import SSOCore
import SSOLab
import Testing

@testable import SSOScenarios

/// The change that a scenario names for its last step.
@Suite struct FixTests {
  private static let broken = """
    name: broken
    title: A silent call of a disabled account
    inherit: blank
    patch:
      registrations: [{clientID: c1, displayName: App, redirectURIs: [msauth.com.example.app://auth]}]
      apps: [{bundleID: com.example.app, vendor: Example, teamID: T, clientID: c1}]
    steps:
      - title: Ada signs in
        do: {signIn: {app: com.example.app}}
        answers: {username: ada@contoso.com, password: analytical-engine, consent: accept}
      - title: The account is disabled
        do: {set: {person: ada@contoso.com, fields: [isDisabled=yes]}}
      - title: The app asks silently
        do: {silent: {app: com.example.app, account: ada@contoso.com, forceRefresh: true}}
        expect: {verdict: failed, error: {aadsts: 50057, at: token}}

    """

  private func file(_ fix: String) throws -> ScenarioFile {
    try ScenarioFile(ScenarioSource(path: "broken.yaml", text: Self.broken + fix)) {
      name throws(ScenarioError) in try ScenarioLibrary().source(named: name)
    }
  }

  @Test func aStepOfTheChangeIsMadeBeforeItsStep() throws {
    let file = try file(
      """
      fix:
        title: Enable it
        steps:
          - {do: {clock: +1m}}
          - {before: 3, do: {set: {person: ada@contoso.com, fields: [isDisabled=no]}}}
      """)
    #expect(try Lab.run(file).passed, "it fails as expected")
    let fixed = try file.fixed()
    #expect(
      fixed.steps.map(\.title)
        == ["Enable it", "Ada signs in", "The account is disabled", "Enable it", "The app asks silently"])
    let expected = try #require(fixed.steps.last).expectation
    #expect(expected.verdict == .succeeded && expected.error == nil)
    #expect(try Lab.run(fixed).passed)
    #expect((1...3).map { file.fix?.number(ofStep: $0) } == [2, 3, 5])
  }

  @Test func anotherCallTakesThePlaceOfTheLastStep() throws {
    let fixed = try file(
      """
      fix:
        title: Ask for what is in the cache
        call: {title: The cache answers, do: {silent: {app: com.example.app, account: ada@contoso.com}}}
      """
    ).fixed()
    #expect(fixed.steps.map(\.title) == ["Ada signs in", "The account is disabled", "The cache answers"])
    #expect(try Lab.run(fixed).passed)
  }

  @Test func aScenarioWithoutAFixSaysSo() throws {
    let error = #expect(throws: ScenarioError.self) { try file("").fixed() }
    #expect(
      error?.description == "broken.yaml: fix is missing: the file does not say which change mends the call")
  }

  @Test func aScenarioWithItsOwnStepsDoesNotInheritAFix() throws {
    let parent = Self.broken + "fix: {title: F, steps: [{do: {clock: +1m}}]}"
    let child = "name: child\ntitle: Child\ninherit: broken\n"
    func read(_ text: String) throws -> ScenarioFile {
      try ScenarioFile(ScenarioSource(path: "child.yaml", text: text)) { name throws(ScenarioError) in
        name == "broken"
          ? ScenarioSource(path: "broken.yaml", text: parent) : try ScenarioLibrary().source(named: name)
      }
    }
    #expect(try read(child).fix?.title == "F")
    #expect(try read(child + "steps: [{title: X, do: undo}]").fix == nil)
  }
}
