import DoctorTestSupport
import Testing

@testable import SSODoctor

/// What the set of public projects of November 28 taught: three false alarms and a miss.
@Suite struct FreshProjectTests {
  private static func findings(_ files: [String: String]) throws -> [DoctorCheck] {
    try withFolder(of: files) { try Doctor.examine([$0]) }.findings
  }

  /// The class of an authority says that there is no broker, though its URL is one of Azure AD.
  @Test func theClassOfAnAuthorityDecidesWhetherThereIsABroker() throws {
    var fixture = XcodeFixture()
    fixture.replace("try MSALAADAuthority", with: "try MSALB2CAuthority", in: "Mail/SignIn.swift")
    fixture.files["Mail/SceneDelegate.swift"] =
      "import UIKit\nclass SceneDelegate: UIResponder, UIWindowSceneDelegate {}"
    let findings = try Self.findings(fixture.files)
    #expect(findings.allSatisfy { $0.severity != .fails }, "\(findings)")
    #expect(findings.map(\.mistake) == ["The B2C authority lacks its tenant or policy"])
  }

  /// An app for tests replaces MSAL, so nothing of MSAL's needs a keychain group.
  @Test func anAppThatOnlyNamesMSALNeedsNoGroup() throws {
    var fixture = XcodeFixture()
    fixture.files["Mail/SignIn.swift"] = "import MSAL\nfinal class FakeResult: MSALResult {}\n"
    fixture.replace("com.microsoft.adalcache", with: "com.contoso.other", in: "Mail/Mail.entitlements")
    let findings = try Self.findings(fixture.files)
    #expect(
      findings.filter { $0.rule == .keychainGroup }.map(\.severity) == [.worksInSomeCases], "\(findings)")
  }

  /// A configuration of the same authority declares its host; the other one may be left over.
  @Test(arguments: [
    (", knownAuthorities: ['contoso.b2clogin.com']", DoctorCheck.Severity.worksInSomeCases), ("", .fails),
  ])
  func aSecondConfigurationMayBeLeftOver(_ known: String, _ severity: DoctorCheck.Severity) throws {
    let auth =
      "clientId: '\(AndroidFixture.clientID)', authority: 'https://contoso.b2clogin.com/contoso.com/B2C_1_in'"
    let findings = try Self.findings([
      "package.json": #"{ "name": "board", "dependencies": { "@azure/msal-browser": "^4.0.0" } }"#,
      "src/app.ts": "const config = { auth: { \(auth)\(known) } };",
      "src/old.ts": "const config = { auth: { \(auth) } };",
    ])
    #expect(findings.map(\.severity) == [severity], "\(findings)")
  }

  /// Azure.Identity brings MSAL.NET, so a project need not name it.
  @Test(arguments: [
    ("PublicClientApplicationBuilder.Create(id).Build();", [DoctorRule.keychainGroup]),
    ("var credential = new DefaultAzureCredential();", []),
  ])
  func msalMayComeWithAnotherPackage(_ code: String, _ rules: [DoctorRule]) throws {
    let findings = try Self.findings([
      "Mail.csproj": """
      <Project>
        <PropertyGroup><UseMaui>true</UseMaui><ApplicationId>com.contoso.mail</ApplicationId></PropertyGroup>
        <PackageReference Include="Azure.Identity" Version="1.12.0" />
      </Project>
      """,
      "SignIn.cs": "using Microsoft.Identity.Client;\n\(code)",
      "Platforms/iOS/Info.plist": "<plist version=\"1.0\"><dict></dict></plist>",
    ])
    #expect(findings.map(\.rule) == rules, "\(findings)")
  }
}
