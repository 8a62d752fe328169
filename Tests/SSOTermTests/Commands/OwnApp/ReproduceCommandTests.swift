import Testing

/// Sessions with `ssoterm reproduce`.
@Suite struct ReproduceCommandTests {
  @Test func aLogOfASilentCallIsReproducedAndMended() throws {
    try transcript(
      after: .nothing,
      """
      $ ssoterm reproduce samples/logs/apple-refresh-refused.log -o repro.yaml
      What was read
        call          silent: acquireTokenSilent  apple-refresh-refused.log:1
        SDK           MSAL 2.1.0  apple-refresh-refused.log:1
        system        iOS 18.0  apple-refresh-refused.log:1
        error         AADSTS700082  apple-refresh-refused.log:9
        SDK code      MSALErrorDomain -50002  apple-refresh-refused.log:9
        OAuth error   invalid_grant  apple-refresh-refused.log:9

      What was assumed
        cause         The refresh token was not used for more than 90 days.  it fails so in the lab
        registration  has the app's redirect URI, and allows any scope  no registration was given
        redirect URI  msauth.com.example.app://auth  the SDK's default
        client ID     6f1c9b52-3d84-4e0a-b7a6-2c58d0e94f31  no source shows it
        bundle ID     com.example.app  no source shows it
        authority     https://login.microsoftonline.com/common  the SDK's default
        account       ada@contoso.com  names and tenants of the sources are replaced (--keep-ids keeps them)
        SDK           MSAL 2.13.0  the version whose behaviour the lab follows

      What the lab does
        silent call of com.example.app: AADSTS700082 at the token endpoint, MSALErrorDomain -50002
        the source shows: AADSTS700082 at the token endpoint, MSALErrorDomain -50002
        ✗ the refresh token has expired: expected time left, found expired 24h ago  RFC 6749 §5.2
          + User → App  silent
          + App → MSAL  MSALPublicClientApplication init
          + MSAL → Keychain  read account
          + MSAL → Keychain  read account
          + MSAL → Keychain  read app metadata
          + MSAL → Keychain  read refresh token
          + MSAL → Keychain  read account metadata
          + MSAL → Keychain  read account metadata
          + MSAL → Keychain  read access token
          + MSAL → Keychain  read refresh token
          + MSAL → Keychain  read app metadata
          = App → MSAL  acquireTokenSilent
          = MSAL → Keychain  read access token
          - MSAL → Keychain  remove access token
          + MSAL → Provider  GET /5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90/v2.0/.well-known/openid-configuration
          + MSAL → MSAL  token endpoint
          = MSAL → Provider  redeem the refresh token
          = Provider → MSAL  token endpoint
          = MSAL → Keychain  remove refresh token
          - MSAL → App  return the result of the call
          + MSAL → Keychain  delete refresh token
          + MSAL → Keychain  update wipe info
          + MSAL → Keychain  add wipe info
          = MSAL → App  return the result of the call
      ✓ Reproduced.

      What fixes it
        call          When the silent call reports that interaction is required, acquire the token interactively: acquireToken(with:) in place of acquireTokenSilent(with:).
        ✓ proved: the call gets a token

      ssoterm scenario run ./repro.yaml
      ssoterm scenario run ./repro.yaml --fixed
      $ ssoterm scenario run ./repro.yaml
      reproduction  3 of 3 steps passed
      ✓ The user signs in
      ✓ Three months pass
      ✓ The app asks silently
      $ ssoterm scenario run ./repro.yaml --fixed
      reproduction  3 of 3 steps passed
      ✓ The user signs in
      ✓ Three months pass
      ✓ The user signs in
      $ ssoterm serve --fixed
      ! ssoterm: --fixed needs a scenario: it is a change.
      !   try: ssoterm serve --fixed --scenario two-vendors
      [2]
      """)
  }

  @Test func aProjectFailsInTheLabAsItsFilesAre() throws {
    try transcript(
      after: .nothing,
      """
      $ ssoterm reproduce --project sample:no-callback -o repro.yaml
      What was read
        app           Notes  sample:no-callback/Notes.xcodeproj/project.pbxproj:12
        bundle ID     com.contoso.notes  sample:no-callback/Notes.xcodeproj/project.pbxproj:30
        client ID     6f1c9b52-3d84-4e0a-b7a6-2c58d0e94f31  sample:no-callback/Notes/SignIn.swift:4
        redirect URI  msauth.com.contoso.notes://auth  sample:no-callback/Notes/SignIn.swift:11
        SDK           MSAL  sample:no-callback/Notes.xcodeproj/project.pbxproj:12

      What was assumed
        call          interactive  no source shows it
        registration  has the app's redirect URI, and allows any scope  no registration was given
        account       ada@contoso.com  names and tenants of the sources are replaced (--keep-ids keeps them)
        SDK           MSAL 2.13.0  the version whose behaviour the lab follows

      What the lab does
        interactive call of com.contoso.notes: MSALErrorDomain -42700
        ✗ the scene delegate does not forward the URL to the SDK: expected the scene delegate, found the app delegate  claim D6
      ✓ Reproduced.

      What fixes it
        code          Call MSALPublicClientApplication.handleMSALResponse in scene(_:openURLContexts:) of the scene delegate.
                      sample:no-callback/Notes/AppDelegate.swift:9
        ✓ proved: the call gets a token

      ssoterm scenario run ./repro.yaml
      ssoterm scenario run ./repro.yaml --fixed
      $ cat repro.yaml
      name: reproduction
      title: "interactive call of com.contoso.notes: MSALErrorDomain -42700"
      note: "Fails as the sources show."
      seed: 1
      clock: 2026-03-02T09:00:00Z
      world:
        device: {name: iPhone, platform: iOS}
        broker: {installed: true}
        tenants:
          - {id: "5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90", displayName: Contoso, domains: [contoso.com]}
        people:
          - username: ada@contoso.com
            password: analytical-engine
            objectID: "2c8f0c6e-4b1d-4f7a-8e35-90ad1b7e6f21"
            homeTenantID: "5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90"
        registrations:
          - clientID: "6f1c9b52-3d84-4e0a-b7a6-2c58d0e94f31"
            displayName: App
            redirectURIs: [msauth.com.contoso.notes://auth]
            allowedScopes: []
        apps:
          - bundleID: com.contoso.notes
            teamID: A1B2C3D4E5
            clientID: "6f1c9b52-3d84-4e0a-b7a6-2c58d0e94f31"
            vendor: Example
            urlForwarding: appDelegate
            usesScenes: true
        brokerAccounts:
          - {person: ada@contoso.com}
      steps:
        - title: "The user signs in"
          do: {signIn: {app: com.contoso.notes}}
          answers:
            choose: ada@contoso.com
            username: ada@contoso.com
            password: analytical-engine
            consent: accept
          expect: {verdict: failed, error: {domain: MSALErrorDomain, code: -50000, internal: -42700, at: broker}}
      fix:
        title: "Call MSALPublicClientApplication.handleMSALResponse in scene(_:openURLContexts:) of the scene delegate."
        steps:
          - {do: {set: {app: com.contoso.notes, fields: [urlForwarding=sceneDelegate]}}}
      $ ssoterm scenario run ./repro.yaml
      reproduction  1 of 1 step passed
      ✓ The user signs in
      $ ssoterm reproduce --project sample:unused-entitlements
      What was read
        app           Travel  sample:unused-entitlements/Travel.xcodeproj/project.pbxproj:12
        bundle ID     com.contoso.travel  sample:unused-entitlements/Travel.xcodeproj/project.pbxproj:29
        client ID     6f1c9b52-3d84-4e0a-b7a6-2c58d0e94f31  sample:unused-entitlements/Travel/SignIn.swift:4
        redirect URI  msauth.com.contoso.travel://auth  sample:unused-entitlements/Travel/SignIn.swift:11
        SDK           MSAL  sample:unused-entitlements/Travel.xcodeproj/project.pbxproj:12

      What was assumed
        call          silent  no source shows it
        registration  has the app's redirect URI, and allows any scope  no registration was given
        account       ada@contoso.com  names and tenants of the sources are replaced (--keep-ids keeps them)
        SDK           MSAL 2.13.0  the version whose behaviour the lab follows

      What the lab does
        silent call of com.contoso.travel: OSStatus -34018 of the keychain
        ✗ its entitlements lack the access group: expected A1B2C3D4E5.com.microsoft.adalcache, found A1B2C3D4E5.com.contoso.travel  keychain.md §2
      ✓ Reproduced.

      What fixes it
        entitlement   The entitlements file is not used. Build Settings: CODE_SIGN_ENTITLEMENTS = Travel/Travel.entitlements;
                      sample:unused-entitlements/Travel.xcodeproj/project.pbxproj:29
        ✓ proved: the call gets a token
      $ ssoterm reproduce --project sample:no-query-scheme
      What was read
        app           Expenses  sample:no-query-scheme/Expenses.xcodeproj/project.pbxproj:12
        bundle ID     com.contoso.expenses  sample:no-query-scheme/Expenses.xcodeproj/project.pbxproj:30
        client ID     6f1c9b52-3d84-4e0a-b7a6-2c58d0e94f31  sample:no-query-scheme/Expenses/SignIn.swift:4
        redirect URI  msauth.com.contoso.expenses://auth  sample:no-query-scheme/Expenses/SignIn.swift:11
        SDK           MSAL  sample:no-query-scheme/Expenses.xcodeproj/project.pbxproj:12

      What was assumed
        call          interactive  no source shows it
        registration  has the app's redirect URI, and allows any scope  no registration was given
        account       ada@contoso.com  names and tenants of the sources are replaced (--keep-ids keeps them)
        SDK           MSAL 2.13.0  the version whose behaviour the lab follows

      What the lab does
        interactive call of com.contoso.expenses: MSALErrorDomain -42001
        ✗ its LSApplicationQueriesSchemes lacks msauthv3: expected msauthv2, msauthv3, found msauthv2  broker.md §1
      ✓ Reproduced.

      What fixes it
        plist         Info.plist: add msauthv2,msauthv3 to LSApplicationQueriesSchemes.
                      sample:no-query-scheme/Expenses/Info.plist:17
        ✓ proved: the call gets a token
      """)
  }

  @Test func aPastedErrorHasTwoCausesAndAQuestion() throws {
    try transcript(
      after: .nothing,
      """
      $ echo 'MSALErrorDomain Code=-50000, MSALInternalErrorCodeKey=-42001' | ssoterm reproduce -
      What was read
        SDK code      MSALErrorDomain -42001  stdin:1

      What was assumed
        cause         The Info.plist does not register the scheme of the redirect URI.  it fails so in the lab
        call          interactive  no source shows it
        registration  has the app's redirect URI, and allows any scope  no registration was given
        redirect URI  msauth.com.example.app://auth  the SDK's default
        client ID     6f1c9b52-3d84-4e0a-b7a6-2c58d0e94f31  no source shows it
        bundle ID     com.example.app  no source shows it
        system        iOS  no source shows it
        authority     https://login.microsoftonline.com/common  the SDK's default
        account       ada@contoso.com  names and tenants of the sources are replaced (--keep-ids keeps them)
        SDK           MSAL 2.13.0  the version whose behaviour the lab follows
        Each of these fails like this. To tell them apart:
        ? Is msauth.com.example.app under CFBundleURLTypes › CFBundleURLSchemes of the Info.plist that is built?
            yes: The Info.plist does not register the scheme of the redirect URI.
        ? Are msauthv2 and msauthv3 under LSApplicationQueriesSchemes of the Info.plist that is built?
            yes: The Info.plist does not list the broker's schemes.

      What the lab does
        interactive call of com.example.app: MSALErrorDomain -42001
        the source shows: MSALErrorDomain -42001
        ✗ its Info.plist does not register the scheme msauth.com.example.app: expected msauth.com.example.app, found no schemes  broker.md §12
          + User → App  sign in
          + App → MSAL  MSALPublicClientApplication init
          = MSAL → App  report an error
      ✓ Reproduced.

      What fixes it
        plist         Info.plist: add msauth.com.example.app to CFBundleURLTypes › CFBundleURLSchemes.
        ✓ proved: the call gets a token
      $ ssoterm reproduce samples/logs/entra-alone.log
      What was read
        redirect URI  msauth.com.contoso.notes://auth  entra-alone.log:2
        bundle ID     com.contoso.notes  entra-alone.log:2
        error         AADSTS50011  entra-alone.log:2
        client ID     11111111-2222-4333-8444-555555555555  entra-alone.log:3

      What was assumed
        cause         The registration does not have the redirect URI that the app sends.  it fails so in the lab
        call          interactive  no source shows it
        registration  has the app's redirect URI, and allows any scope  no registration was given
        system        iOS  no source shows it
        authority     https://login.microsoftonline.com/common  the SDK's default
        account       ada@contoso.com  names and tenants of the sources are replaced (--keep-ids keeps them)
        SDK           MSAL 2.13.0  the version whose behaviour the lab follows

      What the lab does
        interactive call of com.contoso.notes: AADSTS50011 at the authorization endpoint, MSALErrorDomain -50005
        the source shows: AADSTS50011
        ✗ the redirect URI is not registered: expected msauth.com.contoso.notes://auth/other, found msauth.com.contoso.notes://auth  RFC 6749 §3.1.2.4, claim C3
          + User → App  sign in
          + App → MSAL  MSALPublicClientApplication init
          + App → MSAL  acquireToken
          + MSAL → Provider  GET /common/discovery/instance
          + MSAL → Provider  GET /common/v2.0/.well-known/openid-configuration
          + User → System  asked whether com.contoso.notes may use microsoftonline.com to sign in
          + MSAL → Provider  GET /common/oauth2/v2.0/authorize
          = Provider → MSAL  refuse
          + User → Provider  error page AADSTS50011
          + MSAL → App  error
      ✓ Reproduced.

      What fixes it
        registration  App registrations › Authentication › Mobile and desktop applications: add the redirect URI msauth.com.contoso.notes://auth.
        ✓ proved: the call gets a token
      $ ssoterm reproduce samples/logs/apple-wrapped-quoted.log
      What was read
        call          interactive: acquireToken  apple-wrapped-quoted.log:1
        broker        the call uses the broker  apple-wrapped-quoted.log:3
        SDK           MSAL 1.1.8  apple-wrapped-quoted.log:1
        system        iOS 15.1  apple-wrapped-quoted.log:1
        SDK code      MSALErrorDomain -42700  apple-wrapped-quoted.log:9

      What was assumed
        cause         The delegate that the system calls does not forward the broker's answer to the SDK.  it fails so in the lab
        registration  has the app's redirect URI, and allows any scope  no registration was given
        redirect URI  msauth.com.example.app://auth  the SDK's default
        client ID     6f1c9b52-3d84-4e0a-b7a6-2c58d0e94f31  no source shows it
        bundle ID     com.example.app  no source shows it
        authority     https://login.microsoftonline.com/common  the SDK's default
        account       ada@contoso.com  names and tenants of the sources are replaced (--keep-ids keeps them)
        SDK           MSAL 2.13.0  the version whose behaviour the lab follows

      What the lab does
        interactive call of com.example.app: MSALErrorDomain -42700
        the source shows: MSALErrorDomain -42700
        ✗ the app delegate does not forward the URL to the SDK: expected the app delegate, found neither delegate  claim D6
          + User → App  sign in
          + App → MSAL  MSALPublicClientApplication init
          = App → MSAL  acquireToken
          + MSAL → Keychain  read broker key
          + MSAL → Keychain  read broker key in any group
          + MSAL → Keychain  update broker key
          + MSAL → Keychain  add broker key
          + MSAL → Keychain  read application token
          + MSAL → Keychain  read application token in any group
          = MSAL → System  openURL msauthv2://broker
          + System → System  openURL msauthv2
          + System → Broker  identify the caller
          + Broker → Broker  choose an account
          + Broker → Provider  POST /common/oauth2/v2.0/token
          + Provider → Broker  refuse AADSTS65001
          + Broker → Provider  GET /common/oauth2/v2.0/authorize
          + User → Provider  asked for consent
          + Broker → Provider  POST /common/consent
          + Broker → Provider  POST /common/oauth2/v2.0/token
          + Broker → System  openURL msauth.com.example.app://auth
          = System → App  openURL
          + System → MSAL  DidBecomeActive
          = MSAL → App  return the result of the call
      ✓ Reproduced.

      What fixes it
        code          Call MSALPublicClientApplication.handleMSALResponse in scene(_:openURLContexts:) of the scene delegate, or in application(_:open:options:) of an app without scenes.
        ✓ proved: the call gets a token
      """)
  }

  @Test func whatTheLabDoesNotKnowIsCalledNearest() throws {
    try transcript(
      after: .nothing,
      """
      $ ssoterm reproduce samples/logs/dotnet-client-secret.log
      What was read
        OAuth error   invalid_client  dotnet-client-secret.log:6
        error         AADSTS7000215  dotnet-client-secret.log:9
        caller        MSAL.NET, a daemon, client credentials  dotnet-client-secret.log:1

      What was assumed
        cause         The program sends a secret that the registration does not have, such as the secret's ID.  it fails so in the lab
        registration  has the app's redirect URI, and allows any scope  no registration was given
        client ID     6f1c9b52-3d84-4e0a-b7a6-2c58d0e94f31  no source shows it
        authority     https://login.microsoftonline.com/5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90  no source shows it
        account       ada@contoso.com  names and tenants of the sources are replaced (--keep-ids keeps them)

      What the lab does
        call of the program with the grant clientCredentials for https://graph.microsoft.com/.default: AADSTS7000215 at the token endpoint
        the source shows: AADSTS7000215
        ✗ client authentication: no secret of the client, found another  RFC 6749 §2.3
          - App → MSAL  acquire a token
          - MSAL → Keychain  read access token
          - MSAL → App  return the result of the call
          + App → Provider  POST /5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90/oauth2/v2.0/token
          + Provider → App  refuse AADSTS7000215
      ✓ Reproduced.

      What fixes it
        call          Certificates & secrets › New client secret: copy its Value, not its Secret ID, into the program.
        ✓ proved: the call gets a token
      $ ssoterm reproduce samples/logs/apple-cached.log
      What was read
        SDK           MSAL 1.2.22  apple-cached.log:1
        system        iOS 16.2  apple-cached.log:1

      What the lab does
      ✗ Not reproduced: the call that was read succeeded: the source does not show a failure.
      [4]
      $ echo 'AADSTS135010: something new' | ssoterm reproduce -
      What was read
        error         AADSTS135010  stdin:1

      What the lab does
      ✗ Not reproduced: no lab can show AADSTS135010, because its users have neither passkeys nor keys of Windows Hello. The code means: The key was not found. A passkey or device key that was deleted in the directory. Not tried: Register it again.
      [4]
      """)
  }

  /// A folder without an app has nothing to read, like a text without an error.
  @Test func aFolderWithoutAnAppIsNothing() throws {
    try transcript(
      after: .nothing,
      """
      $ mkdir empty && ssoterm reproduce empty
      ! ssoterm: No error was found in empty: no app with MSAL or ADAL and no registration is there.
      !   try: ssoterm doctor --help
      [3]
      $ ssoterm reproduce --project empty --json
      {
        "error" : {
          "exitCode" : 3,
          "kind" : "nothingRecognised",
          "next" : "ssoterm doctor --help",
          "what" : "No error was found in empty.",
          "why" : "no app with MSAL or ADAL and no registration is there"
        },
        "version" : 1
      }
      ! ssoterm: No error was found in empty: no app with MSAL or ADAL and no registration is there.
      !   try: ssoterm doctor --help
      [3]
      $ echo fine > fine.log && ssoterm reproduce fine.log
      ! ssoterm: No error was found in fine.log: no line has a code of Entra, of an SDK, or of the keychain.
      !   try: ssoterm read --help
      [3]
      """)
  }

  /// PowerShell writes UTF-16 with >.
  @Test func aTextInUTF16IsRead() throws {
    try transcript(
      after: .nothing,
      #"""
      $ for order in LE BE; do
      >   printf '\357\273\277AADSTS50173: revoked\n' | iconv -f UTF-8 -t UTF-16$order > app.log
      >   ssoterm reproduce app.log --json | grep -o '"number" : "[^"]*"\|"aadsts" : [0-9]*'
      >   ssoterm read app.log | grep -c AADSTS50173
      > done
      "aadsts" : 50173
      "aadsts" : 50173
      7
      "aadsts" : 50173
      "aadsts" : 50173
      7
      """#)
  }

  @Test func aTestThatCannotMakeTheCallIsRefused() throws {
    try transcript(
      after: .nothing,
      """
      $ echo AADSTS50173: revoked > app.log
      $ ssoterm reproduce app.log --as xcuitest
      ! ssoterm: A test of the kind xcuitest cannot show this failure: it drives pages, and the silent call shows none.
      !   try: ssoterm reproduce app.log --as pytest
      [2]
      $ echo MSALInternalErrorCodeKey=-42001 | ssoterm reproduce - --as playwright
      ! ssoterm: A test of the kind playwright cannot show this failure: the program's SDK fails by itself, and the provider refuses no request.
      !   try: ssoterm reproduce - --as pytest
      [2]
      """)
  }
}
