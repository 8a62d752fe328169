import Foundation
import Glibc
import Testing

@Suite("What read prints of a log that is being written", .serialized)
struct ReadFollowTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  /// Two lines of MSAL for iOS: a call that begins, and its end.
  private func call(_ number: Int, failing: Bool = false) -> String {
    let head =
      "TID=7 MSAL 1.4.0 iOS 17.4 [2024-05-06 09:41:0\(number) - 0000000\(number)-0000-4000-8000-000000000000] "
    let end =
      failing
      ? "error: -51411 error domain: MSIDOAuthErrorDomain, AADSTS50076: MFA" : "error: 0 error domain: (null)"
    return head + "Beginning silent flow.\n" + head + "Silent flow finished. Result (null), " + end + "\n"
  }

  private func follow(_ arguments: [String]) throws -> Child {
    try Child(
      [Program.path, "read"] + arguments, environment: Program.environment(home: folder.root), terminal: nil,
      output: folder.path("out"), error: folder.path("err"))
  }

  private func append(_ text: String) throws {
    let file = try FileHandle(forWritingTo: URL(filePath: folder.path("app.log")))
    try file.seekToEnd()
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
  }

  private var lines: [String] { folder.text("out").split(separator: "\n").map(String.init) }

  /// The file is created, grows in the middle of a line, is truncated, and is replaced.
  @Test func aFileIsFollowedThroughAllThatHappensToIt() throws {
    let child = try follow([folder.path("app.log"), "--follow"])
    try child.waiting(until: { folder.text("err").contains("app.log does not exist yet") })
    let first = call(1)
    try folder.write(String(first.prefix(100)), to: "app.log")
    try append(String(first.dropFirst(100)))
    try child.waiting(until: { lines.count == 1 })
    #expect(lines.last?.hasPrefix("09:41:01  ✓ acquireTokenSilent") == true, "\(lines)")

    try append(call(2, failing: true))
    try child.waiting(until: { lines.count == 2 })
    #expect(lines.last?.contains("✗ acquireTokenSilent  AADSTS50076: ") == true, "\(lines)")

    #expect(truncate(folder.path("app.log"), 0) == 0)
    try append(call(3))
    try child.waiting(until: { lines.count == 3 })

    #expect(rename(folder.path("app.log"), folder.path("app.log.1")) == 0)
    try folder.write(call(4), to: "app.log")
    try child.waiting(until: { lines.count == 4 })
    #expect(lines.last?.hasPrefix("09:41:04  ✓ ") == true, "\(lines)")
  }

  /// An error without the lines of an SDK is a call once nothing follows it, and the next one is another.
  @Test func anErrorThatIsOnlyPrintedIsACallAfterASilence() throws {
    try folder.write("", to: "app.log")
    let child = try follow([folder.path("app.log"), "--follow"])
    for code in ["AADSTS50011", "AADSTS65001"] {
      let before = lines.count
      try append("error \(code): a sentence\n")
      try child.waiting(until: { lines.count == before + 1 })
      #expect(lines.last?.contains(code + ": ") == true, "\(lines)")
    }
  }

  @Test func aPipeIsReadToItsEndAndGivesADocumentForEachCall() throws {
    try folder.write(call(1), to: "one")
    try folder.write(call(2, failing: true), to: "two")
    let run = try Program.shell(
      "(cat one; sleep 0.2; head -c 50 two; sleep 0.2; tail -c +51 two) | ssoterm read - --follow --json",
      in: folder)
    #expect(run.status == .exit(1), "\(run.err)")
    let documents = try run.out.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(documents.map { $0["verdict"] as? String } == ["succeeded", "failed", nil])
    let end = try #require(documents.last?["verdict"] as? [String: Any])
    #expect(end["cause"] as? String == "AADSTS50076" && documents.last?["lines"] as? Int == 4)
  }

  @Test func aStreamWithoutAnSDKSaysHowToSwitchItsLogOn() throws {
    let run = try Program.shell(
      "echo '11-20 09:41:07.123 E AndroidRuntime: something else' | ssoterm read - --follow", in: folder)
    #expect(run.status == .exit(3) && run.err.contains("ssoterm read --how android"), "\(run.err)")
  }
}
