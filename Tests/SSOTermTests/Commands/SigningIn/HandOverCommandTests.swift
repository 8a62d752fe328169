import Testing

/// Sessions with `ssoterm handover`.
@Suite struct HandOverCommandTests {
  @Test func anAccountIsHandedToAnotherApp() throws {
    try transcript(
      after: .signedIn,
      """
      $ ssoterm handover mytestapp2 --from mytestapp1
      ✓ Token for ada@contoso.com from the cache, after instance discovery.
      $ ssoterm handover mytestapp2 --from mytestapp1 --json
      {
        "effects" : null,
        "errorCode" : null,
        "errorDomain" : null,
        "errorText" : null,
        "expiresOn" : "2026-03-02T10:00:00Z",
        "failedCheck" : null,
        "grantedScopes" : [
          "User.Read",
          "openid",
          "profile"
        ],
        "homeAccountID" : "2c8f0c6e-4b1d-4f7a-8e35-90ad1b7e6f21.5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90",
        "next" : null,
        "prompted" : false,
        "source" : "cache",
        "summary" : "Token for ada@contoso.com from the cache, no network.",
        "traceID" : 3,
        "username" : "ada@contoso.com",
        "verdict" : "succeeded",
        "version" : 1
      }
      $ ssoterm handover mytestapp3 --choose grace@contoso.com
      ✓ Token for ada@contoso.com from the cache, after instance discovery.
      """)
  }
}
