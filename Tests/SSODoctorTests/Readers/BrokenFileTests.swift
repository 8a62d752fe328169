import DoctorTestSupport
import Foundation
import SSOCore
import TestSamples
import Testing

@testable import SSODoctor

/// Broken files of each kind lead to a clear error or a partial result, never to a crash or an endless loop.
@Suite struct BrokenFileTests {
  enum Kind: String, CaseIterable, Sendable {
    case project, xmlList, binaryList, swift, objectiveC, registration, manifest, androidConfiguration,
      archive, apk,
      executable, profile, binaryXML

    func sample() throws -> Data {
      let fixture = XcodeFixture()
      let android = AndroidFixture()
      func text(_ text: String?) -> Data { Data((text ?? "").utf8) }
      switch self {
      case .project: return text(fixture.files["Suite.xcodeproj/project.pbxproj"])
      case .xmlList: return text(fixture.files["Mail/Info.plist"])
      case .binaryList:
        return try PropertyListSerialization.data(
          fromPropertyList: [
            "CFBundleURLTypes": [["CFBundleURLSchemes": ["msauth.a", "b"]]], "n": 7, "f": true,
          ],
          format: .binary, options: 0)
      case .swift: return text(XcodeFixture.signIn)
      case .objectiveC: return text(XcodeFixture.objectiveC)
      case .registration: return text(fixture.registration)
      case .manifest: return text(android.files[AndroidFixture.manifest])
      case .androidConfiguration: return text(android.files[AndroidFixture.configuration])
      case .archive: return BuiltAppFixture().archive
      case .apk: return try APKFixture().archive()
      case .executable: return BuiltAppFixture().executable
      case .profile: return try #require(BuiltAppFixture().profile)
      case .binaryXML:
        return Data(
          BinaryXMLWriter.bytes(of: try XMLReader.read(text(android.files[AndroidFixture.manifest]))))
      }
    }

    /// Reads the data.
    ///
    /// The result does not matter here.
    func read(_ data: Data) throws {
      let text = String(decoding: data, as: UTF8.self)
      switch self {
      case .project: _ = try XcodeProject(data, bundle: "/nowhere/Suite.xcodeproj")
      case .xmlList, .binaryList:
        var reader = AppleReader(facts: AppleFacts(name: "x", origin: FilePlace("x")))
        let list = try PropertyListReader.read(data)
        reader.takeInfo(list, path: "x")
        reader.takeEntitlements(list, path: "x")
      case .swift, .objectiveC:
        _ = SourceFacts([SourceScan(text, path: "x.swift")], bundleID: "com.contoso.mail")
      case .registration: _ = try RegistrationFacts.read(data, path: "x")
      case .manifest:
        var facts = AndroidFacts(name: "x", origin: FilePlace("x"))
        AndroidManifestReader.take(try XMLReader.read(data), path: "x", values: [:], into: &facts)
        _ = AndroidRules(facts: facts, registrations: []).checks()
      case .androidConfiguration: _ = try AndroidFacts.Configuration.read(text, path: "x")
      case .archive: _ = try BuiltAppReader.readArchive(data, path: "x")
      case .apk: _ = try APKReader.read(data, path: "x")
      case .executable: _ = try MachO.signature(data)
      case .profile: _ = try ProvisioningProfile.read(data)
      case .binaryXML: _ = try BinaryXML.read(data)
      }
    }
  }

  @Test(arguments: Kind.allCases) func aSampleIsRead(_ kind: Kind) throws { try kind.read(try kind.sample()) }

  @Test(arguments: Kind.allCases) func aFileThatEndsEarlyIsRefusedOrReadAsFarAsItGoes(_ kind: Kind) throws {
    let sample = try kind.sample()
    for length in stride(from: 0, to: sample.count, by: 64) {
      do { try kind.read(sample.prefix(length)) } catch { #expect(error is ReadingError) }
    }
  }

  /// Tests 13 kinds with 800 mutations each.
  @Test(arguments: Kind.allCases) func aChangedFileDoesNoHarm(_ kind: Kind) throws {
    let sample = [UInt8](try kind.sample())
    var state = fuzzSeed(kind.rawValue.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % max(bound, 1)
    }
    for _ in 0..<fuzzRounds(800) {
      var bytes = sample
      for _ in 0..<1 + next(4) where !bytes.isEmpty {
        let place = next(bytes.count)
        switch next(4) {
        case 0: bytes[place] = UInt8(next(256))
        case 1: bytes[place] ^= 1 << UInt8(next(8))
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + 1 + next(16)))
        default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 1 + next(16))], at: place)
        }
      }
      do { try kind.read(Data(bytes)) } catch { #expect(error is ReadingError) }
    }
  }

  @Test(arguments: [
    String(repeating: "(", count: 100_000), String(repeating: "{a=", count: 100_000),
    "<plist>" + String(repeating: "<array>", count: 100_000),
    "<?xml version=\"1.0\"?><!DOCTYPE plist [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><plist><string>&b;</string></plist>",
  ])
  func deepAndCleverListsAreRefused(_ text: String) {
    #expect(throws: ReadingError.self) { try PropertyListReader.read(Data(text.utf8)) }
  }

  @Test func aSettingThatNamesItselfEnds() {
    let place = FilePlace("x")
    let settings = BuildSettings(
      levels: [["A": Found("$(B)$(B)", place), "B": Found("$(A)$(A)", place), "C": Found("x$(C)", place)]],
      builtIn: [:])
    #expect((settings.value("A")?.value.utf8.count ?? 0) < 200_000)
    #expect(settings.value("C")?.value == "x$(C)")
  }

  @Test func aPipeAmongTheFilesIsNotWaitedFor() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "pipe-\(UUID().uuidString).plist").path
    defer { unlink(path) }
    #expect(mkfifo(path, 0o600) == 0)
    #expect(throws: ReadingError("not a regular file")) { try ProjectFiles.data(path) }
  }
}

/// Files that are small but would take forever.
@Suite struct SlowFileTests {
  @Test func settingsThatNameEachOtherManyTimesEnd() {
    let place = FilePlace("x")
    var level: [String: Found<String>] = [:]
    for index in 0..<16 {
      level["A\(index)"] = Found(String(repeating: "$(A\(index + 1))", count: 200), place)
    }
    level["A16"] = Found("", place)
    #expect(BuildSettings(levels: [level], builtIn: [:]).value("A0") != nil)
  }

  @Test func configurationFilesThatIncludeThemselvesAreReadOnce() throws {
    let include = String(repeating: "#include \"a.xcconfig\"\n", count: 50)
    try withFolder(of: ["a.xcconfig": include + "KEY = value // comment"]) { folder in
      #expect(ConfigurationFile(folder + "/a.xcconfig").settings["KEY"]?.value == "value")
    }
  }

  @Test func manyCallbacksAndNestedCallsInAFileAreNotFollowedForEver() {
    let calls = String(repeating: "handleMSALResponse ", count: 50_000)
    let nested = "let a = " + String(repeating: "URL(string: ", count: 50_000)
    #expect(SourceScan(calls, path: "a.swift").indirectCallbacks.count == 100)
    #expect(SourceScan(nested, path: "a.swift").uses.isEmpty)
  }

  /// A link to a folder is not followed, so a loop of links has an end and no app is found twice.
  @Test func aLoopOfLinksEnds() throws {
    let diagnosis = try XcodeFixture().inFolder { folder in
      let links = FileManager.default
      try links.createSymbolicLink(atPath: folder + "/Mail/up", withDestinationPath: "..")
      try links.createSymbolicLink(atPath: folder + "/again", withDestinationPath: "Mail")
      return try Doctor.examine([folder])
    }
    #expect(diagnosis.apple.map(\.name) == ["Mail", "Calendar"] && diagnosis.isComplete)
  }

  /// A search that ends before the last entry says so, and does not deny what it did not find.
  @Test func aFolderThatIsTooLargeIsSaidToBe() throws {
    let files = ["a/b.swift": "", "a/c.swift": "", "d.swift": ""]
    try withFolder(of: files) { folder in
      let whole = ProjectFiles(folder).search { $0.hasSuffix(".swift") }
      #expect(whole.paths.count == 3 && whole.isComplete)
      let part = ProjectFiles(folder).search(limit: 2) { $0.hasSuffix(".swift") }
      #expect(part.paths.count == 1 && !part.isComplete)
    }
    var diagnosis = Diagnosis()
    #expect(diagnosis.verdict.meaning == "No app here uses MSAL or ADAL.")
    diagnosis.notes = [ProjectNote(kind: .large, place: FilePlace("all"))]
    #expect(diagnosis.verdict.meaning == "Nothing could be checked.")
    #expect(diagnosis.notes[0].displayText.contains("the rest is not checked"))
  }

  /// The folder that macOS adds to archives has the names of the project's files, but not their contents.
  @Test func whatAnArchiveOfMacOSAddsIsNotRead() throws {
    let files = ["__MACOSX/A.xcodeproj/project.pbxproj": "x", "__MACOSX/._B.xcodeproj": "x"]
    #expect(try withFolder(of: files) { try Doctor.examine([$0]) }.unread == [])
  }

  /// A project file that contains only comments is not a project.
  @Test func aProjectOfCommentsIsRefused() throws {
    try withFolder(of: ["A.xcodeproj/project.pbxproj": "// !$*UTF8*$!\n/* nothing */\n"]) { folder in
      _ = #expect(throws: UnreadableProject.self) { try Doctor.examine([folder]) }
    }
  }
}
