/// Everything that is in a lab before its first intent, as plain values.
package struct LabWorld: Sendable {
  /// With the broker's version, if the broker is installed.
  package var device: Device
  package var tenants: [Tenant]
  package var people: [Person]
  package var registrations: [ClientRegistration]
  package var apps: [InstalledApp]
  package var brokerAccounts: [BrokerHolding]
  package var policies: [Policy] = []
  /// What the device management says; nil: the device is not managed.
  package var isCompliant: Bool?
  /// Usernames of the people whose certificates are on the device.
  package var certificates: [String] = []

  package init(
    device: Device, tenants: [Tenant], people: [Person], registrations: [ClientRegistration],
    apps: [InstalledApp], brokerAccounts: [BrokerHolding]
  ) {
    self.device = device
    self.tenants = tenants
    self.people = people
    self.registrations = registrations
    self.apps = apps
    self.brokerAccounts = brokerAccounts
  }

  /// An account that the broker holds from the start.
  package struct BrokerHolding: Hashable, Sendable {
    /// Ready to use, or with a primary refresh token that has expired and asks for the password.
    package enum State: String, Codable, CaseIterable, Sendable { case ready, expired }
    package var username: String
    package var state: State

    package init(username: String, state: State) {
      self.username = username
      self.state = state
    }
  }
}
