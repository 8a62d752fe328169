import DoctorTestSupport
import Foundation
import Testing

@testable import SSODoctor

@Suite struct SourceTextsTests {
  /// What a file contains later does not matter, because it is read once.
  @Test func aFileIsReadOnce() throws {
    try withFolder(of: ["a.kt": "one", "b.kt": "1234567"]) { folder in
      let texts = SourceTexts(sizeLimit: 5)
      #expect(texts.text(folder + "/a.kt") == "one" && texts.text(folder + "/b.kt") == nil)
      try Data("two".utf8).write(to: URL(filePath: folder + "/a.kt"))
      try Data("1".utf8).write(to: URL(filePath: folder + "/b.kt"))
      #expect(texts.text(folder + "/a.kt") == "one" && texts.text(folder + "/b.kt") == nil)
    }
  }
}
