/// The states of every list (terminal.md §3), and what the next silent call would do (fact sheet §4.1).
let stateTable = """
  valid | | The token can be used. | It expires in ten minutes or later, and refresh_on is not past. | Nothing.
  expiring | | Usable for less than ten minutes, or past refresh_on. | Time, or the clock of the lab (t). Under 300 s MSAL no longer uses it. | Call acquireTokenSilent; it renews the token in time.
  expired | | The time is over. | expires_on is past, or somebody expired it by hand (e). | acquireTokenSilent redeems the refresh token; if that is refused, sign in again.
  invalid | | The provider no longer takes it, or the store says so. | Revoked, marked invalid by hand (I), or the account is blocked. | Sign in interactively.
  none | | Nothing is stored. | Nobody signed in in this app, or another group or client ID is read. | ssoterm why APP says which condition fails.
  cache | | The next silent call would use the access token in the cache: no network. | An access token of the right client, account, realm and scopes has more than 300 s left. | Nothing.
  appRefreshToken | | The next silent call would redeem the app's own refresh token. | No fresh access token, but a refresh token of this client ID, perhaps written by another app of the group. | Nothing.
  familyRefreshToken | | The next silent call would redeem a family refresh token. | The client belongs to family 1 (FOCI), and another member signed in. | Nothing.
  broker | | The next silent call would ask the broker. | The broker can be called and holds the account. | Nothing.
  ownSecret | | The program can get its next token by itself: no person. | It signs in with its own secret or key, not for a person, and its token has ended. | Nothing; such a program gets no refresh token.
  prompt | | The next silent call would fail with -50002; a person is needed. | No account, or no refresh token that the app may read. | ssoterm why APP, then sign in.
  failure | | The next silent call would fail with another error than -50002. | The error is named beside it. | ssoterm explain with the code.
  """
