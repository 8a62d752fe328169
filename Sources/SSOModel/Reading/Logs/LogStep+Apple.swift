/// Sentences of IdentityCore and MSAL for iOS and macOS: flows, broker, web view
/// (microsoft-authentication-library-common-for-objc, `IdentityCore/src`).
extension LogStep {
  static let ofApple: [LogStep] = [
    // Flows: `controllers/MSIDLocalInteractiveController.m`, `MSIDSilentController.m`, `broker/…`.
    // MSAL 1.x writes the call with its arguments, a line each (`MSAL/src/MSALPublicClientApplication.m`).
    LogStep(
      "-[MSALPublicClientApplication acquireTokenSilentWithParameters:(", .app, .sdk, "acquireTokenSilent",
      "",
      .begins),
    LogStep(
      "-[MSALPublicClientApplication acquireTokenWithParameters:(", .app, .sdk, "acquireToken", "", .begins),
    LogStep("Beginning silent flow.", .app, .sdk, "acquireTokenSilent", "", .begins),
    LogStep("Beginning interactive flow.", .app, .sdk, "acquireToken", "", .begins),
    LogStep("Beginning interactive broker flow.", .app, .sdk, "acquireToken", "through the broker", .begins),
    LogStep("Beginning broker flow.", .sdk, .broker, "ask the broker"),
    LogStep("Beginning silent broker extension flow.", .sdk, .broker, "ask the SSO extension silently"),
    LogStep("Beginning interactive broker extension flow.", .sdk, .broker, "ask the SSO extension"),
    LogStep("Beginning silent broker xpc flow.", .sdk, .broker, "ask the broker over XPC silently"),
    LogStep("Beginning interactive broker Xpc service flow.", .sdk, .broker, "ask the broker over XPC"),
    LogStep("Beginning external cache seeding.", .sdk, .keychain, "copy the tokens to the external cache"),
    LogStep("Silent flow finished. Result", .sdk, .app, "return the result of the call", "", .ends),
    LogStep("Interactive flow finished. Result", .sdk, .app, "return the result of the call", "", .ends),
    LogStep("Silent broker extension flow finished.", .broker, .sdk, "the SSO extension answers", "", .ends),
    LogStep(
      "Interactive broker extension flow finished.", .broker, .sdk, "the SSO extension answers", "", .ends),
    LogStep("Silent broker xpc flow finished.", .broker, .sdk, "the broker answers over XPC", "", .ends),
    LogStep("Interactive Broker Xpc flow finished.", .broker, .sdk, "the broker answers over XPC", "", .ends),
    LogStep("Broker flow finished.", .broker, .sdk, "the broker's flow ends"),

    // The broker: `controllers/broker/MSIDBrokerInteractiveController.m`, `MSIDCertAuthHandler.m`.
    LogStep("Invoking broker for authentication", .sdk, .system, "openURL msauthv2://broker"),
    LogStep(
      "Failed to open broker URL. Falling back to local controller", .sdk, .system,
      "openURL msauthv2://broker",
      "not opened", .fails(expected: "the broker's scheme is in LSApplicationQueriesSchemes and opens")),
    LogStep(
      "Failed to open broker URL. Should fallback", .sdk, .system, "openURL msauthv2://broker", "not opened",
      .fails(expected: "the broker's scheme is in LSApplicationQueriesSchemes and opens")),
    LogStep("Falling back to local controller.", .sdk, .sdk, "continue without the broker"),
    LogStep("Checking broker install state", .sdk, .system, "the broker can be called"),
    LogStep("Broker version ", .system, .sdk, "the broker is installed"),
    LogStep("Prompt broker install.", .sdk, .person, "asks to install the broker"),
    LogStep("Handling broker response.", .system, .app, "openURL redirect URI", "answer of the broker"),
    LogStep("Validating broker response.", .sdk, .sdk, "check the broker's answer"),
    LogStep("Broker response is valid.", .sdk, .sdk, "check the broker's answer", "valid", .holds),
    LogStep(
      "Broker response is not valid.", .sdk, .sdk, "check the broker's answer", "not valid",
      .fails(expected: "an answer that was encrypted with this app's broker key")),
    LogStep(
      "Asked to handle non broker response. Skipping request.", .system, .app, "openURL", "skipped",
      .fails(expected: "a URL with the app's redirect URI, and a request that waits for it")),
    LogStep(
      "This broker response cannot be handled. Skipping request.", .system, .app, "openURL redirect URI",
      "skipped", .fails(expected: "the answer to the request that waits")),
    LogStep(
      "Couldn't create broker request", .sdk, .broker, "make the broker's request", "failed",
      .fails(expected: "a broker key in the keychain")),
    LogStep(
      "Failed to retrieve broker key with error", .sdk, .keychain, "read the broker key", "failed",
      .fails(expected: "the keychain group com.microsoft.adalcache among the entitlements")),
    LogStep(
      "Broker failed with error domain", .broker, .sdk, "refuse", "error", .fails(expected: "a token")),
    LogStep(
      "Broker returned error with domain", .broker, .sdk, "refuse", "error", .fails(expected: "a token")),
    LogStep("Returning request to broker app", .sdk, .broker, "forward the request to the broker"),
    LogStep(
      "Looking if we should fallback to fallback controller", .sdk, .sdk, "continue without the broker?"),

    // Pages: `webview/`.
    LogStep("Start webview authorization session", .sdk, .system, "web view"),
    LogStep("Result from authorization session callbackURL host", .system, .sdk, "web session ends"),
    LogStep("Canceled web view controller by the user.", .person, .system, "web view", "cancelled", .cancels),
    LogStep(
      "Canceled authorization session by the user.", .person, .system, "web session", "cancelled", .cancels),
    LogStep("Canceled web view controller.", .sdk, .system, "web view", "cancelled by the app", .cancels),
    LogStep("Handling PKeyAuth Challenge.", .provider, .system, "ask for the device's certificate"),
    LogStep("Server is redirecting to a non-https url", .provider, .system, "redirect to a page without TLS"),
    LogStep(
      "Failed authorization code response with error", .provider, .sdk, "refuse the sign-in", "error",
      .fails(expected: "an authorization code")),
    LogStep(
      "Attemped to start with invalid redirect uri", .sdk, .sdk, "redirect URI", "not valid",
      .fails(expected: "a redirect URI whose scheme this app has registered")),

    // Token endpoint and result: `requests/`, `validation/`.
    LogStep("Acquiring Access token via Refresh token...", .sdk, .provider, "redeem the refresh token"),
    LogStep("Refreshing access token", .sdk, .provider, "redeem the refresh token"),
    LogStep(
      "Failed to acquire Access token via Refresh token.", .provider, .sdk, "redeem the refresh token",
      "refused", .fails(expected: "an access token")),
    LogStep(
      "Unsuccessful token response, error", .provider, .sdk, "token endpoint", "error",
      .fails(expected: "tokens")),
    LogStep(
      "Http error raised. Http Code", .provider, .sdk, "HTTP", "error", .fails(expected: "status 200")),
    LogStep("Validate and save token response...", .sdk, .keychain, "save the tokens"),
    LogStep("Validating token result.", .sdk, .sdk, "check the tokens"),
    LogStep("Token result is valid.", .sdk, .sdk, "check the tokens", "valid", .holds),
    LogStep(
      "Token result is invalid.", .sdk, .sdk, "check the tokens", "not valid",
      .fails(expected: "tokens of the account and scopes that were asked for")),
    LogStep(
      "Different account was returned", .sdk, .sdk, "check the account", "another account",
      .fails(expected: "the account that was asked for")),
    LogStep(
      "Different user was returned by the server.", .sdk, .sdk, "check the account", "another account",
      .fails(expected: "the account that was asked for")),
    LogStep("Resolving authority", .sdk, .provider, "resolve the authority"),
    LogStep("Resolved authority, validated", .provider, .sdk, "resolve the authority", "resolved"),
    LogStep("Throttling return error", .sdk, .sdk, "throttling", "the last refusal is returned again"),
  ]
}
