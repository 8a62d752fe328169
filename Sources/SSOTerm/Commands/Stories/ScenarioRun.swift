import ArgumentParser

/// `ssoterm scenario run NAME…`: runs each scenario on a separate store in memory.
struct ScenarioRun: LabCommand {
  static let configuration = CommandConfiguration(
    "run", "Run scenarios, each on a temporary store, and report which steps passed.",
    examples: ["ssoterm scenario run two-vendors", "ssoterm scenario run --all --report junit report.xml"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Flag(help: "Run all scenarios that can be found.")
  var all = false

  @OptionGroup var report: ReportOption

  @Argument(help: "Names of scenarios, or files.", completion: .scenario)
  var names: [String] = []

  func perform(on console: Console) throws -> ExitStatus {
    let (files, more) = try report.parsed(of: Self.example)
    var reports: [ScenarioReport] = []
    var run = TrialRun(title: "ssoterm scenarios", startedAt: StandardStreams.now(), items: [])
    for name in try chosen(besides: more) {
      let scenario = try ScenarioLibrary.ofProgram.scenario(name)
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
    for file in files { try file.kind.write(run, to: file.path, of: Self.example) }
    let document: JSONValue =
      reports.count == 1 && !all ? reports[0].json : .array(reports.map(\.json))
    try console.show(document) {
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
        usage: "No scenario is named.", why: "run takes names, files or --all",
        next: "ssoterm scenario run --all")
    }
    return all ? ScenarioLibrary.ofProgram.names() + named.filter { $0.contains("/") } : named
  }
}

func reportText(_ report: ScenarioReport, _ ink: Ink) -> String {
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
