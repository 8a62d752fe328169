import DoctorTestSupport
import Foundation
import SSOCore
import Testing

@testable import SSODoctor

/// The lines that doctor prints for a mistake fix it: they are written where they belong, and the files are checked
/// again.
@Suite struct PrintedFixTests {
  struct Sample: CustomTestStringConvertible, Sendable {
    var rule: DoctorRule
    var files: [String: String]
    /// Writes the lines, or `nil` if `doctor --fix` does it.
    var write: (@Sendable (inout [String: String], String) -> Void)?
    var testDescription: String { rule.name }
  }

  /// Rules whose lines the developer has to complete, with the reason.
  private static let notMechanical: [DoctorRule: String] = [
    .placeholder: "the app's own values are not in the files",
    .clientID: "only the registration has the client ID",
    .nestedApp: "the domain of the app is not in the files",
    .domainAssociation: "only the keystore and the team have the values",
    .pageStart: "the call belongs where the app begins, which only its author knows",
    .cacheLocation: "the author has to choose the place",
    .pageSecret: "the secret has to be revoked, and its call moved to a server",
    .resourceURL: "only the publisher knows the address",
    .resourceIssuer: "only the publisher knows the tenant",
    .ssoDenied: "the administrator decides whether the app is denied",
  ]

  @Test func everyRuleHasASampleOrAReason() {
    let rules = Set(Self.samples.map(\.rule))
    #expect(rules.isDisjoint(with: Self.notMechanical.keys))
    #expect(rules.union(Self.notMechanical.keys) == Set(DoctorRule.all))
  }

  @Test(arguments: samples)
  func thePrintedLinesMend(_ sample: Sample) throws {
    var files = sample.files
    let finding = try #require(try Self.findings(files).first { $0.rule == sample.rule })
    // A list of 80 columns has room for this many characters.
    #expect(finding.title.count <= 46 && finding.title != finding.check.name, "\(finding.title)")
    let fix = try #require(finding.fix)
    if let write = sample.write {
      write(&files, fix)
      #expect(files != sample.files)
    }
    // Other findings may follow from the change, such as the scheme of a new redirect URI.
    let left = try withFolder(of: files) { folder in
      for _ in 0..<5 {
        let findings = try Doctor.examine(Self.paths(files, folder)).findings
        guard let repair = findings.lazy.compactMap(Repair.init).first else { break }
        try Data(repair.after.utf8).write(to: URL(filePath: repair.path))
      }
      return try Doctor.examine(Self.paths(files, folder)).findings
    }
    #expect(left == [], "\(left)")
  }

  private static func findings(_ files: [String: String]) throws -> [DoctorCheck] {
    try withFolder(of: files) { try Doctor.examine(paths(files, $0)) }.findings
  }

  /// Loose files are named, and so is the folder if it contains an app.
  private static func paths(_ files: [String: String], _ folder: String) -> [String] {
    let loose = ["registration.json", "resource.json", "sso.mobileconfig"].filter { files[$0] != nil }
    return (loose.count == files.count ? [] : [folder]) + loose.map { folder + "/" + $0 }
  }

  // MARK: - Samples

  private static func apple(
    _ rule: DoctorRule, _ what: String, isRegistered: Bool = true,
    _ write: (@Sendable (inout [String: String], String) -> Void)? = nil
  ) -> [Sample] {
    XcodeMistake.all.filter { $0.rule == rule && $0.what.hasPrefix(what) }.prefix(1).map { mistake in
      var fixture = XcodeFixture()
      mistake.make(&fixture)
      var files = fixture.files
      if isRegistered { files["registration.json"] = fixture.registration }
      return Sample(rule: rule, files: files, write: write)
    }
  }

  private static func android(
    _ rule: DoctorRule, _ what: String, _ write: (@Sendable (inout [String: String], String) -> Void)? = nil
  ) -> [Sample] {
    OtherPlatformTests.mistakes.filter { $0.rule == rule && $0.what.hasPrefix(what) }.prefix(1).map {
      mistake in
      var fixture = AndroidFixture()
      mistake.make(&fixture)
      fixture.files["registration.json"] = nil
      return Sample(rule: rule, files: fixture.files, write: write)
    }
  }

  private static func page(_ members: String) -> [String: String] {
    [
      "package.json": #"{ "name": "board", "dependencies": { "@azure/msal-browser": "^4.0.0" } }"#,
      "src/auth.js": "const config = { auth: { clientId: '\(AndroidFixture.clientID)', \(members) } };",
    ]
  }

  /// Adds the redirect URI of the lines to those of public clients.
  private static func register(_ files: inout [String: String], _ fix: String) {
    let uri = fix.split(separator: "\"").first { $0.contains("://") } ?? ""
    files["registration.json"] = files["registration.json"]?.replacing(
      "\"redirectUris\": [", with: "\"redirectUris\": [ \"\(uri)\",", maxReplacements: 1)
  }

  private static func profile(_ right: String, _ wrong: String) -> [String: String] {
    ["sso.mobileconfig": ProfileFixture.text.replacing(right, with: wrong)]
  }

  private static func metadata(_ resource: String, _ scope: String) -> [String: String] {
    [
      "resource.json": """
      {
        "resource": "\(resource)",
        "authorization_servers": ["https://login.microsoftonline.com/5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90/v2.0"],
        "scopes_supported": ["\(scope)"]
      }
      """
    ]
  }

  private static func replacing(
    _ old: String, in file: String
  ) -> @Sendable (inout [String: String], String) -> Void {
    { files, fix in files[file] = files[file]?.replacing(old, with: fix) }
  }

  private static let server = "https://mcp.contoso.com/orders"

  static let samples: [Sample] =
    apple(.urlScheme, "4: the scheme") + apple(.querySchemes, "") + apple(.keychainGroup, "2: another")
    + apple(.intuneRedirect, "")
    + apple(.oldRedirect, "12: the old redirect URI, with Azure AD", isRegistered: false) { files, fix in
      for old in ["msal\\(Constants.clientID)://auth", "msal\(XcodeFixture.clientID)://auth"] {
        files["Mail/SignIn.swift"] = files["Mail/SignIn.swift"]?.replacing(old, with: fix)
      }
    }
    + apple(
      .callback, "5: a scene delegate without",
      { files, fix in
        files["Mail/SceneDelegate.swift"] = files["Mail/SceneDelegate.swift"]?.replacing(
          "{}", with: "{\n\(fix)\n}")
      })
    + apple(
      .macTeam, "",
      { files, fix in
        let line = fix.split(separator: "\n").first ?? ""
        files[XcodeMistake.projectFile] = files[XcodeMistake.projectFile]?.replacing(
          "PRODUCT_BUNDLE_IDENTIFIER = com.contoso.mail;",
          with: "PRODUCT_BUNDLE_IDENTIFIER = com.contoso.mail;\n\t\(line)")
      })
    + apple(.redirectRegistered, "", register) + apple(.clientType, "", register)
    + apple(.spaRedirect, "", register)
    + android(.androidRedirect, "7: the hash is not encoded") + android(.browserTabActivity, "11: the hash")
    + android(
      .brokerUnused, "",
      replacing("\"broker_redirect_uri_registered\": false", in: AndroidFixture.configuration))
    + android(.androidConfiguration, "code makes")
    + android(.defaultAuthority, "", replacing("\"default\": false", in: AndroidFixture.configuration)) + [
      macApp,
      Sample(
        rule: .authority, files: page("authority: 'http://login.microsoftonline.com/common'"),
        write: replacing("authority: 'http://login.microsoftonline.com/common'", in: "src/auth.js")),
      Sample(
        rule: .redirectURI, files: page("redirectUri: 'http://board.contoso.example/'"),
        write: replacing("http://board.contoso.example/", in: "src/auth.js")),
      Sample(
        rule: .requestScopes,
        files: page("").merging([
          "src/call.js":
            "import { PublicClientApplication } from '@azure/msal-browser';\nconst request = { scopes: ['User.Read', 'api://board/read'] };"
        ]) { $1 },
        write: replacing("scopes: ['User.Read', 'api://board/read']", in: "src/call.js")),
      Sample(
        rule: .audience,
        files: page("authority: 'https://login.microsoftonline.com/common'").merging([
          "registration.json":
            "{ \"appId\": \"\(AndroidFixture.clientID)\", \"signInAudience\": \"PersonalMicrosoftAccount\", \"spa\": { \"redirectUris\": [] } }"
        ]) { $1 },
        write: replacing("https://login.microsoftonline.com/common", in: "src/auth.js")),
      Sample(
        rule: .registration,
        files: page("authority: 'https://login.microsoftonline.com/contoso.com'").merging([
          "registration.json":
            "{ \"appId\": \"5e4a0000-1111-4000-8000-000000000001\", \"id\": \"\(AndroidFixture.clientID)\", \"spa\": { \"redirectUris\": [] } }"
        ]) { $1 },
        write: replacing(AndroidFixture.clientID, in: "src/auth.js")),
      Sample(
        rule: .resourceSlash, files: metadata(server + "/", server + "//read"),
        write: { files, fix in
          files["resource.json"] = files["resource.json"]?.replacing(
            "\"resource\": \"\(server)/\"", with: fix
          )
          .replacing("//read", with: "/read")
        }),
      Sample(
        rule: .resourceScopes, files: metadata(server, "api://orders/read"),
        write: replacing("\"api://orders/read\"", in: "resource.json")),
      Sample(
        rule: .ssoExtension, files: profile(">Redirect<", ">Credential<"),
        write: replacing("<key>Type</key><string>Credential</string>", in: "sso.mobileconfig")),
      Sample(
        rule: .ssoURLs, files: profile("login.microsoftonline.com", "login.microsoft.com"),
        write: replacing("<string>https://login.microsoft.com</string>", in: "sso.mobileconfig")),
      Sample(
        rule: .ssoKeys, files: profile("AppPrefixAllowList", "AppPrefixAlowList"),
        write: replacing("<key>AppPrefixAlowList</key>", in: "sso.mobileconfig")),
      Sample(
        rule: .ssoLists,
        files: profile(
          "<string>com.apple.,com.microsoft.</string>", "<array><string>com.apple.</string></array>"),
        write: replacing(
          "<key>AppPrefixAllowList</key><array><string>com.apple.</string></array>", in: "sso.mobileconfig")),
    ] + vendors + [nativeAuth]

  private static var nativeAuth: Sample {
    var fixture = AndroidFixture()
    fixture.files["registration.json"] = nil
    fixture.files[AndroidFixture.configuration] = OutsideCodeTests.nativeConfiguration(mode: "MULTIPLE")
    return Sample(rule: .nativeAuth, files: fixture.files)
  }

  private static var vendors: [Sample] {
    [
      Sample(
        rule: .appAuthRedirect, files: VendorTests.module(.appAuth, ""),
        write: replacing("// placeholders", in: "app/build.gradle")),
      Sample(
        rule: .auth0Callback, files: VendorTests.module(.auth0, ""),
        write: { files, fix in
          files["app/build.gradle"] = files["app/build.gradle"]?.replacing(
            "// placeholders", with: fix.replacing("<your domain>", with: "contoso.eu.auth0.com"))
        }),
      Sample(
        rule: .oktaConfiguration, files: VendorTests.module(.oktaWeb, ""),
        write: replacing("// placeholders", in: "app/build.gradle")),
      Sample(rule: .googleSignIn, files: VendorTests.google(scheme: "com.contoso.notes")),
      webAuthenticator(redirect: "bulb://callback", filter: "DataScheme = \"lamp\""),
      webAuthenticator(
        redirect: "lamp:/ /callback", filter: "DataScheme = \"lamp\", DataHost = \"callback\""),
    ]
  }

  private static func webAuthenticator(redirect: String, filter: String) -> Sample {
    Sample(
      rule: .webAuthenticator,
      files: [
        "Lamp.csproj":
          "<Project><TargetFrameworks>net8.0-android</TargetFrameworks><OutputType>Exe</OutputType></Project>",
        "Lamp.cs": """
        var options = new OidcClientOptions { RedirectUri = "\(redirect)", ClientId = "lamp" };
        var result = await WebAuthenticator.Default.AuthenticateAsync(start, end);
        """,
        "Platforms/Android/Callback.cs": """
        [IntentFilter(new[] { Intent.ActionView }, \(filter))]
        public class Callback : WebAuthenticatorCallbackActivity { }
        """,
      ], write: replacing("\"\(redirect)\"", in: "Lamp.cs"))
  }

  private static var macApp: Sample {
    var fixture = XcodeFixture()
    fixture.buildForMac()
    fixture.replace(
      "<key>keychain-access-groups</key>",
      with: "<key>com.apple.security.app-sandbox</key>\n<true/>\n<key>keychain-access-groups</key>",
      in: "Mail/Mail.entitlements")
    return Sample(rule: .macNetwork, files: fixture.files)
  }
}
