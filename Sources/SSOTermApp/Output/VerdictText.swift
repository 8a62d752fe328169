import SSOCore
import SSODoctor
import SafeText

/// The one wording of the verdict of `doctor` and `read`.
extension Verdict {
  /// Returns the verdict, in a pipe on one line, with the call if `count`, the number of calls, is more than one.
  package func line(_ ink: TextInk, of count: Int = 1) -> String {
    let number = count > 1 ? call.map { "call \($0)" } : nil
    let grounds = [place, number ?? "", certainty.displayText].filter { !$0.isEmpty }
    // A sentence that is in no table is its own meaning.
    let head =
      cause.map { meaning.hasPrefix($0) || meaning == "The call failed: \($0)." ? "" : $0 + ": " } ?? ""
    let tone: Tone = certainty == .nothingFound ? .good : certainty == .notVisible ? .warning : .bad
    return ink.paragraph(
      InkedText("Verdict  ", .faint),
      [
        InkedText(head + meaning, tone),
        InkedText(grounds.isEmpty ? "" : "(\(grounds.joined(separator: "; ")).)", .faint),
        InkedText(remedy.map { "To do: " + $0.commandLine } ?? ""),
      ])
  }

  package var json: JSONValue {
    [
      "cause": .optional(cause), "meaning": .string(meaning), "certainty": .string(certainty.rawValue),
      "remedy": .optional(remedy?.commandLine), "place": .string(place),
      "call": call.map { .integer($0) } ?? .null,
    ]
  }
}

extension DoctorCheck.Severity {
  package var glyph: String {
    switch self {
    case .fails: "✗"
    case .worksInSomeCases: "~"
    case .notFilledIn: "·"
    }
  }

  /// Returns the text for a number of failed checks: `1 check failed`, `2 work in some cases`.
  package func text(ofCount count: Int) -> String {
    switch self {
    case .fails: "\(counted(count, "check")) failed"
    case .worksInSomeCases: "\(count) \(count == 1 ? rawValue : "work in some cases")"
    case .notFilledIn: "\(count) \(rawValue)"
    }
  }
}
