extension Diagnosis {
  /// Returns the output of `ssoterm doctor`: each app and registration with its problems, and then the counts.
  func text(_ ink: Ink) -> String {
    var lines: [String] = []
    for subject in subjects { lines += section(subject, ink) }
    for file in unread {
      lines.append(ink.draw("? ", .warning) + ink.draw("\(file.path) cannot be read: \(file.error)"))
    }
    for note in notes { lines.append(ink.draw("? ", .warning) + ink.draw("\(note.place): \(note.words)")) }
    guard !isEmpty else {
      return (lines + [ink.draw("No app here uses MSAL or ADAL: nothing to judge.")]).joined(separator: "\n")
    }
    return (lines + [counts(ink)]).joined(separator: "\n")
  }

  private func section(_ subject: DoctorSubject, _ ink: Ink) -> [String] {
    let own = checks(of: subject)
    let found = own.filter(\.hasFailed)
    let passed = own.count { $0.check.verdict == .passed }
    let head = ink.draw(subject.name, .strong) + ink.draw("  " + subject.summary, .faint)
    let notSeen = subject.notSeen.map {
      ink.draw("  ? ", .warning) + ink.draw($0)
    }
    let count = own.isEmpty ? "no check of its own" : "\(counted(passed, "check")) passed"
    // Do not print how many checks passed if all of them failed.
    let right = passed > 0 || own.isEmpty ? [ink.draw("  ✓ ", .good) + ink.draw(count)] : []
    return [head] + found.flatMap { $0.lines(ink) } + [notSeen].compactMap(\.self) + right + [""]
  }

  private func counts(_ ink: Ink) -> String {
    let words = DoctorCheck.Severity.allCases.compactMap { severity in
      let count = findings.count { $0.severity == severity }
      return count == 0 ? nil : "\(count) \(count == 1 ? severity.rawValue : severity.plural)"
    }
    let files = unread.isEmpty ? [] : ["\(counted(unread.count, "file")) not read"]
    if isUnjudged { return ink.draw("Nothing could be judged.", .warning) }
    let unjudged = subjects.filter { $0.notSeen != nil && checks(of: $0).isEmpty }.map(\.name)
    if (words + files).isEmpty, !unjudged.isEmpty {
      return ink.draw("Nothing found; not judged: \(unjudged.joined(separator: ", ")).", .warning)
    }
    return (words + files).isEmpty
      ? ink.draw("Nothing found.", .good) : ink.draw((words + files).joined(separator: ", ") + ".", .strong)
  }
}

extension DoctorCheck.Severity {
  fileprivate var tone: Tone { self == .fails ? .bad : .warning }
}

extension DoctorCheck {
  func lines(_ ink: Ink) -> [String] {
    func field(_ name: String, _ text: String) -> [String] {
      text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { index, line in
        let label = index == 0 ? name : ""
        return ink.draw("      " + label.padding(to: 10), .faint) + ink.draw(String(line))
      }
    }
    var lines = [
      "  " + ink.draw(severity.glyph + " ", severity.tone) + ink.draw(rule.title, .strong)
        + ink.draw("  \(rule.rawValue)", .faint),
      ink.draw("      \(place)"),
    ]
    lines += field("check", check.name) + field("expected", check.expected) + field("found", check.found)
    if let refusal { lines += field("prints", refusal.text) }
    if let code = explanations.first?.code { lines += field("explain", "ssoterm explain \(code)") }
    if let fix { lines += field("write", fix) }
    return lines
  }
}
