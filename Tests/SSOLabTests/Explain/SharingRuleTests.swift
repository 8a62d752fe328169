import Testing

@testable import SSOCore
@testable import SSODevice
@testable import SSOLab

/// Each condition of the rule, violated separately.
@Suite struct SharingRuleTests {
  /// Two apps of one developer, and the change to one of them.
  struct Pair: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var writer = Pair.app("writer")
    var reader = Pair.app("reader")
    /// The families in which the two clients are registered, and the family that the reader's SDK tries.
    var families: (writer: String?, reader: String?, tried: String?) = (nil, nil, "1")

    static func app(_ name: String, _ change: (inout InstalledApp) -> Void = { _ in }) -> InstalledApp {
      var app = InstalledApp(
        bundleID: "com.contoso.\(name)", teamID: "A1B2C3D4E5", displayName: name, vendor: "Contoso",
        clientID: "c1", redirectURI: "msauth.com.contoso.\(name)://auth",
        keychainAccessGroups: ["$(AppIdentifierPrefix)com.contoso.shared"],
        keychainSharingGroup: "com.contoso.shared", urlSchemes: [], queriesSchemes: [])
      change(&app)
      return app
    }

    /// The app uses the host under which newer versions store items, because older versions know no aliases of it.
    static func adal(_ name: String, _ version: String, _ client: String = "c1") -> InstalledApp {
      app(name) {
        ($0.sdk, $0.sdkVersion, $0.clientID) = (.adal, version, client)
        $0.authority = "https://login.windows.net/common"
      }
    }

    var signIn: SharedSignIn {
      SharedSignIn(
        with: SharingApp(writer, registeredFamilyID: families.writer, triedFamilyID: families.writer),
        for: SharingApp(reader, registeredFamilyID: families.reader, triedFamilyID: families.tried))
    }
  }

  private static let anotherClient = Pair.app("reader") { $0.clientID = "c2" }

  @Test(arguments: [
    Pair(testDescription: "same client ID", reader: anotherClient),
    Pair(
      testDescription: "same client ID or family", reader: anotherClient, families: ("1", nil, "1")),
    Pair(
      testDescription: "same client ID or family", reader: anotherClient, families: ("1", "2", "2")),
    Pair(
      testDescription: "same client ID or family", reader: anotherClient, families: ("2", "2", "1")),
    Pair(testDescription: "same client ID or family", reader: anotherClient, families: ("1", "1", nil)),
    Pair(testDescription: "same team", reader: Pair.app("reader") { $0.teamID = "F6G7H8I9J0" }),
    Pair(
      testDescription: "access group in its entitlements",
      reader: Pair.app("reader") { $0.keychainAccessGroups = [] }),
    Pair(
      testDescription: "access group in the other app's entitlements",
      writer: Pair.app("writer") { $0.keychainAccessGroups = [] }),
    Pair(
      testDescription: "configured sharing group",
      reader: Pair.app("reader") {
        $0.keychainAccessGroups.append("$(AppIdentifierPrefix)com.contoso.own")
        $0.keychainSharingGroup = "com.contoso.own"
      }),
    Pair(testDescription: "format is read", reader: Pair.adal("reader", "2.6.6")),
    Pair(
      testDescription: "family tokens are supported", writer: Pair.adal("writer", "2.6.6"),
      reader: Pair.adal("reader", "2.1.0", "c2"), families: ("1", "1", "1")),
    Pair(
      testDescription: "family tokens are supported", writer: Pair.adal("writer", "2.1.0"),
      reader: Pair.adal("reader", "2.6.6", "c2"), families: ("1", "1", "1")),
    Pair(
      testDescription: "authority of the item is one that the SDK tries",
      writer: Pair.adal("writer", "2.5.1"),
      reader: Pair.app("reader") { ($0.sdk, $0.sdkVersion) = (.adal, "2.5.1") }),
    Pair(
      testDescription: "authority of the item is one that the SDK tries",
      reader: Pair.app("reader") { $0.authority = "https://login.microsoftonline.us/common" }),
  ])
  func oneConditionThatFailsIsNamed(_ pair: Pair) {
    let signIn = pair.signIn
    #expect(!signIn.holds)
    #expect(signIn.firstFailure?.name == pair.testDescription)
    // The team is the prefix of the group to which the app is entitled.
    let failed = signIn.checks.filter { $0.verdict == .failed }.map(\.name)
    #expect(failed.dropFirst() == (failed[0] == "same team" ? ["access group in its entitlements"] : []))
    #expect(signIn.usable.isEmpty)
    #expect(Visibility(signIn).extent == .nothing)
  }

  @Test(arguments: [
    Pair(testDescription: "silent from the cache"),
    Pair(
      testDescription: "silent through the refresh token: other scopes",
      reader: Pair.app("reader") { $0.scopes = ["Mail.Read"] }),
    Pair(
      testDescription: "silent from the cache, if the tenant is the same",
      reader: Pair.app("reader") { $0.authority = "https://login.microsoftonline.com/contoso.com" }),
    Pair(
      testDescription: "account, and silent through the family refresh token", reader: anotherClient,
      families: ("1", "1", "1")),
    Pair(
      testDescription: "account, and silent through the family refresh token", reader: anotherClient,
      families: ("2", "2", "2")),
    Pair(
      testDescription: "silent through the unified refresh token, if the userId is handed over",
      reader: Pair.adal("reader", "2.7.18")),
    Pair(
      testDescription: "account by username, silent through the legacy refresh token",
      writer: Pair.adal("writer", "2.6.6")),
    Pair(
      testDescription: "account by identifier and by username, silent through the refresh token",
      writer: Pair.adal("writer", "4.0.5")),
    Pair(
      testDescription: "silent from the cache", writer: Pair.adal("writer", "2.7.18"),
      reader: Pair.adal("reader", "2.1.0")),
    Pair(
      testDescription: "silent through the family refresh token", writer: Pair.adal("writer", "2.2.0"),
      reader: Pair.adal("reader", "2.2.0", "c2"), families: ("1", "1", "1")),
  ])
  func saysWhatASharedSignInIsGoodFor(_ pair: Pair) {
    let signIn = pair.signIn
    #expect(signIn.holds)
    #expect(signIn.firstFailure == nil)
    #expect(signIn.checks.allSatisfy { $0.verdict == .passed })
    #expect(Visibility(signIn).displayText == pair.testDescription)
  }

  /// The client was registered in the family, but its SDK had learned before that it is in none.
  @Test func saysWhatTheSDKLooksForWhereThatIsTheReason() {
    let pair = Pair(
      testDescription: "", reader: Self.anotherClient, families: (writer: "1", reader: "1", tried: nil))
    #expect(
      pair.signIn.firstFailure
        == Check(
          "same client ID or family", expected: "c1, family 1",
          found: "c2, family 1, but its SDK looks for no family's token", false, source: "msal-cache.md §4"))
  }
}
