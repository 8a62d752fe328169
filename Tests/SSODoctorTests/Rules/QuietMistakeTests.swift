import DoctorTestSupport
import SSOCore
import SSODevice
import Testing

@testable import SSODoctor

/// Mistakes of which a build or a provider says little, and files of libraries that no app uses.
@Suite struct QuietMistakeTests {
  private static func findings(_ files: [String: String]) throws -> [DoctorCheck] {
    try withFolder(of: files) { try Doctor.examine([$0]) }.findings
  }

  private static func mistakes(_ files: [String: String]) throws -> [String] {
    try findings(files).map(\.mistake)
  }

  private static func list(_ entries: [(String, String)]) -> String {
    let lines = entries.map { "<key>\($0)</key>\n<string>\($1)</string>" }
    return "<plist version=\"1.0\">\n<dict>\n\(lines.joined(separator: "\n"))\n</dict>\n</plist>\n"
  }

  // MARK: Auth0 for iOS

  private static let values = [
    ("ClientId", "k3J5m7P9q1R3s5T7u9V1w3X5y7Z9a1B3"), ("Domain", "lamp.eu.auth0.com"),
  ]
  private static let call = "import Auth0\nfunc enter() { Auth0.webAuth().start { print($0) } }\n"

  /// A list of a library that nothing uses is not one of the app, and with every call in a comment it may not be read.
  @Test(arguments: [
    ("import UIKit\n", "", nil), (call, "", DoctorCheck.Severity.fails),
    ("import UIKit\n", "pod 'Auth0', '~> 2.0'\n", .fails),
    ("import Auth0\n// Auth0.webAuth().start { print($0) }\n", "", .worksInSomeCases),
  ])
  func aListBelongsToALibrary(_ code: String, _ pods: String, _ severity: DoctorCheck.Severity?) throws {
    let findings = try Self.findings([
      "Lamp/Auth0.plist": Self.list([("Auth0ClientID", "k3J5"), ("Auth0Domain", "lamp.eu.auth0.com")]),
      "Lamp/Lamp.swift": code, "Podfile": pods,
    ])
    #expect(findings.map(\.severity) == [severity].compactMap(\.self), "\(findings)")
  }

  /// The library reads one file, which a phase of the target copies; a build file alone copies nothing.
  @Test(arguments: [
    ("Auth0.plist", "A1 /* Auth0.plist in Resources */,", "", [String]()),
    ("Auth0.plist", "", "", ["Auth0.plist is not in the app"]),
    ("Auth0-Lamp.plist", "", "", ["Auth0.plist has another name"]),
    ("Auth0-Lamp.plist", "", "let name = \"Auth0-Lamp\"\n", []),
  ])
  func theListIsInTheApp(_ name: String, _ phase: String, _ code: String, _ mistakes: [String]) throws {
    let project = """
      // !$*UTF8*$!
      { objects = {
        A1 /* \(name) in Resources */ = {isa = PBXBuildFile; fileRef = A2 /* \(name) */; };
        A3 = { isa = PBXResourcesBuildPhase; files = (
          \(phase)
          B1 /* Main.storyboard in Resources */,
        ); };
      }; rootObject = R; }
      """
    let found = try Self.mistakes([
      "Lamp/\(name)": Self.list(Self.values), "Lamp/Lamp.swift": Self.call + code,
      "Lamp.xcodeproj/project.pbxproj": project,
    ])
    #expect(found == mistakes)
  }

  @Test(arguments: [("lamp.eu.auth0.com", 0), ("manage.auth0.com", 1), ("auth0.com", 1)])
  func theDomainIsATenants(_ domain: String, _ count: Int) throws {
    let found = try Self.mistakes(["Lamp/Auth0.plist": Self.list([Self.values[0], ("Domain", domain)])])
    #expect(found == Array(repeating: "The domain is not a tenant's", count: count))
  }

  /// A macro of a header may have the client ID.
  @Test(arguments: [("# define LAMP @\"VALUE\"", 1), ("#define OTHER @\"VALUE\"", 0)])
  func aMacroHasTheClientOfGoogle(_ line: String, _ count: Int) throws {
    var files = VendorTests.google(scheme: "com.lamp")
    files["Notes/Info.plist"] = files["Notes/Info.plist"]?.replacing("GIDClientID", with: "Lamp")
    files["Notes/Keys.h"] = line.replacing("VALUE", with: "81234567890-k2j4.apps.googleusercontent.com")
    files["Notes/Lamp.m"] =
      "#import <GoogleSignIn/GoogleSignIn.h>\n[GIDSignIn sharedInstance].clientID = LAMP;\n"
    #expect(try Self.findings(files).count == count)
  }

  /// An app for a watch, which an app for iOS contains, does not sign in with Google.
  @Test(arguments: [("", 1), ("<key>WKWatchKitApp</key>\n<true/>", 0)])
  func anAppOfAWatchIsNotOfGoogle(_ key: String, _ count: Int) throws {
    var files = VendorTests.google(scheme: "com.lamp")
    files["Notes/Info.plist"] = files["Notes/Info.plist"]?.replacing(
      "<key>GIDClientID</key>", with: "\(key)\n<key>GIDClientID</key>")
    #expect(try Self.findings(files).count == count)
  }

  // MARK: Property lists of Apple's systems

  @Test func aMissingInfoPlistIsFound() throws {
    var fixture = XcodeFixture()
    fixture.replace("Mail/Info.plist", with: "Support/Lamp.plist", in: XcodeMistake.projectFile)
    let found = try fixture.diagnosis().findings.filter { $0.mistake == "The Info.plist is missing" }
    #expect(
      !found.isEmpty && found.allSatisfy { $0.severity == .fails && $0.place.path.hasSuffix(".pbxproj") })
    fixture.files[".gitignore"] = "Support/Lamp.plist\n"
    let ignored = try fixture.diagnosis().findings.filter { $0.mistake == "The Info.plist is missing" }
    #expect(!ignored.isEmpty && ignored.allSatisfy(\.isQuestion))
  }

  @Test(arguments: [
    ("</array>", "", DoctorCheck.Severity.fails), ("msauthv3<", "<your_scheme><", .notFilledIn),
  ])
  func anInfoPlistIsAPropertyList(_ old: String, _ new: String, _ severity: DoctorCheck.Severity) throws {
    var fixture = XcodeFixture()
    fixture.replace(old, with: new, in: "Mail/Info.plist")
    let found = try fixture.diagnosis().findings.filter {
      $0.subject == "Mail" && $0.place.path.hasSuffix("Info.plist")
    }
    #expect(found.map(\.severity) == [severity], "\(found)")
  }

  /// A requirement decides the version without a lock file, however it is written.
  @Test(arguments: [
    ("pod 'ADALiOS', '~>1.0.0'", "1.0.0"), ("pod 'ADAL', '< 1.1'", "1.0.0"), ("pod 'ADAL', '~>2.0'", nil),
    ("pod 'ADALiOS', '>=0.5', '<1.0.2'", "1.0.1"), ("pod \"ADAL\", \"1.0.2\"", "1.0.2"),
  ])
  func aRequirementIsReadInEachForm(_ line: String, _ version: String?) throws {
    try withFolder(of: ["Podfile": "target 'Lamp' do\n  \(line)\nend\n"]) { folder in
      #expect(PackageVersions.read(beside: folder + "/Lamp.xcodeproj")[.adal] == version)
    }
  }

  @Test(arguments: [
    ("kind = upToNextMajorVersion;\n minimumVersion = 1.1.5;", "1.9.0"),
    ("kind = exactVersion;\n version = 1.2.3;", "1.2.3"), ("kind = branch;\n branch = main;", nil),
    ("kind = upToNextMinorVersion;\n minimumVersion = \"1.3.1\";", "1.3.1"),
    ("kind = versionRange;\n maximumVersion = 2.0.0;\n minimumVersion = 1.1.0;", "1.9.0"),
    ("kind = upToNextMajorVersion;\n minimumVersion = 2.1.0;", nil),
  ])
  func aProjectsReferenceIsARequirement(_ requirement: String, _ version: String?) throws {
    let file = """
      repositoryURL = "https://github.com/AzureAD/microsoft-authentication-library-for-objc";
      requirement = {
      \(requirement)
      };
      """
    #expect(VersionRequirement(inProject: file)?.newest(of: .msal) == version)
  }

  @Test(arguments: [("LAMP_CLIENTID", 1), ("LAMP_COLOR", 0)])
  func aMisspeltKeyOfInfoPlistIsSeenInComputedValues(_ key: String, _ count: Int) throws {
    var fixture = XcodeFixture()
    fixture.replace("<dict>", with: "<dict>\n<key>\(key)</key>\n<string>a</string>", in: "Mail/Info.plist")
    fixture.replace(
      "static let clientID = \"\(XcodeFixture.clientID)\"",
      with: "static var clientID: String { Store.shared.make() }", in: "Mail/SignIn.swift")
    fixture.files["Mail/SignIn.swift"]? +=
      "\nfunc load() { Store.id = Bundle.main.object(forInfoDictionaryKey: \"LAMP_CLIENT_ID\") as? String }\n"
    let found = try fixture.diagnosis().findings.filter { $0.rule == .clientID && $0.subject == "Mail" }
    #expect(found.map(\.mistake) == Array(repeating: "LAMP_CLIENT_ID is misspelt", count: count), "\(found)")
  }

  // MARK: IDs

  private static let id = AndroidFixture.clientID

  /// The ID of a directory is never that of an app.
  @Test func theTenantIsNotTheClient() throws {
    let mistake = "Client ID and tenant ID are the same"
    let address = "https://login.microsoftonline.com/"
    let page = try Self.mistakes([
      "package.json": #"{ "dependencies": { "@azure/msal-browser": "^4.0.0" } }"#,
      "src/auth.js":
        "export const config = { auth: { clientId: '\(Self.id)', authority: '\(address)\(Self.id)' } };",
    ])
    #expect(page == [mistake])
    var fixture = XcodeFixture()
    fixture.replace(address + "common", with: address + XcodeFixture.clientID, in: "Mail/SignIn.swift")
    #expect(try fixture.diagnosis().findings.filter { $0.subject == "Mail" }.map(\.mistake) == [mistake])
  }

  // MARK: Pages

  private static func page(_ authority: String, _ code: String = "", known: String = "") throws
    -> [DoctorCheck]
  {
    try findings([
      "package.json": #"{ "main": "src/auth.js", "dependencies": { "@azure/msal-browser": "^4.0.0" } }"#,
      "src/auth.js": """
      import { PublicClientApplication } from "@azure/msal-browser";
      const app = new PublicClientApplication({ auth: { clientId: "\(id)", authority: "\(authority)",
        knownAuthorities: ["lamp.b2clogin.com"] } });
      await app.initialize();
      \(code)
      """,
    ])
  }

  @Test(arguments: [
    ("https://login.microsoftonline.com/https://lamp.onmicrosoft.com", [DoctorCheck.Severity.fails]),
    ("https://lamp.b2clogin.com/bulb.onmicrosoft.com/B2C_1_in", [.worksInSomeCases]),
    ("https://lamp.b2clogin.com/lamp.onmicrosoft.com/B2C_1_in", []),
    ("https://lamp.b2clogin.com/tfp/lamp.onmicrosoft.com/B2C_1_in", []),
  ])
  func theAuthorityNamesItsTenant(_ authority: String, _ severities: [DoctorCheck.Severity]) throws {
    #expect(try Self.page(authority).filter { $0.rule == .authority }.map(\.severity) == severities)
  }

  @Test(arguments: [
    ("User.Read", 1), ("https://graph.microsoft.com/User.Read", 1), ("openid", 0), ("profile", 0),
    ("https://lamp.onmicrosoft.com/api/Read", 0),
  ])
  func userFlowsHaveNoPermissionsOfGraph(_ scope: String, _ count: Int) throws {
    let found = try Self.page(
      "https://lamp.b2clogin.com/lamp.onmicrosoft.com/B2C_1_in",
      "app.loginPopup({ scopes: [\"\(scope)\"] });")
    #expect(
      found.filter { $0.rule == .requestScopes }.map(\.severity) == Array(repeating: .fails, count: count))
  }

  /// Requests have types, with or without their module.
  @Test(arguments: ["request", "request: PopupRequest", "request: msal.PopupRequest"])
  func aTypeIsNotTheNameOfARequest(_ declaration: String) throws {
    let found = try Self.page(
      "https://lamp.b2clogin.com/lamp.onmicrosoft.com/B2C_1_in",
      "const \(declaration) = { scopes: [\"User.Read\"] };\napp.loginPopup(request);")
    #expect(found.map(\.mistake) == ["B2C has no permissions of Graph"], "\(found)")
  }

  /// B2C knows a tenant by its domain or its ID, and no service answers at the domain itself.
  @Test(arguments: [
    ("lamp.b2clogin.com/lamp.onmicrosoft.com/B2C_1_in", nil),
    ("lamp.b2clogin.com/tfp/5a3c1e7b-9d2f-4b8a-8c6e-0f1d2a3b4c5d/B2C_1_in", nil),
    ("lamp.b2clogin.com/lamp/B2C_1_in", "The tenant is neither an ID nor a domain"),
    ("lamp.b2clogin.com/tfp/lamp/B2C_1_in", "The tenant is neither an ID nor a domain"),
    ("lamp.onmicrosoft.com/lamp.onmicrosoft.com/B2C_1_in", "The authority's host is misspelt"),
    ("lamp.onmicrosoft.com", "The authority's host is misspelt"),
  ])
  func aTenantHasItsPlaceInAnAuthorityOfB2C(_ address: String, _ mistake: String?) throws {
    let found = try Self.page("https://" + address, "app.loginPopup({ scopes: [\"openid\"] });")
    #expect(found.map(\.mistake) == [mistake].compactMap(\.self), "\(found)")
    #expect(found.allSatisfy { $0.severity == .fails })
  }

  /// An object that no other file names asks for nothing.
  @Test(arguments: [("", 0), ("import { other } from './auth'; use(other);", 1)])
  func anUnusedObjectIsNoRequest(_ code: String, _ count: Int) throws {
    let address = "https://lamp.b2clogin.com/lamp.onmicrosoft.com/B2C_1_in"
    let found = try Self.mistakes([
      "package.json": #"{ "dependencies": { "@azure/msal-browser": "^4.0.0" } }"#,
      "src/auth.js": """
      import { PublicClientApplication } from "@azure/msal-browser";
      export const config = { auth: { clientId: "\(Self.id)", authority: "\(address)",
        knownAuthorities: ["lamp.b2clogin.com"] } };
      export const other = { id: "a", scopes: ["user.read"] };
      """, "src/page.js": code,
    ])
    #expect(found == Array(repeating: "B2C has no permissions of Graph", count: count))
  }

  /// The redirect URI of a request replaces the configuration's, and one slash makes no URL.
  @Test(arguments: [
    (
      "app.loginRedirect({ scopes: [], redirectUri: \"lamp.example/back\" });",
      ["The redirect URI has no scheme"]
    ),
    (
      "app.loginRedirect({ scopes: [], redirectUri: \"http:/localhost:3000\" });",
      ["The redirect URI lacks a slash"]
    ),
    ("app.loginRedirect({ scopes: [], redirectUri: \"https://lamp.example/back\" });", []),
    ("draw({ redirectUri: \"lamp.example/back\" });", []),
  ])
  func theRedirectURIOfARequestIsChecked(_ code: String, _ mistakes: [String]) throws {
    let found = try Self.page("https://login.microsoftonline.com/common", code)
    #expect(found.filter { $0.rule == .redirectURI }.map(\.mistake) == mistakes, "\(found)")
  }

  @Test(arguments: [
    ("https://graph.microsoft.com/", 1), ("https://graph.microsoft.com", 1),
    ("https://graph.microsoft.com/.default", 0), ("User.Read", 0), ("api://\(id)", 1), ("api://lamp/bulb", 0),
  ])
  func aScopeNamesAPermission(_ scope: String, _ count: Int) throws {
    let found = try Self.page(
      "https://login.microsoftonline.com/common", "app.loginPopup({ scopes: [\"\(scope)\"] });")
    #expect(
      found.filter { $0.rule == .requestScopes }.map(\.severity) == Array(repeating: .fails, count: count))
  }

  @Test(arguments: [
    ("lamp.onmicrosoft.com", 0), ("lamp.mail.onmicrosoft.com", 0), ("www.lamp.onmicrosoft.com", 1),
  ])
  func aTenantBelowMicrosoftsDomainHasOneLabel(_ tenant: String, _ count: Int) throws {
    let found = try Self.page("https://login.microsoftonline.com/" + tenant)
    #expect(found.filter { $0.rule == .authority }.count == count)
  }

  /// An object of the project without the member makes the value undefined.
  @Test(arguments: [("clientID", 1), ("clientId", 0), ("id", 0)])
  func theObjectHasTheMember(_ member: String, _ count: Int) throws {
    let found = try Self.findings([
      "package.json": #"{ "dependencies": { "@azure/msal-browser": "^4.0.0" } }"#,
      "src/environment.ts": "export const environment = { msal: { \(member): '\(Self.id)' } };",
      "src/auth.ts": "import { environment } from './environment';\nexport const config = "
        + "{ auth: { clientId: environment.msal.clientId, authority: 'https://login.microsoftonline.com/common' } };",
    ])
    #expect(found.map(\.rule) == Array(repeating: .clientID, count: count), "\(found)")
    #expect(found.allSatisfy { $0.severity == .fails && $0.place.path.hasSuffix("environment.ts") })
  }

  /// A variable of the build has the app's own value, of which a sample's is the fallback.
  @Test func aFallbackIsNoTemplate() throws {
    let files = [
      "package.json": #"{ "dependencies": { "@azure/msal-browser": "^4.0.0", "vite": "6" } }"#,
      "src/auth.ts":
        "export const config = { auth: { clientId: import.meta.env.VITE_LAMP_ID || 'your-client-id' } };",
    ]
    #expect(try Self.findings(files) == [])
  }

  // MARK: Android

  /// A call names one of several configurations, so that another one's values do not matter.
  @Test(arguments: [
    (AndroidFixture.encodedHash, AndroidFixture.hash), (AndroidFixture.encodedHash, "a%252B"),
    ("msauth://", "msal://"),
  ])
  func theConfigurationOfACallIsCertain(_ old: String, _ new: String) throws {
    var fixture = AndroidFixture()
    let other = fixture.files[AndroidFixture.configuration] ?? ""
    fixture.files["app/src/main/res/raw/auth_other.json"] = other
    fixture.replace(old, with: new, in: AndroidFixture.configuration)
    fixture.files["app/src/main/java/Lamp.java"] = """
      import com.microsoft.identity.client.*;
      class Lamp {
        void one() { PublicClientApplication.createMultipleAccountPublicClientApplication(this, R.raw.auth_config, listener); }
        void two() { PublicClientApplication.createMultipleAccountPublicClientApplication(this, R.raw.auth_other, listener); }
      }
      """
    let found = try fixture.diagnosis().findings
    #expect(!found.isEmpty && found.contains { $0.severity == .fails }, "\(found)")
    #expect(found.allSatisfy { !$0.place.path.hasSuffix("auth_other.json") })
  }

  @Test(arguments: [
    (#""authorities": ["#, #""authorities": { "list": ["#, "]", "] }", "authorities has the wrong type"),
    (#""client_id": "#, #""client_id": [ "#, ",", " ],", "client_id has the wrong type"),
  ])
  func aValueHasTheTypeThatMSALReads(
    _ old: String, _ new: String, _ end: String, _ newEnd: String, _ mistake: String
  ) throws {
    var fixture = AndroidFixture()
    let text = try #require(fixture.files[AndroidFixture.configuration])
    let start = try #require(text.firstRange(of: old))
    let rest = text[start.upperBound...]
    let close = try #require(rest.firstRange(of: end))
    fixture.files[AndroidFixture.configuration] =
      text[..<start.lowerBound] + new + rest[..<close.lowerBound] + newEnd + rest[close.upperBound...]
    #expect(try fixture.diagnosis().findings.map(\.mistake).contains(mistake))
  }

  /// A dependency of MSAL is only in its own feed.
  @Test(arguments: [
    ("google()\n mavenCentral()", "5.1.0", 1), ("google()\n mavenCentral()", "1.4.0", 0),
    (
      "google()\n maven { url 'https://pkgs.dev.azure.com/MicrosoftDeviceSDK/DuoSDK-Public/maven/v1' }",
      "5.1.0", 0
    ),
    ("maven { url 'https://maven.lamp.example/all' }", "5.1.0", 0), ("maven { url lampURL }", "5.1.0", 0),
    ("maven { url 'https://jitpack.io' }", "2.+", 1),
  ])
  func theRepositoriesHaveWhatMSALNeeds(_ repositories: String, _ version: String, _ count: Int) throws {
    var fixture = AndroidFixture()
    fixture.files["settings.gradle"] =
      "dependencyResolutionManagement {\n repositories {\n \(repositories)\n }\n}\ninclude ':app'\n"
    fixture.files["app/src/main/java/Lamp.java"] = "import com.microsoft.identity.client.IAccount;\n"
    fixture.files["app/build.gradle"]? +=
      "\ndependencies { implementation 'com.microsoft.identity.client:msal:\(version)' }\n"
    let found = try fixture.diagnosis().findings.filter {
      $0.mistake == "The build lacks a repository for MSAL"
    }
    #expect(found.map(\.severity) == Array(repeating: .fails, count: count))
    #expect(found.allSatisfy { $0.place.description.hasSuffix("settings.gradle:1") })
  }
}
