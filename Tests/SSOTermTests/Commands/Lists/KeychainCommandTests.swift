import Testing

/// Sessions with `ssoterm keychain`.
@Suite struct KeychainCommandTests {
  @Test func groupsNameTheirReadersAndItems() throws {
    try transcript(
      after: .signedIn, columns: 120,
      """
      $ ssoterm keychain
      ACCESS GROUP                        ITEMS  READ BY                                      NOT READ BY
      A1B2C3D4E5.com.contoso.mytestapp1   0      My Test App 1 (entitled only)                -
      A1B2C3D4E5.com.contoso.mytestapp2   0      My Test App 2 (entitled only)                -
      A1B2C3D4E5.com.contoso.mytestapp3   0      My Test App 3 (entitled only)                -
      A1B2C3D4E5.com.microsoft.adalcache  7      My Test App 1, My Test App 2, My Test App 3  -
      $ ssoterm keychain A1B2C3D4E5.com.microsoft.adalcache
      KIND              STATE       ACCOUNT                      SERVICE                     TYPE  BYTES  MODIFIED
      account metadata  -           authority_map                b6c69a37-df96…2ab96e1d8215  5001  479    2026-03-02T09:00:00Z
      access token      ● 1h left   2c8f0c6e-4b1d…n.windows.net  accesstoken-b6c69a37-df96…  2001  2072   2026-03-02T09:00:00Z
      ID token          ● 1h left   2c8f0c6e-4b1d…n.windows.net  idtoken-b6c69…d2f6a7b8c90-  2003  1351   2026-03-02T09:00:00Z
      refresh token     ● 90d left  2c8f0c6e-4b1d…n.windows.net  refreshtoken-…b96e1d8215--  2002  271    2026-03-02T09:00:00Z
      app metadata      -           login.windows.net            appmetadata-b…2ab96e1d8215  3001  101    2026-03-02T09:00:00Z
      account           -           2c8f0c6e-4b1d…n.windows.net  5b1f3c2e-7a64…1d2f6a7b8c90  1003  450    2026-03-02T09:00:00Z
      throttling        -           com.microsoft…ling.metadata  Ver1                        -     34     2026-03-02T09:00:00Z
      $ ssoterm keychain nothing
      ! ssoterm: There is no access group “nothing”.
      !   try: ssoterm keychain
      [3]
      """)
  }
}
