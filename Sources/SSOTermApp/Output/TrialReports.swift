/// Returns a JUnit report with a suite for each item, and a case for each step of a scenario.
package func junitText(_ run: TrialRun) -> String {
  junitText(
    run.title,
    run.items.map { item in
      var suite = ReportSuite(name: item.name, cases: item.cases)
      suite.at = item.result?.at ?? run.startedAt
      suite.milliseconds = item.result?.milliseconds ?? 0
      suite.properties = run.environment
      suite.output = (item.result?.evidence ?? []).map { "== \($0.name)\n\($0.text)\n" }.joined(
        separator: "\n")
      return suite
    })
}

extension TrialRun.Item {
  fileprivate var cases: [ReportSuite.Case] {
    let steps = (result?.report?.steps ?? []).map { step in
      let text = step.mismatches.map { "expected \($0.expected)\nfound    \($0.found)" }
      return ReportSuite.Case(
        name: "\(step.index) \(step.title)",
        failure: step.passed
          ? nil : (counted(text.count, "expectation") + " not met", text.joined(separator: "\n")))
    }
    guard let result else {
      return [ReportSuite.Case(name: title.isEmpty ? name : title, skipped: "not tried")]
    }
    // A verdict that the steps already express is not an additional case.
    let isOwn = result.report == nil || result.verdict != (result.report?.passed == true ? .passed : .failed)
    guard isOwn else { return steps }
    let words = result.remark.isEmpty ? "judged by a person" : result.remark
    return steps + [
      ReportSuite.Case(
        name: title.isEmpty ? name : title,
        failure: result.verdict == .failed ? ("failed", words) : nil,
        skipped: result.verdict == .skipped ? words : nil)
    ]
  }
}

/// Returns a report for people: the environment, a table for each item, and the evidence below it.
package func markdownText(_ run: TrialRun) -> String {
  var lines = ["# \(Escaping.markdown(run.title))", "", "| | |", "|---|---|"]
  lines += run.environment.map { "| \(Escaping.markdown($0.name)) | \(Escaping.markdown($0.value)) |" }
  lines.append("| time | \(run.startedAt.iso8601), \(Double(run.milliseconds) / 1000) s |")
  let open = run.items.count { $0.result == nil }
  let counts = TrialResult.Verdict.allCases.map { "\(run.count($0)) \($0.rawValue)" }
  lines += ["", (counts + ["\(open) not tried"]).joined(separator: ", ") + "."]
  for item in run.items { lines += item.markdownLines }
  return (lines + [""]).joined(separator: "\n")
}

extension TrialResult.Verdict {
  package var glyph: String {
    switch self {
    case .passed: "✓"
    case .failed: "✗"
    case .skipped: "-"
    }
  }
}

extension TrialRun.Item {
  fileprivate var markdownLines: [String] {
    let claims = claims.isEmpty ? "" : " (\(claims.joined(separator: ", ")))"
    let verdict = result.map { "\($0.verdict.glyph) " } ?? "? "
    var lines = ["", "## \(verdict)\(Escaping.markdown(name))\(claims)", "", Escaping.markdown(title)]
    guard let result else { return lines + ["", "Not tried."] }
    let remark = result.remark.isEmpty ? "" : ": " + Escaping.markdown(result.remark)
    lines += ["", "\(result.verdict.rawValue) at \(result.at.iso8601)\(remark)"]
    if let report = result.report {
      lines += ["", "| step | | what came |", "|---|---|---|"]
      for step in report.steps {
        let found = step.mismatches.map { "expected \($0.expected), found \($0.found)" }
        lines.append(
          "| \(step.index) \(Escaping.markdown(step.title)) | \(step.passed ? "✓" : "✗") "
            + "| \(found.isEmpty ? "as expected" : found.map { Escaping.markdown($0) }.joined(separator: "<br>")) |"
        )
      }
    }
    for evidence in result.evidence {
      let text = evidence.text.split(separator: "\n", omittingEmptySubsequences: false).map {
        safe(String($0))
      }
      lines += ["", "<details><summary>\(Escaping.markdown(evidence.name))</summary>", "", "````text"] + text
      lines += ["````", "", "</details>"]
    }
    return lines
  }
}

/// Writes both reports to the current folder, and never overwrites an existing file.
/// - Returns: A sentence that says where they were written.
func writeReports(_ run: TrialRun) throws -> String {
  let page = try writeNew("checklist", "md", markdownText(run))
  let junit = try writeNew("checklist", "xml", junitText(run))
  return "Written to \(page) and \(junit), secrets masked."
}
