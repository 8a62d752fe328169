import SSOCore
import SSOReference

/// The last line of a reading: the cause of the failure, how sure it is, the one thing to do, and where it is written.
package struct ReadingVerdict: Hashable, Sendable {
  /// The reason to believe the cause.
  package enum Certainty: String, Sendable {
    /// The text contains the code.
    case seen
    /// The text contains only a sentence that stands for the code.
    case inferred
    /// The text contains only a code or a sentence that stands for any failure.
    case general
    /// The text contains an error, but no known code.
    case unknown

    package var displayText: String {
      switch self {
      case .seen: "the code is in the text"
      case .inferred: "only the sentence is in the text, not the code"
      case .general: "this says only that something failed; the cause is not in the text"
      case .unknown: "no known code is in the text"
      }
    }
  }

  /// The code of the cause, or `nil` if it is not known.
  package var cause: String?
  package var meaning: String
  package var certainty: Certainty
  package var remedy: Advice?
  /// The place of the cause, such as `line 7`, or an empty string if it is not known.
  package var place: String
  /// The ID of the trace that failed.
  package var call: Int64
}

extension Trace {
  /// The verdict on a call or a recording that failed, or `nil` if it did not.
  package var readingVerdict: ReadingVerdict? {
    guard let outcome, outcome.verdict == .failed else { return nil }
    guard let cause = explanations.first else {
      return ReadingVerdict(
        cause: nil, meaning: outcome.summary, certainty: .unknown, remedy: outcome.next,
        place: place { $0.checks.contains { $0.verdict == .failed } || $0.action == "report an error" },
        call: summary.id)
    }
    let text = hops.flatMap { $0.sent.map(\.value) }.joined(separator: " ")
    let certainty: ReadingVerdict.Certainty =
      cause.isGeneral
      ? .general
      : cause.family == .message || text.lowercased().contains(cause.code.lowercased()) || cause.isNumber
        ? .seen : .inferred
    return ReadingVerdict(
      cause: cause.code, meaning: cause.meaning, certainty: certainty, remedy: cause.remedy,
      place: place { hop in
        hop.sent.contains { Explanation.find(in: $0.value).contains { $0.code == cause.code } }
      },
      call: summary.id)
  }

  /// Returns the first word of the first hop that satisfies a condition, which for a log is its line.
  private func place(_ isMeant: (Hop) -> Bool) -> String {
    let name = hops.first(where: isMeant)?.sent.first?.name ?? ""
    return name.hasPrefix("line ") ? String(name.prefix { $0 != "," }) : ""
  }
}

extension Explanation {
  /// Whether the code is a number, which no sentence stands for.
  fileprivate var isNumber: Bool {
    code.contains { $0.isNumber } && !code.contains(" ") && family != .library
  }
}

extension LogReading {
  /// The verdict on the first call whose cause is known, or `nil` if no call failed.
  package var verdict: ReadingVerdict? {
    var best: ReadingVerdict?
    for verdict in traces.lazy.compactMap(\.readingVerdict) {
      // No later verdict can be better, and a log may have a million calls.
      if verdict.certainty.order == 0 { return verdict }
      if best.map({ verdict.certainty.order < $0.certainty.order }) ?? true { best = verdict }
    }
    return best
  }
}

extension ReadingVerdict.Certainty {
  fileprivate var order: Int {
    switch self {
    case .seen, .inferred: 0
    case .general: 1
    case .unknown: 2
    }
  }
}
