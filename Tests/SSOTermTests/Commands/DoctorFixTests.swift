import Foundation
import SSODoctor
import Testing

@testable import SSOTerm

/// `doctor --fix` changes a file only after a yes, and keeps the old text.
@Suite struct DoctorFixTests {
  private static let info = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>
      <key>CFBundleIdentifier</key>
      <string>com.contoso.mail</string>
      <key>CFBundleURLTypes</key>
      <array>
        <dict>
          <key>CFBundleURLSchemes</key>
          <array>
            <string>msauth.com.contoso.mail</string>
          </array>
        </dict>
      </array>
      <key>LSApplicationQueriesSchemes</key>
      <array>
        <string>msauthv2</string>
      </array>
    </dict>
    </plist>
    """

  private static func run(_ answer: String, inWorkingTree: Bool = false) throws -> (
    said: String, files: [String: String], findings: Int
  ) {
    let folder = FileManager.default.temporaryDirectory.appending(path: "fix-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let place = inWorkingTree ? folder.appending(path: ".git") : folder
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let path = folder.appending(path: "Info.plist").path
    try Data(info.utf8).write(to: URL(filePath: path))
    var said = ""
    let dialogue = PlainDialogue(say: { said += $0 }, hear: { _ in answer })
    let diagnosis = try DoctorFix(dialogue: dialogue) { try Doctor.examine([path]) }.run()
    var files: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name != ".git" {
      files[name] = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }
    return (said, files, diagnosis.findings.count)
  }

  @Test func aYesMakesTheChangeAndKeepsTheOldText() throws {
    let (said, files, findings) = try Self.run("y")
    #expect(said.contains("+     <string>msauthv3</string>"), "\(said)")
    #expect(findings == 0)
    #expect(files["Info.plist.orig"] == Self.info)
    #expect(files["Info.plist"]?.contains("<string>msauthv3</string>") == true)
  }

  @Test(arguments: ["", "n", "maybe"])
  func anythingElseChangesNothing(_ answer: String) throws {
    let (_, files, findings) = try Self.run(answer)
    #expect(files == ["Info.plist": Self.info] && findings == 1)
  }

  @Test func gitKeepsTheOldText() throws {
    let files = try Self.run("y", inWorkingTree: true).files
    #expect(Set(files.keys) == ["Info.plist"])
  }
}
