import DoctorTestSupport
import Foundation
import SSOCore
import Testing

@testable import SSODoctor

/// A page has only those environment variables that its bundler puts into it.
@Suite struct PageVariableTests {
  private static func findings(
    _ packages: String, _ value: String, variable: String = "CLIENT_ID", more: [String: String] = [:],
    file: String = "src/auth.js"
  ) throws -> [DoctorCheck] {
    let files = [
      "package.json":
        "{ \"name\": \"board\", \"dependencies\": { \"@azure/msal-browser\": \"^4.0.0\", \(packages) } }",
      ".env": "\(variable)=\(AndroidFixture.clientID)\n",
      file: "const config = {\n  auth: { clientId: \(value) } };",
    ]
    return try withFolder(of: files.merging(more) { $1 }) { try Doctor.examine([$0]) }.findings
  }

  @Test(arguments: [
    ("react-scripts", "process.env.CLIENT_ID", "process.env.REACT_APP_CLIENT_ID", true),
    ("react-scripts", "process.env.VITE_CLIENT_ID", "process.env.REACT_APP_CLIENT_ID", true),
    ("vite", "import.meta.env.CLIENT_ID", "import.meta.env.VITE_CLIENT_ID", false),
    ("vite", "process.env.REACT_APP_CLIENT_ID", "import.meta.env.VITE_CLIENT_ID", false),
    ("next", "process.env.CLIENT_ID!", "process.env.NEXT_PUBLIC_CLIENT_ID", false),
    ("@vue/cli-service", "process.env.CLIENT_ID || ''", "process.env.VUE_APP_CLIENT_ID", true),
    ("react-scripts", "`${process.env.CLIENT_ID}`", "process.env.REACT_APP_CLIENT_ID", true),
  ])
  func anotherVariableIsNotThere(_ package: String, _ value: String, _ wanted: String, _ fails: Bool) throws {
    let variable = value.split { !$0.isUppercase && $0 != "_" }.map(String.init).last ?? ""
    let findings = try Self.findings("\"\(package)\": \"5\"", value, variable: variable)
    #expect(findings.map(\.rule) == [.clientID], "\(findings)")
    let finding = try #require(findings.first)
    #expect(finding.fix == wanted && finding.place.line == 2)
    #expect(finding.severity == (fails ? .fails : .worksInSomeCases))
    #expect(finding.refusal?.code == "AADSTS900144")
  }

  /// A finding is not repeated as a question.
  @Test func theVariableIsNotCalledUnseenBesideItsFinding() throws {
    let files = [
      "package.json":
        #"{ "dependencies": { "@azure/msal-browser": "^4.0.0", "react-scripts": "5" } }"#,
      "src/auth.js": "const config = {\n  auth: { clientId: process.env.CLIENT_ID } };",
    ]
    let diagnosis = try withFolder(of: files) { try Doctor.examine([$0]) }
    #expect(diagnosis.findings.map(\.rule) == [.clientID])
    #expect(diagnosis.subjects.compactMap(\.notSeen) == [])
  }

  /// A bundler reads the `.env` files beside package.json only.
  @Test(arguments: [
    ("react-scripts", "src/.env", AndroidFixture.clientID, "", DoctorCheck.Severity.worksInSomeCases),
    ("react-scripts", "src/.env", AndroidFixture.clientID, "REACT_APP_OTHER=lamp\n", .worksInSomeCases),
    (
      "react-scripts", "src/.env", AndroidFixture.clientID,
      "REACT_APP_CLIENT_ID=\(AndroidFixture.clientID)\n", nil
    ),
    ("react-scripts", "src/.env", "YOUR_CLIENT_ID", "", nil),
    ("react-scripts", ".env", AndroidFixture.clientID, "", nil),
    ("rollup", "src/.env", AndroidFixture.clientID, "", nil),
  ])
  func theFileOfVariablesIsBesideThePackage(
    _ package: String, _ path: String, _ value: String, _ other: String, _ severity: DoctorCheck.Severity?
  ) throws {
    let files = [
      "package.json":
        "{ \"dependencies\": { \"@azure/msal-browser\": \"^4.0.0\", \"\(package)\": \"5\" } }",
      "src/auth.js": "const config = {\n  auth: { clientId: process.env.REACT_APP_CLIENT_ID } };",
      path: "REACT_APP_CLIENT_ID=\(value)\n", ".env.production": other,
      ".env.example": "REACT_APP_CLIENT_ID=3b3b3b3b-3b3b-3b3b-3b3b-3b3b3b3b3b3b\n",
    ]
    let found = try withFolder(of: files) { try Doctor.examine([$0]) }.findings
    #expect(found.map(\.severity) == [severity].compactMap(\.self), "\(found)")
    #expect(found.allSatisfy { $0.place.path.hasSuffix(path) && $0.rule == .clientID })
  }

  @Test(arguments: [
    ("react-scripts", "process.env.REACT_APP_CLIENT_ID", "REACT_APP_CLIENT_ID"),
    ("vite", "import.meta.env.VITE_CLIENT_ID", "VITE_CLIENT_ID"),
  ])
  func aVariableOfTheFileIsThere(_ package: String, _ value: String, _ variable: String) throws {
    #expect(try Self.findings("\"\(package)\": \"5\"", value, variable: variable) == [])
  }

  @Test(arguments: [
    ("\"react-scripts\": \"5\"", "process.env.CLIENT_ID || '\(AndroidFixture.clientID)'", "src/auth.js"),
    ("\"react-scripts\": \"5\"", "process.env.CLIENT_ID", "server/auth.js"),
    ("\"react-scripts\": \"5\", \"@craco/craco\": \"7\"", "process.env.CLIENT_ID", "src/auth.js"),
    ("\"vite\": \"6\", \"next\": \"15\"", "process.env.CLIENT_ID", "src/auth.js"),
    ("\"webpack\": \"5\"", "process.env.CLIENT_ID", "src/auth.js"),
  ])
  func theseAreThereOrNotKnown(_ packages: String, _ value: String, _ file: String) throws {
    #expect(try Self.findings(packages, value, file: file) == [])
  }

  /// The configuration of a bundler may put other variables into the page.
  @Test(arguments: ["define: { 'process.env': env }", "envPrefix: 'MSAL_'"])
  func theBundlerMayBeConfigured(_ line: String) throws {
    let more = ["vite.config.ts": "export default defineConfig({ \(line) })"]
    #expect(try Self.findings("\"vite\": \"6\"", "import.meta.env.CLIENT_ID", more: more) == [])
    let other = ["vite.config.ts": "export default defineConfig({ plugins: [react()] })"]
    #expect(try Self.findings("\"vite\": \"6\"", "import.meta.env.CLIENT_ID", more: other).count == 1)
  }

  // MARK: - Authorities and redirect URIs

  private static func page(_ members: String) throws -> [DoctorCheck] {
    try findings("\"vite\": \"6\"", "'\(AndroidFixture.clientID)', \(members)")
  }

  @Test(arguments: [
    ("authority: 'https://contoso.ciamlogin.com/contoso.onmicrosoft.com/B2C_1_in'", DoctorRule.authority),
    ("authority: 'https://login.microsoftonline.com/contoso.onmicrosoft'", .authority),
    ("redirectUri: 'localhost:3001'", .redirectURI), ("redirectUri: 'auth/end'", .redirectURI),
    ("redirectUri: 'mail.contoso.com/end'", .redirectURI),
    ("redirectUri: 'mail.contoso.com:8080'", .redirectURI),
  ])
  func aValueIsWrong(_ member: String, _ rule: DoctorRule) throws {
    let findings = try Self.page(member)
    #expect(findings.map(\.rule) == [rule] && findings.first?.severity == .fails, "\(findings)")
  }

  @Test(arguments: [
    "authority: 'https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_in', knownAuthorities: ['contoso.b2clogin.com']",
    "authority: 'https://contoso.ciamlogin.com/contoso.onmicrosoft.com/v2.0'",
    "authority: 'https://contoso.ciamlogin.com/'",
    "authority: 'https://login.microsoftonline.com/contoso.com/v2.0'",
    "redirectUri: '/'", "redirectUri: '/auth/end'", "redirectUri: 'http://localhost:3001'",
  ])
  func aValueIsRight(_ member: String) throws { #expect(try Self.page(member) == []) }
}
