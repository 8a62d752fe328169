import Foundation
import SSODoctor
import Testing

@testable import SSOTerm

/// `doctor --fix` changes a file only after a yes, and saves the old text.
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

  /// Runs it in a folder with a file, beside a folder for the copies.
  private static func run(
    _ answer: String, _ text: String = info, target: String? = nil
  ) throws -> (said: String, files: [String: String], findings: Int) {
    let folder = FileManager.default.temporaryDirectory.appending(path: "fix-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let project = folder.appending(path: "project")
    try FileManager.default.createDirectory(at: project, withIntermediateDirectories: true)
    let path = project.appending(path: "Info.plist").path
    if let target {
      let outside = folder.appending(path: target).path
      try Data(text.utf8).write(to: URL(filePath: outside))
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: outside)
    } else {
      try Data(text.utf8).write(to: URL(filePath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    }
    var said = ""
    let dialogue = PlainDialogue(say: { said += $0 }, hear: { _ in answer })
    let copies = folder.appending(path: "copies").path
    let diagnosis = try DoctorFix(dialogue: dialogue, copies: copies) { try Doctor.examine([path]) }.run()
    var files: [String: String] = [:]
    for name in ["project/Info.plist"] + [target].compactMap(\.self) {
      files[name] = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: project.path) == ["Info.plist"])
    for line in said.split(separator: "\n") {
      guard let range = line.firstRange(of: "The old text is in ") else { continue }
      let copy = String(line[range.upperBound...])
      #expect(copy.hasPrefix(copies))
      files["copies/" + URL(filePath: copy).lastPathComponent] = try String(
        contentsOfFile: copy, encoding: .utf8)
      let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
    return (said, files, diagnosis.findings.count)
  }

  @Test func aYesMakesTheChangeAndKeepsTheOldTextOutsideOfTheProject() throws {
    let (said, files, findings) = try Self.run("y")
    #expect(said.contains("+     <string>msauthv3</string>"), "\(said)")
    #expect(said.contains("The old text is in ") && said.contains("/Info.plist.1"), "\(said)")
    #expect(findings == 0)
    #expect(Set(files.keys) == ["project/Info.plist", "copies/Info.plist.1"])
    #expect(files["copies/Info.plist.1"] == Self.info)
    #expect(files["project/Info.plist"]?.contains("<string>msauthv3</string>") == true)
  }

  @Test(arguments: ["", "n", "maybe"])
  func anythingElseChangesNothing(_ answer: String) throws {
    let (_, files, findings) = try Self.run(answer)
    #expect(files == ["project/Info.plist": Self.info] && findings == 1)
  }

  /// A link to a target outside the project is followed only after a question that names the target.
  @Test func theTargetOfALinkIsNamed() throws {
    let (said, files, _) = try Self.run("y", target: "Real.plist")
    #expect(
      said.contains("This is a link. The file that changes is ") && said.contains("/Real.plist"), "\(said)")
    #expect(files["Real.plist"]?.contains("msauthv3") == true)
  }

  /// A file whose lines end in CR LF keeps them, and a tab is shown as spaces.
  @Test func windowsLinesAreKept() throws {
    let text = Self.info.replacing("  ", with: "\t").replacing("\n", with: "\r\n")
    let (said, files, findings) = try Self.run("y", text)
    #expect(findings == 0 && said.contains("+     <string>msauthv3</string>"), "\(said)")
    let changed = try #require(files["project/Info.plist"])
    #expect(changed.contains("\r\n\t\t<string>msauthv3</string>\r\n"), "\(changed)")
    #expect(changed.replacing("\t\t<string>msauthv3</string>\r\n", with: "") == text)
  }

  /// A change that does not fix the finding is reverted, and is not proposed again.
  @Test func aChangeThatMendsNothingIsTakenBack() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "fix-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appending(path: "Info.plist").path
    try Data(Self.info.utf8).write(to: URL(filePath: path))
    let first = try Doctor.examine([path])
    var said = ""
    let dialogue = PlainDialogue(say: { said += $0 }, hear: { _ in "y" })
    // The diagnosis never changes, as if the finding were of another file.
    _ = try DoctorFix(dialogue: dialogue, copies: folder.path + "/copies") { first }.run()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.info)
    #expect(said.ranges(of: "Make this change?").count == 1, "\(said)")
  }

  /// Findings that may be intentional come last, with different words.
  @Test func aQuestionIsAskedAsOne() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "fix-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let lists = [
      "Info.plist": Self.info,
      "Mail.entitlements": """
      <plist version="1.0">
      <dict>
        <key>keychain-access-groups</key>
        <array>
          <string>$(AppIdentifierPrefix)com.contoso.shared</string>
        </array>
      </dict>
      </plist>
      """,
    ]
    for (name, text) in lists { try Data(text.utf8).write(to: folder.appending(path: name)) }
    var said = ""
    let dialogue = PlainDialogue(say: { said += $0 }, hear: { _ in "n" })
    _ = try DoctorFix(dialogue: dialogue, copies: folder.path + "/copies") {
      try Doctor.examine(lists.keys.sorted().map { folder.path + "/" + $0 })
    }.run()
    let first = try #require(said.firstRange(of: "Make this change?"), "\(said)")
    let second = try #require(said.firstRange(of: "The app may work as it is."), "\(said)")
    #expect(first.lowerBound < second.lowerBound)
  }

  /// Findings that no file of these kinds can fix are counted.
  @Test func whatIsLeftIsSaid() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "fix-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(
      "import { PublicClientApplication } from '@azure/msal-browser';\nnew PublicClientApplication({ auth: { clientId: '8a2c1d4e-6f3b-4a57-9c80-1e2d3f4a5b6c', authority: 'http://login.microsoftonline.com/common' } });"
        .utf8
    ).write(to: folder.appending(path: "page.js"))
    var said = ""
    let dialogue = PlainDialogue(say: { said += $0 }, hear: { _ in "y" })
    _ = try DoctorFix(dialogue: dialogue, copies: folder.path + "/copies") {
      try Doctor.examine([folder.path])
    }.run()
    #expect(said == "1 finding cannot be fixed by --fix: you have to change it.\n", "\(said)")
  }
}
