import Testing

/// Sessions with `ssoterm token`.
@Suite struct TokenCommandTests {
  @Test func aTokenIsDecodedVerifiedAndItsFlawsAreNamed() throws {
    try transcript(
      after: .signedIn,
      """
      $ ssoterm silent mytestapp1 --print token > token.txt
      $ ssoterm token inspect token.txt
      access token for a user  ● 1h left
      header
        alg    RS256
        kid    bdPcvyyp4vNSKCDtQ7tZUHd2_sI                  the key that signed it
        nonce  4omnuZH-7W7jVu1HgcP9H-EANoX8TsF97mmd1Eu22pY
        typ    JWT
        x5t    bdPcvyyp4vNSKCDtQ7tZUHd2_sI
      claims
        acct             0                                                              0 for a member of the tenant, 1 for a guest
        acr              1
        amr              ["pwd"]                                                        how the user authenticated
        app_displayname  Contoso Suite
        appid            b6c69a37-df96-4db0-9088-2ab96e1d8215                           the client that asked for it
        appidacr         0                                                              public client
        aud              00000003-0000-0000-c000-000000000000                           who it is for
        exp              1772445600                                                     2026-03-02T10:00:00Z
        family_name      <hash>
        given_name       <hash>
        iat              1772441700                                                     2026-03-02T08:55:00Z
        idtyp            user                                                           whether it is of a user or of an app
        ipaddr           127.0.0.1                                                      where the user signed in
        iss              https://sts.windows.net/5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90/  who issued it
        name             <hash>
        nbf              1772441700                                                     2026-03-02T08:55:00Z
        oid              2c8f0c6e-4b1d-4f7a-8e35-90ad1b7e6f21                           the object of the user or app in the tenant
        rh               1.AVsBLjwfW2R6DU6chR0vanuMkAMAAAAAAAAAwAAAAAAAAAAAAEZbAQ.      for Entra alone
        scp              User.Read openid profile                                       what the app may do for the user
        sub              j0o9IsBLxLksjkSlNNuaumnzvu1yh9KoJWsMYdycRRY                    the user or app, for this client only
        tid              5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90                           tenant
        unique_name      <hash>
        upn              <hash>
        uti              geQFUdRPPKaF2RRAUPPwaw                                         the ID of the token
        ver              1.0
        wids             ["b79fbf4d-3ef9-4689-8143-76b194e85509"]                       directory roles
        xms_st           {"sub":"XEmX1CtWNiQOrwnYAtsozxuwKjZbtDTZSn77_RPz_hQ"}          sub of the user for the client
      ✓ algorithm: RS256  RFC 7515 §4.1.1
      · signature: expected a token for an API of your own, found a token that only Microsoft Graph can check  real-logs.md §7
      ✓ not before: 2026-03-02 08:55:00Z  RFC 7519 §4.1.5
      ✓ issued: 2026-03-02 08:55:00Z  RFC 7519 §4.1.6
      ✓ expiry: 2026-03-02 10:00:00Z, 1h left  RFC 7519 §4.1.4
      ✓ issuer: https://sts.windows.net/5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90/  real-logs.md §7
      $ ssoterm token inspect token.txt --audience api://orders --json | head -n 20
      {
        "checks" : [
          {
            "expected" : "RS256 or another signature with a public key",
            "found" : "RS256",
            "name" : "algorithm",
            "source" : "RFC 7515 §4.1.1",
            "verdict" : "passed"
          },
          {
            "expected" : "a token for an API of your own",
            "found" : "a token that only Microsoft Graph can check",
            "name" : "signature",
            "source" : "real-logs.md §7",
            "verdict" : "skipped"
          },
          {
            "expected" : "a time in the past",
            "found" : "2026-03-02 08:55:00Z",
            "name" : "not before",
      $ ssoterm clock +2h
      ✓ Clock +2h.
      $ ssoterm token < token.txt
      access token for a user  ○ expired 1h ago
      header
        alg    RS256
        kid    bdPcvyyp4vNSKCDtQ7tZUHd2_sI                  the key that signed it
        nonce  4omnuZH-7W7jVu1HgcP9H-EANoX8TsF97mmd1Eu22pY
        typ    JWT
        x5t    bdPcvyyp4vNSKCDtQ7tZUHd2_sI
      claims
        acct             0                                                              0 for a member of the tenant, 1 for a guest
        acr              1
        amr              ["pwd"]                                                        how the user authenticated
        app_displayname  Contoso Suite
        appid            b6c69a37-df96-4db0-9088-2ab96e1d8215                           the client that asked for it
        appidacr         0                                                              public client
        aud              00000003-0000-0000-c000-000000000000                           who it is for
        exp              1772445600                                                     2026-03-02T10:00:00Z
        family_name      <hash>
        given_name       <hash>
        iat              1772441700                                                     2026-03-02T08:55:00Z
        idtyp            user                                                           whether it is of a user or of an app
        ipaddr           127.0.0.1                                                      where the user signed in
        iss              https://sts.windows.net/5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90/  who issued it
        name             <hash>
        nbf              1772441700                                                     2026-03-02T08:55:00Z
        oid              2c8f0c6e-4b1d-4f7a-8e35-90ad1b7e6f21                           the object of the user or app in the tenant
        rh               1.AVsBLjwfW2R6DU6chR0vanuMkAMAAAAAAAAAwAAAAAAAAAAAAEZbAQ.      for Entra alone
        scp              User.Read openid profile                                       what the app may do for the user
        sub              j0o9IsBLxLksjkSlNNuaumnzvu1yh9KoJWsMYdycRRY                    the user or app, for this client only
        tid              5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90                           tenant
        unique_name      <hash>
        upn              <hash>
        uti              geQFUdRPPKaF2RRAUPPwaw                                         the ID of the token
        ver              1.0
        wids             ["b79fbf4d-3ef9-4689-8143-76b194e85509"]                       directory roles
        xms_st           {"sub":"XEmX1CtWNiQOrwnYAtsozxuwKjZbtDTZSn77_RPz_hQ"}          sub of the user for the client
      ✓ algorithm: RS256  RFC 7515 §4.1.1
      · signature: expected a token for an API of your own, found a token that only Microsoft Graph can check  real-logs.md §7
      ✓ not before: 2026-03-02 08:55:00Z  RFC 7519 §4.1.5
      ✓ issued: 2026-03-02 08:55:00Z  RFC 7519 §4.1.6
      ✗ expiry: expected later than 2026-03-02 11:00:00Z, found 2026-03-02 10:00:00Z, 1h ago  RFC 7519 §4.1.4
      ✓ issuer: https://sts.windows.net/5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90/  real-logs.md §7
      [1]
      $ echo eyJhbGciOiJub25lIn0.e30. | ssoterm token
      signed token
      header
        alg  none
      ✗ algorithm: expected RS256 or another signature with a public key, found none  RFC 7515 §4.1.1
      · signature: expected the keys of its issuer, with --keys FILE, found not checked: the store's provider did not issue it  RFC 7515 §5.2
      · expiry: expected an exp, found none  RFC 7519 §4.1.4
      · audience: expected an aud, found none  RFC 7519 §4.1.3
      [1]
      $ echo nothing | ssoterm token inspect -
      opaque token: only its issuer can read it
      """)
  }

  /// Regression: the path of a file that is not there was read as a token, which then had nothing wrong with it.
  @Test func aMissingFileIsNoToken() throws {
    try transcript(
      """
      $ ssoterm token inspect /nope
      ! ssoterm: /nope cannot be read: No such file or directory.
      !   try: ls /
      [2]
      $ ssoterm token inspect lamp.jwt
      ! ssoterm: lamp.jwt cannot be read: No such file or directory.
      !   try: ls
      [2]
      $ ssoterm token inspect samples/nope
      ! ssoterm: samples/nope cannot be read: No such file or directory.
      !   try: ls samples
      [2]
      $ ssoterm token inspect 1//0gLampOpaque-token/with_slashes
      opaque token: only its issuer can read it
      """)
  }

  /// Regression: the error of an API that the lab does not have ran two sentences into one.
  @Test func anAPIOfADocumentedLineHasToBeAddedFirst() throws {
    try transcript(
      """
      $ ssoterm token forge expired --for api://orders
      ! ssoterm: AADSTS500011: The resource principal named api://orders was not found in the tenant named Contoso. This can happen if the application has not been installed by the administrator of the tenant or consented to by any user in the tenant. You might have sent your authentication request to the wrong tenant.
      !   try: ssoterm registration list
      [3]
      $ ssoterm registration add orders identifierURIs=api://orders > added && ssoterm token forge expired --for api://orders 2>&1 | cut -c 1-20
      ssoterm: expired: It
      ssoterm: the check t
      eyJhbGciOiJSUzI1NiIs
      """)
  }

  @Test func aForgedTokenNamesTheCheckThatMustRefuseIt() throws {
    try transcript(
      """
      $ ssoterm token forge
      KIND\tWHAT IS WRONG, AND THE CHECK THAT REFUSES IT
      valid\tNothing: the server must accept it.
      \tNo check refuses it.
      none\tThe header says alg none, and the token is not signed.
      \talg is one of the algorithms that the server allows: RS256 alone.
      hmac-with-public-key\tThe header says HS256; the HMAC's secret is the PEM of the provider's key, which is public.
      \talg is one of the algorithms that the server allows: RS256 alone.
      wrong-signature\tOne character of the signature was changed.
      \tThe signature is verified before a claim is read.
      unknown-kid\tThe kid does not name a published key; another key signed it.
      \tThe key is one of jwks_uri; after one reload at most the token is refused.
      jwk\tThe header contains the forger's public key.
      \tKeys come from the configured provider only, never from the header.
      jku\tThe header says where the forger's keys are.
      \tKeys come from the configured provider only, never from the header.
      x5u\tThe header says where the forger's certificate is.
      \tKeys come from the configured provider only, never from the header.
      wrong-audience\tIt is for another API, and correctly signed.
      \taud is this API's own identifier.
      other-tenant\tAnother tenant issued it. At Entra one key signs for all tenants, so its signature is valid.
      \tiss is an allowed tenant, and tid agrees with it.
      not-yet-valid\tIt becomes valid in a day.
      \tnbf is not later than now, with some minutes for clock differences.
      expired\tIt expired an hour ago.
      \texp is later than now, with some minutes for clock differences.
      huge\tIt is 100 kB long, and correctly signed.
      \tThe length is limited before anything is decoded.
      $ ssoterm token forge nothing
      ! ssoterm: There is no kind of forged token “nothing”: expected one of 13 kinds.
      !   try: ssoterm token forge
      [2]
      """)
  }
}
