import Foundation
import Testing

@testable import DoctorTestSupport
@testable import SSODevice
@testable import SSODoctor
@testable import SSOProvider

/// Doctor accepts the output of `ssoterm app show --as`.
struct ProjectExportTests {
  private static let hash = "1wIqXSqBj7w+h11ZifsnqwgyKrY="

  private func export(
    _ platform: Platform, _ sdk: SDKKind = .msal, teamID: String = "A1B2C3D4E5", group: String?? = nil,
    _ change: (inout InstalledApp) -> Void = { _ in }
  ) -> ProjectExport {
    var app = PlatformDefaults(platform, sdk).app(
      bundleID: "com.contoso.notes", teamID: teamID, clientID: "8a2c1d4e-6f3b-4a57-9c80-1e2d3f4a5b6c",
      vendor: "Contoso")
    app.displayName = "Notes & more"
    if let group {
      app.keychainSharingGroup = group
      app.keychainAccessGroups = [group].compactMap { $0.map { "$(AppIdentifierPrefix)" + $0 } }
    }
    change(&app)
    app = app.asInstalled(on: platform)
    let registration = ClientRegistration(
      clientID: app.clientID, displayName: "Notes", publisher: "Contoso", redirectURIs: [app.redirectURI])
    return ProjectExport(of: app, registration)
  }

  private func findings(_ files: [ProjectExport.File]) throws -> (subjects: Int, findings: [DoctorCheck]) {
    let texts = Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.text) })
    return try withFolder(of: texts) { folder in
      let diagnosis = try Doctor.examine(
        files.contains { $0.path == "app/build.gradle" }
          ? [folder, folder + "/registration.json"]
          : files.contains { $0.path == "Setup.swift" } ? [folder] : files.map { folder + "/" + $0.path })
      return (diagnosis.apple.count + diagnosis.android.count, diagnosis.findings)
    }
  }

  @Test(arguments: [Platform.iOS, .macOS]) func anAppleAppsFilesAreInOrder(_ platform: Platform) throws {
    let export = export(platform)
    let (subjects, findings) = try findings(export.files(.plist) + export.files(.manifest))
    #expect(subjects == 1 && findings == [], "\(findings)")
  }

  /// The developer's own group, and the private cache, are set in code.
  @Test(arguments: [SDKKind.msal, .adal], ["com.contoso.shared", nil] as [String?])
  func anAppWithItsOwnGroupIsInOrder(_ sdk: SDKKind, _ group: String?) throws {
    let export = export(.iOS, sdk, group: .some(group))
    let (subjects, findings) = try findings(export.files(.plist))
    #expect(subjects == 1 && findings == [], "\(findings)")
  }

  @Test func anAndroidAppsFilesAreInOrder() throws {
    let export = export(.android, teamID: Self.hash)
    let (subjects, findings) = try findings(export.files(.android) + export.files(.manifest))
    #expect(subjects == 1 && findings == [], "\(findings)")
  }

  /// Doctor finds the lab's mistake.
  @Test(arguments: [
    ("https://fabrikam.b2clogin.com/tfp/fabrikam.onmicrosoft.com/b2c_1_signin", "B2C"),
    ("https://fabrikam.ciamlogin.com/fabrikam.onmicrosoft.com", "CIAM"),
    ("https://login.microsoftonline.com/organizations", "AAD"),
  ])
  func theConfigurationHasTheAuthoritysTypeAndTheWebView(_ authority: String, _ type: String) throws {
    let export = export(.android, teamID: Self.hash) {
      $0.authority = authority
      $0.webView = .embedded
    }
    let text = export.files(.android)[2].text
    #expect(text.contains("\"type\" : \"\(type)\""))
    #expect(text.contains("\"authorization_user_agent\" : \"WEBVIEW\""))
    #expect(try findings(export.files(.android) + export.files(.manifest)).findings == [])
  }

  @Test func anAndroidAppsMistakeIsInItsFiles() throws {
    let other = PlatformDefaults.androidRedirectURI(
      package: "com.contoso.notes", signatureHash: "ga0RGNYHvNM5d0SLGQfpQWAPGJ8=")
    let moved = export(.android, teamID: Self.hash) { $0.redirectURI = other }
    let manifest = moved.files(.android)[1].text
    #expect(manifest.contains("android:path=\"/ga0RGNYHvNM5d0SLGQfpQWAPGJ8=\""))
    let without = export(.android, teamID: Self.hash) { $0.urlForwarding = .neither }
    #expect(!without.files(.android)[1].text.contains("BrowserTabActivity"))
    let (_, found) = try findings(without.files(.android) + without.files(.manifest))
    #expect(found.map(\.rule) == [.browserTabActivity], "\(found)")
  }

  /// The manifest is Microsoft Graph's, the only one that the admin center takes, and doctor reads the same registration
  /// from it.
  @Test func theManifestIsMicrosoftGraphs() throws {
    var registration = ClientRegistration(
      clientID: "8a2c1d4e-6f3b-4a57-9c80-1e2d3f4a5b6c", displayName: "Notes", publisher: "Contoso",
      redirectURIs: ["msauth.com.contoso.notes://auth"])
    registration.webRedirectURIs = ["https://notes.contoso.com/signin"]
    registration.spaRedirectURIs = ["https://notes.contoso.com/app"]
    registration.isMultiTenant = false
    registration.accessTokenVersion = 2
    registration.allowsPublicClient = false
    let app = PlatformDefaults(.iOS).app(
      bundleID: "com.contoso.notes", teamID: "A1B2C3D4E5", clientID: registration.clientID, vendor: "Contoso")
    let file = ProjectExport(of: app, registration).files(.manifest)[0]
    #expect(!file.text.contains("replyUrlsWithType") && !file.text.contains("allowPublicClient"))
    let read = try #require(try RegistrationFacts.read(Data(file.text.utf8), path: file.path)?.registration)
    registration.publisher = ""
    #expect(read == registration)
    registration.accounts = .organizations
    registration.isMultiTenant = true
    let several = ProjectExport(of: app, registration).files(.manifest)[0].text
    #expect(several.contains("\"AzureADMultipleOrgs\""))
    registration.accounts = nil
    registration.accessTokenVersion = nil
    let every = ProjectExport(of: app, registration).files(.manifest)[0].text
    #expect(every.contains("\"AzureADandPersonalMicrosoftAccount\""))
    #expect(every.contains("\"requestedAccessTokenVersion\" : 2"))
  }

  @Test func anAppsFilesFollowItsPlatform() {
    #expect(
      export(.iOS).ownForm == .plist && export(.android).ownForm == .android
        && export(.windows).ownForm == nil)
    #expect(export(.iOS).files(.plist)[0].text.contains("<string>Notes &amp; more</string>"))
  }
}
