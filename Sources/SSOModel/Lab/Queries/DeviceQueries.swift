import Essentials
import SSOCore
import SSODevice
import SSOKeychain
import SSOProvider
import SSOReference

/// The device, its broker, and the directory's knowledge of the device.
///
/// Throws `LabError` for an unknown name, and `StoreError`.
package struct DeviceQueries {
  let reader: LabReader

  /// Returns the broker app of the device and its accounts, most recently used first.
  package func broker() throws -> BrokerStatus {
    let (device, accounts) = (reader.device, try reader.brokerAccounts())
    return BrokerStatus(
      version: device.brokerVersion, isManaged: device.brokerManagement != nil,
      apps: device.brokerManagement?.apps, accounts: accounts.map(\.username),
      platformSSO: device.platform == .macOS ? device.platformSSOStatus(among: accounts).rawValue : nil,
      isOfSystem: device.platform.hasOwnBroker)
  }

  /// Searches every item of the keychain, for scenarios, whose keychains are small.
  package func brokerStorage() throws -> BrokerStorage {
    let held = try reader.brokerAccounts()
    let secrets = held.map { Data($0.primaryRefreshToken.utf8) }
    let exposed = try reader.accessGroups().filter { group in
      try reader.credentials.items(matching: KeychainQuery(accessGroups: [group])).contains { item in
        secrets.contains { item.data.firstRange(of: $0) != nil }
      }
    }
    return BrokerStorage(accounts: held.map(\.username), exposedIn: exposed)
  }

  /// Returns the policies, and the directory's knowledge of this device.
  package func conditionalAccess() throws -> ConditionalAccess {
    let (directory, serial) = (reader.directory, reader.device.id)
    return ConditionalAccess(
      policies: try directory.policies(),
      registrations: try directory.deviceRegistrations().filter { $0.serial == serial },
      isCompliant: try directory.managedDevice(serial: serial)?.isCompliant)
  }

  /// Returns the accounts for `ssoterm pick`, as the broker would list them for an app.
  ///
  /// - Parameter bundleID: The app, or `nil` for any app.
  /// - Returns: The accounts, most recently used first.
  /// - Throws: `LabError` if the app does not exist, or no app is installed.
  package func picker(app bundleID: String?) throws -> AccountPicker {
    guard let app = try bundleID.map({ try reader.app($0) }) ?? reader.installed.first else {
      throw LabError(
        .nothingMatched, "No app is installed.", why: "The picker shows which app asks.",
        next: "\(.scenarios)")
    }
    let held = try reader.storedBrokerAccounts.lastUsedFirst
    let others = try AccountQueries(reader: reader).rows(limit: 500)
      .filter { row in !held.contains { $0.homeAccountID == row.homeAccountID } }.map {
        PickerCandidate(
          homeAccountID: $0.homeAccountID, displayName: $0.displayName ?? "", username: $0.username,
          tenantName: $0.homeTenantName ?? "",
          state: PickerCandidate.State($0.refreshToken),
          remark: $0.refreshToken.state == .none
            ? "signed out" : $0.apps.isEmpty ? "in no app's list" : $0.apps.joined(separator: ", "),
          isHinted: false,
          shownBecause: $0.apps.isEmpty
            ? "its account is in the keychain, in no app's list"
            : "it is in the token cache of " + $0.apps.joined(separator: ", "))
      }
    return AccountPicker(
      appName: bundleID == nil ? "" : app.displayName, bundleID: app.bundleID,
      clientID: bundleID == nil ? "" : app.clientID,
      redirectURI: bundleID == nil ? "" : app.redirectURI, sdk: "", scopes: [], prompt: nil, loginHint: nil,
      callerCheck: CallerCheck(of: app).check,
      candidates: held.map { $0.candidate(at: reader.now, hint: nil) } + others,
      presentation: reader.device.pickerPresentation,
      reason: "Accounts of this device, those of the broker first.", signsIn: false)
  }
}

extension PickerCandidate.State {
  /// Creates the state that the refresh token allows, as in the list of accounts.
  fileprivate init(_ refreshToken: TokenStatus) {
    self =
      switch refreshToken.state {
      case .valid, .expiring: .ready
      case .unknown: .unknown
      case .expired, .invalid, .revoked: .expired
      case .none: .signedOut
      }
  }
}

/// The broker app of the current device.
package struct BrokerStatus: Codable, Hashable, Sendable {
  /// The version, or `nil` if the broker is not installed.
  package var version: String?
  package var isManaged: Bool
  /// The only apps that the broker serves, as the administrator decided, or `nil` for all apps.
  package var apps: [String]?
  /// The usernames, most recently used first.
  package var accounts: [String]
  /// The status of Platform SSO, or `nil` where it does not exist.
  package var platformSSO: String?
  /// Whether the broker is part of the system, which is not installed separately (claim A5).
  package var isOfSystem = false
}

/// The places of the broker's credentials (claim A3).
package struct BrokerStorage: Hashable, Sendable {
  /// The usernames of the broker's primary refresh tokens, most recently used first.
  package var accounts: [String]
  /// The access groups with an item that contains one of these tokens.
  ///
  /// According to the claim, there are no such groups.
  package var exposedIn: [String]
}

/// The policies of the directory, and its knowledge of the current device.
package struct ConditionalAccess: Hashable, Sendable {
  package var policies: [Policy]
  package var registrations: [DeviceRegistration]
  /// The compliance, or `nil` if the device is not managed.
  package var isCompliant: Bool?
}
