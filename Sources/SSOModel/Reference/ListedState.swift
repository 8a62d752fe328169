/// The states that the lists show: of a credential, and of what the next silent call would do.
// swift-format-ignore
package enum ListedState: CodeEntry, ExplainedCode {
  case valid = "valid: The token can be used. Cause: It expires in ten minutes or later, and refresh_on has not passed. Remedy: Nothing."
  case expiring = "expiring: Usable for less than ten minutes, or past refresh_on. Cause: Time has passed, or the lab's clock was moved (t). Under 300 s MSAL no longer uses it. Remedy: Call acquireTokenSilent; it renews the token in time."
  case expired = "expired: It has expired. Cause: expires_on has passed, or it was expired by hand (e). Remedy: acquireTokenSilent redeems the refresh token; if that is refused, sign in again."
  case invalid = "invalid: The provider no longer accepts it, or the store says so. Cause: Revoked, marked invalid by hand (I), or the account is blocked. Remedy: Sign in interactively."
  case revoked = "revoked: Revoked, not expired. Cause: Signed out everywhere, a changed password, a disabled account or a changed policy, after it was issued. An access token is refused only by APIs with continuous access evaluation, and only if its client sent cp1. Remedy: acquireTokenSilent with the claims of the challenge, or sign in again."
  case none = "none: Nothing is stored. Cause: No account signed in to this app, or another group or client ID is read. Remedy: {why APP} says which condition fails."
  case cache = "cache: The next silent call would use the access token in the cache: no network. Cause: An access token of the right client, account, realm and scopes has more than 300 s left. Remedy: Nothing."
  case appRefreshToken = "appRefreshToken: The next silent call would redeem the app's own refresh token. Cause: No fresh access token, but a refresh token of this client ID, perhaps written by another app of the group. Remedy: Nothing."
  case familyRefreshToken = "familyRefreshToken: The next silent call would redeem a family refresh token. Cause: The client belongs to family 1 (FOCI), and another member signed in. Remedy: Nothing."
  case broker = "broker: The next silent call would ask the broker. Cause: The broker can be called and holds the account. Remedy: Nothing."
  case ownSecret = "ownSecret: The program can get its next token without a person. Cause: It signs in with a secret or key, not for a person, and its token has expired. Remedy: Nothing; such a program gets no refresh token."
  case prompt = "prompt: The next silent call would fail with -50002; a person is needed. Cause: No account, or no refresh token that the app may read. Remedy: {why APP}, then sign in."
  case failure = "failure: The next silent call would fail with another error than -50002. Cause: The error is named beside it. Remedy: {explain} with the code."

  package var family: Explanation.Family { .state }
}
