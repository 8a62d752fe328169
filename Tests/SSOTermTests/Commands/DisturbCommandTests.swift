import Testing

/// Sessions with `ssoterm disturb`, `ssoterm reinstall`, `ssoterm end` and `ssoterm open`.
@Suite struct DisturbCommandTests {
  @Test func theDeviceDoesWhatAnAppCannot() throws {
    try transcript(
      after: .signedIn,
      """
      $ ssoterm disturb mytestapp1 tampered
      ✓ Injected into the next brokered call of My Test App 1: One bit of the ciphertext is changed on the way, so that a block of the plaintext is not UTF-8: -42706, ADAL 505.
      $ ssoterm disturb mytestapp1 off
      ✓ The next brokered call of My Test App 1 has no injected fault.
      $ ssoterm disturb mytestapp1 luck
      ! ssoterm: The kind must be one of off, personReturns, appKilled, secondCall, lateURL, defaultsCleared, resumeStateDamaged, otherRedirectURI, keyLost, keyReplaced, hashMissing, hashChanged, notBase64, truncated, tampered, wrongNonce, not “luck”.
      !   usage: ssoterm disturb [--store <store>] [--json] [--unmask] [--plain] [--ascii] [--quiet] [--no-color] [--readonly] [--create] <app> <kind>
      !   try: ssoterm disturb --help
      [2]
      $ ssoterm reinstall mytestapp2
      ✓ My Test App 2 is reinstalled: its defaults are deleted, its 7 keychain items remain.
      $ ssoterm end mytestapp1
      ✓ My Test App 1 is ended.
      $ ssoterm open msauth.com.contoso.mytestapp2://auth?code=1 --from mytestapp1
      ! ssoterm: My Test App 2 ignores the URL.
      !   because “source application is the broker” does not hold: expected com.microsoft.azureauthenticator or nil, found com.contoso.mytestapp1
      !   try: ssoterm trace show 6
      [3]
      $ ssoterm open https://contoso.com --from mytestapp1
      ! ssoterm: No app opens https://contoso.com.
      !   because “one app registers https” does not hold: expected one app, found none
      !   try: ssoterm trace show 7
      [3]
      $ ssoterm open 'msauthv3://broker?x' --from mytestapp1
      ! ssoterm: No app opens msauthv3://broker.
      !   because “one app registers msauthv3” does not hold: expected one app, found none
      !   try: ssoterm trace show 8
      [3]
      $ ssoterm enroll mytestapp1 --account ada@contoso.com
      ✓ Intune protects My Test App 1 for ada@contoso.com.
      """)
  }
}
