import DoctorTestSupport
import Foundation
import Testing

@testable import SSODoctor

/// Projects with many files: other people's files are skipped, and each file is read only once.
@Suite struct LargeProjectTests {
  private static let package = #"{ "name": "board", "dependencies": { "@azure/msal-browser": "^4.0.0" } }"#
  private static let mistake =
    "const config = { auth: { clientId: '\(AndroidFixture.clientID)', authority: 'http://login.microsoftonline.com/common' } };"

  @Test(arguments: [
    "node_modules/board", ".next/server", "venv/lib", ".angular/cache", "build/static", "Pods/MSAL",
  ])
  func aFolderOfOthersIsSkipped(_ folder: String) throws {
    let files = ["package.json": Self.package, "\(folder)/auth.js": Self.mistake]
    let diagnosis = try withFolder(of: files) { try Doctor.examine([$0]) }
    #expect(diagnosis.web.map(\.configurations.count) == [0])
  }

  /// A value may be in a script to which only an import leads, however many other scripts there are.
  @Test func aModuleIsReadWhenANameLeadsToIt() throws {
    var files = ["package.json": Self.package]
    for number in 0..<2100 { files["src/a\(number).ts"] = "export const part = \(number);" }
    files["src/app.ts"] = "import { id } from './values';\nconst config = { auth: { clientId: id } };"
    files["src/values.ts"] = "export const id = '\(AndroidFixture.clientID)';"
    let diagnosis = try withFolder(of: files) { try Doctor.examine([$0]) }
    #expect(diagnosis.web.map(\.clientID?.value) == [AndroidFixture.clientID])
    #expect(diagnosis.findings == [])
  }

  /// A script is not read just because `auth` occurs within its words.
  @Test(arguments: [
    ("auth: {", true), ("auth = {", true), ("'auth' : {", true), ("auth?: {", true), ("auth\n  : {", true),
    ("author = {", false), ("auth.x = {", false), ("au", false), ("auth", false), ("", false),
  ])
  func aKeyIsFoundInBytes(_ text: String, _ holds: Bool) {
    #expect(text.data(using: .utf8)?.hasBytes("auth", isKey: true) == holds)
  }

  @Test(arguments: [
    ("ab", "b", true), ("aab", "ab", true), ("a", "ab", false), ("", "a", false), ("abab", "abb", false),
  ])
  func aTextIsFoundInBytes(_ text: String, _ part: String, _ holds: Bool) {
    #expect(text.data(using: .utf8)?.hasBytes(part) == holds)
  }
}
