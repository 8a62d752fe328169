import Essentials
import SSOCore
import SSODevice
import SSOKeychain
import SSOProvider

/// The contents of a lab before its first intent, as plain values.
package struct LabWorld: Sendable {
  /// The device, with the broker's version if the broker is installed.
  package var device: Device
  package var tenants: [Tenant]
  package var people: [DirectoryUser]
  package var registrations: [ClientRegistration]
  package var apps: [InstalledApp]
  package var brokerAccounts: [InitialBrokerAccount]
  package var policies: [Policy] = []
  /// The programs of a scenario, which only its steps refer to.
  package var programs: [Program] = []
  /// The compliance that device management reports, or `nil` if the device is not managed.
  package var isCompliant: Bool?
  /// The usernames of the users whose certificates are on the device.
  package var certificates: [String] = []

  package init(
    device: Device, tenants: [Tenant], people: [DirectoryUser], registrations: [ClientRegistration],
    apps: [InstalledApp], brokerAccounts: [InitialBrokerAccount]
  ) {
    self.device = device
    self.tenants = tenants
    self.people = people
    self.registrations = registrations
    self.apps = apps
    self.brokerAccounts = brokerAccounts
  }

  /// An account that the broker holds initially.
  package struct InitialBrokerAccount: Hashable, Sendable {
    /// The state of the account: ready to use, or with an expired primary refresh token that requires the
    /// password.
    package enum State: String, Codable, CaseIterable, Sendable { case ready, expired }
    package var username: String
    package var state: State

    package init(username: String, state: State) {
      self.username = username
      self.state = state
    }
  }
}

/// The state of a lab, apart from its devices and its directory.
///
/// It is one document with the kind `lab` and the key `state`.
struct LabState: Codable, Hashable {
  static let key = "state"

  /// The name of the scenario that the lab was created from.
  var name: String
  /// The current device.
  var deviceID: String
  /// The clock offset in seconds, or `nil` for real time.
  var clockOffset: Int?
}

/// The lab's random number generator.
///
/// It is a separate document with the kind `lab` and the key `random`. Undo does not affect it, because it
/// only moves forward.
struct LabRandom: Codable, Equatable {
  static let key = "random"

  var source: Randomness
}

/// A cache for keychain queries at a moment that does not change.
///
/// The rows of a list make one dry run after another, and each needs the same app metadata, refresh tokens,
/// and accounts. Only small results are cached.
final class RememberedCredentials: CredentialReader {
  private let base: any CredentialReader
  private var answers: [KeychainQuery: [KeychainItem]] = [:]

  private static let (answerLimit, itemLimit) = (1_000, 20)

  init(_ base: any CredentialReader) { self.base = base }

  func items(matching query: KeychainQuery) throws -> [KeychainItem] {
    if let answer = answers[query] { return answer }
    let items = try base.items(matching: query)
    if items.count <= Self.itemLimit, answers.count < Self.answerLimit { answers[query] = items }
    return items
  }
}
