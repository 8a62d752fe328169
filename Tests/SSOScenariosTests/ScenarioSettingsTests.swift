import Testing

@testable import SSODevice
@testable import SSOLab
@testable import SSOProvider
@testable import SSOScenarios

/// The keys for MSAL's configuration and for calls.
///
/// See docs/behaviour/interactive-call.md §4, docs/behaviour/msal-cache.md §11, and docs/behaviour/silent-call.md §1.
struct ScenarioSettingsTests {
  @Test func theyReachAppRegistrationTenantAndIntent() throws {
    let text = """
      name: a
      title: A
      world:
        device: {shared: true}
        tenants: [{id: t1, displayName: Contoso, cloudHost: login.microsoftonline.us}]
        people: [{username: ada@contoso.com, password: p, objectID: o1, homeTenantID: t1}]
        registrations: [{clientID: c1, displayName: One, refreshIn: 1800, extExpiresIn: 7200, declinedScopes: [Mail.Read], optionalClaims: {idToken: [email, {name: upn, additionalProperties: [include_externally_authenticated_upn]}]}}]
        apps:
          - bundleID: com.contoso.one
            vendor: Contoso
            teamID: T
            clientID: c1
            knownAuthorities: [https://login.example.com/common]
            tokenExpirationBuffer: 600
            extendedLifetimeEnabled: true
            isExtension: true
      steps:
        - {title: "1", do: {signIn: {app: com.contoso.one, authority: https://login.example.com/common, claims: "{}"}}}
        - {title: "2", do: {silent: {app: com.contoso.one, authority: https://login.example.com/common, claims: "{}"}}}
        - {title: "3", do: {signOut: {app: com.contoso.one, signoutFromBrowser: true, wipeAccount: true, wipeCacheForAllAccounts: true}}}
        - {title: "4", do: {endApp: {app: com.contoso.one}}}
        - {title: "5", do: {currentAccount: {app: com.contoso.one}}}
        - {title: "6", do: {add: {person: grace@contoso.com, fields: [password=bug]}}}
        - {title: "7", do: {remove: {person: grace@contoso.com}}}
      """
    let file = try ScenarioFile(ScenarioSource(path: "a.yaml", text: text))
    let app = try #require(file.world.apps.first)
    #expect(app.knownAuthorities == ["https://login.example.com/common"])
    #expect(app.tokenExpirationBuffer == 600)
    #expect(app.extendedLifetimeEnabled == true)
    #expect(app.isExtension == true)
    #expect(file.world.device.isShared == true)
    #expect(file.world.tenants.first?.cloudHost == "login.microsoftonline.us")
    #expect(file.world.registrations.first?.refreshIn == 1800)
    #expect(file.world.registrations.first?.extExpiresIn == 7200)
    #expect(
      file.world.registrations.first?.optionalClaims
        == OptionalClaims(idToken: [
          OptionalClaim("email"),
          OptionalClaim("upn", additionalProperties: ["include_externally_authenticated_upn"]),
        ]))
    #expect(file.world.registrations.first?.declinedScopes == ["Mail.Read"])
    let options = CallOptions(authority: "https://login.example.com/common", claims: "{}")
    let one = "com.contoso.one"
    #expect(
      file.steps.map(\.action) == [
        .intent(
          AnyIntent(SignIn(app: one, account: nil, scopes: [], prompt: .whenRequired, options: options))),
        .intent(
          AnyIntent(
            AcquireSilently(app: one, account: nil, scopes: [], forceRefresh: false, options: options))),
        .intent(
          AnyIntent(
            SignOut(
              app: one, account: nil,
              options: SignOutOptions(fromBrowser: true, wipeAccount: true, wipeCache: true)))),
        .intent(AnyIntent(EndApp(app: one))), .intent(AnyIntent(GetCurrentAccount(app: one))),
        .intent(
          AnyIntent(AddRecord(.person, record: "grace@contoso.com", [try FieldChange("password=bug")]))),
        .intent(AnyIntent(RemoveRecord(.person, record: "grace@contoso.com"))),
      ])
  }

  @Test(arguments: [
    ("wipeAcount: true", "signoutFromBrowser, wipeAccount, wipeCacheForAllAccounts; nearest: wipeAccount"),
    ("wipeAccount: maybe", "must be true or false"),
  ])
  func aWrongKeyNamesWhatIsAllowed(_ key: String, _ says: String) {
    let text = """
      name: a
      title: A
      world:
        apps: [{bundleID: com.contoso.one, vendor: Contoso, teamID: T, clientID: c1}]
      steps: [{title: "1", do: {signOut: {app: com.contoso.one, \(key)}}}]
      """
    let error = #expect(throws: ScenarioError.self) {
      try ScenarioFile(ScenarioSource(path: "a.yaml", text: text))
    }
    #expect(error.map { String(describing: $0).contains(says) } == true)
  }
}
