/// One account, across apps (Accounts screen).
package struct AccountRow: Codable, Hashable, Sendable, Identifiable {
  package var id: String { identifier + " " + environment }
  /// What finds the account again: the home account ID, or where none is known the username.
  package var identifier: String { homeAccountID.isEmpty ? username : homeAccountID }
  /// Empty if only ADAL before 2.7 knows the account (claim F3).
  package var homeAccountID: String
  package var username: String
  package var displayName: String?
  package var environment: String
  package var homeTenantID: String
  package var homeTenantName: String?
  /// Realms other than the home tenant.
  package var guestRealms: [String]
  /// Display names of the apps in which it is signed in.
  package var apps: [String]
  /// Display names of the apps that can use the same refresh token.
  package var sharingApps: [String]
  package var refreshToken: TokenStanding
  /// Where it is: access groups, and "broker".
  package var places: [String]
}
