import Testing

/// Sessions with `ssoterm signout`, `ssoterm forget` and `ssoterm revoke`.
@Suite struct RemovalCommandTests {
  @Test func signingOutTakesTheSharedTokens() throws {
    try transcript(
      after: .signedIn,
      """
      $ ssoterm signout mytestapp2
      sign out of com.contoso.mytestapp2
        ✗ My Test App 1 is signed out of ada@contoso.com
        ✗ My Test App 2 is signed out of ada@contoso.com
        ✗ My Test App 3 is signed out of ada@contoso.com
        3 keychain items in all
      ✓ My Test App 2 signed out ada@contoso.com: 3 credentials removed.
      $ ssoterm accounts
      ACCOUNT\tNAME\tHOME TENANT\tENVIRONMENT\tSIGNED IN TO\tRT\tPLACES
      ada@contoso.com\tAda Lovelace\tContoso\tlogin.windows.net\t-\t· none\tA1B2C3D4E5.com.microsoft.adalcache
      $ ssoterm signout mytestapp2 --account adda@contoso.com
      ! ssoterm: My Test App 2 has no account adda@contoso.com.
      !   because allAccounts of this app is empty or has no such account
      !   try: Did you mean ada@contoso.com?
      [3]
      $ ssoterm signout mytestapp2
      ! ssoterm: My Test App 2 has no account to sign out.
      !   because allAccounts of this app is empty or has no such account
      !   try: List them: ssoterm accounts
      [3]
      """)
  }

  @Test func forgettingNamesWhoLosesTheAccountFirst() throws {
    try transcript(
      after: .signedIn,
      """
      $ ssoterm forget ada
      forget ada@contoso.com
        ✗ My Test App 1 is signed out of ada@contoso.com
        ✗ My Test App 2 is signed out of ada@contoso.com
        ✗ My Test App 3 is signed out of ada@contoso.com
        4 keychain items in all
      ! ssoterm: This removes 4 items and needs a confirmation.
      !   because there is no terminal to ask on
      !   try: the same command with --yes
      [2]
      $ ssoterm forget ada --yes
      forget ada@contoso.com
        ✗ My Test App 1 is signed out of ada@contoso.com
        ✗ My Test App 2 is signed out of ada@contoso.com
        ✗ My Test App 3 is signed out of ada@contoso.com
        4 keychain items in all
      ✓ ada@contoso.com is removed from the device: 4 items deleted. Undo: ssoterm undo
      $ ssoterm forget ada --yes
      ! ssoterm: There is no account ada@contoso.com on this device.
      !   because no app and no broker holds it
      !   try: Sign in first: ssoterm signin APP --account ada@contoso.com
      [3]
      $ ssoterm undo
      ✓ Undone: forget ada@contoso.com (done in session PID)
      $ ssoterm forget ada --yes --json
      {
        "effects" : null,
        "errorCode" : null,
        "errorDomain" : null,
        "errorText" : null,
        "expiresOn" : null,
        "failedCheck" : null,
        "grantedScopes" : [

        ],
        "homeAccountID" : "2c8f0c6e-4b1d-4f7a-8e35-90ad1b7e6f21.5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90",
        "next" : null,
        "prompted" : false,
        "source" : null,
        "summary" : "ada@contoso.com is removed from the device: 4 items deleted.",
        "traceID" : 3,
        "username" : "ada@contoso.com",
        "verdict" : "succeeded",
        "version" : 1
      }
      $ ssoterm forget adda@contoso.com --yes
      ! ssoterm: There is no account adda@contoso.com on this device.
      !   because no app and no broker holds it
      !   try: Did you mean ada@contoso.com?
      [3]
      """)
  }

  @Test func revokingEndsEveryRefreshToken() throws {
    try transcript(
      after: .signedIn,
      """
      $ ssoterm revoke ada
      ✓ ada@contoso.com is signed out everywhere: refresh tokens and browser sessions from before are refused.
      $ ssoterm silent mytestapp1
      ● User.Read openid profile 1h left, from cache
      $ ssoterm silent mytestapp1 --force-refresh
      ! ssoterm: User interaction is required
      !   because the refresh token was revoked: expected not revoked, found the person was signed out everywhere. Error Domain=MSALErrorDomain Code=-50002 "(null)" UserInfo={MSALErrorDescriptionKey=User interaction is required, MSALOAuthErrorKey=invalid_grant, MSALOAuthSubErrorKey=bad_token, MSALCorrelationIDKey=54500B39-CC02-4826-9332-B4190411EB1C}
      !   try: ssoterm signin mytestapp1
      [4]
      $ ssoterm revoke nobody
      ! ssoterm: There is no person nobody.
      !   because the lab has: ada@contoso.com, Ada Lovelace, grace@contoso.com, Grace Hopper
      !   try: List them: ssoterm person list
      [3]
      """)
  }
}
