/// What an administrator demands before tokens are issued: Conditional Access, one requirement a policy (claims A2, A3, D4).
///
/// Unique by name.
package struct Policy: Codable, Hashable, Sendable {
  package enum Requirement: String, Codable, CaseIterable, Sendable {
    /// Known to the directory (workplace join); the broker brings the device's ID.
    case registeredDevice
    /// Registered, and its management says that it obeys the rules.
    case compliantDevice
    /// One of the apps on Microsoft's list, which the broker vouches for.
    case approvedApp
    /// The app enforces Intune's protection: enrolled, and the broker vouches for it.
    case appProtection
    /// Sign-in with the certificate on the device, never with a password.
    case certificate
    /// A second factor besides the password.
    case mfa
    /// The broker on Linux serves the programs of a list only.
    case allowedExecutable
  }

  package var name: String
  package var requires: Requirement
  /// Tenant whose tokens are guarded; nil: every tenant.
  package var tenantID: String?
  /// nil: every person.
  package var username: String?
  /// nil: every app.
  ///
  /// A certificate is asked of the person, whatever the app; a second factor at the broker's sign-in too, which is for any app.
  package var clientID: String?
  /// Of ``Requirement/allowedExecutable``: the paths of the programs.
  package var executables: [String]?

  package init(
    name: String, requires: Requirement, tenantID: String? = nil, username: String? = nil,
    clientID: String? = nil, executables: [String]? = nil
  ) {
    self.executables = executables
    self.name = name
    self.requires = requires
    self.tenantID = tenantID
    self.username = username
    self.clientID = clientID
  }

  /// Whether it guards these tokens.
  func covers(_ person: Person, tenantID: String, clientID: String) -> Bool {
    let isForAnyApp =
      requires == .certificate
      || requires == .mfa && clientID.lowercased() == ClientRegistration.brokerClientID
    return (self.tenantID.map { $0.lowercased() == tenantID.lowercased() } ?? true)
      && (username.map { $0.lowercased() == person.username.lowercased() } ?? true)
      && (isForAnyApp || self.clientID.map { $0.lowercased() == clientID.lowercased() } ?? true)
  }
}

extension Policy {
  /// Whether it says which programs may ask the broker on Linux as this client.
  package func guardsPrograms(of clientID: String) -> Bool {
    requires == .allowedExecutable && (self.clientID.map { $0.lowercased() == clientID.lowercased() } ?? true)
  }

  /// - Parameter path: what the caller's process runs; empty if that is not known.
  /// - Returns: the check, whose text names the executable.
  package func check(executable path: String) -> Check {
    let allowed = executables ?? []
    return Check(
      "policy “\(name)”: allowed program", expected: allowed.joined(separator: " or "),
      found: path.isEmpty ? "an unknown program" : path, allowed.contains(path), source: "claims B1, B2")
  }
}

extension Directory {
  /// All of them, in the order of their names.
  package func policies() throws -> [Policy] { try documents.readAll(Policy.self, .policy) }
}

extension DocumentStore {
  package func save(_ policy: Policy) throws { try write(policy, .policy, policy.name.lowercased()) }

  /// False if there is none of that name.
  package func removePolicy(_ name: String) throws -> Bool {
    guard try document(.policy, name.lowercased()) != nil else { return false }
    try delete(.policy, name.lowercased())
    return true
  }
}
