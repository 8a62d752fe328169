import DoctorTestSupport
import Foundation
import Testing

@testable import SSODoctor

/// A key that the SDK does not read, because it resembles the right one, is found at its line and fixed by renaming it.
@Suite struct MisspeltKeyTests {
  struct Sample: CustomTestStringConvertible, Sendable {
    var right: String
    var wrong: String
    var file: String
    var place: String
    var rules: [DoctorRule]
    var severity = DoctorCheck.Severity.fails
    var testDescription: String { "\(wrong) in \(file)" }
  }

  // MARK: - Android

  private static let android: [Sample] = [
    sample("client_id", "client-id", 2, .fails), sample("client_id", "clientId", 2, .fails),
    sample("redirect_uri", "redirect_url", 3, .fails), sample("redirect_uri", "redirectUri", 3, .fails),
    sample("broker_redirect_uri_registered", "broker_redirect_uri_registred", 4, .worksInSomeCases),
    sample("authorities", "authorites", 5, .worksInSomeCases),
    sample("authorities", "authority", 5, .worksInSomeCases),
    sample("audience", "audiance", 6, .worksInSomeCases),
  ]

  private static func sample(
    _ right: String, _ wrong: String, _ line: Int, _ severity: DoctorCheck.Severity
  ) -> Sample {
    Sample(
      right: "\"\(right)\"", wrong: "\"\(wrong)\"", file: AndroidFixture.configuration,
      place: "auth_config.json:\(line)", rules: [.androidConfiguration], severity: severity)
  }

  @Test(arguments: android)
  func aKeyOfTheConfigurationIsFoundAndRenamed(_ sample: Sample) throws {
    var fixture = AndroidFixture()
    fixture.replace(sample.right, with: sample.wrong, in: sample.file)
    let findings = try fixture.diagnosis().findings.filter { $0.rule == .androidConfiguration }
    #expect(findings.map(\.rule) == sample.rules, "\(findings)")
    #expect(findings.map(\.severity) == [sample.severity])
    #expect(findings.first?.place.description.hasSuffix(sample.place) == true)
    try Self.expectMended(fixture.files)
  }

  @Test func theAddressOfAUserFlowIsNeeded() throws {
    var fixture = AndroidFixture()
    fixture.replace(
      "{ \"type\": \"AAD\", \"audience\": { \"type\": \"AzureADMultipleOrgs\" }, \"default\": true }",
      with:
        "{ \"type\": \"B2C\", \"authorty_url\": \"https://contoso.b2clogin.com/tfp/contoso.com/B2C_1_in\" }",
      in: AndroidFixture.configuration)
    let findings = try fixture.diagnosis().findings
    #expect(findings.map(\.mistake) == ["authority_url is misspelt"], "\(findings)")
    #expect(findings.map(\.severity) == [.fails])
  }

  /// The mode matches the code only with the right key, so the mistake is a single finding.
  @Test func theAccountModeIsOneFinding() throws {
    var fixture = AndroidFixture()
    fixture.replace(
      "\"broker_redirect", with: "\"account_type\": \"SINGLE\",\n  \"broker_redirect",
      in: AndroidFixture.configuration)
    #expect(try fixture.diagnosis().findings.map(\.severity) == [.worksInSomeCases])
    fixture.files["app/src/main/java/Sign.kt"] =
      "import com.microsoft.identity.client.*\nPublicClientApplication.createSingleAccountPublicClientApplication(c, R.raw.auth_config)"
    let findings = try fixture.diagnosis().findings
    #expect(findings.map(\.mistake) == ["account_mode is not that of the code"], "\(findings)")
    #expect(findings.first?.place.line == 4)
  }

  @Test(arguments: [
    "\"http\": {}", "\"client_capabilities\": \"CP1\"", "\"browser_safelist\": []", "\"note\": \"authority\"",
    "\"client_secret_hint\": \"\"",
  ])
  func anotherKeyIsNotAMistake(_ member: String) throws {
    var fixture = AndroidFixture()
    fixture.replace(
      "{\n  \"client_id\"", with: "{\n  \(member),\n  \"client_id\"", in: AndroidFixture.configuration)
    #expect(try fixture.diagnosis().findings == [])
  }

  // MARK: - Property lists

  @Test(arguments: [
    Sample(
      right: "<key>LSApplicationQueriesSchemes</key>", wrong: "<key>LSApplicationQueriesScheme</key>",
      file: "Mail/Info.plist", place: "Mail/Info.plist:16", rules: [.querySchemes]),
    Sample(
      right: "<key>LSApplicationQueriesSchemes</key>", wrong: "<key>LSApplicationQuerySchemes</key>",
      file: "Mail/Info.plist", place: "Mail/Info.plist:16", rules: [.querySchemes]),
    Sample(
      right: "<key>CFBundleURLSchemes</key>", wrong: "<key>CFBundleURLScheme</key>", file: "Mail/Info.plist",
      place: "Mail/Info.plist:10", rules: [.urlScheme]),
    Sample(
      right: "<key>CFBundleURLTypes</key>", wrong: "<key>CFBundleUrlTypes</key>", file: "Mail/Info.plist",
      place: "Mail/Info.plist:7", rules: [.urlScheme]),
    Sample(
      right: "<key>keychain-access-groups</key>", wrong: "<key>keychain-access-group</key>",
      file: "Mail/Mail.entitlements", place: "Mail/Mail.entitlements:4", rules: [.keychainGroup]),
  ])
  func aKeyOfAPropertyListIsFoundAndRenamed(_ sample: Sample) throws {
    var fixture = XcodeFixture()
    fixture.replace(sample.right, with: sample.wrong, in: sample.file)
    let findings = try fixture.diagnosis().findings
    #expect(findings.map(\.rule) == sample.rules, "\(findings)")
    #expect(findings.first?.place.description.hasSuffix(sample.place) == true, "\(findings)")
    #expect(findings.first?.fix == sample.right)
    try Self.expectMended(fixture.files)
  }

  /// `CFBundleURLName` is a different key.
  @Test func aURLTypeWithoutSchemesIsNotMisspelt() throws {
    var fixture = XcodeFixture()
    fixture.replace(
      "<key>CFBundleURLSchemes</key>", with: "<key>CFBundleURLName</key>", in: "Mail/Info.plist")
    let findings = try fixture.diagnosis().findings
    #expect(findings.map(\.mistake) == ["CFBundleURLTypes lacks the redirect scheme"], "\(findings)")
  }

  // MARK: - MSAL.js

  @Test(arguments: [
    ("clientID: 'ID', authority: 'https://login.microsoftonline.com/common'", DoctorRule.clientID, true),
    ("clientId: 'ID', redirectURI: 'https://board.contoso.example/'", .redirectURI, false),
    ("clientId: 'ID', authorithy: 'https://login.microsoftonline.com/contoso.com'", .authority, false),
    (
      "clientId: 'ID', authority: 'https://contoso.b2clogin.com/contoso.com/B2C_1_in', knownAuthority: ['contoso.b2clogin.com']",
      .authority, true
    ),
  ])
  func aMemberOfAPageIsFound(_ members: String, _ rule: DoctorRule, _ fails: Bool) throws {
    let findings = try Self.page(members)
    #expect(findings.map(\.rule) == [rule], "\(findings)")
    #expect(findings.map(\.severity) == [fails ? .fails : .worksInSomeCases])
    #expect(findings.first?.mistake.contains(" is misspelt") == true)
    #expect(findings.first?.place.line == 2)
  }

  /// Other libraries have other members, and a spread may contain the missing one.
  @Test(arguments: [
    "authority: 'https://id.contoso.example', client_id: 'ID', redirect_uri: '/'",
    "clientId: 'ID', tenantId: 'contoso.com', scopes: []", "clientId: 'ID', redirectURI: '/', ...own",
    "clientId: 'ID', validateAuthority: false", "user: 'ID', clientID: 'ID'",
  ])
  func anotherMemberIsNotAMistake(_ members: String) throws {
    #expect(try Self.page(members) == [])
  }

  private static func page(_ members: String) throws -> [DoctorCheck] {
    let files = [
      "package.json": #"{ "name": "board", "dependencies": { "@azure/msal-browser": "^4.0.0" } }"#,
      "src/auth.js":
        "const config = { auth: {\n  \(members.replacing("'ID'", with: "'\(AndroidFixture.clientID)'")) } };",
    ]
    return try withFolder(of: files) { try Doctor.examine([$0]) }.findings
  }

  /// Makes the changes that the findings suggest, and expects that no finding remains.
  private static func expectMended(_ files: [String: String]) throws {
    let left = try withFolder(of: files) { folder in
      for _ in 0..<3 {
        guard let repair = try Doctor.examine([folder]).findings.lazy.compactMap(Repair.init).first else {
          break
        }
        try Data(repair.after.utf8).write(to: URL(filePath: repair.path))
      }
      return try Doctor.examine([folder]).findings
    }
    #expect(left == [], "\(left)")
  }
}
