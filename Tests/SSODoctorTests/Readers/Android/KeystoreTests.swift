import DoctorTestSupport
import Foundation
import Testing

@testable import SSODoctor

/// A keystore in the project, with which its build file signs the app, shows the signature hash.
@Suite struct KeystoreTests {
  private static let hash = "9XLIlKi1VRjFPtLwAkUirKDASzg="
  private static let encodedHash = "9XLIlKi1VRjFPtLwAkUirKDASzg%3D"

  /// A keystore in the format JKS with a trusted certificate and a key, whose certificates follow it.
  static let keystore: Data = {
    func number(_ value: Int, _ width: Int = 4) -> [UInt8] {
      (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    func text(_ text: String) -> [UInt8] { number(text.utf8.count, 2) + text.utf8 }
    func block(_ text: String) -> [UInt8] { number(text.utf8.count) + text.utf8 }
    func certificate(_ name: String) -> [UInt8] { text("X.509") + block(name) }
    return Data(
      number(0xFEED_FEED) + number(2) + number(2)
        + number(2) + text("ca") + number(0, 8) + certificate("a certificate of somebody else")
        + number(1) + text("androiddebugkey") + number(0, 8) + block("a key")
        + number(2) + certificate("a certificate of the project") + certificate("its issuer")
        + [UInt8](repeating: 0, count: 20))
  }()

  private static let signing = """
    signingConfigs {
      debug {
        storeFile file('debug.keystore')
        storePassword 'android'
        keyAlias 'AndroidDebugKey'
        keyPassword 'android'
      }
    }
    """

  /// An app whose manifest and configuration have a hash, and whose build file has these lines.
  private static func findings(
    hash: String, encoded: String, _ lines: String, _ more: [String: Data] = [:]
  ) throws -> [DoctorCheck] {
    var fixture = AndroidFixture()
    fixture.files["registration.json"] = nil
    fixture.replace(AndroidFixture.hash, with: hash, in: AndroidFixture.manifest)
    fixture.replace(AndroidFixture.encodedHash, with: encoded, in: AndroidFixture.configuration)
    fixture.replace("defaultConfig {", with: lines + "\n  defaultConfig {", in: "app/build.gradle")
    var files = fixture.files.mapValues { Data($0.utf8) }
    files["app/debug.keystore"] = keystore
    return try withFolder(of: files.merging(more) { $1 }) { try Doctor.examine([$0]) }.findings
  }

  @Test func theAliasNamesTheFirstCertificateOfItsChain() throws {
    #expect(try JavaKeystore(Self.keystore).hashes == ["androiddebugkey": Self.hash])
  }

  /// A keystore that ends early or has another format is not read, and neither are entries that are counted but
  /// missing.
  @Test func aDamagedKeystoreIsNotRead() throws {
    for length in stride(from: 0, to: Self.keystore.count - 20, by: 7) {
      #expect(throws: ReadingError.self) { try JavaKeystore(Self.keystore.prefix(length)) }
    }
    #expect(throws: ReadingError.self) {
      try JavaKeystore(Data([0x30, 0x82] + Array(repeating: 0, count: 90)))
    }
    var many = Self.keystore
    many.replaceSubrange(8..<12, with: [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(throws: ReadingError.self) { try JavaKeystore(many) }
  }

  /// The redirect URI of another keystore fails in every build that this one signs.
  @Test(arguments: [
    ("buildTypes { release { signingConfig signingConfigs.debug } }", DoctorCheck.Severity.fails),
    ("buildTypes { getByName(\"release\") { signingConfig = signingConfigs.getByName(\"debug\") } }", .fails),
    ("buildTypes { release { minifyEnabled true } }", .worksInSomeCases),
    ("productFlavors { shop { signingConfig signingConfigs.shop } }", .worksInSomeCases),
    ("", .worksInSomeCases),
  ])
  func theRedirectURIHasTheHashOfTheKeystore(_ types: String, _ severity: DoctorCheck.Severity) throws {
    let lines = Self.signing + "\n" + types
    #expect(try Self.findings(hash: Self.hash, encoded: Self.encodedHash, lines) == [])
    let findings = try Self.findings(hash: AndroidFixture.hash, encoded: AndroidFixture.encodedHash, lines)
    let finding = try #require(findings.first { $0.rule == .androidRedirect })
    #expect(finding.severity == severity)
    #expect(finding.mistake == "The redirect URI has another keystore's hash")
    #expect(finding.fix == "\"redirect_uri\": \"msauth://com.contoso.notes/\(Self.encodedHash)\"")
    #expect(findings.count == 1, "\(findings)")
  }

  /// Another file, another alias, a value that is not a literal, or a keystore outside the project shows nothing.
  @Test(arguments: [
    ("'debug.keystore'", "'missing.keystore'"), ("'AndroidDebugKey'", "'upload'"),
    ("'debug.keystore'", "keystoreProperties['storeFile']"),
    ("'debug.keystore'", "'../../../debug.keystore'"),
    ("file('debug.keystore')", "rootProject.file('debug.keystore')"),
  ])
  func aKeystoreThatIsNotThereShowsNothing(_ old: String, _ new: String) throws {
    let lines = Self.signing.replacing(old, with: new)
    #expect(try Self.findings(hash: AndroidFixture.hash, encoded: AndroidFixture.encodedHash, lines) == [])
  }

  @Test func expoSignsBuildsItself() throws {
    let lines = Self.signing + "\nbuildTypes { release { signingConfig signingConfigs.debug } }"
    var fixture = AndroidFixture()
    fixture.replace("defaultConfig {", with: lines + "\n  defaultConfig {", in: "app/build.gradle")
    var files = Dictionary(
      uniqueKeysWithValues: fixture.files.filter { $0.key != "registration.json" }
        .map { ("android/" + $0.key, Data($0.value.utf8)) })
    files["android/app/debug.keystore"] = Self.keystore
    files["eas.json"] = Data("{}".utf8)
    let findings = try withFolder(of: files) { try Doctor.examine([$0]) }.findings
    #expect(findings.map(\.severity) == [.worksInSomeCases], "\(findings)")
  }

  /// A wrapper makes the redirect URI itself, so only the filter shows the hash.
  @Test(arguments: [("9XLIlKi1VRjFPtLwAkUirKDASzg=", 0), ("1wIqXSqBj7w+h11ZifsnqwgyKrY=", 1)])
  func aFilterHasTheHashOfTheKeystore(_ hash: String, _ count: Int) throws {
    var fixture = AndroidFixture()
    fixture.files = fixture.files.filter {
      $0.key.hasPrefix("app/") && $0.key != AndroidFixture.configuration
    }
    fixture.replace(AndroidFixture.hash, with: hash, in: AndroidFixture.manifest)
    fixture.replace(
      "defaultConfig {",
      with: Self.signing
        + "\nbuildTypes { release { signingConfig signingConfigs.debug } }\n  defaultConfig {",
      in: "app/build.gradle")
    var files = fixture.files.mapValues { Data($0.utf8) }
    files["app/debug.keystore"] = Self.keystore
    let findings = try withFolder(of: files) { try Doctor.examine([$0]) }.findings
    #expect(findings.map(\.rule) == Array(repeating: .browserTabActivity, count: count), "\(findings)")
    #expect(findings.allSatisfy { $0.fix == "android:path=\"/\(Self.hash)\"" && $0.severity == .fails })
  }
}
