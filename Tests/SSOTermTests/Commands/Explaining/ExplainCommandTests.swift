import Testing

/// Sessions with `ssoterm explain`.
@Suite struct ExplainCommandTests {
  @Test func theSourceOfACheck() throws {
    try transcript(
      """
      $ ssoterm explain 'broker.md §1'
      broker.md §1  a source
        docs/behaviour/broker.md §1: Whether there is a broker that can be called.
        cause  Checks and explanations of SSOTerm cite it as their source.
        to do  Read it in SSOTerm's source code, where the section names the files of the SDKs that it was read from.
      $ ssoterm explain claim C1
      claim C1  a source
        C1: Client ID, team, keychain group and configured group agree: the second app is silent.
        cause  Checks and explanations of SSOTerm cite it as their source.
        to do  See the scenarios that show it: ssoterm scenario list
      $ ssoterm explain RFC 8252 §8.6
      RFC 8252 §8.6  a source
        RFC 8252: OAuth 2.0 for native apps.
        cause  Checks and explanations of SSOTerm cite it as their source.
        to do  Read it at https://www.rfc-editor.org/rfc/rfc8252
      """)
  }

  @Test func aCodeAStateAndAPrintedError() throws {
    try transcript(
      """
      $ ssoterm explain 50011
      AADSTS50011  InvalidReplyTo  error_description of the provider
        The redirect URI is not registered for this client.
        cause  The one in the request differs from the registration: by case, path, port, a slash at its end, scheme, or the platform under which it is registered; or it belongs to another app.
        to do  Register exactly what the request sends, under its platform: msauth.<bundle ID>://auth for iOS and macOS, msauth://<package>/<signature hash> for Android, http://localhost and ms-appx-web://microsoft.aad.brokerplugin/<client ID> for mobile and desktop, the page's own address for single-page applications, https for Web.
      $ ssoterm explain -34018
      -34018  errSecMissingEntitlement  NSOSStatusErrorDomain
        A required entitlement is missing: the app may not use this access group.
        cause  The entitlement keychain-access-groups is missing or lacks the group, the group is mistyped or in one build configuration only, the team differs, or the app is not signed with its entitlements.
        to do  Add $(AppIdentifierPrefix)<group> to the entitlements of every configuration, and sign with the same team.
      $ ssoterm explain state expired
      expired  SSOTerm state
        It has expired.
        cause  expires_on has passed, or it was expired by hand (e).
        to do  acquireTokenSilent redeems the refresh token; if that is refused, sign in again.
      $ ssoterm explain 'Error Domain=MSALErrorDomain Code=-50002'
      -50002  MSALErrorInteractionRequired  MSALErrorDomain
        A silent call is impossible: user interaction is required.
        cause  There is no account, the account is signed out, the app cannot read a refresh token, or the provider rejected the refresh token.
        to do  Call acquireToken. If another app of the suite is signed in, a condition of sharing fails: ssoterm doctor names it; in the lab: ssoterm why APP.
      $ ssoterm explain AADSTS50011 --json
      {
        "explanations" : [
          {
            "cause" : "The one in the request differs from the registration: by case, path, port, a slash at its end, scheme, or the platform under which it is registered; or it belongs to another app.",
            "code" : "AADSTS50011",
            "domain" : "error_description of the provider",
            "family" : "aadsts",
            "meaning" : "The redirect URI is not registered for this client.",
            "name" : "InvalidReplyTo",
            "remedy" : "Register exactly what the request sends, under its platform: msauth.<bundle ID>://auth for iOS and macOS, msauth://<package>/<signature hash> for Android, http://localhost and ms-appx-web://microsoft.aad.brokerplugin/<client ID> for mobile and desktop, the page's own address for single-page applications, https for Web."
          }
        ],
        "version" : 1
      }
      $ ssoterm explain 999999
      ! ssoterm: 999999 is not described here: the list has Microsoft's documented codes, and codes that people paste with them.
      !   try: ssoterm explain
      [3]
      $ ssoterm explain | head -n 5
      CODE\tNAME\tMEANING
      valid\t-\tThe token can be used.
      expiring\t-\tUsable for less than ten minutes, or past refresh_on.
      expired\t-\tIt has expired.
      invalid\t-\tThe provider no longer accepts it, or the store says so.
      """)
  }

  /// A misspelt code is corrected, and an everyday word is not taken for one.
  @Test func onlyAMisspeltCodeResemblesOne() throws {
    try transcript(
      """
      $ ssoterm explain invalid_gran
      ! ssoterm: There is no code “invalid_gran”.
      !   try: ssoterm explain invalid_grant
      [3]
      $ ssoterm explain password
      ! ssoterm: There is no code “password”.
      !   try: ssoterm explain
      [3]
      $ ssoterm explain popup
      ! ssoterm: There is no code “popup”.
      !   try: ssoterm explain
      [3]
      """)
  }

  /// An unknown text is repeated without its secrets.
  @Test func anUnknownTextIsRepeatedWithoutItsSecrets() throws {
    try transcript(
      """
      $ ssoterm explain 'the password is hunter2hunter2'
      ! ssoterm: There is no code “the password is <hash>”.
      !   try: ssoterm explain
      [3]
      $ ssoterm explain -- '-----BEGIN PRIVATE KEY----- bGFtcHdpY2s= -----END PRIVATE KEY-----'
      ! ssoterm: There is no code “-----BEGIN PRIVATE KEY----- <hash>-----END PRIVATE KEY-----”.
      !   try: ssoterm explain
      [3]
      $ ssoterm '-----BEGIN PRIVATE KEY----- bGFtcHdpY2s=' 2>&1 | grep -c bGFt
      0
      [1]
      """)
  }

  /// For a number alone, the meaning in HTTP comes first.
  @Test func aStatusOfHTTPComesFirst() throws {
    try transcript(
      """
      $ ssoterm explain 401 | grep -v '^ '
      401  Unauthorized  HTTP status

      401  AD_ERROR_UI_NO_MAIN_VIEW_CONTROLLER  ADAuthenticationErrorDomain
      """)
  }

  /// A number in brackets, or before a sentence, is the code of what is behind it.
  @Test func theNumberBeforeASentenceIsExplained() throws {
    try transcript(
      """
      $ ssoterm explain '[50126] Invalid lamp' | head -n 1
      AADSTS50126  InvalidUserNameOrPassword  error_description of the provider
      """)
  }
}
