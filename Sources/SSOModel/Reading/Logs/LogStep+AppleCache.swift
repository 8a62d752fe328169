/// Sentences of IdentityCore and MSAL for iOS and macOS about the token cache and the keychain (`IdentityCore/src/cache`).
extension LogStep {
  private static let missingEntitlement = KeychainError.missingEntitlement.text

  static let ofAppleCache: [LogStep] = [
    LogStep("Looking for access token...", .sdk, .keychain, "read access token"),
    LogStep("Found valid access token.", .keychain, .sdk, "read access token", "found", .holds),
    LogStep("Found access token for account", .keychain, .sdk, "read access token", "found"),
    LogStep("Access token wasn't found.", .keychain, .sdk, "read access token", "no item"),
    LogStep("Access token has expired, removing it...", .sdk, .keychain, "remove access token", "expired"),
    LogStep(
      "Access token has expired, but it is long-lived", .sdk, .sdk, "read access token", "expired, kept"),
    LogStep(
      "Unexpired access token exists, but needs refresh", .sdk, .sdk, "read access token", "past refresh_on"),
    LogStep(
      "Server unavailable, using long-lived access token", .sdk, .app, "use the long-lived access token"),
    LogStep("Id token wasn't found.", .keychain, .sdk, "read ID token", "no item"),
    LogStep(
      "Refresh token invalid, removing it...", .sdk, .keychain, "remove refresh token", "invalid_grant"),
    LogStep("Removing refresh token with clientID", .sdk, .keychain, "remove refresh token"),
    LogStep("Cached RT is not allowed to be used", .sdk, .sdk, "read refresh token", "may not be used"),
    LogStep(
      "(Default accessor) Failed refresh token lookup", .sdk, .keychain, "read refresh token", "failed",
      .fails(expected: "an item that the app may read")),
    LogStep("(Default accessor) Looking for token with aliases", .sdk, .keychain, "read refresh token"),
    LogStep(
      "(Default accessor) Found refresh token in a different", .keychain, .sdk, "read refresh token", "ADAL's"
    ),
    LogStep("(Default accessor) Get accounts.", .sdk, .keychain, "read accounts"),
    LogStep("(Default accessor) No accounts found in default", .keychain, .sdk, "read accounts", "no item"),
    LogStep(
      "(Default accessor) No accounts found in other", .keychain, .sdk, "read accounts in ADAL's format",
      "no item"),
    LogStep(
      "(Default accessor) Found the following accounts in default", .keychain, .sdk, "read accounts", "found"),
    LogStep(
      "Couldn't find an account for clientId", .keychain, .sdk, "read account", "no item",
      .fails(expected: "an account that is signed in to this client")),
    LogStep("Found MSAL accounts with count", .keychain, .app, "read accounts", "found"),
    LogStep("Querying MSAL account", .app, .sdk, "accounts of the cache"),
    LogStep("Setting default keychain group to", .sdk, .keychain, "use the keychain group"),
    LogStep("Saving keychain item", .sdk, .keychain, "write item"),
    LogStep("Keychain find status: -25300", .keychain, .sdk, "find item", "no item"),
    LogStep(
      "Keychain find status: -34018", .keychain, .sdk, "find item", missingEntitlement,
      .fails(expected: "an entitlement for the keychain group")),
    LogStep(
      "Keychain add status: -34018", .keychain, .sdk, "add item", missingEntitlement,
      .fails(expected: "an entitlement for the keychain group")),
    LogStep(
      "Keychain update status: -34018", .keychain, .sdk, "update item", missingEntitlement,
      .fails(expected: "an entitlement for the keychain group")),
    LogStep(
      "Failed to find keychain item (status: -34018", .keychain, .sdk, "find item", missingEntitlement,
      .fails(expected: "an entitlement for the keychain group")),
    LogStep(
      "Failed to set item into keychain", .keychain, .sdk, "add item", "failed",
      .fails(expected: "an entitlement for the keychain group")),
    LogStep(
      "Failed to save tokens in cache.", .sdk, .keychain, "save the tokens", "failed",
      .fails(expected: "a keychain group that the app may write to")),
    LogStep(
      "Failed to retrieve teamId from keychain.", .sdk, .keychain, "find the team", "failed",
      .fails(expected: "a signed app with a team")),
    LogStep("(Default cache) Removing credentials with type", .sdk, .keychain, "remove credentials"),
    LogStep("(Default accessor) Clearing cache for environment", .app, .sdk, "removeAccount"),
    LogStep("Removing account", .app, .sdk, "removeAccount"),
    LogStep(
      "Failed to update sign in state in metadata cache.", .sdk, .keychain, "write account metadata", "failed"
    ),
  ]

  /// What MSAL says at the end of each call, after the call's name (`MSAL/src/MSALPublicClientApplication.m`).
  static let insideApple: [LogStep] = [
    LogStep(" returning with error: (", .sdk, .app, "return the result of the call", "error", .ends),
    LogStep(" returning with at: ", .sdk, .app, "return the result of the call", "access token", .succeeds),
  ]
}
