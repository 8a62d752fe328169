import SSOCore
import SSOReference

/// The words by which a line that is not in a table is recognised as a failure.
extension FailureLine {
  /// Returns whether a part of a chain of sentences can stand alone.
  static func isWhole(_ part: String) -> Bool {
    let words = part.split(separator: " ").filter { word in
      word.count(where: \.isLetter) > 2 && !word.contains("://")
    }
    // `line 1 column 1 (char 0)` is a place.
    if part.hasPrefix("line "), part.dropFirst(5).first?.isNumber == true { return false }
    // `unrecognized arguments: --lamp on`
    if part.hasPrefix("--") { return false }
    return words.count > 1 || isCode(part) || saysFailure(part)
  }

  /// Returns whether a program goes on after what a sentence says: `Token expired, refreshing`, or a success in a later line.
  static func isOvercome(_ text: String, _ later: ArraySlice<String>) -> Bool {
    let lower = text.lowercased()
    return recoveries.contains { lower.contains($0) } || later.contains { OrdinaryLine.isSuccess($0) }
  }

  private static let recoveries = WordList.named("FailureLine.recoveries")

  /// Returns whether a code is not an everyday word, such as the `unauthorized` of a table of devices.
  static func isNotWord(_ code: String) -> Bool {
    !code.allSatisfy { $0.isLowercase }
  }

  /// Returns whether a line, in lowercase, says that a program which it ran ended with an error, which that program's own lines
  /// explain.
  static func isConsequence(_ lower: String) -> Bool {
    ["failed with exit code", "exited with code", "exited with status", "see inner exception"].contains(
      where: lower.contains)
  }

  /// Returns the last word of a text that is a code in capitals, or `nil` if it does not contain one.
  static func constant(in text: String) -> String? {
    text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
      .last { $0.contains("_") && $0 == $0.uppercased() && isCode($0) && !$0.contains("INTERNAL_ERROR") }
  }

  /// Returns whether a line is a short name of an error: `Lamp file retrieval error, see the log`.
  static func isTitle(_ lower: String) -> Bool {
    guard let mark = lower.firstRange(of: " error"), !lower.hasSuffix(":"), !lower.contains("error message"),
      !lower.contains(" this "),
      lower.split(separator: " ").count <= 12
    else { return false }
    let next = lower[mark.upperBound...].first
    let before = lower[..<mark.lowerBound].split(separator: " ").last ?? ""
    return (next == nil || ",.".contains(next ?? " "))
      && !["the", "an", "this", "that", "any", "no", "same", "following", "of", "my"].contains(before)
  }

  /// Returns whether a log marks a line as a report of something other than a failure.
  static func isNote(_ lower: String) -> Bool {
    let start = lower.prefix(100)
    if start.contains("[telemetry]") { return true }
    return ["debug", "info", "dbug", "verbose"].contains { level in
      // Apache names the module before the level: `[authz_core:debug]`.
      [" \(level) ", "[\(level)]", "\(level):", ":\(level)]", "level=\(level)"].contains {
        start.contains($0)
      }
    }
  }

  /// Words with which people report what they saw.
  static let ofPersons = WordList.named("FailureLine.ofPersons")

  /// The beginnings of what people write around an error, and of a program's advice.
  static let beginnings = WordList.named("FailureLine.beginnings")

  static let failures = WordList.named("FailureLine.failures")

  static let beginningWords = Set(WordList.named("FailureLine.beginningWords").map { $0[...] })
}
