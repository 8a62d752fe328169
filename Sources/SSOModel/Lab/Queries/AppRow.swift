/// One row of the Apps screen: an app; if several accounts are signed in there, an app and one of them.
package struct AppRow: Codable, Hashable, Sendable, Identifiable {
  package var id: String { account.map { bundleID + " " + $0 } ?? bundleID }
  package var bundleID: String
  package var displayName: String
  package var vendor: String
  package var teamID: String
  package var sdk: String
  package var sdkVersion: String
  package var clientID: String
  package var redirectURI: String
  /// How a call names the row's account, one of several; nil: the call names none.
  package var account: String?
  /// The account's username, as `allAccounts` lists it (msal-cache.md §10); none for those that are only counted.
  package var accounts: [String]
  package var accountCount: Int
  package var accessToken: TokenStanding
  package var refreshToken: TokenStanding
  /// Scopes of the access token shown.
  package var target: String?
  package var familyID: String?
  package var accessGroup: String
  /// Other apps (display names) that read the same group.
  package var sharesGroupWith: [String]
  package var broker: String
  package var next: Prediction
  /// What may go wrong with its answers: a scheme that another app registers too (claim B3), a delegate that hands nothing on
  /// (claim D6), a disturbance that is armed.
  package var warnings: [String] = []
  package var kind = AppKind.simulated
  /// The real project that it was imported from.
  package var project: ProjectSource?
}

/// Whether an app is simulated by the lab or is a real program that signs in to `ssoterm serve`.
package enum AppKind: String, Codable, Hashable, Sendable { case simulated, real }
