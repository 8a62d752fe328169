import Foundation
import Testing

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

  /// The editor has the terminal, at the line of the finding, and the saved file is checked at once.
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

  /// The folder of a project has the name of its target, as Xcode makes it, and is named in three ways.
  @Test func aProjectIsCheckedAlikeHoweverItsFolderIsNamed() throws {
    let sample = Program.repository + "/assets/projects/no-query-scheme"
    let script = """
      cp -r '\(sample)' Expenses
      findings() { ssoterm doctor "$1" | grep -E '✗|~|○|expected|cannot be read|checks passed' | sed 's/  */ /g'; }
      findings "$PWD/Expenses" > whole
      findings Expenses > name
      (cd Expenses; findings . > ../point)
      cmp whole name && cmp whole point && cat whole
      """
    let run = try Program.shell(script, in: folder)
    #expect(run.status == .exit(0), "\(run.out)")
    #expect(run.out.contains("✗ ") && !run.out.contains("cannot be read"))
  }

  @Test func aWatchedProjectIsCheckedAgain() throws {
    let file = try folder.write(Self.wrong, to: "Info.plist")
    let terminal = try Terminal(program: ["doctor", "--watch", file], in: folder, rows: 50, columns: 160)
    try terminal.waitFor("1 check failed.")
    try folder.write(Self.right, to: "Info.plist")
    try terminal.waitFor("Nothing found.")
    terminal.send("q")
    #expect(try terminal.ending() == .exit(0))
  }
}
