import Testing

/// Sessions with `ssoterm current`.
@Suite struct CurrentAccountCommandTests {
  @Test func anAppOfOneAccountKnowsItsPreviousOne() throws {
    try transcript(
      after: .signedIn,
      """
      $ ssoterm current mytestapp1
      ✓ My Test App 1: ada@contoso.com is signed in; before: none.
      $ ssoterm signout mytestapp1
      sign out of com.contoso.mytestapp1
        ✗ My Test App 1 is signed out of ada@contoso.com
        ✗ My Test App 2 is signed out of ada@contoso.com
        ✗ My Test App 3 is signed out of ada@contoso.com
        3 keychain items in all
      ✓ My Test App 1 signed out ada@contoso.com: 3 credentials removed.
      $ ssoterm current mytestapp1
      ✓ My Test App 1: no account is signed in; before: ada@contoso.com.
      """)
  }
}
