import DoctorTestSupport
import Foundation
import SSOCore
import Testing

@testable import SSODoctor

/// Values that code takes from elsewhere: the keys of Info.plist, and a client ID that no file shows.
@Suite struct PairingTests {
  /// The only app and the only registration belong together, even if the client ID is computed.
  private static func computed(apps: Int) -> XcodeFixture {
    var fixture = XcodeFixture()
    fixture.replace("\"\(XcodeFixture.clientID)\"", with: "Settings.load()", in: "Mail/SignIn.swift")
    if apps == 1 {
      fixture.files["Calendar/SignIn.m"] = ""
      fixture.files["Calendar/SceneDelegate.swift"] = ""
    } else {
      fixture.replace("@\"\(XcodeFixture.clientID)\"", with: "load()", in: "Calendar/SignIn.m")
    }
    fixture.registration = fixture.registration.replacing(
      "msauth.com.contoso.mail", with: "msauth.com.contoso.old")
    return fixture
  }

  @Test func theOnlyAppIsComparedWithTheOnlyRegistration() throws {
    let fixture = Self.computed(apps: 1)
    let diagnosis = try fixture.diagnosis()
    #expect(diagnosis.apple.map(\.clientID) == [nil])
    #expect(diagnosis.findings.map(\.rule).contains(.redirectRegistered), "\(diagnosis.findings)")
    #expect(diagnosis.registrations.map(\.isCompared) == [true])
  }

  @Test func severalAppsAreNotCompared() throws {
    let fixture = Self.computed(apps: 2)
    let diagnosis = try fixture.diagnosis()
    #expect(!diagnosis.findings.map(\.rule).contains(.redirectRegistered))
    #expect(diagnosis.subjects.last?.notSeen?.contains("--client-id") == true)
    let given = try fixture.diagnosis(clientID: XcodeFixture.clientID)
    #expect(given.findings.map(\.rule).contains(.redirectRegistered))
    #expect(given.subjects.last?.notSeen == nil)
  }

  @Test func aPageIsComparedToo() throws {
    let files = [
      "board/package.json": #"{ "dependencies": { "@azure/msal-browser": "^4.0.0" } }"#,
      "board/src/auth.js":
        "export const config = { auth: { clientId: window.settings.id, redirectUri: 'https://board.contoso.example/' } };",
      "registration.json":
        "{ \"appId\": \"\(AndroidFixture.clientID)\", \"spa\": { \"redirectUris\": [\"https://other.contoso.example/\"] } }",
    ]
    let diagnosis = try withFolder(of: files) {
      try Doctor.examine([$0 + "/board", $0 + "/registration.json"])
    }
    #expect(diagnosis.findings.map(\.rule) == [.redirectRegistered], "\(diagnosis.findings)")
  }

  /// The value that code reads from Info.plist is in Info.plist, with the build settings.
  @Test(arguments: [
    "Bundle.main.object(forInfoDictionaryKey: \"Redirect\") as? String ?? \"\"",
    "Bundle.main.infoDictionary?[\"Redirect\"] as! String", "bundle.infoDictionary![\"Redirect\"] as! String",
  ])
  func aKeyOfInfoPlistIsRead(_ code: String) throws {
    var fixture = XcodeFixture()
    fixture.replace(
      "\"msauth.\\(Bundle.main.bundleIdentifier!)://auth\"", with: "redirect", in: "Mail/SignIn.swift")
    fixture.replace(
      "enum Constants {", with: "let redirect = \(code)\nenum Constants {", in: "Mail/SignIn.swift")
    let key = "<key>CFBundleIdentifier</key>"
    let value = "msauth.$(PRODUCT_BUNDLE_IDENTIFIER)://auth"
    fixture.replace(
      key, with: "<key>Redirect</key>\n  <string>\(value)</string>\n  \(key)", in: "Mail/Info.plist")
    let right = try fixture.diagnosis()
    #expect(right.findings == [], "\(right.findings)")
    let found = try #require(right.apple.first { $0.name == "Mail" }?.source?.redirectURI.found)
    #expect(found.value == "msauth.com.contoso.mail://auth" && found.place.path.hasSuffix("Mail/Info.plist"))
    fixture.replace("IDENTIFIER)://auth", with: "IDENTIFIER).old://auth", in: "Mail/Info.plist")
    #expect(try fixture.diagnosis().findings.contains { $0.rule == .brokerUnused })
  }

  /// The statement after a name is not part of its value.
  @Test func aKeyOfTheNextStatementIsAnothers() {
    let tokens = SourceTokens.read("first\nreturn bundle.object(forInfoDictionaryKey: \"Key\")")
    #expect(tokens[...].infoKey == nil && tokens[2...].infoKey == "Key")
    #expect(
      SourceTokens.read("NSBundle mainBundle] objectForInfoDictionaryKey:@\"Key\"]")[...].infoKey == "Key")
  }
}
