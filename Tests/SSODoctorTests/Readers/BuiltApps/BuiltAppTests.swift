import Crypto
import DoctorTestSupport
import Foundation
import SSOCore
import SSODevice
import Testing

@testable import SSODoctor

/// Built artefacts: one mistake in an otherwise correct app leads to one finding.
@Suite struct BuiltAppTests {
  private func findings(_ data: Data, _ name: String) throws -> Diagnosis {
    let folder = FileManager.default.temporaryDirectory.appending(path: "doctor-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try data.write(to: folder.appending(path: name))
    return try Doctor.examine([folder.appending(path: name).path])
  }

  @Test(arguments: BuiltAppFixture.Form.allCases, [false, true])
  func aCleanAppHasNoFinding(_ form: BuiltAppFixture.Form, isFat: Bool) throws {
    var fixture = BuiltAppFixture()
    fixture.isFat = isFat
    let diagnosis = try fixture.diagnosis(form)
    #expect(diagnosis.findings.map(\.rule) == [], "\(diagnosis.findings)")
    #expect(diagnosis.unread == [])
    #expect(diagnosis.apple.map(\.bundleID?.value) == ["com.contoso.mail"])
    #expect(diagnosis.apple.map(\.teamID?.value) == ["A1B2C3D4E5"])
    let asked = Set(diagnosis.checks.map(\.rule))
    #expect(asked.isSuperset(of: [.urlScheme, .querySchemes, .keychainGroup, .redirectRegistered]))
    // Settings made in code are not visible, so no check for them has passed.
    #expect(!asked.contains(.authority))
    #expect(!diagnosis.checks.contains { $0.check.name.contains("lets the SDK call the broker") })
    #expect(diagnosis.subjects.map { $0.notSeen != nil } == [true, false])
  }

  struct Mistake: CustomTestStringConvertible, Sendable {
    var rule: DoctorRule
    var what: String
    var make: @Sendable (inout BuiltAppFixture) -> Void
    var testDescription: String { what }
  }

  static let mistakes: [Mistake] = [
    Mistake(rule: .clientType, what: "1: registered for Web") { $0.platform = "web" },
    Mistake(rule: .keychainGroup, what: "2: another group is entitled") {
      $0.entitlements = $0.entitlements.replacing("com.microsoft.adalcache", with: "com.contoso.shared")
    },
    Mistake(rule: .keychainGroup, what: "2: another team's group") {
      $0.entitlements = $0.entitlements.replacing("A1B2C3D4E5.", with: "Z9Y8X7W6V5.")
    },
    Mistake(rule: .spaRedirect, what: "3: registered for a single-page application") { $0.platform = "spa" },
    Mistake(rule: .urlScheme, what: "4: another scheme") {
      $0.info = $0.info.replacing("msauth.com.contoso.mail", with: "mail")
    },
    Mistake(rule: .callback, what: "5: no selector that hands the answer on") {
      $0.names = "MSALPublicClientApplication\0"
    },
    Mistake(rule: .callback, what: "5: scenes, and only the app delegate takes URLs") {
      $0.names = $0.names.replacing("scene:openURLContexts:", with: "application:openURL:options:")
    },
    Mistake(rule: .querySchemes, what: "8: msauthv3 is missing") {
      $0.info = $0.info.replacing("msauthv3", with: "msauthv1")
    },
    Mistake(rule: .oldRedirect, what: "12: the scheme of the old redirect URI") {
      $0.info = $0.info.replacing("msauth.com.contoso.mail", with: "msal" + XcodeFixture.clientID)
      $0.redirectURI = "msal\(XcodeFixture.clientID)://auth"
    },
    Mistake(rule: .intuneRedirect, what: "13: Intune has another redirect URI") {
      $0.info = $0.info.replacing(
        "  <key>UIApplicationSceneManifest</key>",
        with: "  <key>IntuneMAMSettings</key><dict><key>ADALRedirectUri</key>"
          + "<string>msauth.com.contoso.other://auth</string></dict>\n  <key>UIApplicationSceneManifest</key>"
      )
    },
  ]

  @Test(arguments: mistakes, BuiltAppFixture.Form.allCases)
  func oneMistakeIsOneFinding(_ mistake: Mistake, _ form: BuiltAppFixture.Form) throws {
    var fixture = BuiltAppFixture()
    mistake.make(&fixture)
    let findings = try fixture.diagnosis(form).findings
    #expect(findings.map(\.rule) == [mistake.rule], "\(findings)")
  }

  /// Mistake 14: a signature without a team, as "Sign to Run Locally" creates it.
  @Test(
    arguments: [
      ("A1B2C3D4E5", "", []), (nil, "", [.macTeam]), (nil, AppleRules.unsignedRedirectURI, []),
    ] as [(String?, String, [DoctorRule])])
  func aMacAppHasATeamOrTheRedirectURIOfUnsignedApps(_ team: String?, _ name: String, _ rules: [DoctorRule])
    throws
  {
    var fixture = BuiltAppFixture()
    (fixture.isForMac, fixture.team) = (true, team)
    fixture.names += name + "\0"
    fixture.redirectURI = name.isEmpty ? fixture.redirectURI : AppleRules.unsignedRedirectURI
    fixture.entitlements = fixture.entitlements.replacing(
      "com.microsoft.adalcache", with: "com.microsoft.identity.universalstorage")
    let diagnosis = try fixture.diagnosis(.folder)
    #expect(diagnosis.findings.map(\.rule) == rules, "\(diagnosis.findings)")
    #expect(diagnosis.apple.map(\.teamID?.value) == [team] && diagnosis.apple.map(\.platform) == [.macOS])
    #expect(diagnosis.subjects.first?.project.hasSuffix("/Mail.app") == true)
  }

  /// Its property list identifies the SDK.
  @Test func anExecutableWithoutNamesIsChecked() throws {
    var fixture = BuiltAppFixture()
    fixture.names = ""
    fixture.info = fixture.info.replacing("msauthv3", with: "msauthv1")
    #expect(try fixture.diagnosis(.archive).findings.map(\.rule) == [.querySchemes])
  }

  /// The simulator needs no signature, so what Xcode omits there is not a mistake.
  @Test func ofABuildForTheSimulatorNoEntitlementsAreAsked() throws {
    var fixture = BuiltAppFixture()
    fixture.entitlements = "<plist><dict/></plist>"
    #expect(try fixture.diagnosis(.folder).findings.map(\.rule) == [.keychainGroup])
    fixture.isSigned = false
    #expect(try fixture.diagnosis(.folder).findings.map(\.rule) == [.keychainGroup])
    fixture.info = fixture.info.replacing(
      "  <key>CFBundleURLTypes</key>",
      with: "  <key>DTPlatformName</key><string>iphonesimulator</string>\n  <key>CFBundleURLTypes</key>")
    let diagnosis = try fixture.diagnosis(.folder)
    #expect(diagnosis.findings.map(\.rule) == [])
    #expect(diagnosis.subjects.first?.notSeen?.contains("its entitlements") == true)
  }

  @Test func aFileOfAnArchiveIsInflated() throws {
    // The text is 300 letters "a", deflated by zlib.
    let deflated: [UInt8] = [0x4B, 0x4C, 0x1C, 0x05, 0xC4, 0x02, 0x00]
    var zip = ZipWriter()
    zip.deflated = [("a.txt", deflated, 300)]
    let archive = try ZipArchive(zip.data)
    let entry = try #require(archive.entry("a.txt"))
    #expect(try archive.data(entry) == Data(repeating: UInt8(ascii: "a"), count: 300))
    zip.deflated = [("a.txt", deflated, 299)]
    let smaller = try ZipArchive(zip.data)
    let lying = try #require(smaller.entry("a.txt"))
    #expect(throws: ReadingError.self) { try smaller.data(lying) }
  }

  @Test func anAPKIsCheckedByTheCertificateThatSignedIt() throws {
    var fixture = APKFixture()
    let hash = Data(Insecure.SHA1.hash(data: Data(fixture.certificate))).base64EncodedString()
    let encoded = hash.replacing("+", with: "%2B").replacing("/", with: "%2F").replacing("=", with: "%3D")
    fixture.manifest = fixture.manifest.replacing(AndroidFixture.hash, with: hash)
    fixture.configuration = fixture.configuration.replacing(AndroidFixture.encodedHash, with: encoded)
    let clean = try findings(try fixture.archive(), "notes.apk")
    #expect(clean.findings.map(\.rule) == [], "\(clean.findings)")
    #expect(clean.android.map(\.signatureHashes) == [[hash]])
    #expect(clean.android.map(\.packageName?.value) == ["com.contoso.notes"])
    fixture.certificate.append(0)
    let other = try findings(try fixture.archive(), "notes.apk")
    #expect(other.findings.map(\.rule) == [.androidRedirect])
    #expect(other.findings.first?.refusal?.text.contains("We expected '") == true)
  }
}
