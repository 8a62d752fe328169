import ArgumentParser
import Assets
import Essentials
import SSOCore
import SSOLab
import SSOReference
import SSOScenarios
import SSOTermApp

/// `ssoterm scenario list|show|run`.
struct ScenarioCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "scenario", "List, show, and run scenarios: labs with steps, each a demo and a test.",
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
    try console.show(["scenarios": .array(all.map { Self.document($0.name, $0.file) })]) {
      return TextTable(["SCENARIO", "CLAIMS", "TITLE"], of: all) { (name, file) in Self.cells(name, file) }
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

/// `ssoterm scenario claims`: lists which scenario to run for each claim of the articles.
struct ScenarioClaims: LabCommand {
  static let configuration = CommandConfiguration(
    "claims", "List the claims of the articles, and the scenarios that show them.",
    examples: ["ssoterm scenario claims", "ssoterm scenario claims --json | jq .guarantees"],
    after: "The JSON also lists the tests that prove each claim, and each guarantee of docs/security.md.")

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Flag(help: "Print docs/claims.md.")
  var markdown = false

  func perform(on console: Console) throws -> ExitStatus {
    let claims = ClaimTable(ScenarioLibrary.ofProgram.all().compactMap { try? $0.file.get() })
    try console.show(Self.witnesses()) {
      guard !markdown else { return String(claims.markdown.dropLast()) }
      return TextTable(["CLAIM", "SCENARIOS", "WHAT IT SAYS"], of: claims.rows) { row in
        [
          InkedText(row.claim.id, .strong), InkedText(dashed(row.named.joined(separator: " "))),
          InkedText(row.claim.displayText),
        ]
      }.text(console.ink)
    }
    return claims.withoutScenario.isEmpty ? .done : .finding
  }

  /// Returns docs/witnesses.json, which lists the tests besides the scenarios, and the guarantees of docs/security.md.
  private static func witnesses() throws -> JSONValue {
    try JSONParser.parse(Data((Asset("witnesses.json")?.text ?? "").utf8))
  }
}

/// `ssoterm scenario run NAME…`: runs each scenario on a separate store in memory.
struct ScenarioRun: LabCommand {
  static let configuration = CommandConfiguration(
    "run", "Run scenarios, each on a temporary store, and report which steps passed.",
    examples: ["ssoterm scenario run two-vendors", "ssoterm scenario run --all --report junit report.xml"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Flag(help: "Run all available scenarios.")
  var all = false

  @Flag(help: "Apply the scenario's fix; its last step must then succeed.")
  var fixed = false

  @OptionGroup var report: ReportOption

  @Argument(help: "Names of scenarios, or files.", completion: .scenario)
  var names: [String] = []

  func perform(on console: Console) throws -> ExitStatus {
    let (files, more) = try report.parsed()
    var reports: [ScenarioReport] = []
    var run = TrialRun(title: "ssoterm scenarios", startedAt: StandardStreams.now(), items: [])
    for name in try chosen(besides: more) {
      var scenario = try ScenarioLibrary.ofProgram.scenario(name)
      if fixed { scenario = try scenario.fixed() }
      guard !files.isEmpty else {
        reports.append(try Lab.run(scenario))
        continue
      }
      var item = TrialRun.Item(scenario)
      let result = try tryScenario(scenario)
      item.result = result
      run.items.append(item)
      if let report = result.report { reports.append(report) }
    }
    run.environment = TrialRun.environment(build: nil, person: nil)
    for file in files { try file.kind.write(run, to: file.path) }
    try console.show(["reports": .array(reports.map(\.json))]) {
      reports.map { reportText($0, console.ink) }.joined(separator: "\n\n")
    }
    return reports.allSatisfy(\.passed) ? .done : .finding
  }

  private static let example = "ssoterm scenario run --all"

  /// Returns the chosen scenarios.
  ///
  /// Words after a report's file are names too: `run --report junit out.xml contoso-suite`.
  private func chosen(besides more: [String]) throws -> [String] {
    let named = names + more
    guard all || !named.isEmpty else {
      throw CommandFailure(
        usage: "No scenario specified.", why: "run takes names, files, or --all",
        next: "ssoterm scenario run --all")
    }
    return all ? ScenarioLibrary.ofProgram.names() + named.filter { $0.contains("/") } : named
  }
}

func reportText(_ report: ScenarioReport, _ ink: TextInk) -> String {
  let passed = report.steps.count { $0.passed }
  var lines = [
    ink.draw(report.name, .strong) + ink.draw("  \(passed) of \(counted(report.steps.count, "step")) passed")
  ]
  for step in report.steps {
    lines.append(ink.draw(step.passed ? "✓" : "✗", step.passed ? .good : .bad) + ink.draw(" \(step.title)"))
    for mismatch in step.mismatches {
      lines.append(ink.draw("    expected \(mismatch.expected)"))
      lines.append(ink.draw("    found    \(mismatch.found)"))
    }
  }
  return lines.joined(separator: "\n")
}

extension ScenarioReport {
  var json: JSONValue {
    [
      "name": .string(name), "title": .string(title), "claims": .strings(claims), "passed": .bool(passed),
      "steps": .array(
        steps.map(\.json)),
    ]
  }
}

extension StepReport {
  var json: JSONValue {
    [
      "index": .count(index), "title": .string(title), "note": .string(note), "passed": .bool(passed),
      "mismatches": .array(
        mismatches.map { ["expected": .string($0.expected), "found": .string($0.found)] }),
      "traceID": traceID.map { .integer($0) } ?? .null,
    ]
  }
}
