/// Error codes of MSAL for Android and of MSAL.js, which are words (`MsalClientException.java`; MSAL.js, `BridgeError`).
// swift-format-ignore
package enum LibraryCode: CodeEntry, ExplainedCode {
  case redirectURIValidation = "redirect_uri_validation_error: The redirect URI is not made of this app's package name and signature hash. Cause: MSAL for Android compares them when the application object is made: another keystore signed the app, or the URI is another package's. Remedy: Write msauth://<package name>/<percent-encoded hash> into msal_config.json and the registration, for each keystore. Not raised here."
  case manifestValidation = "app_manifest_validation_error: No activity takes the redirect URI. Cause: The filter of BrowserTabActivity is missing in AndroidManifest.xml, or has another scheme, host or path. Remedy: Declare it, with the hash not encoded and a leading slash. Not raised here."
  case untrustedOrigin = "untrusted_origin: The host does not redeem for this nested app. Cause: The registration has no single-page redirect URI brk-multihub://<the app's domain>. Remedy: Add it. Not raised here."

  package var family: Explanation.Family { .library }
}
