import SSOCore

/// The steps of a source and of the lab, side by side.
///
/// Both are worded alike where they mean the same, but a log shows fewer steps, and the lab shows each request.
package struct StepComparison: Hashable, Sendable {
  /// A step of the source, of the lab, or of both.
  package struct Row: Hashable, Sendable {
    package var source: String?
    package var lab: String?
    /// The zero-based number of the lab's step in its trace.
    package var labStep: Int?
  }

  package private(set) var rows: [Row] = []
  /// The number of steps that both have.
  package var shared: Int { rows.count { $0.source != nil && $0.lab != nil } }

  /// The maximum number of steps to compare of each side.
  private static let most = 60

  package init(_ source: [Hop], _ lab: [Hop]) {
    let one = source.prefix(Self.most).map { Step($0) }
    let other = lab.prefix(Self.most).enumerated().flatMap { Step.ofLab($1, number: $0) }
    rows = Self.rows(one, other)
  }

  /// Aligns the steps before and after the call, if both show the call, which counts more than another pair.
  private static func rows(_ source: [Step], _ lab: [Step]) -> [Row] {
    if let one = source.firstIndex(where: \.isCall), let other = lab.firstIndex(where: \.isCall),
      source[one].meaning == lab[other].meaning
    {
      let call = Row(source: source[one].words, lab: lab[other].words, labStep: lab[other].number)
      return alignedRows(Array(source[..<one]), Array(lab[..<other])) + [call]
        + alignedRows(Array(source[(one + 1)...]), Array(lab[(other + 1)...]))
    }
    return alignedRows(source, lab)
  }

  private static func alignedRows(_ source: [Step], _ lab: [Step]) -> [Row] {
    aligned(source.map(\.meaning), lab.map(\.meaning)) { $0 != nil && $0 == $1 }.map { one, other in
      Row(
        source: one.map { source[$0].words }, lab: other.map { lab[$0].words },
        labStep: other.flatMap { lab[$0].number })
    }
  }

  /// A step with its subject; a refused request of the lab is two, because logs show the provider's response on its
  /// own.
  private struct Step {
    var words: String
    var meaning: String?
    var number: Int?
    var isCall: Bool { meaning == Hop.silentCall || meaning == Hop.interactiveCall }

    init(_ hop: Hop, number: Int? = nil) {
      (words, meaning, self.number) = (hop.words, hop.meaning, number)
    }

    static func ofLab(_ hop: Hop, number: Int) -> [Step] {
      let step = Step(hop, number: number)
      guard hop.to == .provider, let refusal = hop.refusal else { return [step] }
      var answer = step
      let code = refusal.number ?? refusal.error
      answer.words = "\(hop.to.label) → \(hop.from.label)  refuse\(code.isEmpty ? "" : " " + code)"
      answer.meaning = Hop.refused
      return [step, answer]
    }
  }
}

extension Hop {
  /// The parties and the action, without anything that was sent.
  fileprivate var words: String { "\(from.label) → \(to.label)  \(spelledAction.prefix { $0 != "?" })" }

  /// The action, with the kinds of keychain items spelled as in logs.
  private var spelledAction: String {
    guard from.isStorage || to.isStorage else { return action }
    return Self.spellings.reduce(action) { $0.replacing($1.0, with: $1.1) }
  }

  private static let spellings = [
    ("accesstoken", "access token"), ("refreshtoken", "refresh token"), ("idtoken", "ID token"),
    ("accountmetadata", "account metadata"), ("appmetadata", "app metadata"),
  ]

  /// The subject of the provider's refusal.
  fileprivate static let refused = "refused"
  fileprivate static let (silentCall, interactiveCall) = ("silent", "interactive")

  /// The step's subject, in words that logs and the lab share, or `nil` for a step that only one of them shows.
  fileprivate var meaning: String? {
    let text = spelledAction.lowercased()
    if from.isSDK || from == .library, to == .app { return "result" }
    if from == .app, to.isSDK {
      // Logs have a line for the SDK's creation, which is not a call.
      if text.hasSuffix("init") { return nil }
      return text.contains("silent") ? Self.silentCall : Self.interactiveCall
    }
    if from.isStorage || to.isStorage {
      return ["access token", "refresh token", "account metadata", "account"].first(where: text.contains)
        .map { "keychain \($0)" }
    }
    if from == .provider {
      return checks.contains { $0.verdict == .failed } || text == "refuse" ? Self.refused : nil
    }
    if to == .provider {
      if text.contains("/token") || text.contains("refresh token") || text.contains("token endpoint") {
        return "token"
      }
      return text.contains("authorize") || text.contains("authorization") ? "authorize" : nil
    }
    if text.hasPrefix("openurl") { return to == .app ? "answer" : "broker" }
    return text.hasPrefix("web") ? "page" : nil
  }
}
