import Testing

/// Sessions with `ssoterm why`.
@Suite struct WhyCommandTests {
  @Test func twoAppsShareOrTheConditionIsNamed() throws {
    try transcript(
      after: .signedIn,
      """
      $ ssoterm why mytestapp1 mytestapp2
      Why My Test App 1 and My Test App 2 share
      They share a sign-in through the keychain, not through the broker.

      15 conditions hold; --all shows them
      $ ssoterm app set mytestapp2 teamID=Z9Y8X7W6V5
      ✓ My Test App 2: teamID=Z9Y8X7W6V5.
        My Test App 1: shares its group with My Test App 3 (before: My Test App 2, My Test App 3)
        My Test App 2: next call needs sign-in: its team differs from My Test App 1's (before: silent: cache, after instance discovery); shares its group with no app (before: My Test App 1, My Test App 3)
        My Test App 3: shares its group with My Test App 1 (before: My Test App 1, My Test App 2)
      $ ssoterm why mytestapp1 mytestapp2
      Why My Test App 1 and My Test App 2 do not share
      My Test App 1 does not share My Test App 2's sign-in, because My Test App 2 has another team.
      To fix it: ssoterm app set com.contoso.mytestapp2 'teamID=A1B2C3D4E5'

      The shared keychain (claim C1)
        ✗ My Test App 2 has another team: expected A1B2C3D4E5, found Z9Y8X7W6V5 in My Test App 2  claim C1  <- decides
        ✗ its entitlements do not name My Test App 2's access group: expected Z9Y8X7W6V5.com.microsoft.adalcache, found A1B2C3D4E5.com.microsoft.adalcache, A1B2C3D4E5.com.contoso.mytestapp1  claim C1

      Both apps and the broker
        ✗ no installed app registers msauthv2  broker.md §1
        ✗ no installed app registers msauthv3  broker.md §1

      13 more conditions hold; --all shows them
      [1]
      """)
  }

  @Test func anAppsNextSilentCall() throws {
    try transcript(
      after: .signedIn,
      """
      $ ssoterm why mytestapp2
      Why My Test App 2 needs no sign-in
      The next call is silent: cache, after instance discovery.

      23 conditions hold; --all shows them
      $ ssoterm why mytestapp2 --all
      Why My Test App 2 needs no sign-in
      The next call is silent: cache, after instance discovery.

      The application object
        ✓ authority is well formed: https://login.microsoftonline.com/common  interactive-call.md §4
        ✓ client ID is given: b6c69a37-df96-4db0-9088-2ab96e1d8215  broker.md §12
        ✓ redirect URI has no fragment: msauth.com.contoso.mytestapp2://auth  broker.md §12
        ✓ redirect scheme is registered: msauth.com.contoso.mytestapp2  broker.md §12
        ✓ redirect URI is broker-capable: msauth.com.contoso.mytestapp2://auth  broker.md §12
        ✓ query schemes are registered: msauthv2, msauthv3  broker.md §1
        ✓ team ID can be read from the keychain: A1B2C3D4E5  keychain.md §4

      The next silent call
        ✓ one account is signed in, or one is named: ada@contoso.com  errors.md §4
        ✓ an account is given: ada@contoso.com  silent-call.md §1(0)
        ✓ authority is of the kind the app was set up with: Azure AD  interactive-call.md §4
        ✓ no reserved scopes: User.Read  silent-call.md §1(0)
        ✓ account is not signed out of this client: signed_in  msal-cache.md §11
        ✓ cache may be used: no forceRefresh, no claims  silent-call.md §1(2)
        ✓ access token is not expired: 3600 s left  silent-call.md §1(2)
        ✓ ID token and account of the same realm: ID token, account  silent-call.md §1(2)

      The broker in an interactive call
        ✓ broker availability: auto  interactive-call.md §1
        ✓ redirect URI is broker-capable: msauth.com.contoso.mytestapp2://auth  broker.md §12
        ✓ authority is Azure AD: Azure AD  interactive-call.md §1
        ✓ authority is validated: https://login.microsoftonline.com/common  interactive-call.md §1
        ✓ not an app extension: an app  broker.md §1
        ✓ platform has a broker called by URL: iOS  claim E7
        ✓ LSApplicationQueriesSchemes contains msauthv2: msauthv2, msauthv3  broker.md §1
        · an installed app registers msauthv2: expected an app with msauthv2, found none  broker.md §1
        ✓ LSApplicationQueriesSchemes contains msauthv3: msauthv2, msauthv3  broker.md §1
        · an installed app registers msauthv3: expected an app with msauthv3, found none  broker.md §1
      $ ssoterm signout mytestapp1 --account ada@contoso.com
      sign out of com.contoso.mytestapp1 as ada@contoso.com
        ✗ ada@contoso.com will be signed out of My Test App 1
        ✗ ada@contoso.com will be signed out of My Test App 2
        ✗ ada@contoso.com will be signed out of My Test App 3
        3 keychain items in all
      ✓ My Test App 1 signed out ada@contoso.com: 3 credentials removed.
      $ ssoterm why mytestapp2
      Why My Test App 2 needs sign-in
      My Test App 2 needs sign-in, because no account is signed in.

      The next silent call
        ✗ no account is signed in  silent-call.md §1(0)  <- decides

      15 more conditions hold; --all shows them
      [1]
      """)
  }

  @Test func anAccountATokenATraceAndTheMatrix() throws {
    try transcript(
      after: .signedIn, columns: 120,
      #"""
      $ ssoterm why --account ada
      Where ada@contoso.com is signed in
      Signed in to My Test App 1, My Test App 2, My Test App 3.

      6 conditions hold; --all shows them
      $ ssoterm why --token t2
      Who can use the AccessToken t2
      Usable by My Test App 1, My Test App 2, My Test App 3.

      16 conditions hold; --all shows them
      $ ssoterm why --trace 1
      Why “sign in com.contoso.mytestapp1 as ada@contoso.com” succeeded
      Token for ada@contoso.com in a web session.

      116 conditions hold; --all shows them
      $ ssoterm why --matrix
      Assumed: a new sign-in with the one app, and valid tokens.

      SIGNED IN WITH \ USED BY     My Test App 1  My Test App 2  My Test App 3
      My Test App 1 (MSAL 2.13.0)  -              ✓ silent       ✓ silent
      My Test App 2 (MSAL 2.13.0)  ✓ silent       -              ✓ silent
      My Test App 3 (MSAL 2.13.0)  ✓ silent       ✓ silent       -

      My Test App 1 -> My Test App 2: silent from the cache
      My Test App 1 -> My Test App 3: silent from the cache
      My Test App 2 -> My Test App 1: silent from the cache
      My Test App 2 -> My Test App 3: silent from the cache
      My Test App 3 -> My Test App 1: silent from the cache
      My Test App 3 -> My Test App 2: silent from the cache
      $ ssoterm why
      ! ssoterm: why takes one app (and --account), two apps, --account, --token, --trace or --matrix: each answers another question.
      !   try: ssoterm why mytestapp1
      [2]
      $ ssoterm why mytestapp1 mytestapp9
      ! ssoterm: There is no app “mytestapp9”: the lab has com.contoso.mytestapp2, com.contoso.mytestapp3.
      !   try: ssoterm why mytestapp1 com.contoso.mytestapp2
      [3]
      $ ssoterm why mytestap2
      ! ssoterm: There is no app “mytestap2”: the lab has com.contoso.mytestapp1, com.contoso.mytestapp2, com.contoso.mytestapp3.
      !   try: ssoterm why com.contoso.mytestapp2
      [3]
      $ ssoterm why nothing
      ! ssoterm: There is no app “nothing”: the lab has com.contoso.mytestapp1, com.contoso.mytestapp2, com.contoso.mytestapp3.
      !   try: ssoterm apps
      [3]
      """#)
  }
}
