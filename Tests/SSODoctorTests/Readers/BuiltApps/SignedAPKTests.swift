import DoctorTestSupport
import Foundation
import SSODevice
import TestSamples
import Testing

@testable import SSODoctor

/// Android apps that Debian's aapt compiled and apksigner signed (`Scripts/make-apk-samples`).
///
/// Each has at most one mistake.
@Suite struct SignedAPKTests {
  private func path(_ name: String) -> String { sampleFolder.appending(path: "apps/" + name).path }

  struct Sample: CustomTestStringConvertible, Sendable {
    var name: String
    /// The rule that fails, or `nil` if nothing is wrong.
    var rule: DoctorRule?
    /// The type of the redirect URI in the registration.
    var type = "InstalledClient"
    var testDescription: String { "\(name), \(type)" }
  }

  static let samples = [
    Sample(name: "notes"),
    Sample(name: "notes", rule: .clientType, type: "Web"),
    Sample(name: "notes", rule: .spaRedirect, type: "Spa"),
    Sample(name: "notes-broker-off", rule: .brokerUnused),
    Sample(name: "notes-signed-by-another", rule: .androidRedirect),
    Sample(name: "notes-unknown-audience", rule: .authority),
    Sample(name: "notes-hash-encoded", rule: .browserTabActivity),
    Sample(name: "notes-no-slash", rule: .browserTabActivity),
    Sample(name: "notes-no-activity", rule: .browserTabActivity),
    Sample(name: "notes-two-defaults", rule: .defaultAuthority),
  ]

  @Test(arguments: samples) func eachYieldsItsOneFinding(_ sample: Sample) throws {
    let hash = try String(contentsOfFile: path("notes.hash"), encoding: .utf8).trimmed
    let encoded = hash.replacing("+", with: "%2B").replacing("/", with: "%2F").replacing("=", with: "%3D")
    let registration = """
      { "appId": "\(AndroidFixture.clientID)", "name": "Notes", "replyUrlsWithType": [
        { "url": "msauth://com.contoso.notes/\(encoded)", "type": "\(sample.type)" } ] }
      """
    let diagnosis = try withFolder(of: ["registration.json": registration]) {
      try Doctor.examine([path(sample.name + ".apk"), $0 + "/registration.json"])
    }
    #expect(diagnosis.findings.map(\.rule) == [sample.rule].compactMap(\.self), "\(diagnosis.findings)")
    #expect(diagnosis.unread == [] && diagnosis.android.map(\.packageName?.value) == ["com.contoso.notes"])
    let app = diagnosis.android.first
    #expect(app?.targetSDK == 34 && (app?.isExported == true || app?.activity == nil))
  }

  /// The hash matches the value that keytool and openssl compute from the certificate.
  @Test func theSignatureHashIsThatOfTheCertificate() throws {
    let hash = try String(contentsOfFile: path("notes.hash"), encoding: .utf8).trimmed
    let app = try #require(try Doctor.examine([path("notes.apk")]).android.first)
    #expect(app.signatureHashes == [hash] && InstalledApp(app)?.teamID == hash)
  }

  /// A file that is cut at every 64th byte, or changed there, leads to an error or a result, never to a crash.
  @Test func aDamagedOneIsAnErrorOrAnAnswer() throws {
    let data = Array(try Data(contentsOf: URL(filePath: path("notes.apk"))))
    var refused = 0
    for place in stride(from: 0, to: data.count, by: 64) {
      var changed = data
      changed[place] ^= 0xA5
      for bytes in [Array(data.prefix(place)), changed] {
        do { _ = try APKReader.read(Data(bytes), path: "notes.apk") } catch { refused += 1 }
      }
    }
    #expect(refused >= data.count / 64, "what is cut has no directory")
  }
}
