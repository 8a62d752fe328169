import SSOCore
import SSOReference

extension Trace {
  /// The verdict on a call or a recording that failed, or `nil` if it did not.
  package var verdict: Verdict? {
    guard let outcome, outcome.verdict == .failed else { return nil }
    // The class of an exception says less than a code of it that no table has.
    guard let cause = explanations.first, !(cause.isClassName && unknownCode != nil) else {
      let named = hops.first { $0.action == "report an error" && !$0.result.isEmpty }
      return Verdict(
        .unknown, cause: unknownCode ?? named?.result, meaning: outcome.summary, remedy: outcome.next,
        place: place { $0.checks.contains { $0.verdict == .failed } || $0.action == "report an error" },
        call: summary.id)
    }
    let text = hops.flatMap { $0.sent.map(\.value) }.joined(separator: " ")
    let certainty: Verdict.Certainty =
      cause.isGeneral
      ? .general
      : cause.family == .message || text.lowercased().contains(cause.code.lowercased()) || cause.isNumber
        ? .seen : .inferred
    return Verdict(
      certainty, cause: cause.code, meaning: cause.meaning, remedy: cause.remedy,
      place: place { hop in
        hop.sent.contains { Explanation.find(in: $0.value).contains { $0.code == cause.code } }
      },
      call: summary.id)
  }

  /// The code of the error that the app received, if it looks like one and no table has it.
  private var unknownCode: String? {
    hops.lazy.filter { $0.to == .app }.map(\.result).first { result in
      result.contains("_") && !result.contains(" ") && Explanation.find(in: result).isEmpty
    }
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
  package var verdict: Verdict? {
    var best: Verdict?
    for verdict in traces.lazy.compactMap(\.verdict) {
      // No later verdict can be better, and a log may have a million calls.
      if verdict.certainty.order == 0 { return verdict }
      if best.map({ verdict.certainty.order < $0.certainty.order }) ?? true { best = verdict }
    }
    return best
  }
}

extension Verdict.Certainty {
  fileprivate var order: Int {
    switch self {
    case .seen, .inferred: 0
    case .general: 1
    case .unknown, .notFilledIn, .nothingFound, .notVisible: 2
    }
  }
}
