import SSOCore
import SSOReference

extension Diagnosis {
  /// The verdict on all apps and registrations together.
  package var verdict: Verdict {
    let grounds: [(DoctorCheck.Severity, Verdict.Certainty)] = [
      (.fails, .seen), (.worksInSomeCases, .inferred), (.notFilledIn, .notFilledIn),
    ]
    if let file = unread.first, findings.isEmpty {
      return Verdict(
        .notVisible, meaning: "A file cannot be read.", remedy: Advice("repair it."), place: file.path)
    }
    for (severity, certainty) in grounds {
      let found = findings.filter { $0.severity == severity && $0.unseenValue == nil }
      guard let first = found.first else { continue }
      return Verdict(
        certainty, cause: first.rule.name,
        meaning: first.mistakeWithValues + (found.count > 1 ? " It is the first of \(found.count)." : ""),
        remedy: first.advice, place: first.place.description)
    }
    if let first = findings.first, let value = first.unseenValue {
      return Verdict(
        .notVisible, cause: first.rule.name, meaning: "It depends on \(value) in code, which is not visible.",
        remedy: Advice("name the project as well."), place: first.place.description)
    }
    guard checks.isEmpty else {
      return Verdict(
        .nothingFound,
        meaning: (hasNoSDK ? "No app here uses MSAL or ADAL. " : "")
          + "No mistake is visible in \(counted(checks.count, "check")).")
    }
    return Verdict(
      .notVisible, meaning: hasNoSDK ? "No app here uses MSAL or ADAL." : "Nothing could be checked.")
  }
}

extension DoctorCheck {
  /// The mistake as a sentence, with the expected value and the value found.
  fileprivate var mistakeWithValues: String {
    "\(mistake). Expected \(check.expected); found \(check.found)."
  }

  /// The one thing to do at the place of the mistake.
  fileprivate var advice: Advice {
    let lines = fix?.lines ?? []
    let words =
      switch (severity, lines.count) {
      case (.notFilledIn, _): "replace it with the app's own."
      case (_, 0): "change \(place)."
      case (_, 1): "write \(lines[0]) at \(place)"
      default: "write the lines that the rule prints at \(place)."
      }
    return Advice(words)
  }
}
