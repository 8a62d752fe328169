/// A row of the Apps screen: an app, or an app and one of its accounts if several are signed in.
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
  /// The account as a call specifies it, or `nil` if the call specifies none.
  package var account: String?
  /// The account's username, as `allAccounts` lists it (msal-cache.md §10).
  ///
  /// Empty for accounts that are only counted.
  package var accounts: [String]
  package var accountCount: Int
  package var accessToken: TokenStanding
  package var refreshToken: TokenStanding
  /// The scopes of the displayed access token.
  package var target: String?
  package var familyID: String?
  package var accessGroup: String
  /// The display names of other apps that read the same group.
  package var sharesGroupWith: [String]
  package var broker: String
  package var next: Prediction
  /// The possible problems with the app's responses.
  ///
  /// They are a scheme that another app registers too (claim B3), a delegate that does not forward (claim
  /// D6), and an injected fault.
  package var warnings: [String] = []
  package var kind = AppKind.simulated
  /// The real project from which the app was imported.
  package var project: ProjectSource?
}

/// The kind of an app: simulated by the lab, or a real program that signs in at `ssoterm serve`.
package enum AppKind: String, Codable, Hashable, Sendable { case simulated, real }
