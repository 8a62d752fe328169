import SSOCore

/// The dictionary `PlatformSSO` of an SSO profile, with which macOS signs the user in at its own login
/// (docs/behaviour/broker.md §13).
package struct PlatformSSO: Codable, Hashable, Sendable {
  /// The authentication methods of Apple's schema.
  package enum Method: String, Codable, CaseIterable, Sendable {
    case password = "Password"
    case secureEnclaveKey = "UserSecureEnclaveKey"
    case smartCard = "SmartCard"
  }

  /// The authentication method; without one, Platform SSO is off.
  package var authenticationMethod: Method?

  private enum CodingKeys: String, CodingKey {
    case authenticationMethod = "AuthenticationMethod"
  }

  /// The key of the authentication method.
  static var methodKey: String { CodingKeys.authenticationMethod.rawValue }

  package init() {}
}

/// The registration of a Mac and its user for Platform SSO.
package struct PlatformSSORegistration: Codable, Hashable, Sendable {
  package var homeAccountID: String
  package var username: String
  package var method: PlatformSSO.Method

  package init(homeAccountID: String, username: String, method: PlatformSSO.Method) {
    self.homeAccountID = homeAccountID
    self.username = username
    self.method = method
  }
}

/// `platform_sso_status` of the device information that the broker returns (`MSIDDeviceInfo.m`; `MSALPlatformSSOStatus`).
package enum PlatformSSOStatus: String, Sendable {
  case notEnabled = "platformSSONotEnabled"
  case enabledNotRegistered = "platformSSOEnabledNotRegistered"
  case enabledAndRegistered = "platformSSOEnabledAndRegistered"
  case registrationNeedsRepair = "platformSSORegistrationNeedsRepair"
}

extension Device {
  /// The bundle ID by which the trace names macOS as the caller of the extension at a registration.
  package static let platformSSOAgent = "com.apple.AppSSOAgent"

  /// Returns the status, which depends on the profile, the registration, and the accounts that the broker has.
  package func platformSSOStatus(among accounts: [BrokerAccount]) -> PlatformSSOStatus {
    guard platform == .macOS, ssoProfile?.platformSSO?.authenticationMethod != nil else { return .notEnabled }
    guard let registration = platformSSORegistration else { return .enabledNotRegistered }
    return accounts.contains { $0.homeAccountID == registration.homeAccountID }
      ? .enabledAndRegistered : .registrationNeedsRepair
  }

  /// Returns the checks of a registration for Platform SSO, in order.
  package var platformSSOChecks: [Check] {
    let method = ssoProfile?.platformSSO?.authenticationMethod
    let major = systemVersion?.split(separator: ".").first.flatMap { Int($0) } ?? Int.max
    return [
      Check(
        "the system has Platform SSO", expected: "macOS 14 or later",
        found: platform.rawValue + (systemVersion.map { " " + $0 } ?? ""), platform == .macOS && major >= 14,
        source: "broker.md §13",
        failure: platform == .macOS && major == 13
          ? "SSOTerm simulates Platform SSO of macOS 14 and later, not that of macOS 13"
          : platform == .macOS
            ? "SSOTerm simulates Platform SSO of macOS 14 and later, and older systems do not have it"
            : "only macOS has Platform SSO"),
      extensionAppCheck,
      Check(
        "the profile switches Platform SSO on",
        expected: PlatformSSO.Method.allCases.map(\.rawValue).joined(separator: ", "),
        found: method?.rawValue ?? "none", method != nil, source: "broker.md §13",
        remedy: Remedy(.device, id, "ssoProfile={\"PlatformSSO\":{\"AuthenticationMethod\":\"Password\"}}"),
        failure: "the profile has no AuthenticationMethod in PlatformSSO"),
    ]
  }
}

extension Broker {
  /// Signs the user in for Platform SSO, and returns the new account, or `nil` if the sign-in did not succeed.
  ///
  /// It is the broker's own sign-in, with a primary refresh token and the device's registration.
  /// - Throws: `StoreError`, and the errors of the system's services.
  package func registerPlatformSSO(_ username: String, tenantID: String, correlationID: String) throws
    -> BrokerAccount?
  {
    let own = BrokerOwnSignIn(
      context: context, authority: "https://\(PublicCloud.preferredNetwork)/\(tenantID)",
      correlationID: correlationID)
    guard case .account(let account) = try own.run(hint: username) else { return nil }
    return account
  }
}
