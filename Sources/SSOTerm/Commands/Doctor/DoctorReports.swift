extension Diagnosis {
  func report(_ kind: ReportFile) -> String {
    switch kind {
    case .junit: junitText("ssoterm doctor", suites)
    case .markdown: markdown
    }
  }

  /// The names of the apps and registrations that have checks, in order.
  private var names: [String] {
    checks.map(\.subject).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The test suites for the report: one suite for each app and registration, and one case for each check.
  ///
  /// A finding fails its case only if its severity is `fails`.
  private var suites: [ReportSuite] {
    let files = unread.map { file in
      ReportSuite.Case(name: file.path, failure: ("The file cannot be read", file.error.description))
    }
    return names.map { subject in
      ReportSuite(
        name: subject,
        cases: checks.filter { $0.subject == subject }.map { one in
          ReportSuite.Case(
            name: "\(one.rule.rawValue): \(one.check.name)",
            failure: one.hasFailed && one.severity == .fails
              ? (
                one.rule.title,
                one.lines(Ink()).dropFirst().map { $0.trimmingPrefix("      ") }.joined(separator: "\n")
              )
              : nil)
        })
    } + (files.isEmpty ? [] : [ReportSuite(name: "files", cases: files)])
  }

  private var markdown: String {
    var lines = ["# Doctor", ""]
    lines.append(
      findings.isEmpty && unread.isEmpty
        ? "Nothing found in \(counted(names.count, "app or registration", plural: "apps and registrations"))."
        : "\(counted(findings.count, "finding")).")
    for file in unread {
      lines += [
        "", "✗ \(Escaping.markdown(file.path)) cannot be read: \(Escaping.markdown("\(file.error)")).",
      ]
    }
    for note in notes { lines += ["", Escaping.markdown("\(note.place): \(note.words)")] }
    for subject in names {
      let own = checks.filter { $0.subject == subject }
      let found = own.filter(\.hasFailed)
      lines += ["", "## \(found.isEmpty ? "✓" : "✗") \(Escaping.markdown(subject))", ""]
      if found.isEmpty {
        lines.append("\(counted(own.count, "check")) passed.")
      } else {
        lines += ["| rule | where | expected | found | code |", "|---|---|---|---|---|"]
      }
      for one in found {
        let cells = [
          "\(one.rule.rawValue) (\(one.severity.rawValue))", one.place.description, one.check.expected,
          one.check.found,
          one.refusal?.code ?? "",
        ]
        lines.append("| " + cells.map { Escaping.markdown($0) }.joined(separator: " | ") + " |")
      }
      for one in found {
        guard let fix = one.fix else { continue }
        lines +=
          ["", "\(one.rule.rawValue), to write:", ""]
          + fix.split(separator: "\n").map { "    " + safe(String($0)) }
      }
    }
    for subject in subjects {
      guard let notSeen = subject.notSeen else { continue }
      lines += ["", "\(Escaping.markdown(subject.name)): \(notSeen)"]
    }
    return (lines + [""]).joined(separator: "\n")
  }
}
