import Essentials
import SSOCore
import SSODoctor
import SSOReference
import SSOTermApp
import SafeText

extension Diagnosis {
  func report(_ kind: ReportFile) -> String {
    switch kind {
    case .junit: junitText("ssoterm doctor", suites)
    case .markdown: markdown
    case .html: HTMLPage("Doctor", suites).text
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
            name: "\(one.rule.name): \(one.check.name)",
            failure: one.hasFailed && one.severity == .fails
              ? (
                one.title,
                one.lines(TextInk()).dropFirst().map { $0.trimmingPrefix("      ") }.joined(separator: "\n")
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
    for note in notes { lines += ["", Escaping.markdown("\(note.place): \(note.displayText)")] }
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
          "\(one.rule.name) (\(one.severity.rawValue))", one.place.description, one.check.expected,
          one.check.found,
          one.refusal?.code ?? "",
        ]
        lines.append("| " + cells.map { Escaping.markdown($0) }.joined(separator: " | ") + " |")
      }
      for one in found {
        guard let fix = one.fix else { continue }
        lines +=
          ["", "\(one.rule.name), to write:", ""]
          + fix.lines.map { "    " + safe(String($0)) }
      }
    }
    for subject in subjects {
      guard let notSeen = subject.notSeen else { continue }
      lines += ["", "\(Escaping.markdown(subject.name)): \(Escaping.markdown(notSeen))"]
    }
    return (lines + [""]).joined(separator: "\n")
  }

  /// The findings in SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format), which code hosts show beside the
  /// lines of a review.
  var sarif: JSONValue {
    let rules = DoctorRule.all
    return [
      "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json",
      "version": "2.1.0",
      "runs": [
        [
          "tool": [
            "driver": [
              "name": "ssoterm", "version": .string(programVersion),
              "rules": .array(rules.map(\.sarif)),
            ]
          ],
          "columnKind": "unicodeCodePoints",
          "invocations": [
            [
              "executionSuccessful": .bool(unread.isEmpty),
              "toolExecutionNotifications": .array(unread.map(\.sarif)),
            ]
          ],
          "results": .array(findings.map { $0.sarif(ruleIndex: rules.firstIndex(of: $0.rule) ?? 0) }),
        ]
      ],
    ]
  }
}

extension DoctorRule {
  fileprivate var sarif: JSONValue {
    [
      "id": .string(name), "shortDescription": ["text": .string(title + ".")],
      "fullDescription": ["text": .string(why)],
    ]
  }
}

extension UnreadFile {
  /// The SARIF notification for a problem that prevented the tool from checking the entire project.
  fileprivate var sarif: JSONValue {
    [
      "level": "error", "message": ["text": .string(safe("\(path) cannot be read: \(error)"))],
      "locations": [["physicalLocation": .object(sarifLocation(FilePlace(path, line: error.line)))]],
    ]
  }
}

extension DoctorCheck {
  fileprivate func sarif(ruleIndex: Int) -> JSONValue {
    [
      "ruleId": .string(rule.name), "ruleIndex": .count(ruleIndex), "level": .string(level),
      "message": ["text": .string(safeLines(message))],
      "locations": [["physicalLocation": .object(sarifLocation(place))]],
    ]
  }

  private var level: String {
    switch severity {
    case .fails: "error"
    case .worksInSomeCases: "warning"
    case .notFilledIn: "note"
    }
  }

  /// The message of the finding in sentences: the expected and the found value, the SDK's error, and the lines to
  /// write.
  private var message: String {
    var lines = ["\(subject): \(title). Expected \(check.expected), found \(check.found)."]
    if let refusal {
      lines.append("The SDK or the provider says: \(refusal.text)")
      if let code = explanations.first?.code { lines.append("More: ssoterm explain \(code)") }
    }
    if let fix { lines.append("Write:\n\(fix)") }
    return lines.joined(separator: "\n")
  }

}

/// Returns a SARIF location.
///
/// A path as typed is relative to the tool's working folder; an absolute path becomes a file URL.
private func sarifLocation(_ place: FilePlace) -> [String: JSONValue] {
  let path = place.path.hasPrefix("./") ? String(place.path.dropFirst(2)) : place.path
  let encoded = path.split(separator: "/", omittingEmptySubsequences: false)
    .map { FormEncoding.percentEncode(String($0)) }.joined(separator: "/")
  let uri = path.hasPrefix("/") ? "file://" + encoded : encoded
  var location: [String: JSONValue] = ["artifactLocation": ["uri": .string(uri)]]
  if let line = place.line { location["region"] = ["startLine": .count(line)] }
  return location
}

/// Returns several lines, each without the characters that must not reach a terminal.
private func safeLines(_ text: String) -> String {
  text.lines.map { safe(String($0)) }.joined(
    separator: "\n")
}
