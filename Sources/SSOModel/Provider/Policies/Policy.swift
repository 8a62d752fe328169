import SSOCore

/// A Conditional Access policy: one requirement for issuing tokens (claims A2, A3, D4).
///
/// It is unique by name.
package struct Policy: Codable, Hashable, Sendable {
  package enum Requirement: String, Codable, CaseIterable, Sendable {
    /// The device must be registered in the directory (workplace join).
    ///
    /// The broker sends the device ID.
    case registeredDevice
    /// The device must be registered, and its management must report it as compliant.
    case compliantDevice
    /// The app must be on Microsoft's list of approved apps, and the broker must vouch for it.
    case approvedApp
    /// The app must be enrolled in Intune's app protection, and the broker must vouch for it.
    case appProtection
    /// The user must sign in with the certificate on the device instead of a password.
    case certificate
    /// The user must complete MFA.
    case mfa
    /// The broker on Linux serves only the listed programs.
    case allowedExecutable
    /// Nothing satisfies the policy.
    case block
    /// The user must have signed in within the last ``Policy/hours``.
    case signInFrequency
    /// The device must be joined to a domain, which only Windows computers can be.
    case joinedDevice
    /// The device must be registered, and device management must know it.
    case managedDevice
    /// The user must pass another vendor's control, or accept terms of use, on a page.
    case externalControl
    /// The refresh token must be bound to a registered device, as only the broker's primary refresh token is.
    case tokenProtection
    /// The sign-in must come from a platform that Conditional Access knows.
    case supportedPlatform
    /// The device must prove with its certificate which one it is.
    case deviceAuthentication
    /// Security defaults, which block sign-ins with a device code.
    ///
    /// The second factor that they ask for is ``mfa``.
    case securityDefaults
  }

  /// The kinds of sign-ins that a policy may be limited to (Entra: “Authentication flows”).
  package enum Flow: String, Codable, CaseIterable, Sendable {
    /// The device authorization grant, and refresh tokens that it issued.
    case deviceCode
  }

  package var name: String
  package var requires: Requirement
  /// The tenant whose tokens the policy protects, or `nil` for every tenant.
  package var tenantID: String?
  /// The user that the policy applies to, or `nil` for every user.
  package var username: String?
  /// The app that the policy applies to, or `nil` for every app.
  ///
  /// A certificate is required for every app. MFA is also required at the broker's sign-in, which serves
  /// every app.
  package var clientID: String?
  /// The kind of sign-ins that the policy applies to, or `nil` for every sign-in.
  package var flow: Flow?
  /// The hours for ``Requirement/signInFrequency``, or `nil` for one day.
  package var hours: Int?
  /// The paths of the programs for ``Requirement/allowedExecutable``.
  package var executables: [String]?

  package init(
    name: String, requires: Requirement, tenantID: String? = nil, username: String? = nil,
    clientID: String? = nil, flow: Flow? = nil, hours: Int? = nil, executables: [String]? = nil
  ) {
    self.executables = executables
    self.flow = flow
    self.hours = hours
    self.name = name
    self.requires = requires
    self.tenantID = tenantID
    self.username = username
    self.clientID = clientID
  }

  /// The seconds for ``Requirement/signInFrequency``.
  package var seconds: Int { min(max(hours ?? 24, 1), 8760) * 3600 }

  /// Returns whether the policy applies to these tokens.
  func covers(
    _ person: DirectoryUser, tenantID: String, clientID: String,
    _ situation: AccessSituation = AccessSituation()
  ) -> Bool {
    let isForAnyApp =
      requires == .certificate
      || requires == .mfa && clientID.lowercased() == ClientRegistration.brokerClientID
    return (self.tenantID.map { $0.lowercased() == tenantID.lowercased() } ?? true)
      && (username.map { $0.lowercased() == person.username.lowercased() } ?? true)
      && (isForAnyApp || self.clientID.map { $0.lowercased() == clientID.lowercased() } ?? true)
      && (flow == nil || situation.usesDeviceCode == true)
  }
}

extension Policy {
  /// Returns whether the policy restricts the programs that may call the broker on Linux as this client.
  package func guardsPrograms(of clientID: String) -> Bool {
    requires == .allowedExecutable && (self.clientID.map { $0.lowercased() == clientID.lowercased() } ?? true)
  }

  /// Checks the executable of a broker call.
  ///
  /// - Parameter path: The executable of the calling process, or an empty string if it is unknown.
  /// - Returns: The check, whose text contains the executable.
  package func check(executable path: String) -> Check {
    let allowed = executables ?? []
    return Check(
      "policy “\(name)”: allowed program", expected: allowed.joined(separator: " or "),
      found: path.isEmpty ? "an unknown program" : path, allowed.contains(path), source: "claims B1, B2")
  }
}

extension Directory {
  /// Returns all policies, sorted by name.
  package func policies() throws -> [Policy] { try documents.readAll(Policy.self, .policy) }
}

extension DocumentStore {
  package func save(_ policy: Policy) throws { try write(policy, .policy, policy.name.lowercased()) }

  /// Removes the policy with this name, or returns `false` if it does not exist.
  package func removePolicy(_ name: String) throws -> Bool {
    guard try document(.policy, name.lowercased()) != nil else { return false }
    try delete(.policy, name.lowercased())
    return true
  }
}
