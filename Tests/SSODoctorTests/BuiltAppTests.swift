import Crypto
import Foundation
import Testing

@testable import SSODoctor

/// Built artefacts: one mistake in an app that is right else is one finding.
@Suite struct BuiltAppTests {
  private func findings(_ data: Data, _ name: String) throws -> Diagnosis {
    let folder = FileManager.default.temporaryDirectory.appending(path: "doctor-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try data.write(to: folder.appending(path: name))
    return try Doctor.examine([folder.appending(path: name).path])
  }

  @Test(arguments: [false, true]) func aCleanArchiveHasNoFinding(isFat: Bool) throws {
    var fixture = BuiltAppFixture()
    fixture.isFat = isFat
    let diagnosis = try findings(fixture.archive, "Mail.ipa")
    #expect(diagnosis.findings.map(\.rule) == [], "\(diagnosis.findings)")
    #expect(diagnosis.unread == [])
    #expect(diagnosis.apple.map(\.bundleID?.value) == ["com.contoso.mail"])
    #expect(diagnosis.apple.map(\.teamID?.value) == ["A1B2C3D4E5"])
    #expect(Set(diagnosis.checks.map(\.rule)).isSuperset(of: [.urlScheme, .querySchemes, .keychainGroup]))
  }

  struct Mistake: Sendable {
    var rule: DoctorRule
    var make: @Sendable (inout BuiltAppFixture) -> Void
  }

  @Test(arguments: [
    Mistake(rule: .keychainGroup) {
      $0.entitlements = $0.entitlements.replacing("com.microsoft.adalcache", with: "com.contoso.shared")
    },
    Mistake(rule: .urlScheme) { $0.info = $0.info.replacing("msauth.com.contoso.mail", with: "mail") },
    Mistake(rule: .querySchemes) { $0.info = $0.info.replacing("msauthv3", with: "msauthv1") },
    Mistake(rule: .callback) { $0.names = "MSALPublicClientApplication\0" },
  ])
  func oneMistakeIsOneFinding(_ mistake: Mistake) throws {
    var fixture = BuiltAppFixture()
    mistake.make(&fixture)
    #expect(try findings(fixture.archive, "Mail.ipa").findings.map(\.rule) == [mistake.rule])
  }

  @Test func aFileOfAnArchiveIsInflated() throws {
    // 300 letters "a", deflated by zlib.
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

  @Test func anAPKIsJudgedByTheCertificateThatSignedIt() throws {
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
