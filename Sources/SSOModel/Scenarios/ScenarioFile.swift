/// A scenario: a world, and a story told in it.
///
/// Read from YAML, with everything it inherits already in place.
package struct ScenarioFile: Sendable {
  /// The path it was read from.
  package var path: String
  package var name: String
  package var title: String
  /// The claims of docs/claims.md that the story shows: "C1".
  package var claims: [String]
  package var note: String
  /// Same seed, same world, same trace (ARCHITECTURE.md).
  package var seed: UInt64
  /// The lab's time at the start; nil: the real one.
  package var clock: Instant?
  package var world: LabWorld
  package var steps: [ScenarioStep]
}

/// One step of the story: what is done, how the person answers, what is expected.
package struct ScenarioStep: Hashable, Sendable {
  package var title: String
  /// What the speaker of a demo says.
  package var note: String
  package var action: ScenarioAction
  package var answers: ScenarioAnswers
  package var expectation: StepExpectation
}

/// What a step does.
///
/// Most are intents as they are; credentials get their row IDs only when the story has come that far.
package enum ScenarioAction: Hashable, Sendable {
  case intent(Intent)
  case credentials(CredentialChange, CredentialSelector)
  case undo
  case redo
}

package enum CredentialChange: String, CaseIterable, Sendable { case expire, invalidate, delete }

/// Picks rows of the Tokens screen; every given field must match.
package struct CredentialSelector: Hashable, Sendable {
  /// A display name, as `TokenRow.apps` has it.
  package var app: String?
  /// A username or home account ID.
  package var account: String?
  /// As `TokenRow.type` has it: "AccessToken".
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
