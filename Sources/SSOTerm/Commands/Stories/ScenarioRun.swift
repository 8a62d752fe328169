internal import ArgumentParser
internal import SSOModel

/// `ssoterm scenario run NAME…`: each on a store in memory of its own.
struct ScenarioRun: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run scenarios, each on a throw-away store, and say what held.")

  @OptionGroup var options: GlobalOptions

  @Argument(help: "Names of scenarios, or files.")
  var names: [String]

  func perform(on console: Console) throws -> ExitStatus {
    var reports: [ScenarioReport] = []
    for name in names {
      reports.append(try Lab.run(try ScenarioLibrary().scenario(name)))
    }
    let document: JSONValue =
      reports.count == 1 ? reports[0].json : .array(reports.map(\.json))
    try console.show(document) {
      reports.map { reportText($0, console.ink) }.joined(separator: "\n\n")
    }
    return reports.allSatisfy(\.passed) ? .done : .finding
  }
}

func reportText(_ report: ScenarioReport, _ ink: Ink) -> String {
  let passed = report.steps.count { $0.passed }
  var lines = [
    ink.draw(report.name, .strong) + ink.draw("  \(passed) of \(counted(report.steps.count, "step")) held")
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
        steps.map {
          [
            "index": .count($0.index), "title": .string($0.title), "note": .string($0.note),
            "passed": .bool($0.passed),
            "mismatches": .array(
              $0.mismatches.map { ["expected": .string($0.expected), "found": .string($0.found)] }),
            "traceID": $0.traceID.map { .integer($0) } ?? .null,
          ]
        }),
    ]
  }
}
