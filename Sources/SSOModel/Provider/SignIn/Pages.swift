import SSOCore

/// A page that the user sees in the browser or web view.
///
/// Its text comes from the provider, so draw it as untrusted text.
package enum Page: Codable, Hashable, Sendable {
  case signIn(SignInPage)
  case consent(ConsentPage)
  case error(ErrorPage)
  case deviceCode(DeviceCodePage)
  case notice(NoticePage)
}

/// The sign-in page.
///
/// Respond with `POST /{tenant}/login` (`flow`, and `username`, `password`, `code`, `cancel` or
/// `forgot`).
package struct SignInPage: Codable, Hashable, Sendable {
  /// The next input that the page prompts for.
  package enum Ask: Codable, Hashable, Sendable {
    case username
    case password
    /// The two-digit number of the second factor, which the page displays and the user types in
    /// Authenticator.
    case verification(String)
  }

  package var tenantName: String
  package var appName: String
  package var clientID: String
  package var redirectURI: String
  /// The username from `login_hint` or from earlier input, or an empty string.
  package var username: String
  package var asks: Ask
  /// The error of the last input, such as `AADSTS50126: …`.
  package var failure: String?
  /// The usernames signed in to this browser, most recently used first.
  ///
  /// Each can be selected without a password.
  package var accountsInSession: [String]
  /// Whether the user can report a forgotten password, as on the pages of Azure AD B2C.
  ///
  /// `nil` means no.
  package var offersPasswordReset: Bool?
  /// The identifier of this sign-in for the response: a secret of the browser.
  package var flowID: String
}

/// The consent page.
///
/// Respond with `POST /{tenant}/consent` (`flow`, and `accept` or `cancel`). Consent is all or nothing.
package struct ConsentPage: Codable, Hashable, Sendable {
  package var appName: String
  package var clientID: String
  package var publisher: String
  package var username: String
  package var scopes: [ConsentScope]
  package var flowID: String
  /// The question whether this is the app on the other device (RFC 8628 §5.4).
  ///
  /// It is asked in addition to consent, or alone if every scope is already granted.
  package var question: String?
  /// The redirect URI of the response.
  ///
  /// `nil` in a page of an older version, empty for another device.
  package var redirectURI: String?
}

/// A permission on the consent page.
package struct ConsentScope: Codable, Hashable, Sendable {
  package var scope: String
  /// The description of the permission, such as `Sign you in and read your profile`.
  package var meaning: String
  package var alreadyGranted: Bool
}

/// An error page.
///
/// The app does not learn about it, and the user can only close it.
package struct ErrorPage: Codable, Hashable, Sendable {
  /// Entra's or Azure AD B2C's number with its prefix, such as `AADSTS700016`, or `nil` if the error does not have one.
  package var number: String?
  package var message: String
  package var correlationID: String

  package init(_ error: OAuthError, correlationID: String) {
    number = error.number
    message = error.message
    self.correlationID = correlationID
  }

  /// The number, or the message of an error without one.
  package var displayText: String { number ?? message }
}

/// The page on which the user types the code that another device displays.
///
/// Respond with `POST /common/oauth2/deviceauth` (`user_code`).
package struct DeviceCodePage: Codable, Hashable, Sendable {
  /// The user code from the link, for confirmation, or an empty string.
  package var userCode: String
  /// The error of the last code, such as `AADSTS70018: …`.
  package var failure: String?
}

/// A final page that does not need a response.
package struct NoticePage: Codable, Hashable, Sendable {
  package var title: String
  package var message: String
  /// Whether the user declined.
  ///
  /// `nil` means no.
  package var isRefusal: Bool?
  /// The URLs to load in hidden frames, which notify apps of a sign-out.
  package var frames: [String]?
  /// The URL to which the browser continues after the frames are loaded.
  package var next: String?
}
