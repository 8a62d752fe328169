import Foundation

/// What `scenario run --report KIND FILE` writes: for a CI that reads JUnit, or for people.
enum ReportFile: String, CaseIterable {
  case junit, markdown

  func write(_ reports: [ScenarioReport], to path: String) throws {
    let text = self == .junit ? junitText(reports) : markdownText(reports)
    do {
      try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw CommandFailure(
        status: .usage, kind: "report", what: "The report \(path) cannot be written.",
        why: error.localizedDescription, next: "ssoterm scenario run --all --report \(rawValue) OTHER-FILE")
    }
  }
}

/// A suite for each scenario, a case for each step.
func junitText(_ reports: [ScenarioReport]) -> String {
  let steps = reports.flatMap(\.steps)
  var lines = [
    #"<?xml version="1.0" encoding="UTF-8"?>"#,
    #"<testsuites name="ssoterm scenarios" tests="\#(steps.count)" failures="\#(steps.count { !$0.passed })">"#,
  ]
  for report in reports {
    let failures = report.steps.count { !$0.passed }
    lines.append(
      #"  <testsuite name="\#(xml(report.name))" tests="\#(report.steps.count)" failures="\#(failures)">"#)
    for step in report.steps {
      let head =
        #"    <testcase classname="\#(xml(report.name))" name="\#(xml("\(step.index) \(step.title)"))""#
      if step.passed {
        lines.append(head + "/>")
      } else {
        let text = step.mismatches.map { "expected \($0.expected)\nfound    \($0.found)" }
        lines += [
          head + ">",
          #"      <failure message="\#(xml(counted(text.count, "expectation") + " not met"))">"#
            + xml(text.joined(separator: "\n")) + "</failure>",
          "    </testcase>",
        ]
      }
    }
    lines.append("  </testsuite>")
  }
  return (lines + ["</testsuites>", ""]).joined(separator: "\n")
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

/// Text inside XML: markup escaped, and what XML 1.0 does not allow made visible.
private func xml(_ text: String) -> String {
  text.split(separator: "\n", omittingEmptySubsequences: false).map { safe(String($0)) }
    .joined(separator: "\n").replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
}

/// Text inside a table cell.
private func markdown(_ text: String) -> String {
  safe(text).replacing("\\", with: "\\\\").replacing("|", with: "\\|").replacing("<", with: "&lt;")
}
