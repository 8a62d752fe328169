import DoctorTestSupport
import Testing

@testable import SSODoctor

/// The lessons of the public projects of November 28: three false alarms and a miss.
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

  /// An app for tests replaces MSAL, so no part of MSAL needs a keychain group.
  @Test func anAppThatOnlyNamesMSALNeedsNoGroup() throws {
    var fixture = XcodeFixture()
    fixture.files["Mail/SignIn.swift"] = "import MSAL\nfinal class FakeResult: MSALResult {}\n"
    fixture.replace("com.microsoft.adalcache", with: "com.contoso.other", in: "Mail/Mail.entitlements")
    let findings = try Self.findings(fixture.files)
    #expect(
      findings.filter { $0.rule == .keychainGroup }.map(\.severity) == [.worksInSomeCases], "\(findings)")
  }

  /// A configuration with the same authority declares its host; the other may be left over.
  @Test(arguments: [
    (", knownAuthorities: ['contoso.b2clogin.com']", DoctorCheck.Severity.worksInSomeCases), ("", .fails),
  ])
  func aSecondConfigurationMayBeLeftOver(_ known: String, _ severity: DoctorCheck.Severity) throws {
    let auth =
      "clientId: '\(AndroidFixture.clientID)', authority: 'https://contoso.b2clogin.com/contoso.com/B2C_1_in'"
    let findings = try Self.findings([
      "package.json": #"{ "name": "board", "dependencies": { "@azure/msal-browser": "^4.0.0" } }"#,
      "src/app.ts": "import './old';\nconst config = { auth: { \(auth)\(known) } };",
      "src/old.ts": "const config = { auth: { \(auth) } };",
    ])
    #expect(findings.map(\.severity) == [severity], "\(findings)")
  }

  /// Azure.Identity brings in MSAL.NET, so a project need not name it.
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

  /// Entitlements for another system do not belong to the iOS app.
  @Test(arguments: [
    (
      "$(TargetFramework.Contains('-maccatalyst')) and '$(Configuration)' == 'Debug'",
      [DoctorRule.keychainGroup]
    ),
    ("$(TargetFramework.Contains('-ios'))", []), ("'$(Configuration)' == 'Debug'", []),
  ])
  func aConditionMayBeForAnotherSystem(_ condition: String, _ rules: [DoctorRule]) throws {
    let findings = try Self.findings([
      "Mail.csproj": """
      <Project>
        <PropertyGroup><UseMaui>true</UseMaui><ApplicationId>com.contoso.mail</ApplicationId></PropertyGroup>
        <PropertyGroup Condition="\(condition)">
          <CodesignEntitlements>Platforms/Own/Entitlements.plist</CodesignEntitlements>
        </PropertyGroup>
        <PackageReference Include="Microsoft.Identity.Client" Version="4.61.3" />
      </Project>
      """,
      "SignIn.cs":
        "using Microsoft.Identity.Client;\nbuilder.WithIosKeychainSecurityGroup(\"com.microsoft.adalcache\").Build();",
      "Platforms/iOS/Info.plist": "<plist version=\"1.0\"><dict></dict></plist>",
    ])
    #expect(findings.map(\.rule) == rules, "\(findings)")
    #expect(findings.allSatisfy { $0.fix?.contains("Platforms/iOS/Entitlements.plist:\n<key>") == true })
  }

  /// Another machine's absolute path leads to a file of this folder.
  @Test func anAbsolutePathOfAnotherMachineIsFound() throws {
    var fixture = XcodeFixture()
    fixture.replace(
      "INFOPLIST_FILE = Mail/Info.plist", with: "INFOPLIST_FILE = /Users/ada/work/Mail/Info.plist",
      in: XcodeMistake.projectFile)
    let diagnosis = try withFolder(of: fixture.files) { try Doctor.examine([$0]) }
    #expect(diagnosis.unread == [] && diagnosis.findings == [], "\(diagnosis.findings)")
  }

  /// A redirect URI that does not match the broker has to change together with the setting, or MSAL rejects it.
  @Test(arguments: [true, false])
  func theBrokerNeedsARedirectURIThatFits(_ fits: Bool) throws {
    var fixture = AndroidFixture()
    fixture.replace(
      "\"broker_redirect_uri_registered\": true", with: "\"broker_redirect_uri_registered\": false",
      in: AndroidFixture.configuration)
    if !fits {
      fixture.replace(
        "msauth://com.contoso.notes/", with: "msauth://com.contoso.other/", in: AndroidFixture.configuration)
    }
    try withFolder(of: fixture.files) { folder in
      let finding = try #require(try Doctor.examine([folder]).findings.first { $0.rule == .brokerUnused })
      let lines = try #require(finding.fix).split(separator: "\n")
      #expect(lines.count == (fits ? 1 : 2) && finding.mistake.hasSuffix("does not fit") == !fits)
      #expect(lines.first == "\"broker_redirect_uri_registered\": true")
      #expect(lines.last?.contains("msauth://com.contoso.notes/") == !fits)
      // The developer has written `false`.
      #expect(Repair(finding) == nil)
    }
  }

  /// Flutter's msal_mobile passes its asset to MSAL, with a redirect URI for iOS.
  @Test(arguments: [
    ("SINGLE", "com.contoso.notes", [DoctorRule]()),
    ("MULTIPLE", "com.contoso.notes", [.androidConfiguration]),
    ("SINGLE", "com.contoso.other", [.browserTabActivity]),
  ])
  func anAssetOfFlutterIsRead(_ mode: String, _ host: String, _ rules: [DoctorRule]) throws {
    let android = AndroidFixture().files
    var files = Dictionary(
      uniqueKeysWithValues: android.filter { $0.key.hasPrefix("app/") && !$0.key.contains("/java/") }
        .map { ("android/" + $0.key, $0.value) })
    let raw = "android/" + AndroidFixture.configuration
    files["assets/auth_config.json"] = files.removeValue(forKey: raw)?.replacing(
      "\"authorities\"", with: "\"account_mode\": \"\(mode)\", \"authorities\"")
    files["android/" + AndroidFixture.manifest] = files["android/" + AndroidFixture.manifest]?.replacing(
      "${applicationId}", with: host)
    files["pubspec.yaml"] =
      "name: notes\ndependencies:\n  flutter:\n    sdk: flutter\n  msal_mobile: ^0.1.4\n"
    files["lib/auth.dart"] = "final app = await MsalMobile.create('assets/auth_config.json', authority);"
    let findings = try Self.findings(files)
    #expect(findings.filter { $0.severity == .fails }.map(\.rule) == rules, "\(findings)")
  }

  /// The redirect URI for iOS in the asset of msal_mobile shows that the app is one for iOS.
  @Test(arguments: [
    ("ios_redirect_uri", DoctorCheck.Severity.fails), ("redirect_uri", .worksInSomeCases),
  ])
  func anAssetNamesTheRedirectURIForIOS(_ key: String, _ severity: DoctorCheck.Severity) throws {
    var fixture = XcodeFixture()
    for (path, text) in fixture.files where text.contains("MSAL") { fixture.files[path] = "" }
    fixture.files["Mail/Info.plist"] = "<plist version=\"1.0\"><dict></dict></plist>"
    fixture.files["Mail/Mail.entitlements"] = "<plist version=\"1.0\"><dict></dict></plist>"
    var files = Dictionary(uniqueKeysWithValues: fixture.files.map { ("ios/" + $0.key, $0.value) })
    files["pubspec.yaml"] =
      "name: mail\ndependencies:\n  flutter:\n    sdk: flutter\n  msal_mobile: ^0.1.4\n"
    files["assets/auth.json"] =
      #"{ "client_id": "1", "\#(key)": "msauth.com.contoso.mail://auth", "authorities": [] }"#
    let findings = try Self.findings(files).filter { $0.rule == .urlScheme }
    #expect(findings.map(\.severity) == [severity], "\(findings)")
  }

  /// A filter without a host takes every host and path of its scheme.
  @Test func aFilterWithoutAHostTakesAllOfItsScheme() throws {
    var fixture = AndroidFixture()
    fixture.replace("android:host=\"${applicationId}\"", with: "", in: AndroidFixture.manifest)
    fixture.replace("android:path=\"/\(AndroidFixture.hash)\"", with: "", in: AndroidFixture.manifest)
    #expect(try Self.findings(fixture.files) == [])
  }

  /// An empty client ID beside an empty tenant belongs to a template.
  @Test func anEmptyTenantIsATemplates() throws {
    let findings = try Self.findings([
      "package.json": #"{ "name": "board", "dependencies": { "@azure/msal-browser": "^4.0.0" } }"#,
      "src/environment.ts": "export const environment = { clientId: '', tenantId: '' };",
      "src/app.ts": """
      import { environment } from './environment';
      const config = { auth: { clientId: environment.clientId, redirectUri: 'http://localhost:4200',
        authority: `https://login.microsoftonline.com/${environment.tenantId}` } };
      """,
    ])
    #expect(findings.map(\.severity) == [.notFilledIn], "\(findings)")
  }

  /// A team may be written out, unless a file says that it is another one.
  @Test(arguments: [
    ("A1B2C3D4E5.com.microsoft.adalcache", 0), ("$(TeamIdentifierPrefix)com.microsoft.adalcache", 0),
    ("contoso.com.microsoft.adalcache", 1),
  ])
  func aTeamMayBeWrittenOut(_ group: String, _ count: Int) throws {
    let group = "<key>keychain-access-groups</key><array><string>\(group)</string></array>"
    let findings = try Self.findings([
      "Mail.csproj": """
      <Project>
        <PropertyGroup><UseMaui>true</UseMaui><ApplicationId>com.contoso.mail</ApplicationId></PropertyGroup>
        <PackageReference Include="Microsoft.Identity.Client" Version="4.66.0" />
      </Project>
      """,
      "SignIn.cs": "using Microsoft.Identity.Client;\nPublicClientApplicationBuilder.Create(id).Build();",
      "Platforms/iOS/Info.plist": "<plist version=\"1.0\"><dict></dict></plist>",
      "Platforms/iOS/Entitlements.plist": "<plist version=\"1.0\"><dict>\(group)</dict></plist>",
    ])
    #expect(findings.filter { $0.rule == .keychainGroup }.count == count, "\(findings)")
  }

  /// Version 1 of MSAL.NET keeps its tokens in the app's own keychain group.
  @Test(arguments: [
    ("<PackageReference Include=\"Microsoft.Identity.Client\" Version=\"1.1.0-preview\" />", "", 0),
    ("<PackageReference Include=\"Microsoft.Identity.Client\" Version=\"2.7.1\" />", "", 1),
    (
      "<Reference Include=\"Microsoft.Identity.Client\"></Reference>",
      "<package id=\"Microsoft.Identity.Client\" version=\"1.1.0-preview\" />", 0
    ),
    ("<Reference Include=\"Microsoft.Identity.Client\"></Reference>", "", 1),
  ])
  func theFirstMSALOfDotNetUsesTheAppsOwnGroup(_ reference: String, _ packages: String, _ count: Int) throws {
    let findings = try Self.findings([
      "Mail.csproj": """
      <Project>
        <PropertyGroup><UseMaui>true</UseMaui><ApplicationId>com.contoso.mail</ApplicationId></PropertyGroup>
        \(reference)
      </Project>
      """,
      "packages.config": packages,
      "SignIn.cs": "using Microsoft.Identity.Client;\nPublicClientApplicationBuilder.Create(id).Build();",
      "Platforms/iOS/Info.plist": "<plist version=\"1.0\"><dict></dict></plist>",
      "Platforms/iOS/Entitlements.plist": "<plist version=\"1.0\"><dict></dict></plist>",
    ])
    #expect(findings.filter { $0.rule == .keychainGroup }.count == count, "\(findings)")
  }

  /// Another library's configuration need not be one that MSAL could read.
  @Test(arguments: [("discovery_uri", 0), ("account_mode", 1)])
  func aBrokenFileOfAnotherLibraryIsNotReported(_ key: String, _ count: Int) throws {
    var fixture = AndroidFixture()
    fixture.files["app/src/main/res/raw/other.json"] =
      #"{ "client_id": "notes", "redirect_uri": "com.contoso.notes:/in", "\#(key)": "x" }z"#
    let diagnosis = try withFolder(of: fixture.files) { try Doctor.examine([$0]) }
    #expect(diagnosis.unread.count == count, "\(diagnosis.unread)")
  }

  /// The libraries of another project, and a copy of MSAL itself, are not part of the app.
  @Test(arguments: [
    ("lib", "com.contoso.lib", 1), ("lib", "com.microsoft.identity.msal", 0),
    ("copy/lib", "com.contoso.lib", 0),
  ])
  func onlyLibrariesOfTheProjectAreMerged(_ folder: String, _ package: String, _ count: Int) throws {
    var files = AndroidFixture().files
    files["settings.gradle"] = "include ':app', ':lib'"
    files["copy/settings.gradle"] = "include ':lib'"
    files["\(folder)/build.gradle"] =
      "plugins { id 'com.android.library' }\nandroid { namespace '\(package)' }"
    files["\(folder)/src/main/AndroidManifest.xml"] = "<manifest><application></application></manifest>"
    files["\(folder)/src/main/res/raw/default_config.json"] =
      #"{ "authorization_user_agent": "DEFAULT", "authorities": [ { "type": "AAD", "audience": { "type": "None" } } ] }"#
    let findings = try Self.findings(files).filter { $0.rule == .authority }
    #expect(findings.count == count, "\(findings)")
  }

  // MARK: December 3

  /// A formatter breaks a long template inside of `${`.
  @Test(arguments: [("contoso.onmicrosoft.com", 0), ("https://login.microsoftonline.com/contoso.com", 1)])
  func aTemplateMayHaveSeveralLines(_ tenant: String, _ count: Int) throws {
    let findings = try Self.findings([
      "package.json": #"{ "name": "board", "dependencies": { "@azure/msal-browser": "^4.0.0" } }"#,
      ".env": "VITE_TENANT=\(tenant)\n",
      "src/auth.ts": """
      export const config = {
        auth: {
          clientId: '\(AndroidFixture.clientID)',
          authority: `https://login.microsoftonline.com/${
            import.meta.env.VITE_TENANT
          }`,
        },
      };
      """,
    ])
    #expect(findings.map(\.rule) == Array(repeating: .authority, count: count), "\(findings)")
  }

  /// B2C itself gives every policy its prefix.
  @Test(arguments: [("B2C_1_in", 0), ("b2c_1a_in", 0), ("B2C1_in", 1)])
  func everyPolicyHasThePrefix(_ policy: String, _ count: Int) throws {
    let findings = try Self.findings([
      "package.json": #"{ "name": "board", "dependencies": { "@azure/msal-browser": "^4.0.0" } }"#,
      "src/auth.ts": """
      export const config = {
        auth: {
          clientId: '\(AndroidFixture.clientID)', knownAuthorities: ['contoso.b2clogin.com'],
          authority: 'https://contoso.b2clogin.com/contoso.onmicrosoft.com/\(policy)',
        },
      };
      """,
    ])
    #expect(findings.map(\.severity) == Array(repeating: .worksInSomeCases, count: count), "\(findings)")
  }

  /// A guard and an interceptor show a page if no token is cached.
  @Test(arguments: [("Redirect", 0), ("Silent", 1)])
  func aGuardIsNotSilent(_ interaction: String, _ count: Int) throws {
    let findings = try Self.findings([
      "package.json":
        #"{ "name": "board", "dependencies": { "@azure/msal-browser": "^4.0.0", "@azure/msal-angular": "^4.0.0" } }"#,
      "src/app.module.ts": """
      import { MsalModule } from '@azure/msal-angular';
      import { InteractionType, PublicClientApplication } from '@azure/msal-browser';
      const lamp = new PublicClientApplication({ auth: { clientId: '\(AndroidFixture.clientID)' } });
      export const parts = MsalModule.forRoot(
        lamp,
        { interactionType: InteractionType.\(interaction) },
        { interactionType: InteractionType.Popup, protectedResourceMap: new Map() });
      """,
    ])
    #expect(findings.map(\.rule) == Array(repeating: .pageStart, count: count), "\(findings)")
    #expect(findings.allSatisfy { $0.place.line == 6 })
  }

  /// The system does not start an activity that is disabled.
  @Test(arguments: [("true", 0), ("false", 1)])
  func theActivityIsEnabled(_ isEnabled: String, _ count: Int) throws {
    var fixture = AndroidFixture()
    fixture.files["registration.json"] = nil
    fixture.replace(
      "android:exported=\"true\"", with: "android:exported=\"true\" android:enabled=\"\(isEnabled)\"",
      in: AndroidFixture.manifest)
    let findings = try Self.findings(fixture.files)
    #expect(findings.map(\.rule) == Array(repeating: .browserTabActivity, count: count), "\(findings)")
  }
}
