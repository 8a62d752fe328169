import SSODevice
import SSOProvider

/// A prompt of a flow to the user.
///
/// The same value is drawn as a screen, printed as numbered lines in plain mode, and answered by scripts.
package enum Prompt: Hashable, Sendable {
  case chooseAccount(AccountPicker)
  case signIn(SignInPage)
  case consent(ConsentPage)
  /// An error page of the provider, which the user can only close.
  case errorPage(ErrorPage)
  /// The system's alert before an app may use the browser's cookies.
  case systemAlert(SystemAlert)
}

/// The user's answer to a prompt.
///
/// A flow consumes the answers in the order of its prompts, and checks the kind of each answer against its
/// prompt.
package enum Answer: Hashable, Sendable {
  /// An account in the picker, by home account ID.
  case account(homeAccountID: String)
  case useAnotherAccount
  case username(String)
  case password(String)
  /// The number that is displayed for the second factor.
  case verification(String)
  case accept
  /// The link on the sign-in page of an Azure AD B2C user flow.
  case forgotPassword
  /// Esc: back to the app.
  ///
  /// It is the only answer to an error page.
  case cancel
}

extension Prompt {
  /// Creates a prompt, or returns `nil` for pages that no app on the device leads to.
  init?(_ page: Page) {
    switch page {
    case .signIn(let page): self = .signIn(page)
    case .consent(let page): self = .consent(page)
    case .error(let page): self = .errorPage(page)
    case .deviceCode, .notice: return nil
    }
  }

  /// A short text for the trace.
  package var displayText: String {
    switch self {
    case .chooseAccount: "choose an account"
    case .signIn(let page):
      switch page.asks {
      case .username: "asked for the username"
      case .password: "asked for the password of \(page.username)"
      case .verification: "asked for the number"
      }
    case .consent: "asked for consent"
    case .errorPage(let page): "error page \(page.displayText)"
    case .systemAlert(let alert): "asked whether \(alert.appName) may use \(alert.site) to sign in"
    }
  }
}

extension Answer {
  /// A short text for the trace.
  ///
  /// It never contains a secret.
  package var displayText: String {
    switch self {
    case .account(let id): id
    case .useAnotherAccount: "use another account"
    case .username(let name): name
    case .password: "password entered"
    case .verification: "number entered"
    case .accept: "accepted"
    case .forgotPassword: "forgot the password"
    case .cancel: "cancelled"
    }
  }
}

extension Prompt {
  /// Returns whether the answer fits the prompt.
  ///
  /// Esc fits every prompt.
  func takes(_ answer: Answer) -> Bool {
    switch (self, answer) {
    case (_, .cancel), (.chooseAccount, .account), (.chooseAccount, .useAnotherAccount), (.consent, .accept),
      (.systemAlert, .accept):
      true
    case (.signIn(let page), .username): page.asks == .username
    case (.signIn(let page), .password): page.asks == .password
    case (.signIn(let page), .forgotPassword): page.offersPasswordReset == true
    case (.signIn(let page), .verification):
      if case .verification = page.asks { true } else { false }
    default: false
    }
  }
}

/// The alert that iOS shows before each web session that shares the browser's cookies (claim E3; Apple:
/// ASWebAuthenticationSession).
package struct SystemAlert: Hashable, Sendable {
  package var appName: String
  /// The registered domain of the page, such as `microsoftonline.com`.
  package var site: String
  package static let message = "This allows the app and website to share information about you."
}

extension SystemAlert {
  /// Creates the alert for an app that opens a system web session.
  ///
  /// `authority` is the host of the page, optionally with a port. The last two labels are used as the domain,
  /// which is wrong only below domains such as `co.uk`.
  init(of app: InstalledApp, for authority: String) {
    let host = authority.prefix { $0 != ":" }
    self.init(
      appName: app.displayName, site: host.split(separator: ".").suffix(2).joined(separator: "."))
  }

  package var title: String { "“\(appName)” Wants to Use “\(site)” to Sign In" }
}
