/// An account across apps (Accounts screen).
package struct AccountRow: Codable, Hashable, Sendable, Identifiable {
  package var id: String { identifier + " " + environment }
  /// The identifier for finding the account again: the home account ID, or the username if that is unknown.
  package var identifier: String { homeAccountID.isEmpty ? username : homeAccountID }
  /// The home account ID.
  ///
  /// Empty if only ADAL before 2.7 knows the account (claim F3).
  package var homeAccountID: String
  package var username: String
  package var displayName: String?
  package var environment: String
  package var homeTenantID: String
  package var homeTenantName: String?
  /// The realms other than the home tenant.
  package var guestRealms: [String]
  /// The display names of the apps in which the account is signed in.
  package var apps: [String]
  /// The display names of the apps that can use the same refresh token.
  package var sharingApps: [String]
  package var refreshToken: TokenStanding
  /// The places that contain the account: access groups and "broker".
  package var places: [String]
}
