import Testing

/// Sessions with `ssoterm signout`.
@Suite struct SignOutCommandTests {
  @Test func signingOutTakesTheSharedTokens() throws {
    try transcript(
      after: .signedIn,
      """
      $ ssoterm signout mytestapp2
      sign out of com.contoso.mytestapp2
        ✗ ada@contoso.com will be signed out of My Test App 1
        ✗ ada@contoso.com will be signed out of My Test App 2
        ✗ ada@contoso.com will be signed out of My Test App 3
        3 keychain items in all
      ✓ My Test App 2 signed out ada@contoso.com: 3 credentials removed.
      $ ssoterm accounts
      ACCOUNT\tNAME\tHOME TENANT\tENVIRONMENT\tSIGNED IN TO\tRT\tPLACES
      ada@contoso.com\tAda Lovelace\tContoso\tlogin.windows.net\t-\t· none\tA1B2C3D4E5.com.microsoft.adalcache
      $ ssoterm signout mytestapp2 --account adda@contoso.com
      ! ssoterm: My Test App 2 has no account adda@contoso.com: allAccounts of this app is empty or does not contain this account.
      !   Did you mean ada@contoso.com?
      [3]
      $ ssoterm signout mytestapp2
      ! ssoterm: My Test App 2 has no account to sign out: allAccounts of this app is empty or does not contain this account.
      !   try: ssoterm accounts
      [3]
      """)
  }
}
