/// A scenario: a world, and a story told in it. Read from YAML, with everything it inherits already in place.
public struct ScenarioFile: Sendable {
  /// The path it was read from.
  public var path: String
  public var name: String
  public var title: String
  /// The claims of `cross-app-sso.md` that the story shows: "C1".
  public var claims: [String]
  public var note: String
  /// Same seed, same world, same trace (`design.md` §1.6).
  public var seed: UInt64
  /// The lab's time at the start; nil: the real one.
  public var clock: Instant?
  public var world: ScenarioWorld
  public var steps: [ScenarioStep]
}

/// Everything that is there before the first step. Plain values: who makes the store's documents of
/// them is not decided here.
public struct ScenarioWorld: Sendable {
  /// With the broker's version, if the broker is installed.
  public var device: Device
  public var tenants: [Tenant]
  public var people: [Person]
  public var registrations: [ClientRegistration]
  public var apps: [InstalledApp]
  public var brokerAccounts: [BrokerHolding]
  public var policies: [Policy] = []
  /// What the device management says; nil: the device is not managed.
  public var isCompliant: Bool?
  /// Usernames of the people whose certificates are on the device.
  public var certificates: [String] = []

  /// An account that the broker holds from the start.
  public struct BrokerHolding: Hashable, Sendable {
    /// Ready to use, or with a primary refresh token that has expired and asks for the password.
    public enum State: String, Codable, CaseIterable, Sendable { case ready, expired }
    public var username: String
    public var homeAccountID: String
    public var state: State
  }
}

/// One step of the story: what is done, how the person answers, what must come of it.
public struct ScenarioStep: Hashable, Sendable {
  public var title: String
  /// What the speaker of a demo says.
  public var note: String
  public var action: ScenarioAction
  public var answers: ScenarioAnswers
  public var expectation: StepExpectation
  public var line: Int
}

/// What a step does. Most are intents as they stand; credentials get their row IDs only when the
/// story has come that far.
public enum ScenarioAction: Hashable, Sendable {
  case intent(Intent)
  case credentials(CredentialChange, CredentialSelector)
  case undo
  case redo
}

public enum CredentialChange: String, CaseIterable, Sendable { case expire, invalidate, delete }

/// Picks rows of the Tokens screen; every given field must match.
public struct CredentialSelector: Hashable, Sendable {
  /// A display name, as `TokenRow.apps` has it.
  public var app: String?
  /// A username or home account ID.
  public var account: String?
  /// As `TokenRow.type` has it: "AccessToken".
  public var type: String?
  public var clientID: String?

  func matches(_ row: TokenRow) -> Bool {
    if let app, !row.apps.contains(app) { return false }
    if let account, row.username != account, row.homeAccountID != account { return false }
    if let type, row.type.lowercased() != type.lowercased() { return false }
    if let clientID, row.clientID != clientID { return false }
    return true
  }
}
