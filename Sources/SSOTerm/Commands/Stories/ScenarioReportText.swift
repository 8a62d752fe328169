/// A suite for each scenario, a case for each step.
func junitText(_ reports: [ScenarioReport]) -> String {
  junitText(
    "ssoterm scenarios",
    reports.map { report in
      ReportSuite(
        name: report.name,
        cases: report.steps.map { step in
          let text = step.mismatches.map { "expected \($0.expected)\nfound    \($0.found)" }
          return ReportSuite.Case(
            name: "\(step.index) \(step.title)",
            failure: step.passed
              ? nil : (counted(text.count, "expectation") + " not met", text.joined(separator: "\n")))
        })
    })
}

func markdownText(_ reports: [ScenarioReport]) -> String {
  let held = reports.count { $0.passed }
  var lines = ["# Scenarios", "", "\(held) of \(counted(reports.count, "scenario")) passed."]
  for report in reports {
    let claims = report.claims.isEmpty ? "" : " (\(report.claims.joined(separator: ", ")))"
    lines += [
      "", "## \(report.passed ? "✓" : "✗") \(markdown(report.name))\(claims)", "", markdown(report.title),
    ]
    lines += ["", "| step | | what came |", "|---|---|---|"]
    for step in report.steps {
      let found = step.mismatches.map { "expected \($0.expected), found \($0.found)" }
      lines.append(
        "| \(step.index) \(markdown(step.title)) | \(step.passed ? "✓" : "✗") "
          + "| \(found.isEmpty ? "as expected" : found.map(markdown).joined(separator: "<br>")) |")
    }
  }
  return (lines + [""]).joined(separator: "\n")
}
