import DoctorTestSupport
import Foundation
import SSOCore
import Testing

@testable import SSODoctor

/// A file whose lines end in CR LF says the same as one with LF, at the same lines.
@Suite struct LineEndTests {
  /// Returns what the doctor finds, with paths below the folder.
  private static func findings(_ files: [String: String]) throws -> [String] {
    try withFolder(of: files) { folder in
      let loose = files.keys.filter { $0 == "registration.json" }.map { folder + "/" + $0 }
      let diagnosis = try Doctor.examine([folder] + loose)
      let checks = diagnosis.checks.map { check in
        "\(check.rule.name) \(check.place) \(check.check.expected) \(check.check.found) \(check.hasFailed)"
      }
      let rest =
        (diagnosis.uses.map(\.place) + diagnosis.notes.map(\.place) + diagnosis.web.map(\.origin))
        .map(\.description)
      return (checks + rest + diagnosis.unread.map(\.path)).map { $0.replacing(folder, with: "") }
    }
  }

  private static func compare(_ files: [String: String]) throws {
    let wide = files.mapValues { $0.replacing("\n", with: "\r\n") }
    let (one, other) = (try findings(files), try findings(wide))
    #expect(one == other)
    #expect(!one.isEmpty)
  }

  @Test(arguments: XcodeMistake.all) func ofAnAppleProject(_ mistake: XcodeMistake) throws {
    var fixture = XcodeFixture()
    mistake.make(&fixture)
    try Self.compare(fixture.files.merging(["registration.json": fixture.registration]) { $1 })
  }

  @Test(arguments: OtherPlatformTests.mistakes) func ofAnAndroidProject(_ mistake: OtherPlatformTests.Mistake)
    throws
  {
    var fixture = AndroidFixture()
    mistake.make(&fixture)
    try Self.compare(fixture.files)
  }

  private static let pages: [[String: String]] = [
    [
      "package.json": #"{ "dependencies": { "@azure/msal-browser": "^4.0.0" } }"#,
      ".env": "# own\nVITE_CLIENT_ID=8a2c1d4e-6f3b-4a57-9c80-1e2d3f4a5b6c\nVITE_CLIENT_SECRET=hunter2\n",
      "src/auth.ts": "const config = {\n  auth: { clientId: import.meta.env.VITE_CLIENT_ID }\n};",
    ],
    ["page/index.html": "<html>\n<script src=\"msal-browser.min.js\"></script>\n</html>"],
    ["daemon/requirements.txt": "flask\nmsal==1.31\n"],
    [
      "pubspec.yaml": "name: notes\ndependencies:\n  flutter:\n    sdk: flutter\n  msal_auth: ^3.0.0\n",
      "ios/Runner/Info.plist": XcodeFixture.info("com.contoso.notes"),
    ],
    [
      "project.yml":
        "name: Desk\ntargets:\n  Desk:\n    settings:\n      PRODUCT_BUNDLE_IDENTIFIER: com.contoso.desk\n",
      "Desk/Info.plist": XcodeFixture.info(""), "Desk/SignIn.swift": XcodeFixture.signIn,
    ],
  ]

  @Test(arguments: pages) func ofOtherProjects(_ files: [String: String]) throws { try Self.compare(files) }

  /// A value of `.env` ends with its line, so that no other variable is printed with it.
  @Test func aVariableIsItsLine() throws {
    let files = [
      "package.json": #"{ "dependencies": { "@azure/msal-browser": "^4.0.0" } }"#,
      ".env":
        "VITE_CLIENT_ID=8a2c1d4e-6f3b-4a57-9c80-1e2d3f4a5b6c\r\nDATABASE_PASSWORD=hunter2\r\nVITE_OTHER=a\rPASSWORD=hunter3",
      "src/auth.ts": "const config = { auth: { clientId: import.meta.env.VITE_CLIENT_ID } };",
    ]
    let diagnosis = try withFolder(of: files) { try Doctor.examine([$0]) }
    #expect(diagnosis.findings == [])
    #expect(diagnosis.web.first?.clientID?.value == AndroidFixture.clientID)
  }
}
