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

  @Test func theTokensOfAnImportedCacheAreNotCalledReady() throws {
    try transcript(
      """
      $ ssoterm import samples/caches/msal_python_cache.json --quiet
      ✓ samples/caches/msal_python_cache.json: 3 accounts, 18 credentials, 0 problems
      $ ssoterm pick --choose alice@contoso.com --json
      {
        "homeAccountID" : "a11ce000-0000-4000-8000-000000000001.11111111-aaaa-4aaa-8aaa-111111111111",
        "lastUsed" : null,
        "lastUsedBy" : null,
        "name" : "",
        "remark" : "in no app's list",
        "shownBecause" : "its account is in the keychain, in no app's list",
        "state" : "unknown",
        "tenant" : "",
        "username" : "alice@contoso.com",
        "version" : 1
      }
      """)
  }
}
