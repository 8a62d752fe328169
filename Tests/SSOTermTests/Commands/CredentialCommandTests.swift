import Testing

/// Sessions with `ssoterm expire`, `ssoterm invalidate` and `ssoterm delete`.
@Suite struct CredentialCommandTests {
  @Test func credentialsAreNamedByTheirIDs() throws {
    try transcript(
      after: .signedIn,
      """
      $ ssoterm expire t2 t3
      ✓ 2 credentials of ada@contoso.com are expired.
      $ ssoterm invalidate t4
      ✓ The refresh token t4 of ada@contoso.com is invalid.
      $ ssoterm delete t3
      delete t3
        · My Test App 1 next silent call stays as it is
        · My Test App 2 next silent call stays as it is
        · My Test App 3 next silent call stays as it is
        1 keychain item in all
      ! ssoterm: This removes 1 item and needs a confirmation.
      !   because there is no terminal to ask on
      !   try: the same command with --yes
      [2]
      $ ssoterm delete t3 --yes
      delete t3
        · My Test App 1 next silent call stays as it is
        · My Test App 2 next silent call stays as it is
        · My Test App 3 next silent call stays as it is
        1 keychain item in all
      ✓ The ID token t3 of ada@contoso.com is deleted. Undo: ssoterm undo
      $ ssoterm tokens
      client b6c69a37-df96-4db0-9088-2ab96e1d8215
        redirect msauth.com.contoso.mytestapp1://auth
        redirect msauth.com.contoso.mytestapp2://auth
        redirect msauth.com.contoso.mytestapp3://auth
          t2  AccessToken   ○ expired 1m ago  ada@contoso.com  User.Read openid profile, realm 5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90
          t4  RefreshToken  ✗ invalid         ada@contoso.com
      $ ssoterm silent mytestapp1
      ! ssoterm: User interaction is required
      !   because the provider does not know the refresh token: expected one that was issued, found the provider does not know it. Error Domain=MSALErrorDomain Code=-50002 "(null)" UserInfo={MSALErrorDescriptionKey=User interaction is required, MSALOAuthErrorKey=invalid_grant, MSALOAuthSubErrorKey=bad_token, MSALCorrelationIDKey=F14D9DA0-2A3F-4664-B4BA-EFA1AFD7B5F3}
      !   try: ssoterm signin mytestapp1
      [4]
      $ ssoterm expire t9
      ! ssoterm: There is no credential t9.
      !   because an ID is t and a number, such as t12
      !   try: List them: ssoterm tokens
      [3]
      $ ssoterm delete t2 --json
      {
        "error" : {
          "exitCode" : 3,
          "kind" : "unknownCredential",
          "next" : "List them: ssoterm tokens",
          "what" : "There is no credential t2.",
          "why" : "an ID is t and a number, such as t12."
        },
        "version" : 1
      }
      ! ssoterm: There is no credential t2.
      !   because an ID is t and a number, such as t12
      !   try: List them: ssoterm tokens
      [3]
      """)
  }
}
