import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOLab
@testable import SSOStore

/// Broker or web session: the conditions of an interactive call of MSAL (docs/behaviour/interactive-call.md §1, docs/behaviour/broker.md §1).
struct BrokerDecisionTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var change: @Sendable (inout InstalledApp, inout Device) -> Void
    /// The first condition that does not hold, or `nil` if the broker is used.
    var fails: String?
  }

  @Test(arguments: [
    Row(testDescription: "all is as it should be", change: { _, _ in }),
    Row(
      testDescription: "ADAL's form of the redirect URI",
      change: { app, _ in app.redirectURI = "x-msauth-app://com.contoso.app" }),
    Row(
      testDescription: "brokerAvailability none", change: { app, _ in app.brokerUse = .none },
      fails: "broker availability"),
    Row(
      testDescription: "msal<client ID>", change: { app, _ in app.redirectURI = "msalclient://auth" },
      fails: "redirect URI is broker-capable"),
    Row(
      testDescription: "bypassRedirectURIValidation with a URI that would do",
      change: { app, _ in app.bypassesRedirectValidation = true }, fails: "redirect URI is broker-capable"),
    Row(
      testDescription: "bypassRedirectURIValidation with another app's",
      change: { app, _ in
        app.bypassesRedirectValidation = true
        app.redirectURI = "msauth.com.contoso.other://auth"
      }, fails: "redirect URI is broker-capable"),
    Row(
      testDescription: "B2C",
      change: { app, _ in app.authority = "https://contoso.b2clogin.com/contoso.com/B2C_1_signin" },
      fails: "authority is Azure AD"),
    Row(
      testDescription: "CIAM", change: { app, _ in app.authority = "https://contoso.ciamlogin.com" },
      fails: "authority is Azure AD"),
    Row(
      testDescription: "AD FS", change: { app, _ in app.authority = "https://fs.contoso.com/adfs" },
      fails: "authority is Azure AD"),
    Row(
      testDescription: "knownAuthorities turns validation off",
      change: { app, _ in app.knownAuthorities = ["https://login.microsoftonline.com/common/"] },
      fails: "authority is validated"),
    Row(
      testDescription: "another known authority does not",
      change: { app, _ in app.knownAuthorities = ["https://login.microsoftonline.com/organizations"] }),
    Row(
      testDescription: "an extension", change: { app, _ in app.isExtension = true },
      fails: "not an app extension"),
    Row(
      testDescription: "macOS", change: { _, device in device.platform = .macOS },
      fails: "platform has a broker called by URL"),
    Row(
      testDescription: "msauthv3 may not be queried", change: { app, _ in app.queriesSchemes = ["msauthv2"] },
      fails: "LSApplicationQueriesSchemes contains msauthv3"),
    Row(
      testDescription: "no broker", change: { _, device in device.brokerVersion = nil },
      fails: "an installed app registers msauthv2"),
    Row(
      testDescription: "a managed broker for others",
      change: { _, device in device.brokerManagement = BrokerManagement(apps: ["com.contoso.other"]) },
      fails: "the administrator lets the broker serve this app"),
  ])
  func decides(_ row: Row) throws {
    let lab = try BrokerLab().lab
    let now = try lab.read { $0.now }
    let checks = try lab.store.write(nil) { transaction in
      let intent = try IntentTransaction(transaction, realTime: now)
      var app = InstalledApp(
        bundleID: "com.contoso.app", teamID: "A1B2C3D4E5", displayName: "App", vendor: "Contoso",
        clientID: "client", redirectURI: "msauth.com.contoso.app://auth", keychainAccessGroups: [],
        keychainSharingGroup: nil, urlSchemes: [], queriesSchemes: ["msauthv2", "msauthv3"])
      row.change(&app, &intent.device)
      return intent.runtime.sdk(of: app).brokerDecision()
    }
    #expect(checks.first { $0.verdict == .failed }?.name == row.fails)
  }
}
