import SSOCore
import Testing

@testable import SSODevice
@testable import SSOLab
@testable import SSOScenarios

/// `app add` and the SDK's own checks agree on an app's defaults.
struct PlatformDefaultsTests {
  private static let name = "com.contoso.fourth"

  /// The suite on a device of another platform.
  private func scenario(_ patch: String) throws -> ScenarioFile {
    let library = ScenarioLibrary()
    let text = "name: patched\ninherit: contoso-suite\npatch:\n\(patch)\n"
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
          bundleID: Self.name, teamID: mate.teamID, clientID: mate.clientID, vendor: mate.vendor))

    let checks = MSALApplication(app: added, platform: platform).conditions.map(\.check)
    #expect(!checks.isEmpty && checks.allSatisfy { $0.verdict == .passed }, "\(checks)")
    #expect(added.brokerCapability.verdict == .passed)
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
