/// Error codes of MSAL for Android, MSAL.js and MSAL.NET, which are words (`MsalClientException.java`,
/// `MsalUiRequiredException.java`; MSAL.js, `BrowserAuthErrorCodes.ts`, `BridgeError`; MSAL.NET, `MsalError.cs`).
// swift-format-ignore
package enum LibraryCode: CodeEntry, ExplainedCode {
  case redirectURIValidation = "redirect_uri_validation_error: The redirect URI is not made of this app's package name and signature hash. Cause: MSAL for Android compares them when the application object is made: another keystore signed the app, or the URI is another package's. Remedy: Write msauth://<package name>/<percent-encoded hash> into msal_config.json and the registration, for each keystore. Not raised here."
  case manifestValidation = "app_manifest_validation_error: No activity takes the redirect URI. Cause: The filter of BrowserTabActivity is missing in AndroidManifest.xml, or has another scheme, host or path. Remedy: Declare it, with a leading slash before the hash, which is not encoded there. Not raised here."
  case untrustedOrigin = "untrusted_origin: The host does not redeem for this nested app. Cause: The registration has no single-page redirect URI brk-multihub://<the app's domain>. Remedy: Add it. Not raised here."
  case singleAccountMode = "single_account_pca_init_fail_account_mode: The application object is for one account, and msal_config.json for several. Cause: createSingleAccountPublicClientApplication, and account_mode is not SINGLE. Remedy: Write \"account_mode\": \"SINGLE\", or call createMultipleAccountPublicClientApplication. Not raised here."
  case multipleAccountMode = "multiple_account_pca_init_fail_account_mode: The application object is for several accounts, and msal_config.json for one. Cause: createMultipleAccountPublicClientApplication, and account_mode is SINGLE. Remedy: Write \"account_mode\": \"MULTIPLE\", or call createSingleAccountPublicClientApplication. Not raised here."
  case noCurrentAccount = "no_current_account: No account is signed in to the app. Cause: A silent call, or signing out, in single account mode before a person signed in. Remedy: Sign in interactively. Not raised here."
  case noAccountFound = "no_account_found: The account is not in the cache. Cause: It was removed, or never signed in to this client. Remedy: Sign in interactively. Not raised here."
  case networkNotAvailable = "device_network_not_available: The device has no network. Cause: No connection, or Android's power saving. Remedy: Try again when there is a network. Not raised here."
  case interactionInProgress = "interaction_in_progress: An interactive call is still running. Cause: A second login or acquireToken call before the first ended, or a page of the redirect URI that does not call handleRedirectPromise. Remedy: Await handleRedirectPromise when the page loads, and call one at a time. Not raised here."
  case windowTimeout = "monitor_window_timeout: The hidden frame or the pop-up did not come back to the redirect URI in time. Cause: The page of the redirect URI changes its address before MSAL.js reads it, refuses to be framed, or the browser blocks the provider's cookies. Remedy: Use an empty page as redirect URI, and call interactively when the silent call fails. Not raised here."
  case popupWindow = "popup_window_error: The pop-up could not be opened. Cause: The browser blocks pop-ups that no click opened. Remedy: Call it in the handler of a click, or use the redirect. Not raised here."
  case emptyWindow = "empty_window_error: The pop-up does not exist. Cause: The browser blocks pop-ups that no click opened. Remedy: Call it in the handler of a click, or use the redirect. Not raised here."
  case noAccount = "no_account_error: No account was given to the call, and none is active. Cause: acquireTokenSilent without account. Remedy: Pass one of getAllAccounts, or call setActiveAccount. Not raised here."
  case uninitialized = "uninitialized_public_client_application: The application object is not initialised. Cause: A call before initialize has completed. Remedy: Await initialize first. Not raised here."
  case userCancelled = "user_cancelled: The person closed the window. Cause: The pop-up was closed before the sign-in ended. Remedy: Nothing: let them try again. Not raised here."
  case noTokensFound = "no_tokens_found: The cache has no token for this account. Cause: A silent call before a person signed in, another client ID, or a cache that is not kept between two runs. Remedy: Call interactively; keep the cache. Not raised here."
  case userNull = "user_null: No account was given to the silent call. Cause: GetAccountsAsync found none. Remedy: Call interactively. Not raised here."
  case severalTokens = "multiple_matching_tokens_detected: Several tokens match the call. Cause: Tokens of several tenants or accounts, and a call that names neither. Remedy: Pass the account and the tenant. Not raised here."
  case authenticationCanceled = "authentication_canceled: The person closed the window. Cause: The browser or web view was closed before the sign-in ended. Remedy: Nothing: let them try again. Not raised here."

  package var family: Explanation.Family { .library }
}
