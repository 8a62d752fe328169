/// Error codes of MSAL for Android, MSAL.js and MSAL.NET, which are words (`MsalClientException.java`,
/// `MsalUiRequiredException.java`; MSAL.js, `BrowserAuthErrorCodes.ts`, `BridgeError`; MSAL.NET, `MsalError.cs`).
package enum LibraryCode: String, ExplainedCode {
  case redirectURIValidation = "redirect_uri_validation_error"
  case manifestValidation = "app_manifest_validation_error"
  case singleAccountMode = "single_account_pca_init_fail_account_mode"
  case multipleAccountMode = "multiple_account_pca_init_fail_account_mode"

  package var family: Explanation.Family { .library }
}
