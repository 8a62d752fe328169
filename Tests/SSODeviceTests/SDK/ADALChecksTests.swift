import Testing

@testable import SSOCore
@testable import SSODevice

/// The checks of an interactive ADAL call before it looks for a broker (docs/behaviour/broker.md §1, §12).
struct ADALChecksTests {
  struct SetUp: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var version = "2.6.6"
    var brokerUse = BrokerUse.auto
    var redirectURI = "x-msauth-mytestiosapp://com.myapp.mytestapp"
    var schemes = ["x-msauth-mytestiosapp"]
    var queries = ["msauth"]
    var code: Int?
  }

  @Test(arguments: [
    SetUp(testDescription: "set up as the article says"),
    SetUp(
      testDescription: "embedded: nothing is checked", brokerUse: .none,
      redirectURI: "urn:ietf:wg:oauth:2.0:oob"
    ),
    SetUp(
      testDescription: "MSAL's redirect URI", redirectURI: "msauth.com.myapp.mytestapp://auth", code: 501),
    SetUp(
      testDescription: "another app's bundle ID", redirectURI: "x-msauth-mytestiosapp://com.myapp.other",
      code: 501),
    SetUp(testDescription: "scheme not registered", schemes: ["other"], code: 501),
    SetUp(testDescription: "2.7.13 does not look at the query schemes", version: "2.7.13", queries: []),
    SetUp(testDescription: "2.7.14 wants msauthv3 too", version: "2.7.14", code: 100),
    SetUp(testDescription: "4.0.2 with both", version: "4.0.2", queries: ["msauth", "msauthv3"]),
  ])
  func interactiveCall(_ setUp: SetUp) {
    let (checks, error) = ADALApplication(app: app(setUp)).checks()
    #expect(error?.code == setUp.code)
    #expect((checks.last?.verdict == .failed) == (setUp.code != nil))
    #expect(setUp.brokerUse == .auto || checks.isEmpty)
  }

  @Test func theBrokerIsUsedOnlyIfTheSchemeMayBeQueried() {
    let asked = decision(SetUp(testDescription: ""))
    #expect(asked.allSatisfy { $0.verdict == .passed })
    let deaf = decision(SetUp(testDescription: "", queries: []))
    #expect(
      deaf.first { $0.verdict == .failed }?.name == "LSApplicationQueriesSchemes contains msauth")
    let off = decision(SetUp(testDescription: "", brokerUse: .none))
    #expect(off.first { $0.verdict == .failed }?.found == "AD_CREDENTIALS_EMBEDDED")
    let mac = decision(SetUp(testDescription: ""), platform: .macOS)
    #expect(mac.first { $0.verdict == .failed }?.name == "platform has a broker called by URL")
  }

  private func app(_ setUp: SetUp) -> InstalledApp {
    InstalledApp(
      bundleID: "com.myapp.mytestapp", teamID: "A1B2C3D4E5", displayName: "My Test App", vendor: "Contoso",
      sdk: .adal, sdkVersion: setUp.version, clientID: "client", redirectURI: setUp.redirectURI,
      keychainAccessGroups: [], keychainSharingGroup: nil, urlSchemes: setUp.schemes,
      queriesSchemes: setUp.queries, brokerUse: setUp.brokerUse)
  }

  private func decision(_ setUp: SetUp, platform: Platform = .iOS) -> [Check] {
    ADALApplication(app: app(setUp)).brokerDecision(
      on: Device(id: "d", name: "iPhone", platform: platform, brokerVersion: "6.8.30"), installed: [])
  }
}
