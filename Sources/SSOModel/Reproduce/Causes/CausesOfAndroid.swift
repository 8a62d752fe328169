import SSODevice

/// The causes that only apps for Android have, whose SDK reports exceptions whose codes are words
/// (docs/behaviour/android.md §1, §5).
extension Cause {
  static let ofAndroid: [Cause] = [
    android(
      "signature-hash-differs", "redirect_uri_validation_error",
      "The redirect URI in the configuration is not made of the package name and of the hash of the certificate that "
        + "signed this build.",
      "Is the build signed with another certificate: debug, release, or Google Play's App Signing?",
      changes: [
        .app("redirectURI=msauth://$app/AAAAAAAAAAAAAAAAAAAAAAAAAAA%3D"),
        .registration("redirectURIs+=msauth://$app/AAAAAAAAAAAAAAAAAAAAAAAAAAA%3D"),
      ], call: .interactive,
      mends: [
        .app(
          .configuration, "redirectURI=$redirect",
          "msal_config.json: set redirect_uri to $redirect, with the hash of the certificate that signs the build, and "
            + "register it.")
      ]),
    android(
      "intent-filter-missing", "app_manifest_validation_error",
      "The manifest has no intent filter of BrowserTabActivity for the redirect URI.",
      "Does AndroidManifest.xml have the activity BrowserTabActivity, with scheme, host, and path of the redirect URI?",
      changes: [.app("urlForwarding=neither")], call: .interactive,
      mends: [
        .app(
          .manifest, "urlForwarding=both",
          "AndroidManifest.xml: add BrowserTabActivity with scheme msauth, host $app, and path /SIGNATURE-HASH, which is "
            + "not percent-encoded there.")
      ]),
    android(
      "no-refresh-token", "no_tokens_found",
      "The account is in the app's cache, and its refresh token is not.",
      "Did a failed refresh remove the token, or did the last sign-in not ask for offline_access?",
      before: [
        .signIn, .action("The access token expires", ["expire": ["type": "AccessToken"]]),
        .action("The refresh token is removed", ["delete": ["type": "RefreshToken"]]),
      ], call: .silent, mends: [.signInAgain]),
    android(
      "no-account-passed", "illegal_argument_exception", "The silent call passes no account.",
      "Does the app make the silent call before anybody has signed in?", call: .silent,
      mends: [.signInAgain]),
    android(
      "no-current-account", "no_current_account",
      "The app is for a single account, and no account is signed in when it calls acquireTokenSilent.",
      "Does the app make the silent call before anybody has signed in, or after a sign-out?",
      changes: ["accountMode", "createdAs"].map { .app("\($0)=\(AccountMode.single.rawValue)") },
      call: .silent, mends: [.signInAgain]),
    android(
      "scopes-declined-android", "declined_scope_error",
      "The provider grants fewer scopes than the call asks for.",
      "Which scopes does the exception list as declined?",
      changes: [.registration("declinedScopes=Mail.Read")],
      call: .interactive(scopes: ["User.Read", "Mail.Read"]),
      mends: [
        .call(
          .interactive(scopes: ["User.Read"]),
          "Ask only for the granted scopes, or repeat the call with them.")
      ]),
    scopesDeclinedSilently(
      "scopes-declined-silently-android", "declined_scope_error", [.androidApp]),
    android(
      "window-closed", "MsalUserCancelException", "The user closed the sign-in.",
      "Did the user close the browser without an error on the page?",
      call: .interactive.answering(["cancel": true]),
      mends: [
        .call(
          .interactive, "Nothing is wrong: the user signs in, and the app handles a cancelled sign-in.")
      ]),
    android(
      "no-connection", "io_error", "The token endpoint cannot be reached.",
      "Was the device offline, or behind a proxy that blocks login.microsoftonline.com?",
      before: [
        .signIn,
        .action("The connection fails", ["fault": ["endpoint": "any", "kind": "unreachable"]]),
      ], call: .refresh,
      mends: [
        Mend(
          kind: .device, text: "Ask again when the device has a connection.", steps: [["fault": "clear"]],
          moment: .beforeCall)
      ]),
    android(
      "answer-not-understood", "unknown_error",
      "The token endpoint answers with something other than an OAuth answer.",
      "Does a proxy or a captive portal answer in place of login.microsoftonline.com?",
      before: [
        .signIn,
        .action("The service answers with an empty page", ["fault": ["endpoint": "token", "kind": "500"]]),
      ], call: .refresh,
      mends: [
        Mend(
          kind: .device, text: "Ask again on another network: nothing of the app is wrong.",
          steps: [["fault": "clear"]],
          moment: .beforeCall)
      ]),
  ]

  static let ofAccountModes = AccountMode.allCases.map(accountMode)

  /// Returns the cause that code asks for one kind of application object although the configuration is for the other.
  private static func accountMode(_ mode: AccountMode) -> Cause {
    let (name, other) = (mode.rawValue, mode == .single ? AccountMode.multiple : .single)
    return android(
      "account-mode-not-\(name.lowercased())", mode.refusal(hasListener: true).code,
      "The code creates an application object for \(mode == .single ? "one account" : "several accounts"), and "
        + "account_mode is not \(name).",
      "Does the configuration that the code names have \"account_mode\": \"\(name)\"?",
      changes: [.app("createdAs=\(name)"), .app("accountMode=\(other.rawValue)")], call: .interactive,
      mends: [.app(.configuration, "accountMode=\(name)", "msal_config.json: set account_mode to \(name).")])
  }

  private static func android(
    _ name: String, _ code: String, _ text: String, _ question: String, changes: [Change] = [],
    before: [Step] = [], call: Call, mends: [Mend]
  ) -> Cause {
    Cause(
      name: name, codes: [code], text: text, question: question, callers: [.androidApp], changes: changes,
      before: before, call: call, mends: mends)
  }
}
