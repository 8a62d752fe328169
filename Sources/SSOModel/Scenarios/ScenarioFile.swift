/// A scenario: a world, and the steps that are performed in it.
///
/// It is read from YAML and already contains everything that it inherits.
package struct ScenarioFile: Sendable {
  /// The path from which it was read.
  package var path: String
  package var name: String
  package var title: String
  /// The claims of docs/claims.md that the scenario shows, such as "C1".
  package var claims: [String]
  package var note: String
  /// The seed; the same seed produces the same world and the same trace (ARCHITECTURE.md).
  package var seed: UInt64
  /// The lab's time at the start, or `nil` for the real time.
  package var clock: Instant?
  package var world: LabWorld
  package var steps: [ScenarioStep]
}

/// One step of the scenario: what is done, how the user answers, and what is expected.
package struct ScenarioStep: Hashable, Sendable {
  package var title: String
  /// The words of the person who presents a demo.
  package var note: String
  package var action: ScenarioAction
  package var answers: ScenarioAnswers
  package var expectation: StepExpectation
}

/// The action of a step.
///
/// Most actions are intents. The row IDs of credentials are not known before the scenario reaches the step.
package enum ScenarioAction: Hashable, Sendable {
  case intent(AnyIntent)
  case credentials(ChangeCredentials.Change, CredentialSelector)
  case undo
  case redo
}

/// A selector for rows of the Tokens screen; every given field must match.
package struct CredentialSelector: Hashable, Sendable {
  /// A display name, as in `TokenRow.apps`.
  package var app: String?
  /// A username or home account ID.
  package var account: String?
  /// The token type, as in `TokenRow.type`: "AccessToken".
  package var type: String?
  package var clientID: String?

  func matches(_ row: TokenRow) -> Bool {
    if let app, !row.apps.contains(app) { return false }
    if let account, row.username != account, row.homeAccountID != account { return false }
    if let type, row.type.lowercased() != type.lowercased() { return false }
    if let clientID, row.clientID != clientID { return false }
    return true
  }
}
