import SSODevice
import SSOProvider

/// What a flow asks the person. The same value is drawn as a screen, printed as numbered lines in plain mode, and answered by scripts.
package enum Prompt: Hashable, Sendable {
  case chooseAccount(AccountPicker)
  case signIn(SignInPage)
  case consent(ConsentPage)
  /// The provider shows an error page; the person can only close it.
  case errorPage(ErrorPage)
}

/// What the person answers. A flow takes the answers in the order of its prompts; the word each carries is checked against the prompt it meets.
package enum Answer: Hashable, Sendable {
  /// An account in the picker, by home account ID.
  case account(homeAccountID: String)
  case useAnotherAccount
  case username(String)
  case password(String)
  /// The number shown for the second factor.
  case verification(String)
  case accept
  /// Esc: back to the app. For an error page the only answer.
  case cancel
}
