import Testing

/// Sessions with `ssoterm tokens`.
@Suite struct TokensCommandTests {
  @Test func credentialsAreBelowTheirClientAndRedirectURIs() throws {
    try transcript(
      after: .signedIn,
      """
      $ ssoterm tokens
      client b6c69a37-df96-4db0-9088-2ab96e1d8215
        redirect msauth.com.contoso.mytestapp1://auth
        redirect msauth.com.contoso.mytestapp2://auth
        redirect msauth.com.contoso.mytestapp3://auth
          for each of the 3:
          t2  AccessToken   ● 1h left   ada@contoso.com  User.Read openid profile, realm 5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90
          t3  IdToken       ● 1h left   ada@contoso.com  realm 5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90
          t4  RefreshToken  ● 90d left  ada@contoso.com
      $ ssoterm tokens --client nobody
      ! ssoterm: No credential matches: none matches all the options.
      !   try: ssoterm tokens
      [3]
      $ ssoterm tokens --expiring-in soon
      ! ssoterm: --expiring-in cannot be “soon”: expected a time such as 10m, 1h30m, or 2d.
      !   try: ssoterm tokens --expiring-in 10m
      [2]
      $ ssoterm tokens --json | grep -c '"id"'
      3
      """)
  }

  @Test func anExpiredTokenSaysSinceWhen() throws {
    try transcript(
      after: .signedIn,
      """
      $ ssoterm clock +2h
      ✓ Clock +2h.
      $ ssoterm tokens
      client b6c69a37-df96-4db0-9088-2ab96e1d8215
        redirect msauth.com.contoso.mytestapp1://auth
        redirect msauth.com.contoso.mytestapp2://auth
        redirect msauth.com.contoso.mytestapp3://auth
          for each of the 3:
          t2  AccessToken   ○ expired 1h ago  ada@contoso.com  User.Read openid profile, realm 5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90
          t3  IdToken       ○ expired 1h ago  ada@contoso.com  realm 5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90
          t4  RefreshToken  ● 89d22h left     ada@contoso.com
      """)
  }
}
