/// Sentences of MSAL.NET, MSAL.js, MSALRuntime and MSAL Python.
extension LogStep {
  /// microsoft-authentication-library-for-dotnet, `src/client/Microsoft.Identity.Client`.
  static let ofNet: [LogStep] = [
    LogStep("=== Token Acquisition (", .app, .sdk, "acquire a token", "", .begins),
    LogStep("=== AcquireTokenSilent Parameters ===", .app, .sdk, "AcquireTokenSilent", "", .begins),
    LogStep("=== Request Data ===", .app, .sdk, "request"),
    LogStep(
      "=== Token Acquisition finished successfully", .sdk, .app, "return the result of the call", "tokens",
      .succeeds),
    LogStep("[FindAccessTokenAsync] No tokens found", .sdk, .keychain, "read access token", "no item"),
    LogStep("[FindAccessTokenAsync] No access tokens found", .sdk, .keychain, "read access token", "no item"),
    LogStep("Returning access token found in cache.", .keychain, .sdk, "read access token", "found", .holds),
    LogStep("Skipped looking for an Access Token", .sdk, .keychain, "read access token", "skipped"),
    LogStep("[FindRefreshTokenAsync] No RTs found", .sdk, .keychain, "read refresh token", "no item"),
    LogStep(
      "[FindRefreshTokenAsync] Refresh token found in the cache?", .sdk, .keychain, "read refresh token"),
    LogStep("[FOCI] FRT found?", .sdk, .keychain, "read family refresh token"),
    LogStep(
      "[FOCI] FRT refresh succeeded.", .provider, .sdk, "redeem the family refresh token", "tokens", .holds),
    LogStep(
      "[FOCI] FRT refresh failed - client mismatch.", .provider, .sdk, "redeem the family refresh token",
      "client_mismatch", .fails(expected: "a client of the family")),
    LogStep("Refreshing access token...", .sdk, .provider, "redeem the refresh token"),
    LogStep(
      "Failed to refresh the RT and cannot use existing AT", .sdk, .app, "redeem the refresh token",
      "refused",
      .fails(expected: "an access token")),
    LogStep("Exchanging the auth code for tokens.", .sdk, .provider, "redeem the authorization code"),
    LogStep("An authorization code was retrieved", .provider, .sdk, "authorization code", "returned", .holds),
    LogStep("[SaveTokenResponseAsync] Saving AT in cache", .sdk, .keychain, "write access token"),
    LogStep("[SaveTokenResponseAsync] Saving RT in cache", .sdk, .keychain, "write refresh token"),
    LogStep(
      "[SaveTokenResponseAsync] Saving Id Token and Account", .sdk, .keychain, "write ID token and account"),
    LogStep("Broker is configured", .sdk, .broker, "ask the broker"),
    LogStep("Broker attempt completed successfully", .broker, .sdk, "answer", "ok", .holds),
    LogStep("Broker attempt did not complete", .broker, .sdk, "answer", "not installed"),
    LogStep(
      "Broker is not installed or authority type is incorrect.", .sdk, .broker, "ask the broker silently",
      "cannot", .fails(expected: "an installed broker")),
    LogStep(
      "Success. Broker response contains an access token.", .broker, .sdk, "answer", "tokens", .succeeds),
    LogStep(
      "Success. Response contains an access token.", .provider, .sdk, "token endpoint", "tokens", .holds),
    LogStep("Listening for authorization code on", .sdk, .system, "listen for the browser"),
    LogStep("Exception type: ", .sdk, .app, "return the result of the call", "exception", .ends),
    LogStep("Returned correlation id", .broker, .sdk, "answer", "another correlation ID"),
  ]

  /// microsoft-authentication-library-for-js, `lib/msal-browser` and `lib/msal-common`.
  static let ofJavaScript: [LogStep] = [
    LogStep("acquireTokenSilent called", .app, .sdk, "acquireTokenSilent", "", .begins),
    LogStep("acquireTokenPopup called", .app, .sdk, "acquireTokenPopup", "", .begins),
    LogStep("acquireTokenRedirect called", .app, .sdk, "acquireTokenRedirect", "", .begins),
    LogStep("ssoSilent called", .app, .sdk, "ssoSilent", "", .begins),
    LogStep("loginPopup called", .app, .sdk, "loginPopup", "", .begins),
    LogStep("loginRedirect called", .app, .sdk, "loginRedirect", "", .begins),
    LogStep("logoutRedirect called", .app, .sdk, "logoutRedirect"),
    LogStep("handleRedirectPromise called", .app, .sdk, "handleRedirectPromise"),
    LogStep("RedirectHandler.initiateAuthRequest called", .sdk, .system, "open the browser"),
    LogStep("RedirectHandler.handleCodeResponse called", .system, .sdk, "authorization code", "returned"),
    LogStep("acquireTokenByCode - validating state", .sdk, .sdk, "state"),
    LogStep("getAccount: No matching account found", .sdk, .keychain, "read account", "no item"),
    LogStep("No cached access token found", .sdk, .keychain, "read access token", "no item"),
    LogStep("CacheManager:getAccessToken - No token found", .sdk, .keychain, "read access token", "no item"),
    LogStep(
      "CacheManager:getAccessToken - Returning access token", .keychain, .sdk, "read access token", "found",
      .holds),
    LogStep("Cached access token has expired", .sdk, .keychain, "read access token", "expired"),
    LogStep("No cached id token found", .sdk, .keychain, "read ID token", "no item"),
  ]

  /// What `EventHandler` says after a callback's number.
  static let insideJavaScript: [LogStep] = [
    LogStep(": msal:acquireTokenStart", .app, .sdk, "acquireToken", "", .begins),
    LogStep(": msal:loginStart", .app, .sdk, "login", "", .begins),
    LogStep(": msal:ssoSilentStart", .app, .sdk, "ssoSilent", "", .begins),
    LogStep("AuthError: ", .sdk, .app, "return the result of the call", "error", .ends),
    LogStep("ClientConfigurationError: ", .sdk, .app, "return the result of the call", "error", .ends),
    LogStep("ServerError: ", .sdk, .app, "return the result of the call", "error", .ends),
    LogStep(": msal:acquireTokenSuccess", .sdk, .app, "return the result of the call", "tokens", .succeeds),
    LogStep(": msal:loginSuccess", .sdk, .app, "return the result of the call", "tokens", .succeeds),
    LogStep(": msal:acquireTokenFailure", .sdk, .app, "return the result of the call", "error", .ends),
    LogStep(": msal:loginFailure", .sdk, .app, "return the result of the call", "error", .ends),
  ]

  /// Microsoft's runtime for brokers, as MSAL Python, MSAL.NET, MSAL Node and Visual Studio Code write it.
  static let ofRuntime: [LogStep] = [
    LogStep("Set correlation ID", .app, .sdk, "acquire a token", "", .begins),
    LogStep("Printing Telemetry", .sdk, .app, "telemetry"),
    LogStep("Key: broker_dbus_method_name, Value", .sdk, .broker, "call over D-Bus"),
    LogStep("Key: api_error_tag, Value", .broker, .sdk, "error tag"),
  ]

  /// microsoft-authentication-library-for-python, `msal/`.
  static let ofPython: [LogStep] = [
    LogStep("Generate or reuse correlation_id", .app, .sdk, "acquire a token", "", .begins),
    LogStep("Initializing with Entra authority", .app, .sdk, "use the authority"),
    LogStep("Initializing with OIDC authority", .app, .sdk, "use the authority"),
    LogStep("Cache hit an AT", .keychain, .sdk, "read access token", "found", .succeeds),
    LogStep("Found 0 RTs matching", .sdk, .keychain, "read refresh token", "no item"),
    LogStep("Cache attempts an RT", .sdk, .provider, "redeem the refresh token"),
    LogStep(
      "Refresh failed.", .provider, .sdk, "redeem the refresh token", "refused",
      .fails(expected: "an access token")),
    LogStep("Open a browser on this device to visit", .sdk, .system, "open the browser"),
    LogStep("Found no browser in current environment.", .sdk, .system, "open the browser", "none"),
    LogStep("Got auth response", .system, .sdk, "the browser answers"),
    LogStep("Calling broker._acquire_token_silently()", .sdk, .broker, "ask the broker silently"),
    LogStep("Calling broker._signin_silently()", .sdk, .broker, "ask the broker silently"),
    LogStep("Falls back to broker._signin_interactively()", .sdk, .broker, "ask the broker"),
    LogStep("Broker is unavailable on this platform.", .sdk, .broker, "ask the broker", "unavailable"),
  ]
}
