import Foundation

@testable import SSOCore
@testable import SSODevice
@testable import SSOLab
@testable import SSOProvider
@testable import SSOScenarios

/// A random world: tenants, users, registrations, apps of every generation, and possibly a broker.
///
/// The same seed produces the same world.
struct GeneratedWorld {
  static let home = "5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90"
  static let other = "7c9d2e41-0b38-4f56-a1c7-8e2d4b6f9035"
  static let personal = "9188040d-6c67-4c5b-b112-36a304b66dad"
  static let clients = [
    "b6c69a37-df96-4db0-9088-2ab96e1d8215", "4d9e2b70-58a1-4c3f-8b6d-e1f0a2c3d4b5",
    "d3590ed6-52b3-4102-aeff-aad2292ab01c", "27922004-5251-4030-b22d-91ecd9a37ea4",
  ]
  static let groups = ["com.myapp.mycache", "com.microsoft.adalcache"]

  var random: Randomness
  /// The platform of the device and of most apps, or `nil` for a random one, which the apps mostly do not follow.
  private let platform: Platform?

  init(seed: UInt64, on platform: Platform? = nil) {
    random = Randomness(seed: seed)
    self.platform = platform
  }

  mutating func file() -> ScenarioFile {
    let apps = (1...6).map { number in
      let app = app(number)
      return platform.map { built(app, for: $0) } ?? app
    }
    let any = random.holds(80) ? .iOS : random.pick(Platform.allCases)
    var device = Device(id: "device-1", name: "Ada's device", platform: platform ?? any)
    device.brokerVersion = random.holds(60) ? Device.currentBrokerVersion : nil
    if platform?.ssoExtension != nil, random.holds(50) { device.ssoProfile = SSOProfile() }
    let people = people()
    var world = LabWorld(
      device: device,
      tenants: [
        Tenant(id: Self.home, displayName: "Contoso", domains: ["contoso.com"]),
        Tenant(id: Self.other, displayName: "Fabrikam", domains: ["fabrikam.com"]),
        Tenant(id: Self.personal, displayName: "Personal accounts", domains: []),
      ],
      people: people, registrations: Self.clients.enumerated().map { registration($1, $0, apps) }, apps: apps,
      brokerAccounts: [])
    world.brokerAccounts = people.filter { _ in random.holds(50) }.map {
      LabWorld.InitialBrokerAccount(
        username: $0.username, state: random.holds(70) ? .ready : .expired)
    }
    return ScenarioFile(
      path: "", name: "generated", title: "", claims: [], note: "", seed: random.next() | 1,
      clock: Instant(1_772_442_000), world: world, steps: [])
  }

  /// Returns the app as its developer builds it for a platform, usually with all of the platform's own values.
  private mutating func built(_ app: InstalledApp, for platform: Platform) -> InstalledApp {
    guard random.holds(90) else { return app }
    var app = app
    app.platform = nil
    if platform == .macOS, app.sdk == .msal {
      app.xpcMode = random.pick([nil, nil] + XPCMode.allCases)
      app.serializedADALCache = random.holds(25) ? "com.myapp.mytestapp\(random.below(6) + 1)" : nil
    }
    if platform.isApple, app.sdk == .msal, random.holds(10) {
      app.authorityClass = random.pick(AuthorityClass.allCases)
    }
    if platform == .android {
      if random.holds(10) { app.authority = app.authority.replacing("https://", with: "http://") }
      app.createdAs = random.pick([nil, nil, nil] + AccountMode.allCases)
      app.accountMode = random.holds(80) ? app.createdAs : random.pick(AccountMode.allCases)
    }
    return random.holds(80) ? PlatformDefaults(platform, app.sdk).moving(app) : app
  }

  private mutating func people() -> [DirectoryUser] {
    [
      DirectoryUser(
        objectID: "2c8f0c6e-4b1d-4f7a-8e35-90ad1b7e6f21", homeTenantID: Self.home,
        username: "ada@contoso.com",
        displayName: "Ada Lovelace", password: "p",
        guestIn: random.holds(50) ? [Self.other: "8f2b6d03-5c41-4a97-b0e8-d36a1f7c9524"] : [:]),
      DirectoryUser(
        objectID: "7d3e9a54-16c2-4b88-a0f7-3c5e2d914b60", homeTenantID: Self.home,
        username: "grace@contoso.com", displayName: "Grace Hopper", password: "p",
        requiresMFA: random.holds(25)),
      DirectoryUser(
        objectID: "51e7a0c2-93d4-4b6f-8a1e-2c7d5f904b60", homeTenantID: Self.other,
        username: "alan@fabrikam.com", displayName: "Alan Turing", password: "p"),
      DirectoryUser(
        objectID: "00000000-0000-0000-8a1e-2c7d5f904b68", homeTenantID: Self.personal,
        username: "pat@outlook.example", displayName: "Pat", password: "p", isPersonal: true),
    ]
  }

  private mutating func registration(_ clientID: String, _ index: Int, _ apps: [InstalledApp])
    -> ClientRegistration
  {
    ClientRegistration(
      clientID: clientID, displayName: "Client \(index)", publisher: "Contoso",
      redirectURIs: apps.filter { $0.clientID == clientID || random.holds(30) }.map(\.redirectURI),
      familyID: index > 1 ? "1" : nil, isPreauthorized: random.holds(60))
  }

  private mutating func app(_ number: Int) -> InstalledApp {
    let bundleID = "com.myapp.mytestapp\(number)"
    let group = random.holds(85) ? random.pick(Self.groups) : nil
    let entitled = Self.groups.filter { _ in random.holds(85) }.map { "$(AppIdentifierPrefix)" + $0 }
    let isADAL = random.holds(45)
    var app = InstalledApp(
      bundleID: bundleID, teamID: random.holds(75) ? "A1B2C3D4E5" : "K1L2M3N4O5",
      displayName: "App \(number)",
      vendor: "Contoso", sdk: isADAL ? .adal : .msal, sdkVersion: "2.13.0",
      clientID: random.pick(Self.clients),
      redirectURI: isADAL ? "x-app\(number)://\(bundleID)" : "msauth.\(bundleID)://auth",
      authority: random.holds(15)
        ? random.pick(GeneratedChanges.authorities)
        : random.pick([
          "https://login.microsoftonline.com/common", "https://login.windows.net/common",
          "https://login.microsoftonline.com/\(Self.home)", "https://login.microsoftonline.com/\(Self.other)",
        ]),
      keychainAccessGroups: entitled, keychainSharingGroup: group,
      urlSchemes: [isADAL ? "x-app\(number)" : "msauth.\(bundleID)"],
      queriesSchemes: ["msauth", "msauthv2", "msauthv3"], brokerUse: random.holds(60) ? .auto : .none,
      webView: random.holds(50) ? .systemSession : .embedded)
    if isADAL {
      app.sdkVersion = random.pick(["2.1.0", "2.6.6", "2.7.18", "4.0.5"])
      app.scopes = [random.pick(["https://graph.microsoft.com", "https://graph.windows.net"])]
      app.userIDType = random.holds(80) ? nil : random.pick(UserIDType.allCases)
    } else if random.holds(30) {
      app.scopes = ["Mail.Read"]
    }
    app.extendedLifetimeEnabled = random.holds(20)
    app.platform = random.holds(85) ? nil : random.pick([.iOS, .android, .macOS])
    if app.platform == .android { (app.keychainAccessGroups, app.keychainSharingGroup) = ([], nil) }
    return app
  }
}

extension Randomness {
  mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
  /// Returns true with the given probability in percent.
  mutating func holds(_ percent: Int) -> Bool { below(100) < percent }
  /// Returns a random element of a list that is not empty.
  mutating func pick<T>(_ list: [T]) -> T { list[below(list.count)] }
}
