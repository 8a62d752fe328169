import ArgumentParser
import LabTestSupport
import Testing

@testable import SSOLab
@testable import SSOTerm

/// The table of the commands, and sessions with those that only perform an intent.
@Suite struct CommandTableTests {
  /// The command that performs each intent, by the intent's verb.
  ///
  /// `answerSignIn` has a key of the Provider screen, and `linuxProgram` a step of scenarios: other programs make both.
  private static let commands = [
    "add": "app add", "answerNext": "serve next", "clearFault": "fault clear", "clearFaults": "fault clear",
    "clock": "clock", "compliance": "compliance", "credentials": "expire", "currentAccount": "current",
    "disturb": "disturb",
    "endApp": "end", "enroll": "enroll", "fault": "fault add", "forget": "forget", "handOver": "handover",
    "importCache": "import", "importProject": "app import", "installBroker": "broker install",
    "openURL": "open",
    "policy": "policy add", "registerPlatformSSO": "broker platform-sso", "reinstall": "reinstall",
    "remove": "app remove", "removeBroker": "broker remove",
    "removePolicy": "policy remove", "revoke": "revoke", "set": "app set", "signIn": "signin",
    "signOut": "signout", "silent": "silent", "unregisterDevice": "device unregister",
    "useDevice": "device use",
  ]

  @Test func eachIntentHasACommand() {
    #expect(
      Set(Intents.all.map { $0.verb })
        == Set(Self.commands.keys).union(["answerSignIn", "linuxProgram", "call"]))
    for line in Self.commands.values {
      var command: any ParsableCommand.Type = SSOTermCommand.self
      for word in line.split(separator: " ") {
        let next = command.configuration.subcommands.first { $0._commandName == word }
        #expect(next != nil, "\(line)")
        command = next ?? command
      }
    }
  }

  @Test func theDeviceDoesWhatAnAppCannot() throws {
    try transcript(
      after: .signedIn,
      """
      $ ssoterm disturb mytestapp1 tampered
      ✓ Injected into the next brokered call of My Test App 1: One bit of the ciphertext is changed on the way, so that a block of the plaintext is not UTF-8: -42706, ADAL 505.
      $ ssoterm disturb mytestapp1 off
      ✓ The next brokered call of My Test App 1 proceeds without an injected fault.
      $ ssoterm disturb mytestapp1 luck
      ! ssoterm: The kind must be one of 17 words, not “luck”.
      !   try: ssoterm disturb mytestapp1 off
      !    or: ssoterm disturb --help
      [2]
      $ ssoterm reinstall mytestapp2
      ✓ My Test App 2 is reinstalled: its defaults are deleted, its 7 keychain items remain.
      $ ssoterm end mytestapp1
      ✓ My Test App 1 is ended.
      $ ssoterm open msauth.com.contoso.mytestapp2://auth?code=1 --from mytestapp1
      ! ssoterm: My Test App 2 ignores the URL: the source application is not the broker: expected com.microsoft.azureauthenticator or nil, found com.contoso.mytestapp1.
      !   try: ssoterm trace show 6
      [3]
      $ ssoterm open https://contoso.com --from mytestapp1
      ! ssoterm: No app opens https://contoso.com: no app registers https.
      !   try: ssoterm trace show 7
      [3]
      $ ssoterm open 'msauthv3://broker?x' --from mytestapp1
      ! ssoterm: No app opens msauthv3://broker: no app registers msauthv3.
      !   try: ssoterm trace show 8
      [3]
      $ ssoterm enroll mytestapp1 --account ada@contoso.com
      ✓ Intune protects My Test App 1 for ada@contoso.com.
      """)
  }

  @Test func anAppOfOneAccountKnowsItsPreviousOne() throws {
    try transcript(
      after: .signedIn,
      """
      $ ssoterm current mytestapp1
      ✓ My Test App 1: ada@contoso.com is signed in; before: none.
      $ ssoterm signout mytestapp1
      sign out of com.contoso.mytestapp1
        ✗ ada@contoso.com will be signed out of My Test App 1
        ✗ ada@contoso.com will be signed out of My Test App 2
        ✗ ada@contoso.com will be signed out of My Test App 3
        3 keychain items in all
      ✓ My Test App 1 signed out ada@contoso.com: 3 credentials removed.
      $ ssoterm current mytestapp1
      ✓ My Test App 1: no account is signed in; before: ada@contoso.com.
      """)
  }

  @Test func theDeviceIsReportedAsCompliantOrNot() throws {
    try transcript(
      """
      $ ssoterm compliance off
      ✓ Ada's iPhone is not compliant.
      $ ssoterm compliance on --json
      {
        "effects" : [

        ],
        "errorCode" : null,
        "errorDomain" : null,
        "errorText" : null,
        "expiresOn" : null,
        "failedCheck" : null,
        "grantedScopes" : [

        ],
        "homeAccountID" : null,
        "next" : null,
        "prompted" : false,
        "source" : null,
        "summary" : "Ada's iPhone is compliant.",
        "traceID" : 2,
        "username" : null,
        "verdict" : "succeeded",
        "version" : 1
      }
      $ ssoterm compliance maybe
      ! ssoterm: Compliance must be on or off, not “maybe”.
      !   try: ssoterm compliance on
      [2]
      """)
  }

  @Test func credentialsAreNamedByTheirIDs() throws {
    try transcript(
      after: .signedIn,
      """
      $ ssoterm expire t2 t3
      ✓ 2 credentials of ada@contoso.com are expired.
      $ ssoterm invalidate t4
      ✓ The refresh token of ada@contoso.com is invalid.
      $ ssoterm delete t3
      delete t3
        No app loses anything.
        1 keychain item in all
      ! ssoterm: This deletes 1 item and needs a confirmation: there is no terminal to ask on.
      !   try: ssoterm delete t3 --yes
      [2]
      $ ssoterm delete t3 --yes
      delete t3
        No app loses anything.
        1 keychain item in all
      ✓ The ID token of ada@contoso.com is deleted. Undo: ssoterm undo
      $ ssoterm tokens
      client b6c69a37-df96-4db0-9088-2ab96e1d8215
        redirect msauth.com.contoso.mytestapp1://auth
        redirect msauth.com.contoso.mytestapp2://auth
        redirect msauth.com.contoso.mytestapp3://auth
          for each of the 3:
          t2  AccessToken   ○ expired 1m ago  ada@contoso.com  User.Read openid profile, realm 5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90
          t4  RefreshToken  ✗ invalid         ada@contoso.com
      $ ssoterm silent mytestapp1
      ! ssoterm: The app needs sign-in (MSALErrorDomain -50002, invalid_grant): the provider does not know the refresh token: expected one that was issued, found the provider does not know it.
      !   try: ssoterm signin mytestapp1
      [4]
      $ ssoterm expire t9
      ! ssoterm: There is no credential t9.
      !   try: ssoterm tokens
      [3]
      $ ssoterm delete t2 --json
      {
        "error" : {
          "exitCode" : 3,
          "kind" : "unknownCredential",
          "next" : "ssoterm tokens",
          "what" : "There is no credential t2.",
          "why" : ""
        },
        "version" : 1
      }
      ! ssoterm: There is no credential t2.
      !   try: ssoterm tokens
      [3]
      """)
  }

  @Test func forgettingNamesWhoLosesTheAccountFirst() throws {
    try transcript(
      after: .signedIn,
      """
      $ ssoterm forget ada
      forget ada@contoso.com
        ✗ ada@contoso.com will be signed out of My Test App 1
        ✗ ada@contoso.com will be signed out of My Test App 2
        ✗ ada@contoso.com will be signed out of My Test App 3
        4 keychain items in all
      ! ssoterm: This deletes 4 items and needs a confirmation: there is no terminal to ask on.
      !   try: ssoterm forget ada --yes
      [2]
      $ ssoterm forget ada --yes
      forget ada@contoso.com
        ✗ ada@contoso.com will be signed out of My Test App 1
        ✗ ada@contoso.com will be signed out of My Test App 2
        ✗ ada@contoso.com will be signed out of My Test App 3
        4 keychain items in all
      ✓ ada@contoso.com is removed from the device: 4 items deleted. Undo: ssoterm undo
      $ ssoterm forget ada --yes
      ! ssoterm: There is no account “ada@contoso.com” on this device: no app and no broker holds it.
      !   try: ssoterm signin com.contoso.mytestapp1 --account ada@contoso.com
      [3]
      $ ssoterm undo
      ✓ Undone: forget ada@contoso.com (done in session PID)
      $ ssoterm forget ada --yes --json
      {
        "effects" : null,
        "errorCode" : null,
        "errorDomain" : null,
        "errorText" : null,
        "expiresOn" : null,
        "failedCheck" : null,
        "grantedScopes" : [

        ],
        "homeAccountID" : "2c8f0c6e-4b1d-4f7a-8e35-90ad1b7e6f21.5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90",
        "next" : null,
        "prompted" : false,
        "source" : null,
        "summary" : "ada@contoso.com is removed from the device: 4 items deleted.",
        "traceID" : 3,
        "username" : "ada@contoso.com",
        "verdict" : "succeeded",
        "version" : 1
      }
      $ ssoterm forget adda@contoso.com --yes
      ! ssoterm: There is no account “adda@contoso.com” on this device: no app and no broker holds it.
      !   try: ssoterm forget ada@contoso.com --yes
      [3]
      """)
  }

  @Test func revokingEndsEveryRefreshToken() throws {
    try transcript(
      after: .signedIn,
      """
      $ ssoterm revoke ada
      ✓ ada@contoso.com is signed out everywhere: refresh tokens and browser sessions from before are refused.
      $ ssoterm silent mytestapp1
      ● User.Read openid profile 1h left, from cache
      $ ssoterm silent mytestapp1 --force-refresh
      ! ssoterm: The app needs sign-in (MSALErrorDomain -50002, invalid_grant, bad_token): the refresh token was revoked: expected not revoked, found the user was signed out everywhere.
      !   try: ssoterm signin mytestapp1
      [4]
      $ ssoterm revoke nobody
      ! ssoterm: There is no user “nobody”: the lab has ada@contoso.com, grace@contoso.com.
      !   try: ssoterm person list
      [3]
      """)
  }
}
