/// The requests that reached the provider while a program ran, oldest first.
///
/// A rejected one has the check that failed.
struct RunReport {
  private let name: String
  private let command: String
  private let cases: [ReportSuite.Case]

  /// Reads the provider's responses from the traces of a program's own lab.
  ///
  /// `words` are the program's name and arguments.
  init(_ lab: Lab, of words: [String]) throws {
    name = words[0].split(separator: "/").last.map(String.init) ?? words[0]
    command = words.map(shellWord).joined(separator: " ")
    cases = try lab.read { reader in
      try reader.traces.rows(limit: 1000).reversed().enumerated().map { index, row in
        let name = "\(index + 1) \(row.title): \(row.summary)"
        guard row.verdict != Outcome.Verdict.succeeded.rawValue else { return ReportSuite.Case(name: name) }
        let failed = try reader.traces.trace(row.id)?.outcome?.failedCheck
        return ReportSuite.Case(
          name: name,
          failure: (
            row.summary,
            failed?.reasonInFull ?? row.summary
          ))
      }
    }
  }

  func text(_ kind: ReportFile) -> String {
    switch kind {
    case .junit: junitText("ssoterm run", [ReportSuite(name: name, cases: cases)])
    case .markdown: table
    }
  }

  private var table: String {
    let refused = cases.count { $0.failure != nil }
    let lines = [
      "# Requests to the provider", "", Escaping.markdown(command), "",
      "\(counted(cases.count, "request")), \(refused) refused.", "", "| request | | what failed |",
      "|---|---|---|",
    ]
    let rows = cases.map { one in
      "| \(Escaping.markdown(one.name)) | \(one.failure == nil ? "✓" : "✗") | "
        + "\(Escaping.markdown(one.failure?.text ?? "")) |"
    }
    return (lines + rows + [""]).joined(separator: "\n")
  }
}
