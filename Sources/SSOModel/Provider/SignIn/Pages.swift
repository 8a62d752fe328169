/// What the person sees in the browser or web view.
///
/// Text in it is the provider's: draw it as untrusted.
package enum Page: Codable, Hashable, Sendable {
  case signIn(SignInPage)
  case consent(ConsentPage)
  case error(ErrorPage)
  case deviceCode(DeviceCodePage)
  case notice(NoticePage)
}

/// The sign-in page.
///
/// Answer it with `POST /{tenant}/login` (`flow`, and `username`, `password`, `code` or `cancel`).
package struct SignInPage: Codable, Hashable, Sendable {
  /// What the page asks for next.
  package enum Ask: Codable, Hashable, Sendable {
    case username
    case password
    /// The number of the second factor, two digits: the page shows it, the person types it in Authenticator.
    case verification(String)
  }

  package var tenantName: String
  package var appName: String
  package var clientID: String
  package var redirectURI: String
  /// Filled from `login_hint` or from what was typed before; otherwise empty.
  package var username: String
  package var asks: Ask
  /// Why the last answer did not do: `AADSTS50126: …`.
  package var failure: String?
  /// User names signed in to this browser, last used first: each may be picked without a password.
  package var accountsInSession: [String]
  /// Names this sign-in in the answer; a secret of the browser.
  package var flowID: String
}

/// The consent page.
///
/// Answer it with `POST /{tenant}/consent` (`flow`, and `accept` or `cancel`): all or nothing.
package struct ConsentPage: Codable, Hashable, Sendable {
  package var appName: String
  package var clientID: String
  package var publisher: String
  package var username: String
  package var scopes: [ConsentScope]
  package var flowID: String
  /// Asked besides, or instead if every scope is granted already: whether it is this app on the other device
  /// (RFC 8628 §5.4).
  package var question: String?
  /// Where the answer leads; nil in a page of an older version, empty if it is for another device.
  package var redirectURI: String?
}

/// A permission on the consent page.
package struct ConsentScope: Codable, Hashable, Sendable {
  package var scope: String
  /// What it allows, in words: `Sign you in and read your profile`.
  package var meaning: String
  package var alreadyGranted: Bool
}

/// A page that leads nowhere: the app never hears of it, the person can only close it.
package struct ErrorPage: Codable, Hashable, Sendable {
  /// 700016 in `AADSTS700016`.
  package var aadsts: Int
  package var message: String
  package var correlationID: String

  package init(aadsts: Int, message: String, correlationID: String) {
    self.aadsts = aadsts
    self.message = message
    self.correlationID = correlationID
  }
}

/// Where the person types the code that another device shows.
///
/// Answer it with `POST /common/oauth2/deviceauth` (`user_code`).
package struct DeviceCodePage: Codable, Hashable, Sendable {
  /// From the link, to be confirmed; otherwise empty.
  package var userCode: String
  /// Why the last code did not do: `AADSTS70018: …`.
  package var failure: String?
}

/// The end of a story: nothing is left to answer.
package struct NoticePage: Codable, Hashable, Sendable {
  package var title: String
  package var message: String
  /// The person said no; nil is no refusal.
  package var isRefusal: Bool?
  /// Addresses that are loaded in hidden frames: of apps that are told of a sign-out.
  package var frames: [String]?
  /// Where the browser goes once they are loaded.
  package var next: String?
}
