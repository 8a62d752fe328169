import Foundation
import Testing

@testable import SSOLab
@testable import SSOReference
@testable import SSOScenarios

/// A change to a scenario that must make it fail, because its claim no longer holds.
///
/// Each row changes one record of a scenario's world so that the claim's rule no longer applies, runs the same steps,
/// and specifies the expectation that then fails.
struct ClaimMutation: CustomTestStringConvertible, Sendable {
  /// The name of the scenario, which starts with the claim's ID.
  var scenario: String
  /// The condition that no longer holds.
  var testDescription: String
  /// The patch for the scenario's world, in the format of `patch:`.
  var patch: String
  /// A part of a mismatch, in the form "what was expected: what was found".
  var fails: String

  init(_ scenario: String, _ change: String, _ patch: String, fails: String) {
    self.scenario = scenario
    testDescription = "\(scenario): \(change)"
    self.patch = patch
    self.fails = fails
  }

  /// The claim in the scenario's name; a scenario that is not named after a claim has none of the claims.
  var claim: String { String(scenario.prefix { $0 != "-" }) }

  static let all = [
    ClaimMutation(
      "A1-sign-in-in-the-app", "a broker is installed", "broker: {installed: true}", fails: "no hop to broker"
    ),
    ClaimMutation(
      "A1-sign-in-in-the-app", "the other developer signs with the same certificate, for the same client",
      "apps: {com.fabrikam.notes: {teamID: A1B2C3D4E5, clientID: b6c69a37-df96-4db0-9088-2ab96e1d8215}}",
      fails: "a failure: "),
    ClaimMutation(
      "A2-no-broker-no-access", "a broker is installed",
      "{broker: {installed: true}, brokerAccounts: [{person: ada@contoso.com}]}",
      fails: "source web session: source broker"),
    ClaimMutation(
      "A3-broker-meets-the-policies", "an app signs in by itself",
      "apps: {com.fabrikam.notes: {brokerUse: none}}", fails: "no more questions: asked for signIn"),
    ClaimMutation(
      "A3-broker-meets-the-policies", "the broker does not hold an account",
      "brokerAccounts: {grace@contoso.com: }", fails: "the broker holds ada@contoso.com, grace@contoso.com"),
    ClaimMutation(
      "A4-broker-by-the-administrator", "the person had installed the broker", "broker: {installed: true}",
      fails: "no more questions: asked for chooseAccount"),
    ClaimMutation(
      "A4-broker-from-the-store", "no policy asks for a registered device",
      "policies: {Registered devices: }",
      fails: "success: a failure"),
    ClaimMutation(
      "A5-picker-on-ios", "a Windows machine", "device: {platform: Windows}",
      fails: "'openURL msauthv2' with 'the app goes to the background'"),
    ClaimMutation(
      "A5-picker-on-android", "an iPhone", "device: {platform: iOS}", fails: "'bind MicrosoftAuthService'"),
    ClaimMutation(
      "A5-picker-on-windows", "an iPhone", "device: {platform: iOS}",
      fails: "'RequestTokenAsync'"),
    ClaimMutation(
      "A6-invoked-by-itself", "an app switches the broker off",
      "apps: {com.contoso.mytestapp1: {brokerUse: none}}", fails: "no more questions: asked for signIn"),
    ClaimMutation(
      "A6-invoked-by-itself", "no broker is installed", "broker: {installed: false}",
      fails: "no more questions: asked for signIn"),
    ClaimMutation(
      "B1-the-system-says-who-calls", "the other app's redirect URI is registered for this client",
      """
      registrations:
        b6c69a37-df96-4db0-9088-2ab96e1d8215:
          redirectURIs: [msauth.com.contoso.mytestapp1://auth, msauth.com.fabrikam.notes://auth]
      """, fails: "check 'redirect URI registered' failed"),
    ClaimMutation(
      "B2-spoofed-request", "the malicious app's redirect URI is registered for this client",
      """
      registrations:
        b6c69a37-df96-4db0-9088-2ab96e1d8215:
          redirectURIs: [msauth.com.contoso.mytestapp1://auth, msauth.com.evil.game://auth]
      """, fails: "no more questions: asked for consent"),
    ClaimMutation(
      "B3-scheme-collision", "schemes are unique",
      "apps: {com.evil.game: {urlSchemes: [msauth.com.evil.game]}}",
      fails: "a failure: "),
    ClaimMutation(
      "B3-scheme-collision", "the thief shares the keychain group of the key",
      """
      apps:
        com.evil.game:
          teamID: A1B2C3D4E5
          keychainAccessGroups: [$(AppIdentifierPrefix)com.myapp.mytestapp]
      """, fails: "check 'the receiver holds the key of the answer' failed"),
    ClaimMutation(
      "B4-developer-chooses", "the developer chose the broker from the beginning",
      "apps: {com.myapp.mytestapp: {credentialsType: AD_CREDENTIALS_AUTO}}",
      fails: "no more questions: asked for chooseAccount"),
    ClaimMutation(
      "B4-developer-chooses", "MSAL's broker was never switched off",
      "apps: {com.fabrikam.notes: {brokerUse: auto}}", fails: "no more questions: asked for chooseAccount"),
    ClaimMutation(
      "C1-four-conditions-hold", "another client ID",
      "apps: {com.contoso.mytestapp2: {clientID: 0f8a5d1c-93b7-4e26-b1c4-6d7e8f902a13}}",
      fails: "next call of com.contoso.mytestapp2: cache"),
    ClaimMutation(
      "C1-four-conditions-hold", "another team", "apps: {com.contoso.mytestapp2: {teamID: F6G7H8I9J0}}",
      fails: "next call of com.contoso.mytestapp2: cache"),
    ClaimMutation(
      "C1-four-conditions-hold", "no entitlement",
      "apps: {com.contoso.mytestapp2: {keychainAccessGroups: []}}",
      fails: "next call of com.contoso.mytestapp2: cache"),
    ClaimMutation(
      "C1-four-conditions-hold", "another configured group",
      "apps: {com.contoso.mytestapp2: {keychainSharingGroup: com.contoso.mytestapp2}}",
      fails: "next call of com.contoso.mytestapp2: cache"),
    ClaimMutation(
      "C2-one-condition-broken", "both clients are of one family",
      """
      registrations:
        b6c69a37-df96-4db0-9088-2ab96e1d8215: {familyID: "1"}
        0f8a5d1c-93b7-4e26-b1c4-6d7e8f902a13: {familyID: "1", isPreauthorized: true}
      """, fails: "failed check with 'same client ID'"),
    ClaimMutation(
      "C3-redirect-uris-under-one-client", "an app has a client ID of its own",
      "apps: {com.contoso.mytestapp2: {clientID: 3c1e5a97-0d24-4f86-b7c8-15e2d4f6a890}}",
      fails: "b6c69a37-df96-4db0-9088-2ab96e1d8215 › msauth.com.contoso.mytestapp2://auth › AccessToken"),
    ClaimMutation(
      "C4-any-redirect-uri-without-broker", "the app uses the broker",
      "apps: {com.myapp.mytestapp: {credentialsType: AD_CREDENTIALS_AUTO}}", fails: "success: "),
    ClaimMutation(
      "C5-default-group-ios", "a group is configured",
      "apps: {com.contoso.mytestapp1: {keychainSharingGroup: com.contoso.mytestapp1}}",
      fails:
        "1 items in unified format refresh token of ada@contoso.com in A1B2C3D4E5.com.microsoft.adalcache"),
    ClaimMutation(
      "C5-default-group-macos", "a group is configured",
      "apps: {com.contoso.mytestapp1: {keychainSharingGroup: com.contoso.mytestapp1}}",
      fails:
        "1 items in unified format refresh token of ada@contoso.com in A1B2C3D4E5.com.microsoft.identity.universalstorage"
    ),
    ClaimMutation(
      "C5-entitlements-and-settings", "the setting names the default group",
      """
      apps:
        com.contoso.mytestapp1:
          keychainAccessGroups: [$(AppIdentifierPrefix)com.microsoft.adalcache]
          keychainSharingGroup: com.microsoft.adalcache
      """, fails: "in A1B2C3D4E5.my.keychain.group"),
    ClaimMutation(
      "C6-one-app-removes-for-all", "an app keeps its tokens in a group of its own",
      "apps: {com.contoso.mytestapp3: {keychainSharingGroup: com.contoso.mytestapp3}}",
      fails: "My Test App 3 loses its sign-in"),
    ClaimMutation(
      "C6-one-app-removes-for-all", "the old app has an ADAL before 2.7",
      "apps: {com.contoso.oldapp: {sdkVersion: 2.6.6}}", fails: "a failure: success"),
    ClaimMutation(
      "C7-one-list-of-users", "an app keeps its tokens in a group of its own",
      "apps: {com.contoso.mytestapp3: {keychainSharingGroup: com.contoso.mytestapp3}}",
      fails: "accounts of com.contoso.mytestapp3: ada@contoso.com"),
    ClaimMutation(
      "C8-refresh-token-of-another-app", "another team",
      "apps: {com.contoso.mytestapp2: {teamID: F6G7H8I9J0}}", fails: "source app refresh token"),
    ClaimMutation(
      "D1-broker-mode-in-code", "the line is there",
      "apps: {com.myapp.mytestapp: {credentialsType: AD_CREDENTIALS_AUTO}}",
      fails: "no more questions: asked for chooseAccount"),
    ClaimMutation(
      "D2-scheme-not-registered", "the scheme is registered",
      "apps: {com.myapp.mytestapp: {urlSchemes: [x-msauth-mytestiosapp]}}",
      fails: "no more questions: asked for chooseAccount"),
    ClaimMutation(
      "D3-redirect-uri-of-another-bundle", "the redirect URI names the app",
      #"apps: {com.myapp.mytestapp: {redirectURI: "x-msauth-mytestiosapp://com.myapp.mytestapp"}}"#,
      fails: "no more questions: asked for chooseAccount"),
    ClaimMutation(
      "D4-second-redirect-uri", "the second redirect URI is not registered",
      """
      registrations:
        b6c69a37-df96-4db0-9088-2ab96e1d8215:
          redirectURIs: [x-msauth-mytestiosapp://com.myapp.mytestapp]
      """, fails: "check 'redirect URI registered' passed"),
    ClaimMutation(
      "D5-query-schemes", "the query scheme is there",
      "apps: {com.myapp.mytestapp: {queriesSchemes: [msauth]}}",
      fails: "no more questions: asked for chooseAccount"),
    ClaimMutation(
      "D6-answer-not-handed-on", "both delegates hand it on",
      "apps: {com.myapp.mytestapp: {urlForwarding: both}}", fails: "error code 503"),
    ClaimMutation(
      "D6-answer-not-handed-on", "the system names no source application",
      "apps: {com.fabrikam.notes: {teamID: SGGM6D27TK}}", fails: "hop … → sdk"),
    ClaimMutation(
      "D6-answers-tampered-with", "the system names the sender, so that no nonce is compared",
      #"device: {systemVersion: "12.4"}"#, fails: "failed check with 'nonce matches'"),
    ClaimMutation(
      "D7-another-vendors-app", "the second app does not use the broker",
      "apps: {com.fabrikam.notes: {brokerUse: none}}", fails: "no more questions: asked for signIn"),
    ClaimMutation(
      "E1-silent-sso-between-apps", "another team", "apps: {com.contoso.mytestapp2: {teamID: F6G7H8I9J0}}",
      fails: "next call of com.contoso.mytestapp2: cache"),
    ClaimMutation(
      "E2-device-in-the-directory", "the phone is registered already",
      "brokerAccounts: [{person: ada@contoso.com}]",
      fails: "0 items in SGGM6D27TK.com.microsoft.workplacejoin"),
    ClaimMutation(
      "E2-device-in-the-directory", "no policy requires a registered device",
      "policies: {Registered devices: }", fails: "a failure: success"),
    ClaimMutation(
      "E2-device-in-the-directory", "the account is a personal one, which registers nothing",
      "people: {grace@contoso.com: {isPersonal: true}}", fails: "check 'work or school account' passed"),
    ClaimMutation(
      "E3-shared-browser-session", "a private web view",
      "apps: {com.fabrikam.notes: {webView: embedded}}", fails: "no more questions: asked for signIn"),
    ClaimMutation(
      "E3-shared-browser-session", "a session that shares nothing, before which iOS does not ask",
      "apps: {com.contoso.mytestapp1: {webView: ephemeralSession}}",
      fails: "the system's alert, then the sign-in page, then the consent page"),
    ClaimMutation(
      "E3-sign-in-in-safari", "a private web view", "apps: {com.fabrikam.notes: {webView: embedded}}",
      fails: "no more questions: asked for signIn"),
    ClaimMutation(
      "E3-safari-session-on-macos", "MSAL before 1.1.0", "apps: {com.fabrikam.notes: {sdkVersion: 1.0.0}}",
      fails: "no more questions: asked for signIn"),
    ClaimMutation(
      "E4-private-web-view", "the system's session", "apps: {com.fabrikam.notes: {webView: systemSession}}",
      fails: "the sign-in page, then the consent page"),
    ClaimMutation(
      "E5-adal-and-msal-of-one-publisher", "an ADAL before 2.7",
      "apps: {com.myapp.mytestapp: {sdkVersion: 2.6.6}}",
      fails: "1 items in unified format refresh token of ada@contoso.com in A1B2C3D4E5.com.myapp.mycache"),
    ClaimMutation(
      "E6-redirect-uri-format", "the scheme of the old URI is registered",
      "apps: {com.contoso.mytestapp1: {urlSchemes: [msauth.com.contoso.mytestapp1, x-msauth-mytestiosapp]}}",
      fails: "error code -42001"),
    ClaimMutation(
      "E7-no-broker-on-macos", "an iPhone",
      """
      device: {platform: iOS}
      apps:
        com.fabrikam.notes:
          keychainAccessGroups: [$(AppIdentifierPrefix)com.microsoft.identity.universalstorage]
      """, fails: "no more questions: asked for chooseAccount"),
    ClaimMutation(
      "android-broker-keeps-tokens", "an iPhone", "device: {platform: iOS}",
      fails: "no such hop from there on"),
    ClaimMutation(
      "macos-adal-archive", "another client ID",
      "apps: {com.contoso.mytestapp1: {clientID: 4d9e2b70-58a1-4c3f-8b6d-e1f0a2c3d4b5}}",
      fails: "success: a failure"),
    ClaimMutation(
      "sso-extension-on-ios", "no profile", "device: {ssoProfile: }", fails: "'performRequests login'"),
    ClaimMutation(
      "sso-extension-on-ios", "the profile denies the other vendor's app",
      "device: {ssoProfile: {DeniedBundleIdentifiers: [com.fabrikam.notes]}}",
      fails: "source broker: source app refresh token"),
    ClaimMutation(
      "sso-extension-on-ios", "the administrator keeps the broker's URL from the app",
      "broker: {managedByAdmin: true, apps: [com.fabrikam.notes]}",
      fails: "'ASAuthorizationError 1003' with 'MSAL has nothing to fall back to'"),
    ClaimMutation(
      "sso-extension-on-macos", "MSAL may call the broker by XPC as a companion of the extension",
      "apps: {com.fabrikam.notes: {xpcMode: ssoExtCompanion}}", fails: "no more questions"),
    ClaimMutation(
      "sso-extension-on-macos", "the profile has another team",
      "device: {ssoProfile: {TeamIdentifier: SGGM6D27TK, ExtensionData: {AppBlockList: com.apple.Safari}}}",
      fails: "no more questions: asked for signIn"),
    ClaimMutation(
      "platform-sso-on-macos", "the profile does not switch Platform SSO on", "device: {ssoProfile: {}}",
      fails: "'the profile switches Platform SSO on' passed"),
    ClaimMutation(
      "platform-sso-on-macos", "macOS 13, which knows no dictionary PlatformSSO",
      "device: {systemVersion: \"13.6\"}", fails: "'the system has Platform SSO' passed"),
    ClaimMutation(
      "sso-extension-in-the-browser", "the profile does not admit Safari",
      "device: {ssoProfile: {ExtensionData: {AppBlockList: com.apple.mobilesafari}}}",
      fails: "no more questions: asked for signIn"),
    ClaimMutation(
      "F1-adal-2.7-reads-msal", "an ADAL before 2.7", "apps: {com.myapp.mytestapp: {sdkVersion: 2.6.6}}",
      fails: "source app refresh token"),
    ClaimMutation(
      "F2-adal-2.6-to-msal", "ADAL 2.7", "apps: {com.myapp.mytestapp: {sdkVersion: 2.7.18}}",
      fails: "source legacy refresh token"),
    ClaimMutation(
      "F3-identifiers", "the new app has an ADAL before 2.7",
      "apps: {com.myapp.mytestapp: {sdkVersion: 2.6.6}}",
      fails: "hop sdk → app 'result' userId=ada@contoso.com"),
    ClaimMutation(
      "F3-identifiers", "the old app has ADAL 2.7", "apps: {com.myapp.mytestapp2: {sdkVersion: 2.7.18}}",
      fails: "hop sdk → app 'result' userId=grace@contoso.com homeAccountId=nil"),
    ClaimMutation(
      "F3-identifiers", "the guest is a member",
      "people: {alan@contoso.com: {homeTenantID: 7c9d2e41-0b38-4f56-a1c7-8e2d4b6f9035}}",
      fails: "home account ID 51e7a0c2-93d4-4b6f-8a1e-2c7d5f904b60.5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90"),
    ClaimMutation(
      "F4-msal-to-adal", "an ADAL before 2.7", "apps: {com.myapp.mytestapp: {sdkVersion: 2.6.6}}",
      fails: "source app refresh token"),
    ClaimMutation(
      "F5-adal-to-msal", "ADAL knows no identifier", "apps: {com.myapp.mytestapp: {sdkVersion: 2.6.6}}",
      fails: "check 'accountForIdentifier finds an account' passed"),
    ClaimMutation(
      "F5-adal-to-msal", "the old ADAL has an identifier too",
      "apps: {com.myapp.mytestapp2: {sdkVersion: 2.7.18}}",
      fails: "no check 'accountForIdentifier finds an account'"),
    ClaimMutation(
      "F6-none-one-several", "the old app keeps its users to itself",
      "apps: {com.myapp.mytestapp: {keychainSharingGroup: com.myapp.mytestapp}}",
      fails: "source legacy refresh token"),
  ]
}

@Suite struct ClaimMutationTests {
  @Test(arguments: ClaimMutation.all) func theScenarioFailsWhenItsRuleDoesNotHold(_ mutation: ClaimMutation)
    throws
  {
    let patch = mutation.patch.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
    let text = "name: mutation\ninherit: \(mutation.scenario)\npatch:\n\(patch)\n"
    let file = try ScenarioFile(ScenarioSource(path: "mutation.yaml", text: text)) {
      name throws(ScenarioError) in
      ScenarioSource(
        path: name,
        text: (try? String(contentsOfFile: "\(BundledScenarioTests.folder)/\(name).yaml", encoding: .utf8))
          ?? "")
    }
    let mismatches = try Lab.run(file).steps.flatMap(\.mismatches).map { "\($0.expected): \($0.found)" }
    #expect(mismatches.contains { $0.contains(mutation.fails) }, "\(mismatches)")
  }

  @Test func everyClaimAndEveryScenarioOfAClaimHasOne() {
    let mutated = Set(ClaimMutation.all.map(\.scenario))
    let claims = Set(Claim.all.map(\.id))
    let named = BundledScenarioTests.names.filter { claims.contains(String($0.prefix { $0 != "-" })) }
    #expect(Set(named).subtracting(mutated) == [])
    #expect(claims.subtracting(ClaimMutation.all.map(\.claim)) == [])
  }
}
