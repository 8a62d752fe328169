import SSOCore
import SSOStore
import Testing

@testable import SSODevice
@testable import SSOLab
@testable import SSOProvider
@testable import SSOScenarios

/// `app add` and the SDK's own checks agree on an app's defaults.
struct PlatformDefaultsTests {
  private static let name = "com.contoso.fourth"

  /// The suite on a device of another platform.
  private func scenario(_ patch: String) throws -> ScenarioFile {
    let library = ScenarioLibrary()
    // The suite's own steps name a group of iOS.
    let text = """
      name: patched
      inherit: contoso-suite
      patch:
      \(patch)
      steps:
        - title: It ends
          do: {endApp: {app: com.contoso.mytestapp1}}
          expect: {verdict: succeeded}

      """
    return try ScenarioFile(ScenarioSource(path: "patched.yaml", text: text)) { name throws(ScenarioError) in
      try library.source(named: name)
    }
  }

  @Test(arguments: Platform.allCases)
  func anAddedAppHasThePlatformsDefaultsAndPassesTheSDKsChecks(_ platform: Platform) throws {
    let device = "  device: {platform: \(platform.rawValue)}"
    let lab = try Lab.temporary(try scenario(device))
    let mate = try #require(try lab.read { $0.installed.first })
    _ = try lab.perform(AddRecord(.app, record: Self.name, []))
    let added = try lab.read { try $0.app(Self.name) }

    #expect(
      added
        == PlatformDefaults(platform).app(
          bundleID: Self.name, teamID: mate.teamID, clientID: mate.clientID, vendor: mate.vendor
        ).asInstalled(on: platform))
    #expect(
      try lab.read {
        try $0.directory.registration(clientID: mate.clientID)?.redirectURIs.contains(added.redirectURI)
      }
        == true)

    let checks = MSALApplication(app: added, platform: platform).conditions.map(\.check)
    #expect(!checks.isEmpty && checks.allSatisfy { $0.verdict == .passed }, "\(checks)")
    // The check is of iOS, macOS, and Android: on Windows, the Web Account Manager has its own form of redirect URI.
    #expect(added.brokerCapability.verdict == .passed || platform == .windows)
  }

  /// A developer's choice is kept; a default of any platform becomes the new platform's.
  @Test(arguments: Platform.allCases) func anAppFollowsItsDevice(_ platform: Platform) throws {
    let lab = try Lab.temporary(try scenario("  device: {platform: iOS}"))
    let before = try lab.read { $0.installed }
    _ = try lab.perform(
      EditRecord(.device, record: "device-1", [try FieldChange("platform=\(platform.rawValue)")]))
    for (old, app) in zip(before, try lab.read({ $0.installed })) {
      let defaults = PlatformDefaults(platform)
      #expect(app.platform == platform && app.clientID == old.clientID)
      #expect(app.keychainSharingGroup == defaults.sharingGroup)
      #expect(
        app.keychainAccessGroups == defaults.accessGroups && app.queriesSchemes == defaults.queriesSchemes)
      #expect(app.urlSchemes == defaults.urlSchemes(for: app.redirectURI))
      #expect(
        MSALApplication(app: app, platform: platform).conditions.allSatisfy { $0.check.verdict == .passed })
    }
    if platform != .iOS {
      #expect(try lab.undo() != nil)
      #expect(try lab.read { $0.installed } == before)
    }
  }

  /// The platform and the SDK that the user chooses determine the values that were not chosen.
  @Test(
    arguments: [
      (["platform=Android"], .android, .msal), (["platform=macOS"], .macOS, .msal),
      (["sdk=ADAL"], .iOS, .adal), (["platform=macOS", "sdk=ADAL"], .macOS, .adal),
      (["platform=Android", "teamID=1wIqXSqBj7w+h11ZifsnqwgyKrY="], .android, .msal),
    ] as [([String], Platform, SDKKind)])
  func anAddedAppHasTheDefaultsOfWhatWasChosen(_ fields: [String], _ platform: Platform, _ sdk: SDKKind)
    throws
  {
    let lab = try Lab.temporary(try scenario("  device: {platform: iOS}"))
    let mate = try #require(try lab.read { $0.installed.first })
    _ = try lab.perform(AddRecord(.app, record: Self.name, try fields.map { try FieldChange($0) }))
    let added = try lab.read { try $0.app(Self.name) }
    let defaults = PlatformDefaults(platform, sdk)
    let hash = fields.last { $0.hasPrefix("teamID") }.map { String($0.dropFirst("teamID=".count)) }
    var wanted = defaults.app(
      bundleID: Self.name, teamID: hash ?? (platform == .iOS ? mate.teamID : defaults.teamID),
      clientID: mate.clientID, vendor: mate.vendor)
    wanted.platform = platform
    #expect(added == wanted)
    #expect(
      try lab.read { try $0.directory.registration(clientID: mate.clientID)?.redirectURIs }?
        .contains(added.redirectURI) == true)
  }

  @Test func anAppFollowsItsSDK() throws {
    let lab = try Lab.temporary(try scenario("  device: {platform: iOS}"))
    let before = try lab.read { try $0.app("com.contoso.mytestapp1") }
    _ = try lab.perform(
      EditRecord(
        .app, record: before.bundleID, [try FieldChange("sdk=ADAL"), try FieldChange("displayName=Old")]))
    let app = try lab.read { try $0.app(before.bundleID) }
    let defaults = PlatformDefaults(.iOS, .adal)
    #expect(
      app.displayName == "Old" && app.sdkVersion == defaults.sdkVersion && app.scopes == defaults.scopes)
    #expect(app.queriesSchemes == defaults.queriesSchemes && app.brokerUse == .none)
    #expect(app.redirectURI == "x-msauth-com-contoso-mytestapp1://com.contoso.mytestapp1")
    #expect(app.urlSchemes == ["x-msauth-com-contoso-mytestapp1"])
  }

  /// An app with the setup of another platform, as an older version of the program could leave it.
  @Test func mixedUpAppsAreMendedByNamingTheirDevicesPlatform() throws {
    let lab = try Lab.temporary(try scenario("  device: {platform: Android}"))
    let right = try lab.read { $0.installed }
    let ios = PlatformDefaults(.iOS)
    try lab.store.write(nil) { store in
      for app in right {
        var app = app
        app.keychainAccessGroups = ios.accessGroups
        app.keychainSharingGroup = ios.sharingGroup
        app.queriesSchemes = ios.queriesSchemes
        app.redirectURI = PlatformDefaults.redirectURI(bundleID: app.bundleID)
        app.urlSchemes = ios.urlSchemes(for: app.redirectURI)
        try store.write(app, .app, "device-1/" + app.bundleID)
      }
    }
    _ = try lab.perform(EditRecord(.device, record: "device-1", [try FieldChange("platform=Android")]))
    for app in try lab.read({ $0.installed }) {
      #expect(app.keychainAccessGroups == [] && app.keychainSharingGroup == nil && app.queriesSchemes == [])
      #expect(
        MSALApplication(app: app, platform: .android).conditions.allSatisfy { $0.check.verdict == .passed })
    }
  }

  @Test func aMixedUpAppIsMendedByNamingItsPlatform() throws {
    let lab = try Lab.temporary(try scenario("  device: {platform: iOS}"))
    let id = try #require(try lab.read { $0.installed.first?.bundleID })
    _ = try lab.perform(EditRecord(.app, record: id, [try FieldChange("platform=Android")]))
    let app = try lab.read { try $0.app(id) }
    #expect(
      app.redirectURI == PlatformDefaults.androidRedirectURI(package: id, signatureHash: app.teamID))
    #expect(app.keychainAccessGroups == [] && app.keychainSharingGroup == nil && app.urlSchemes == [])
  }

  @Test(
    arguments: [
      (
        .macOS, "$(AppIdentifierPrefix)com.microsoft.identity.universalstorage",
        "msauth.com.contoso.fourth://auth"
      ),
      (.iOS, "$(AppIdentifierPrefix)com.microsoft.adalcache", "msauth.com.contoso.fourth://auth"),
      (.android, nil, "msauth://com.contoso.fourth/ga0RGNYHvNM5d0SLGQfpQWAPGJ8%3D"),
    ] as [(Platform, String?, String)])
  func anAppHasItsPlatformsGroupAndRedirectURI(_ platform: Platform, _ group: String?, _ uri: String) {
    let app = PlatformDefaults(platform).app(
      bundleID: Self.name, teamID: "ga0RGNYHvNM5d0SLGQfpQWAPGJ8=", clientID: "4b0d", vendor: "Contoso")
    #expect(app.keychainAccessGroups == [group].compactMap(\.self))
    #expect(app.redirectURI == uri)
    #expect(app.queriesSchemes == (platform == .android ? [] : ["msauthv2", "msauthv3"]))
  }

  @Test(
    arguments: [
      ("4.0.1", ["msauth"]), ("4.0.2", ["msauth", "msauthv3"]), (nil, ["msauth", "msauthv3"]),
    ] as [(String?, [String])])
  func aVersionOfADALAsksForItsBrokers(_ version: String?, _ schemes: [String]) {
    #expect(PlatformDefaults(.iOS, .adal, version: version).queriesSchemes == schemes)
  }
}
