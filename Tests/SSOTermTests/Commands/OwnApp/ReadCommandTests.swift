import Testing

/// Sessions with `ssoterm read`.
@Suite struct ReadCommandTests {
  @Test func aLogIsReadCallByCall() throws {
    try transcript(
      after: .nothing,
      """
      $ ssoterm read samples/logs/apple-cached.log
      5 lines: 5 of MSAL or ADAL on iOS and macOS. 1 call.

      Trace 1  acquireTokenSilent
      2023-11-20T12:00:00Z  correlation ID AAAABBBB-CCCC-4DDD-8EEE-FFFF00001111
      1  App -> MSAL  acquireTokenSilent
           line 1, +0 s = Beginning silent flow.
      2  MSAL -> Keychain  read access token
           line 2, +0 s = Looking for access token...
      3  Keychain -> MSAL  read access token  found
           line 3, +1 s = Found valid access token.
         ✓ read access token: found  real-logs.md §2
      4  MSAL -> App  return the result of the call  ok
           line 4, +1 s = Silent flow finished. Result Masked(not-null), error: 0 error domain: (null)
      5  MSAL -> App  return the result of the call  access token
           line 5, +1 s = acquireTokenSilent returning with at: Masked(not-null) scopes:Masked(not-null) expiration:2023-11-20 13:00:00 +0000
      ✓ The call succeeded after 1s.

      Verdict  No call failed.
      $ ssoterm read samples/logs/apple-keychain-entitlement.log
      6 lines: 5 of MSAL or ADAL on iOS and macOS; 1 not recognised (--lines shows the first). 1 call.

      Trace 1  acquireTokenSilent
      2024-09-01T08:00:01Z  correlation ID 11112222-3333-4444-8555-666677778888
      1  App -> MSAL  acquireTokenSilent
           line 2, +0 s = Beginning silent flow.
      2  MSAL -> Keychain  read access token
           line 3, +0 s = Looking for access token...
      3  Keychain -> MSAL  find item  -34018
           line 4, +0 s = Keychain find status: -34018
         ✗ find item: no entitlement for the keychain group, found NSOSStatusErrorDomain -34018  real-logs.md §2
      4  Keychain -> MSAL  add item  failed
           line 5, +1 s = Failed to set item into keychain (status: -34018)
         ✗ add item: no entitlement for the keychain group, found NSOSStatusErrorDomain -34018  real-logs.md §2
      5  MSAL -> App  return the result of the call  MSALErrorDomain -50000
           line 6, +2 s = acquireTokenSilent returning with error: (MSALErrorDomain, -50000) Masked(not-null)
         ✗ return the result of the call: no token, found MSALErrorDomain -50000  real-logs.md §2
      ✗ The call failed after 2s: MSALErrorDomain -50000.
        acquireTokenSilent returning with error: (MSALErrorDomain, -50000) Masked(not-null)
        next: Add $(AppIdentifierPrefix)<group> to the entitlements of every configuration, and sign with the same team.
      -34018  errSecMissingEntitlement  NSOSStatusErrorDomain
        A required entitlement is missing: the app may not use this access group.
        cause  The entitlement keychain-access-groups is missing or lacks the group, the group is mistyped or in one build configuration only, the team differs, or the app is not signed with its entitlements.
        to do  Add $(AppIdentifierPrefix)<group> to the entitlements of every configuration, and sign with the same team.
      -50000  MSALErrorInternal  MSALErrorDomain
        An error that the app cannot resolve; the cause is in MSALInternalErrorCodeKey.
        cause  Every failure except the six that an app can resolve: -50001 to -50005 and -50142. -50006 to -50008 arrive as -50000 too.
        to do  Look at the internal code: ssoterm explain with it. It is most often a set-up error in Info.plist, entitlements or the registration.

      Verdict  -34018: A required entitlement is missing: the app may not use this access group. (line 4; seen here.) To do: Add $(AppIdentifierPrefix)<group> to the entitlements of every configuration, and sign with the same team.
      [1]
      $ ssoterm read samples/logs/apple-cached.log --as mermaid
      sequenceDiagram
        title acquireTokenSilent
        participant app as App
        participant sdk as MSAL
        participant keychain as Keychain
        app->>sdk: acquireTokenSilent
        sdk->>keychain: read access token
        keychain->>sdk: read access token = found
        sdk->>app: return the result of the call = ok
        sdk->>app: return the result of the call = access token
      $ ssoterm read samples/logs/apple-cached.log --as pdf
      ! ssoterm: --as must be text, mermaid, json, svg, har, cast or html, not “pdf”.
      !   try: ssoterm read samples/logs/apple-cached.log --as text
      [2]
      $ ssoterm read nothing.log
      ! ssoterm: nothing.log cannot be read: No such file or directory.
      !   try: ls
      [2]
      $ ssoterm read samples/logs/apple-cachd.log
      ! ssoterm: samples/logs/apple-cachd.log cannot be read: No such file or directory.
      !   try: ssoterm read samples/logs/apple-cached.log
      [2]
      $ echo nothing of it | ssoterm read -
      ! ssoterm: No call and no error of an identity SDK was found in 1 line: no line has the form of an SDK's log or a code that is known here; SDKs log little or nothing until their log is switched on, as --how PLATFORM describes.
      !   try: ssoterm read --help
      [3]
      """)
  }

  @Test func twoLogsAreComparedStepByStep() throws {
    try transcript(
      after: .nothing,
      """
      $ ssoterm read samples/logs/apple-cached.log samples/logs/apple-keychain-entitlement.log
      <  samples/logs/apple-cached.log  ✓ acquireTokenSilent: The call succeeded after 1s.
      >  samples/logs/apple-keychain-entitlement.log  ✗ acquireTokenSilent: The call failed after 2s: MSALErrorDomain -50000.

      =  1–2   2 steps are the same
      <  3     Keychain -> MSAL: read access token = found
      <  4     MSAL -> App: return the result of the call = ok
      >  3     Keychain -> MSAL: find item = -34018
                 ✗ find item: no entitlement for the keychain group, found NSOSStatusErrorDomain -34018  real-logs.md §2
      >  4     Keychain -> MSAL: add item = failed
                 ✗ add item: no entitlement for the keychain group, found NSOSStatusErrorDomain -34018  real-logs.md §2
      <  5     MSAL -> App: return the result of the call = access token
      >  5     MSAL -> App: return the result of the call = MSALErrorDomain -50000
                 ✗ return the result of the call: no token, found MSALErrorDomain -50000  real-logs.md §2

      First difference  step 3, only apple-cached.log has read access token.
      [1]
      $ ssoterm read samples/logs/apple-cached.log samples/logs/apple-cached.log
      <  samples/logs/apple-cached.log  ✓ acquireTokenSilent: The call succeeded after 1s.
      >  samples/logs/apple-cached.log  ✓ acquireTokenSilent: The call succeeded after 1s.

      =  1–5   5 steps are the same

      The two calls have the same steps with the same results.
      $ ssoterm read samples/logs/apple-cached.log samples/logs/apple-cached.log --open
      ! ssoterm: --open, --follow, --only, --redact and --as read one file.
      !   try: ssoterm read samples/logs/apple-cached.log samples/logs/apple-cached.log
      [2]
      """)
  }

  /// A log without dates has no time, and a program that is asked to end prints what it has.
  @Test func aFollowedLogEndsWithItsVerdict() throws {
    try transcript(
      after: .nothing,
      """
      $ echo 'Unhandled: AADSTS50105: The person is not assigned.' > app.log
      $ ssoterm read app.log --json | grep '"at"'
            "at" : null,
      $ timeout --preserve-status -s INT 4 ssoterm read app.log --follow
      ✗ a call that began before the log  AADSTS50105: The user is not assigned to the application.  To do: Assign them, or switch the requirement off.  (line 1, call 1)
      1 line: 1 of an error of Entra ID. 1 call.
      Verdict  AADSTS50105: The user is not assigned to the application. (line 1; seen here.) To do: Assign them, or switch the requirement off.
      [1]
      """)
  }
}
