import Essentials

extension Diagnosis {
  /// The findings in SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format), which code hosts show beside the
  /// lines of a review.
  var sarif: JSONValue {
    let rules = DoctorRule.allCases
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
      "id": .string(rawValue), "shortDescription": ["text": .string(title + ".")],
      "fullDescription": ["text": .string(why)],
    ]
  }
}

extension UnreadFile {
  /// The SARIF notification for a problem that prevented the tool from checking the whole project.
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
      "ruleId": .string(rule.rawValue), "ruleIndex": .count(ruleIndex), "level": .string(level),
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

  /// The message of the finding in sentences: the expected and the found value, what the SDK says, and what to write.
  private var message: String {
    var lines = ["\(subject): \(rule.title). Expected \(check.expected), found \(check.found)."]
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
  text.split(separator: "\n", omittingEmptySubsequences: false).map { safe(String($0)) }.joined(
    separator: "\n")
}
