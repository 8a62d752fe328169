import ArgumentParser

/// `ssoterm scenario list|show|run`.
struct ScenarioCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "scenario", "List, show and run scenarios: labs with a story, each a demo and a test.",
    examples: ["ssoterm scenario list", "ssoterm scenario run --all"],
    subcommands: [ScenarioList.self, ScenarioShow.self, ScenarioRun.self, ScenarioClaims.self],
    defaultSubcommand: ScenarioList.self)
}

struct ScenarioList: LabCommand {
  static let configuration = CommandConfiguration(
    "list", "List the scenarios.",
    examples: ["ssoterm scenario list"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  func perform(on console: Console) throws -> ExitStatus {
    let all = ScenarioLibrary.ofProgram.all()
    try console.show(.array(all.map { Self.document($0.name, $0.file) })) {
      return TextTable(["SCENARIO", "CLAIMS", "STORY"], of: all) { (name, file) in Self.cells(name, file) }
        .text(console.ink)
    }
    return all.isEmpty ? .nothingMatched : .done
  }

  /// Returns the cells of a scenario.
  ///
  /// A scenario that cannot be read is listed with the reason.
  private static func cells(_ name: String, _ file: Result<ScenarioFile, ScenarioError>) -> [InkedText] {
    switch file {
    case .success(let scenario):
      [
        InkedText(name, .strong), InkedText(dashed(scenario.claims.joined(separator: " "))),
        InkedText(scenario.title),
      ]
    case .failure(let error): [InkedText(name, .strong), InkedText("-"), InkedText("✗ " + error.what, .bad)]
    }
  }

  private static func document(
    _ name: String, _ file: Result<ScenarioFile, ScenarioError>
  ) -> JSONValue {
    let scenario = try? file.get()
    var problem: String?
    if case .failure(let error) = file { problem = error.description }
    return [
      "name": .string(name), "title": .optional(scenario?.title), "claims": .strings(scenario?.claims ?? []),
      "problem": .optional(problem),
    ]
  }
}

struct ScenarioShow: LabCommand {
  static let configuration = CommandConfiguration(
    "show", "Show a scenario's steps.",
    examples: ["ssoterm scenario show two-vendors"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "The scenario's name, or a file.", completion: .scenario)
  var name: String

  func perform(on console: Console) throws -> ExitStatus {
    let scenario = try ScenarioLibrary.ofProgram.scenario(name)
    let document: JSONValue = [
      "name": .string(scenario.name), "title": .string(scenario.title), "claims": .strings(scenario.claims),
      "note": .string(scenario.note), "path": .string(scenario.path),
      "steps": .array(
        scenario.steps.map { ["title": .string($0.title), "note": .string($0.note)] }),
    ]
    return try console.show(document) {
      let head = [
        console.ink.draw(scenario.name, .strong) + console.ink.draw("  " + scenario.title),
        console.ink.draw("claims " + dashed(scenario.claims.joined(separator: " ")), .faint),
      ]
      let lines = scenario.steps.enumerated().map { console.ink.draw("\($0 + 1)  \($1.title)") }
      return (head + lines).joined(separator: "\n")
    }
  }
}
