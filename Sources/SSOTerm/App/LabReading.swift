import Foundation
import SSOModel

extension Lab {
  /// The rows that the screens ask for.
  func read(_ load: Load) throws -> Loaded {
    switch load {
    case .status: return .status(try status())
    case .apps: return .apps(try apps())
    case .accounts:
      let rows = try accounts(limit: nil)
      return .accounts(
        rows, SearchIndex(rows.map { "\($0.username) \($0.displayName ?? "") \($0.homeTenantName ?? "")" }))
    case .tokens(let scope): return .tokens(try tokenTree(filter: TokenFilter(scope), unmasked: false))
    case .detail(let id, let revealed):
      return .detail(try tokenDetail(id, unmasked: revealed), revealed: revealed)
    case .people:
      let people = try store.read { try Directory(documents: $0).people() }
      return .people(
        people.prefix(40).map { person in
          let remark = person.isDisabled ? "disabled" : person.requiresMFA ? "MFA required" : ""
          return TestPerson(username: person.username, password: person.password, remark: remark)
        })
    case .groups: return .groups(try keychainGroups())
    case .items(let group): return .items(group: group, try keychainItems(group: group))
    case .traces: return .traces(try traces(limit: 500))
    case .trace(let id): return .trace(try trace(id))
    case .blastRadius(let intent): return .blastRadius(intent, try blastRadius(of: intent))
    }
  }

  /// The IDs of the credentials that a change is for.
  func credentials(in target: Target) throws -> [String] {
    switch target {
    case .credentials(let ids): ids
    case .accessTokens(let scope):
      try tokens(filter: TokenFilter(scope), unmasked: false).filter { $0.shortType == "AT" }.map(\.id)
    case .refreshTokens(let scope):
      try tokens(filter: TokenFilter(scope), unmasked: false).filter { ["RT", "FRT"].contains($0.shortType) }
        .map(\.id)
    }
  }

  /// Writes a trace as text into the present folder.
  /// - Returns: where it went, in words.
  func export(trace id: Int64) throws -> String {
    guard let trace = try trace(id) else { return "That trace is gone." }
    let name = "trace-\(id).txt"
    try trace.text.write(toFile: name, atomically: true, encoding: .utf8)
    return "Written to \(name), secrets masked."
  }
}

extension Trace {
  /// The story as plain lines: one a step, its checks and what was sent below it.
  var text: String {
    var lines = [summary.title, "correlation ID \(summary.correlationID)", ""]
    for (index, hop) in hops.enumerated() {
      let result = hop.result.isEmpty ? "" : " = \(hop.result)"
      lines.append("\(index + 1)  \(hop.from.label) -> \(hop.to.label)  \(hop.action)\(result)")
      lines += hop.checks.map { "     \($0.glyph) \($0.name): \($0.found) (expected \($0.expected))" }
      lines += hop.sent.map { "     \($0.name) = \($0.value)" }
    }
    return (lines + ["", summary.summary, ""]).joined(separator: "\n")
  }
}

extension TokenFilter {
  init(_ scope: TokenScope) {
    self.init(clientID: scope.clientID, redirectURI: scope.redirectURI, account: scope.account)
  }
}

extension Problem {
  /// Every error of the model says what, why and what next; others say what they can.
  init(_ error: any Error) {
    if let error = error as? LabError {
      self.init(what: error.what, why: error.why, next: error.next)
    } else if let error = error as? StoreError {
      self.init(what: error.what, why: error.why, next: error.next)
    } else {
      self.init(what: "\(error)")
    }
  }
}
