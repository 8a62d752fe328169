/// Sentences of MSAL for Android, of Authenticator, Company Portal and the broker on Linux
/// (microsoft-authentication-library-common-for-android, `common4j` and `common`).
extension LogStep {
  static let ofAndroid: [LogStep] = [
    LogStep("Starting request with request context", .app, .sdk, "acquireToken", "", .begins),
    LogStep("Executing interactive token command...", .app, .sdk, "acquireToken", "", .begins),
    LogStep("Currently executing acquireTokenSilent", .app, .sdk, "acquireTokenSilent", "already running"),
    LogStep("Completed silent request as owner", .sdk, .app, "return the result of the call", "", .ends),
    LogStep("Completed as owner for correlation id", .sdk, .app, "return the result of the call", "", .ends),
    LogStep(
      "Completed duplicate request with correlation id", .sdk, .app, "return the result of the call", "",
      .ends),
    LogStep(
      "Completed interactive request for correlation id", .sdk, .app, "return the result of the call", "",
      .ends),
    LogStep(
      "Request encountered an exception", .sdk, .app, "return the result of the call", "exception", .ends),

    LogStep("Broker operation", .sdk, .broker, "ask the broker"),
    LogStep("Broker protocol version", .sdk, .broker, "hello"),
    LogStep("No valid AccountManager broker is found", .sdk, .system, "the broker can be called", "no"),
    LogStep("Broker Discovery is enabled", .sdk, .system, "look for the broker"),
    LogStep("Returning cached broker", .sdk, .system, "look for the broker", "from memory"),
    LogStep(
      "Android is establishing the bound service connection.", .sdk, .system, "bind to the broker's service"),
    LogStep("Request to BrokerContentProvider", .sdk, .broker, "ask the broker's content provider"),
    LogStep(
      "Received successful result from Broker Content Provider.", .broker, .sdk, "answer", "ok", .holds),
    LogStep("Result received from Broker", .broker, .sdk, "answer"),
    LogStep("Broker Result returned from Bundle", .broker, .sdk, "answer", "tokens", .succeeds),
    LogStep(
      "Broker Result not returned from Broker", .broker, .sdk, "answer", "nothing",
      .fails(expected: "a result in the bundle")),
    LogStep(
      "The hello result bundle is null.", .broker, .sdk, "hello", "nothing",
      .fails(expected: "a broker that knows this app's signature")),
    LogStep(
      "Received a UIRequired exception from Broker", .broker, .sdk, "refuse", "a person is needed",
      .fails(expected: "a token without a person")),
    LogStep(
      "Received a Service exception from Broker", .broker, .sdk, "refuse", "error of the provider",
      .fails(expected: "a token")),
    LogStep(
      "Received a Client exception from Broker", .broker, .sdk, "refuse", "error of the app",
      .fails(expected: "a token")),
    LogStep(
      "Received a Argument exception from Broker", .broker, .sdk, "refuse", "bad argument",
      .fails(expected: "a token")),
    LogStep(
      "Received a User cancelled exception from Broker", .broker, .sdk, "refuse", "cancelled", .cancels),
    LogStep("Device needs to have broker installed", .provider, .sdk, "ask for the broker", "not installed"),
    LogStep(
      "The RedirectUri is not as expected.", .sdk, .sdk, "redirect URI", "not as expected",
      .fails(expected: "msauth://<package>/<signature hash>")),

    LogStep("Use browser for authorization.", .sdk, .system, "open the browser"),
    LogStep("Use webView for authorization.", .sdk, .system, "web view"),
    LogStep("Perform the authorization request with embedded webView.", .sdk, .system, "web view"),
    LogStep("Launching embedded WebView for acquiring auth code.", .sdk, .system, "web view"),
    LogStep("Navigation starts with the redirect uri.", .provider, .system, "redirect to the app"),
    LogStep("Received redirect from customTab/browser.", .system, .sdk, "the browser answers"),
    LogStep("Auth code is successfully returned", .system, .sdk, "authorization code", "returned", .holds),
    LogStep(
      "Error is returned from webview redirect", .provider, .sdk, "refuse the sign-in", "error",
      .fails(expected: "an authorization code")),
    LogStep(
      "State parameter is not returned", .system, .sdk, "state", "missing",
      .fails(expected: "the state that was sent")),
    LogStep(
      "State parameter returned from the redirect is not same", .system, .sdk, "state", "another",
      .fails(expected: "the state that was sent")),
    LogStep(
      "Received Authorization flow cancelled by the user", .person, .system, "web view", "cancelled", .cancels
    ),
    LogStep(
      "The authorization request was intentionally cancelled.", .person, .system, "web view", "cancelled",
      .cancels),
    LogStep(
      "SDK cancelled the authorization request.", .sdk, .system, "web view", "cancelled by the app", .cancels),

    LogStep("Account not found in app cache", .sdk, .keychain, "read account", "no item"),
    LogStep("No valid entry found in cache", .sdk, .keychain, "read credential", "no item"),
    LogStep("Cache entry is expired.", .sdk, .keychain, "read access token", "expired"),
    LogStep(
      "No Foci tokens found for homeAccountId", .sdk, .keychain, "read family refresh token", "no item"),
    LogStep("Removing Account...", .app, .sdk, "removeAccount"),
  ]
}
