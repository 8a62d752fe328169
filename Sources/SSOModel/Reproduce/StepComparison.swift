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
    let (one, other) = (Array(source.prefix(Self.most)), Array(lab.prefix(Self.most)))
    let pairs = aligned(one.map(\.meaning), other.map(\.meaning)) { $0 != nil && $0 == $1 }
    rows = pairs.map { Row(source: $0.map { one[$0].words }, lab: $1.map { other[$0].words }, labStep: $1) }
  }
}

extension Hop {
  /// The parties and the action, without anything that was sent.
  fileprivate var words: String { "\(from.label) → \(to.label)  \(action.prefix { $0 != "?" })" }

  /// The step's subject, in words that logs and the lab share, or `nil` for a step that only one of them shows.
  fileprivate var meaning: String? {
    let text = action.lowercased()
    if from == .sdk, to == .app { return "result" }
    if from == .app, to == .sdk { return text.contains("silent") ? "silent" : "interactive" }
    if from == .keychain || to == .keychain {
      return ["access token", "refresh token", "account"].first(where: text.contains).map { "keychain \($0)" }
    }
    if from == .provider || to == .provider {
      if text.contains("/token") || text.contains("refresh token") || text.contains("token endpoint") {
        return from == .provider ? nil : "token"
      }
      return text.contains("authorize") || text.contains("authorization") ? "authorize" : nil
    }
    if text.hasPrefix("openurl") { return to == .app ? "answer" : "broker" }
    return text.hasPrefix("web") ? "page" : nil
  }
}
