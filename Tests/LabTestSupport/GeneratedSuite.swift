@testable import SSOCore
@testable import SSODevice
@testable import SSOLab
@testable import SSOProvider
@testable import SSOScenarios

/// A suite of random apps that may or may not share a sign-in.
///
/// They have random teams, entitlements, groups, clients in a family or in none, authorities, and SDKs of every
/// generation of both libraries. The provider rejects none of them, so sharing alone decides.
struct GeneratedSuite {
  static let clients = GeneratedWorld.clients
  static let ada = "ada@contoso.com"
  private static let scopes = ["User.Read", "Mail.Read"]
  private static let resources = ["https://graph.microsoft.com", "https://graph.windows.net"]

  var random: Randomness

  init(seed: UInt64) { random = Randomness(seed: seed) }

  mutating func file() -> ScenarioFile {
    let platform = random.pick([Platform.iOS, .iOS, .macOS, .android])
    let apps = (1...5).map { app($0, on: platform) }
    // The first client is not in a family. Most of the others are in the only family that exists in reality.
    let registrations = Self.clients.enumerated().map { index, id in
      ClientRegistration(
        clientID: id, displayName: "Client \(index)", publisher: "Contoso",
        redirectURIs: apps.filter { $0.clientID == id }.map(\.redirectURI),
        familyID: index == 0 ? nil : random.pick(["1", "1", "1", "2", nil]), allowedScopes: Self.scopes,
        isPreauthorized: true)
    }
    let world = LabWorld(
      device: Device(id: "device-1", name: "Ada's device", platform: platform),
      tenants: [
        Tenant(id: GeneratedWorld.home, displayName: "Contoso", domains: ["contoso.com"]),
        Tenant(id: GeneratedWorld.other, displayName: "Fabrikam", domains: ["fabrikam.com"]),
      ],
      people: [
        DirectoryUser(
          objectID: "2c8f0c6e-4b1d-4f7a-8e35-90ad1b7e6f21", homeTenantID: GeneratedWorld.home,
          username: Self.ada, displayName: "Ada Lovelace", password: "p",
          guestIn: [GeneratedWorld.other: "8f2b6d03-5c41-4a97-b0e8-d36a1f7c9524"])
      ], registrations: registrations, apps: apps, brokerAccounts: [])
    return ScenarioFile(
      path: "", name: "suite", title: "", claims: [], note: "", seed: random.next() | 1,
      clock: Instant(1_772_442_000), world: world, steps: [])
  }

  private mutating func app(_ number: Int, on device: Platform) -> InstalledApp {
    let bundleID = "com.myapp.mytestapp\(number)"
    // ADAL is not simulated on Android.
    let isADAL = random.holds(device == .android ? 0 : 50)
    var app = InstalledApp(
      bundleID: bundleID, teamID: random.holds(80) ? "A1B2C3D4E5" : "K1L2M3N4O5",
      displayName: "App \(number)",
      vendor: "Contoso", sdk: isADAL ? .adal : .msal, clientID: random.pick(Self.clients),
      redirectURI: isADAL ? "x-app\(number)://\(bundleID)" : "msauth.\(bundleID)://auth",
      authority: random.pick([
        "https://login.microsoftonline.com/common", "https://login.microsoftonline.com/common",
        "https://login.windows.net/common", "https://login.microsoftonline.com/\(GeneratedWorld.home)",
        "https://login.microsoftonline.com/\(GeneratedWorld.other)",
      ]), scopes: [random.pick(isADAL ? Self.resources : Self.scopes)],
      keychainAccessGroups: GeneratedWorld.groups.filter { _ in random.holds(92) }.map {
        "$(AppIdentifierPrefix)" + $0
      },
      keychainSharingGroup: random.holds(90) ? GeneratedWorld.groups[random.holds(80) ? 0 : 1] : nil,
      urlSchemes: [isADAL ? "x-app\(number)" : "msauth.\(bundleID)"], queriesSchemes: ["msauth", "msauthv2"],
      brokerUse: .none, webView: .embedded)
    // An app for another system does not run on the device, so no user can sign in to it.
    app.platform = random.holds(80) ? (device == .android ? .android : nil) : random.pick(Platform.allCases)
    if app.platform == .android {
      // The app has no groups and no entitlements: the cache is its own.
      (app.keychainAccessGroups, app.keychainSharingGroup) = ([], nil)
    }
    if isADAL { app.sdkVersion = random.pick(["2.1.0", "2.5.1", "2.6.6", "2.7.18", "4.0.5"]) }
    return app
  }
}
