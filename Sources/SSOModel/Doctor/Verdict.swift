import SSOCore

/// The result of a diagnosis in one line: what is wrong, how sure that is, and the one thing to do first.
package struct Verdict: Hashable, Sendable {
  /// The grounds on which a verdict rests.
  package enum Certainty: String, CaseIterable, Hashable, Sendable {
    /// The files show the values, and the SDK or the provider rejects them.
    case seen
    /// The files show only a part, or it depends on the account or the build.
    case inferred
    case notFilledIn = "not filled in"
    case nothingFound = "nothing found"
    /// The files show nothing that could be judged.
    case notVisible = "not visible"
  }

  package var certainty: Certainty
  /// The finding to begin with, or `nil` if there is none.
  package var finding: DoctorCheck?
  package var text: String
}

extension Diagnosis {
  /// The verdict on all apps and registrations together.
  package var verdict: Verdict {
    let grounds: [(DoctorCheck.Severity, Verdict.Certainty)] = [
      (.fails, .seen), (.worksInSomeCases, .inferred), (.notFilledIn, .notFilledIn),
    ]
    if let file = unread.first, !findings.contains(where: { $0.severity == .fails }) {
      return Verdict(certainty: .notVisible, finding: nil, text: "Repair \(file.path), which cannot be read.")
    }
    for (severity, certainty) in grounds {
      let found = findings.filter { $0.severity == severity }
      guard let first = found.first else { continue }
      let more = found.count > 1 ? " The first of \(found.count)." : ""
      return Verdict(certainty: certainty, finding: first, text: first.advice + more)
    }
    if checks.isEmpty {
      let text =
        isEmpty && uses.isEmpty ? "No app here uses MSAL or ADAL." : "Nothing here could be judged."
      return Verdict(certainty: .notVisible, finding: nil, text: text)
    }
    return Verdict(
      certainty: .nothingFound, finding: nil, text: "No mistake is visible in \(checks.count) checks.")
  }
}

extension DoctorCheck {
  /// A sentence that says where to write what.
  fileprivate var advice: String {
    let lines = (fix ?? "").split(separator: "\n")
    return switch (severity, lines.count) {
    case (.notFilledIn, _): "Replace \(check.found) in \(place) with the app's own."
    case (_, 0): "Change \(check.found) in \(place), by the rule \(rule.name)."
    case (_, 1): "Write \(lines[0]) in \(place), by the rule \(rule.name)."
    default: "Write the lines of the rule \(rule.name) in \(place)."
    }
  }
}
