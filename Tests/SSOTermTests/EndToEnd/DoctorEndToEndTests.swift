import Foundation
import Testing

@testable import SSOCore

@Suite("The doctor on the command line", .serialized)
struct DoctorEndToEndTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  private func run(_ arguments: [String]) throws -> Run { try Program.run(arguments, in: folder) }

  private static func info(_ queries: [String]) -> String {
    """
    <plist version="1.0">
    <dict>
      <key>CFBundleIdentifier</key><string>com.contoso.mail</string>
      <key>CFBundleURLTypes</key>
      <array><dict><key>CFBundleURLSchemes</key><array><string>msauth.com.contoso.mail</string></array></dict></array>
      <key>LSApplicationQueriesSchemes</key>
      <array>\(queries.map { "<string>\($0)</string>" }.joined())</array>
    </dict>
    </plist>
    """
  }

  private static let right = info(["msauthv2", "msauthv3"])
  private static let wrong = info(["msauthv2"])

  @Test func whatIsWrongIsToldWithFileLineAndExitCode() throws {
    let file = try folder.write(Self.wrong, to: "Info.plist")
    let text = try run(["doctor", file])
    #expect(text.status == .exit(1), "\(text.err)")
    #expect(text.out.contains("query-schemes") && text.out.contains(file + ":7"))
    #expect(text.out.contains("ssoterm explain -42001") && text.out.contains("<string>msauthv3</string>"))
    let json = try JSONParser.parse(Data(try run(["doctor", file, "--json"]).out.utf8))
    #expect(json["findings"]?.array?.map { $0["rule"] } == ["query-schemes"])
    let sarif = try JSONParser.parse(Data(try run(["doctor", file, "--format", "sarif"]).out.utf8))
    #expect(sarif["runs"]?.array?.first?["results"]?.array?.count == 1)
    try folder.write(Self.right, to: "Info.plist")
    #expect(try run(["doctor", file]).status == .exit(0))
  }

  @Test func whatCannotBeReadIsSaidWithoutEscapeSequences() throws {
    let missing = try run(["doctor", folder.path("nothing")])
    #expect(missing.status == .exit(2) && missing.err.contains("cannot be judged"))
    let file = try folder.write("<plist><dict><key>\u{1B}[31m</key></dict></plist>", to: "Info.plist")
    let damaged = try run(["doctor", file])
    #expect(damaged.status == .exit(2) && !damaged.err.contains("\u{1B}"))
    #expect(try run(["doctor"]).status == .exit(2))
  }

  /// Neither a CI nor a user is informed that everything is correct.
  @Test func aFileOfTheProjectThatCannotBeReadIsAFailureInEveryOutput() throws {
    let main = "app/src/main/"
    for path in [main + "res/raw", "empty"] {
      try FileManager.default.createDirectory(atPath: folder.path(path), withIntermediateDirectories: true)
    }
    try folder.write("<manifest package=\"com.contoso.notes\"/>", to: main + "AndroidManifest.xml")
    try folder.write(
      #"{ "client_id": "8a2c1d4e-6f3b-4a57-9c80-1e2d3f4a5b6c" "redirect_uri": "x" }"#,
      to: main + "res/raw/auth.json")
    try folder.write(Self.right, to: "Info.plist")
    let named = ["doctor", folder.root, folder.path("Info.plist")]
    let text = try run(named + ["--report", "junit", folder.path("doctor.xml")])
    #expect(
      text.status == .exit(1) && text.out.contains("auth.json cannot be read: line 1: not a JSON document"))
    #expect(text.out.contains("1 file not read.") && !text.out.contains("Nothing found"))
    #expect(folder.text("doctor.xml").contains("failures=\"1\""))
    let sarif = try JSONParser.parse(Data(try run(named + ["--format", "sarif"]).out.utf8))
    let invocation = sarif["runs"]?.array?.first?["invocations"]?.array?.first
    #expect(invocation?["executionSuccessful"] == .bool(false))
    #expect(invocation?["toolExecutionNotifications"]?.array?.count == 1)
    try folder.write("", to: "empty/README")
    #expect(try run(["doctor", folder.path("empty")]).status == .exit(3))
  }

  @Test func anAppIsImportedAndUndoTakesItBack() throws {
    let file = try folder.write(Self.right, to: "Info.plist")
    let store = ["--store", folder.path("s.sqlite")]
    let refused = try run(["app", "import", file] + store)
    #expect(refused.status == .exit(2) && refused.err.contains("--client-id"))
    let client = ["--client-id", "8a2c1d4e-6f3b-4a57-9c80-1e2d3f4a5b6c"]
    let imported = try run(["app", "import", file] + client + store)
    #expect(
      imported.status == .exit(0) && imported.out.contains("com.contoso.mail: added"), "\(imported.err)")
    #expect(try run(["app", "list"] + store).out.contains("com.contoso.mail"))
    #expect(try run(["undo"] + store).status == .exit(0))
    #expect(try !run(["app", "list"] + store).out.contains("com.contoso.mail"))
  }

  @Test func aMissingClientIDIsAskedForOnATerminal() throws {
    let file = try folder.write(Self.right, to: "Info.plist")
    let store = ["--store", folder.path("s.sqlite")]
    let terminal = try Terminal(program: ["app", "import", file] + store, in: folder)
    try terminal.waitFor("Client ID of Info.plist, empty to cancel:")
    terminal.send("8a2c1d4e-6f3b-4a57-9c80-1e2d3f4a5b6c\r")
    #expect(try terminal.ending() == .exit(0))
    let shown = try run(["app", "show", "com.contoso.mail"] + store)
    #expect(shown.out.contains("8a2c1d4e-6f3b-4a57-9c80-1e2d3f4a5b6c"))
  }

  /// The editor has the terminal, at the line of the finding, and what it saved is checked at once.
  @Test func theEditorMendsTheFileThatTheScreenShows() throws {
    let file = try folder.write(Self.wrong, to: "Info.plist")
    let right = try folder.write(Self.right, to: "right.plist")
    let editor = try folder.write(
      "#!/bin/sh\necho \"editing $*\"; read answer; cp '\(right)' '\(file)'\n", to: "editor")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: editor)
    let terminal = try Terminal(
      program: ["doctor", file, "--open"], in: folder, columns: 120, variables: ["EDITOR": editor])
    try terminal.waitFor("1 finding")
    terminal.send("\re")
    try terminal.waitFor("editing +7 " + file)
    terminal.send("\r")
    try terminal.waitFor("0 findings")
    terminal.send("Q")
    #expect(try terminal.ending() == .exit(0))
    terminal.expectRestored()
  }

  @Test func aWatchedProjectIsJudgedAgain() throws {
    let file = try folder.write(Self.wrong, to: "Info.plist")
    let terminal = try Terminal(program: ["doctor", "--watch", file], in: folder, rows: 50, columns: 160)
    try terminal.waitFor("1 fails.")
    try folder.write(Self.right, to: "Info.plist")
    try terminal.waitFor("Nothing found.")
    terminal.send("q")
    #expect(try terminal.ending() == .exit(0))
  }
}
