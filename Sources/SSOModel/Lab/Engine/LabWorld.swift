/// The contents of a lab before its first intent, as plain values.
package struct LabWorld: Sendable {
  /// The device, with the broker's version if the broker is installed.
  package var device: Device
  package var tenants: [Tenant]
  package var people: [Person]
  package var registrations: [ClientRegistration]
  package var apps: [InstalledApp]
  package var brokerAccounts: [InitialBrokerAccount]
  package var policies: [Policy] = []
  /// The compliance that device management reports, or `nil` if the device is not managed.
  package var isCompliant: Bool?
  /// The usernames of the users whose certificates are on the device.
  package var certificates: [String] = []

  package init(
    device: Device, tenants: [Tenant], people: [Person], registrations: [ClientRegistration],
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
