extension ScenarioSource {
  /// The lab of a first start, for a program that was copied without its assets: `assets/scenarios/contoso-suite.yaml`,
  /// letter for letter, which a test holds.
  static let contosoSuite = ScenarioSource(
    path: "contoso-suite.yaml",
    text: #"""
      # The suite of the articles, literally: three apps of one developer, one client ID, one keychain group, no broker.
      name: contoso-suite
      title: "Contoso's suite: sign in once, silent everywhere"
      claims: [C1, C3, C7, C8, E1]
      note: Three apps share one keychain group. A sign-in in the first is enough for all of them.
      seed: 1
      clock: 2026-03-02T09:00:00Z
      world:
        device: {name: "Ada's iPhone", platform: iOS}
        broker: {installed: false}
        tenants:
          - id: 5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90
            displayName: Contoso
            domains: [contoso.com]
        people:
          - username: ada@contoso.com
            displayName: Ada Lovelace
            givenName: Ada
            familyName: Lovelace
            password: analytical-engine
            objectID: 2c8f0c6e-4b1d-4f7a-8e35-90ad1b7e6f21
            homeTenantID: 5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90
          - username: grace@contoso.com
            displayName: Grace Hopper
            givenName: Grace
            familyName: Hopper
            password: first-actual-bug
            objectID: 7d3e9a54-16c2-4b88-a0f7-3c5e2d914b60
            homeTenantID: 5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90
        registrations:
          - clientID: b6c69a37-df96-4db0-9088-2ab96e1d8215
            displayName: Contoso Suite
            publisher: Contoso
            redirectURIs:
              - msauth.com.contoso.mytestapp1://auth
              - msauth.com.contoso.mytestapp2://auth
              - msauth.com.contoso.mytestapp3://auth
            allowedScopes: [User.Read, Mail.Read]
        apps:
          - bundleID: com.contoso.mytestapp1
            displayName: My Test App 1
            vendor: Contoso
            teamID: A1B2C3D4E5
            clientID: b6c69a37-df96-4db0-9088-2ab96e1d8215
            redirectURI: msauth.com.contoso.mytestapp1://auth
            keychainAccessGroups: [$(AppIdentifierPrefix)com.microsoft.adalcache]
            keychainSharingGroup: com.microsoft.adalcache
          - bundleID: com.contoso.mytestapp2
            displayName: My Test App 2
            vendor: Contoso
            teamID: A1B2C3D4E5
            clientID: b6c69a37-df96-4db0-9088-2ab96e1d8215
            redirectURI: msauth.com.contoso.mytestapp2://auth
            keychainAccessGroups: [$(AppIdentifierPrefix)com.microsoft.adalcache]
            keychainSharingGroup: com.microsoft.adalcache
          - bundleID: com.contoso.mytestapp3
            displayName: My Test App 3
            vendor: Contoso
            teamID: A1B2C3D4E5
            clientID: b6c69a37-df96-4db0-9088-2ab96e1d8215
            redirectURI: msauth.com.contoso.mytestapp3://auth
            keychainAccessGroups: [$(AppIdentifierPrefix)com.microsoft.adalcache]
            keychainSharingGroup: com.microsoft.adalcache
      steps:
        - title: Ada signs in to My Test App 1
          note: This is the only time a password is typed. The refresh token goes into the shared keychain group.
          do: {signIn: {app: com.contoso.mytestapp1}}
          answers: {username: ada@contoso.com, password: analytical-engine, consent: accept}
          expect:
            verdict: succeeded
            prompts: [systemAlert, signIn, consent]
            source: webSession
            trace: [{"password": passed}]
            items:
              - {group: A1B2C3D4E5.com.microsoft.adalcache, type: refresh token, count: 1}
              - {group: A1B2C3D4E5.com.microsoft.adalcache, type: account, count: 1}
        - title: My Test App 2 asks silently
          note: The second app has never seen Ada. All four conditions hold, so it gets a token with no screen at all.
          do: {silent: {app: com.contoso.mytestapp2, account: ada@contoso.com}}
          expect:
            verdict: succeeded
            prompts: []
            source: cache
            trace: [{"an account is given": passed}, {"access token is not expired": passed}]
            accounts:
              com.contoso.mytestapp1: [ada@contoso.com]
              com.contoso.mytestapp2: [ada@contoso.com]
              com.contoso.mytestapp3: [ada@contoso.com]
        - title: My Test App 3 asks for a fresh token
          note: The third app skips the cached access token and redeems the refresh token that the first one wrote.
          do: {silent: {app: com.contoso.mytestapp3, account: ada@contoso.com, scopes: [User.Read], forceRefresh: true}}
          expect:
            verdict: succeeded
            prompts: []
            source: appRefreshToken
            trace: [{"refresh token of this client": passed}, {"refresh token serves client": passed}]
        - title: My Test App 3 asks again
          note: Now the token is in the cache, and the network is not needed.
          do: {silent: {app: com.contoso.mytestapp3, account: ada@contoso.com}}
          expect: {verdict: succeeded, prompts: [], source: cache, notReached: [provider]}

      """#)
}
