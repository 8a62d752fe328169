import Testing

/// Sessions with `ssoterm pick`.
@Suite struct PickCommandTests {
  @Test func aChoiceIsPrintedAlone() throws {
    try transcript(
      after: .signedIn,
      """
      $ ssoterm pick --choose ada@contoso.com
      ada@contoso.com
      $ ssoterm pick --choose ada@contoso.com --print home-account-id
      2c8f0c6e-4b1d-4f7a-8e35-90ad1b7e6f21.5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90
      $ ssoterm pick --choose ada@contoso.com --json
      {
        "homeAccountID" : "2c8f0c6e-4b1d-4f7a-8e35-90ad1b7e6f21.5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90",
        "lastUsed" : null,
        "lastUsedBy" : null,
        "name" : "Ada Lovelace",
        "remark" : "My Test App 1, My Test App 2, My Test App 3",
        "shownBecause" : "it is in the token cache of My Test App 1, My Test App 2, My Test App 3",
        "state" : "ready",
        "tenant" : "Contoso",
        "username" : "ada@contoso.com",
        "version" : 1
      }
      $ ssoterm pick --choose nobody@contoso.com
      ! ssoterm: There is no account “nobody@contoso.com”.
      !   try: ssoterm pick --choose ada@contoso.com
      [3]
      $ ssoterm pick
      ! ssoterm: The screens cannot be shown here: there is no terminal that can place the cursor.
      !   try: ssoterm pick --choose ada@contoso.com
      [6]
      """)
  }
}
