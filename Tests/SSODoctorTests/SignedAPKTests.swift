import Foundation
import TestSamples
import Testing

@testable import SSODoctor

/// Android apps that Debian's aapt compiled and apksigner signed (`Scripts/make-apk-samples`): each has one mistake at most.
@Suite struct SignedAPKTests {
  private func path(_ name: String) -> String { sampleFolder.appending(path: "apps/" + name).path }

  @Test(
    arguments: [
      ("notes", []), ("notes-signed-by-another", [.androidRedirect]),
      ("notes-hash-encoded", [.browserTabActivity]), ("notes-no-slash", [.browserTabActivity]),
      ("notes-two-defaults", [.defaultAuthority]),
    ] as [(String, [DoctorRule])])
  func eachYieldsItsOneFinding(_ name: String, _ rules: [DoctorRule]) throws {
    let diagnosis = try Doctor.examine([path(name + ".apk")])
    #expect(diagnosis.findings.map(\.rule) == rules, "\(diagnosis.findings)")
    #expect(diagnosis.unread == [] && diagnosis.android.map(\.packageName?.value) == ["com.contoso.notes"])
    #expect(diagnosis.android.first?.targetSDK == 34 && diagnosis.android.first?.isExported == true)
  }

  /// As keytool and openssl compute it of the certificate.
  @Test func theSignatureHashIsThatOfTheCertificate() throws {
    let hash = try String(contentsOfFile: path("notes.hash"), encoding: .utf8).trimmed
    let app = try #require(try Doctor.examine([path("notes.apk")]).android.first)
    #expect(app.signatureHashes == [hash] && app.installedApp()?.teamID == hash)
  }

  /// Cut at each 64th byte, and each 64th byte another: an error or an answer, and never a crash.
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
