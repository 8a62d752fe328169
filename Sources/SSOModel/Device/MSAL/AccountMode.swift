/// Whether MSAL for Android is set up for one account or for several: `account_mode` of its configuration, and the kind of
/// application object that code asks for (docs/behaviour/android.md §1(5)).
package enum AccountMode: String, Codable, CaseIterable, Sendable {
  case single = "SINGLE"
  case multiple = "MULTIPLE"

  /// Returns the code and message of the `MsalClientException` for code that asks for this kind of object although the
  /// configuration is for the other.
  ///
  /// A call with a listener and a call that waits differ for several accounts
  /// (`createMultipleAccountPublicClientApplication` in `PublicClientApplication.java`).
  package func refusal(hasListener: Bool) -> (code: String, message: String) {
    switch (self, hasListener) {
    case (.multiple, true):
      (
        "multiple_account_pca_init_fail_unknown_reason",
        "Multiple account PublicClientApplication could not be created for unknown reasons"
      )
    case (.multiple, false), (.single, _):
      (
        "\(word)_account_pca_init_fail_account_mode",
        "AccountMode in configuration is not set to \(word). Cannot initialize \(word) account PublicClientApplication."
      )
    }
  }

  private var word: String { rawValue.lowercased() }
}
