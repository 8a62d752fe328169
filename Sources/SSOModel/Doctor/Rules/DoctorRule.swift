/// A rule that `ssoterm doctor` applies to an app's files, with one case for each (docs/behaviour/real-apps.md §1).
///
/// The raw value is the rule's name in every output and must not change.
package enum DoctorRule: String, CaseIterable, Sendable {
  case placeholder
  case clientID = "client-id"
  case authority
  case redirectURI = "redirect-uri"
  case urlScheme = "url-scheme"
  case oldRedirect = "old-redirect"
  case brokerUnused = "broker-unused"
  case querySchemes = "query-schemes"
  case keychainGroup = "keychain-group"
  case callback
  case intuneRedirect = "intune-redirect"
  case macTeam = "mac-team"
  case registration
  case redirectRegistered = "redirect-registered"
  case clientType = "client-type"
  case spaRedirect = "spa-redirect"
  case nestedApp = "nested-app"
  case audience
  case androidConfiguration = "android-configuration"
  case androidRedirect = "android-redirect"
  case browserTabActivity = "browser-tab-activity"
  case defaultAuthority = "default-authority"

  /// The requirement, as one sentence.
  package var title: String {
    switch self {
    case .placeholder: "Every value of the sample is replaced by the app's own"
    case .clientID: "The SDK gets a client ID"
    case .authority: "The authority is one that the SDK and the provider know"
    case .redirectURI: "The redirect URI can be used by the SDK"
    case .urlScheme: "The scheme of the redirect URI is in CFBundleURLTypes"
    case .oldRedirect: "The redirect URI is not the old msal<client ID>://auth"
    case .brokerUnused: "The broker can be used"
    case .querySchemes: "LSApplicationQueriesSchemes has the broker's schemes"
    case .keychainGroup: "The keychain group of the SDK is in the entitlements"
    case .callback: "The delegate that the system calls forwards the broker's answer to the SDK"
    case .intuneRedirect: "Intune's redirect URI is one that the app can use"
    case .macTeam: "A macOS app without a team uses the redirect URI of unsigned apps"
    case .registration: "The registration is that of an app here"
    case .redirectRegistered: "The redirect URI is registered for the client"
    case .clientType: "The app's redirect URI is registered for a public client"
    case .spaRedirect: "A redirect URI is registered for the kind of app that uses it"
    case .nestedApp: "A nested app has a brk-multihub:// redirect URI"
    case .audience: "The authority agrees with the accounts that the registration accepts"
    case .androidConfiguration: "msal_config.json has what MSAL for Android needs"
    case .androidRedirect: "Android's redirect URI is made of package name and signature hash"
    case .browserTabActivity: "BrowserTabActivity takes the redirect URI"
    case .defaultAuthority: "One authority of several is the default"
    }
  }

  /// The reason that the rule matters.
  package var why: String {
    switch self {
    case .placeholder:
      "The text of a sample or template was not replaced. The provider does not know such a client."
    case .clientID: "MSAL makes no application object without one, and ADAL no call."
    case .authority:
      "The SDK asks instance discovery for the host before the first sign-in. A host that is not "
        + "known there, and not declared in knownAuthorities, ends each call. MSALAADAuthority takes no URL of "
        + "B2C, CIAM or AD FS."
    case .redirectURI: "MSAL looks at the redirect URI when the application object is made."
    case .urlScheme:
      "iOS opens the app only for a scheme that its Info.plist registers. MSAL compares exactly, "
        + "including upper and lower case."
    case .oldRedirect:
      "MSAL 0.x made this redirect URI. It is not broker-capable: with an Azure AD authority "
        + "current versions refuse it, with others the sign-in goes to the browser without a warning."
    case .brokerUnused:
      "Without the broker there is a browser page instead: no sign-in that other vendors' apps "
        + "share, no device-based Conditional Access, no certificates."
    case .querySchemes:
      "iOS tells an app whether another app is installed only for the schemes that it lists."
    case .keychainGroup:
      "Every read and write of the token cache names the group. Without the entitlement the "
        + "sign-in seems to work, the list of accounts is empty and silent calls fail."
    case .callback:
      "The broker answers by opening the app with a URL. An app with scenes gets it in the scene "
        + "delegate (SwiftUI: onOpenURL), and never in the app delegate."
    case .intuneRedirect:
      "The Intune SDK signs in with the redirect URI of IntuneMAMSettings, which is checked like "
        + "the app's own."
    case .macTeam:
      "The macOS broker knows a signed app by its team. A program without one must use "
        + "msauth.com.msauth.unsignedapp://auth."
    case .registration:
      "A registration of another client ID says nothing about the app. The object ID of a registration is not a client ID."
    case .redirectRegistered: "The provider compares the redirect URI character by character."
    case .clientType:
      "A redirect URI of the platform Web belongs to a client with a secret. An app on a device has "
        + "none, so its code is not redeemed."
    case .spaRedirect:
      "A code that came to a single-page application's redirect URI is redeemed only from a "
        + "browser's page, and no other code is redeemed from there."
    case .nestedApp:
      "The host redeems for the nested app, with a redirect URI that begins with brk-multihub://."
    case .audience: "A registration for one tenant is not served at common, organizations or consumers."
    case .androidConfiguration:
      "MSAL for Android checks its configuration when the application object is made."
    case .androidRedirect:
      "The broker compares the redirect URI with the package name and signing certificate of the "
        + "app that calls. Each keystore has another hash."
    case .browserTabActivity:
      "The browser hands the answer to the activity whose filter takes the redirect URI: scheme "
        + "msauth, host the package name, path the hash with a leading slash, not encoded."
    case .defaultAuthority: "With several authorities MSAL for Android must know which one calls use."
    }
  }

  /// The number of public threads about this mistake (docs/behaviour/real-apps.md §1), or `nil` if none were counted.
  package var reports: Int? {
    switch self {
    case .clientType: 11
    case .keychainGroup: 11
    case .spaRedirect: 12
    case .urlScheme: 9
    case .callback: 7
    case .brokerUnused: 7
    case .androidRedirect: 7
    case .querySchemes: 5
    case .nestedApp: 6
    case .authority: 3
    case .browserTabActivity: 3
    case .oldRedirect: 2
    case .intuneRedirect: 2
    case .macTeam: 1
    default: nil
    }
  }
}

/// The result of one rule for one app or registration: what was expected and found, the place, and what to write
/// instead.
package struct DoctorCheck: Hashable, Sendable {
  /// The effect of a failed check.
  package enum Severity: String, CaseIterable, Hashable, Sendable {
    case fails = "fails"
    /// The app works for some accounts, settings, or builds, but not as intended for others.
    case worksInSomeCases = "works in some cases"
    case notFilledIn = "not filled in yet"
  }

  /// The error with which the SDK or the provider reports a broken rule.
  package struct Refusal: Hashable, Sendable {
    /// The code, such as `-42001` or `AADSTS50011`, which `ssoterm explain` can look up.
    package var code: String
    package var text: String

    package init(_ code: String, _ text: String) {
      self.code = code
      self.text = text
    }

    /// Creates a rejection in the provider's wording, which follows the code.
    init(_ code: AADSTSCode, _ words: String) { self.init(code.text, "\(code.text): \(words)") }

    /// Creates a rejection from the error that the app receives.
    package init(_ error: SDKError) { self.init(String(error.preciseCode), error.printed) }
  }

  package var rule: DoctorRule
  /// The name of the app or registration.
  package var subject: String
  package var check: Check
  package var severity = Severity.fails
  /// The place of the value, or the place where it belongs.
  package var place: FilePlace
  package var refusal: Refusal?
  /// The lines to write instead.
  package var fix: String?

  package var hasFailed: Bool { check.verdict == .failed }

  /// The explanations of the code's meaning and of what developers do about it.
  package var explanations: [Explanation] { refusal.map { Explanation.find(in: $0.code) } ?? [] }
}
