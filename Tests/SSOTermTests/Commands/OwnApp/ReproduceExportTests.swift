import Foundation
import SSOCore
import SSOReproduce
import Testing

@testable import SSOTerm

/// The documents that `ssoterm reproduce --as KIND` prints.
@Suite struct ReproduceExportTests {
  private func reproduction(_ text: String) throws -> Reproduction {
    var reader = EvidenceReader()
    try reader.read(EvidenceFile(name: "app.log", data: Data(text.utf8)))
    return Reproducer(reader.finish()).reproduce()
  }

  @Test(arguments: ReproduceExport.allCases)
  func noDocumentHasNamesOrTokensOfTheSource(_ kind: ReproduceExport) throws {
    let source = """
      MSALErrorDomain Code=-50002 AADSTS50173: User account 'jane.doe@wingtip.example' from tenant \
      'c0ffee00-1234-4abc-8def-001122334455' access_token=eyJhbGciOiJub25lIn0.e30.secretsecret
      """
    let result = try reproduction(source)
    // The tests of pages show no silent call.
    guard kind.obstacle(result) == nil else { return #expect([.xcuitest, .uiautomator].contains(kind)) }
    let text = try #require(kind.text(result, scenario: "repro.yaml"))
    #expect(text.contains("50173") && !text.contains("{{"))
    for secret in ["jane", "wingtip", "c0ffee00", "eyJ"] { #expect(!text.contains(secret), "\(secret)") }
  }

  @Test func aTestMakesTheCallBeforeAndAfterTheChange() throws {
    let text = try #require(
      ReproduceExport.pytest.text(reproduction("AADSTS50173: revoked"), scenario: "my repro.yaml"))
    #expect(text.contains("with_name(\"my repro.yaml\"), 3\n"))
    #expect(try call("CALL", text)["grant"] == "refresh_token")
    let mended = try call("MENDED_CALL", text)
    #expect(mended["grant"] == "authorization_code" && mended["consent"] == "accept")
  }

  private func call(_ name: String, _ text: String) throws -> JSONValue {
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(name + " = ") })
    return try JSONParser.parse(Data(line.dropFirst(name.count + 3).utf8))
  }

  /// A change of the app's authority changes the call's tenant.
  @Test func theChangeOfATenantReachesTheTest() throws {
    let text = try #require(ReproduceExport.pytest.text(reproduction("AADSTS50020: x"), scenario: "r.yaml"))
    let (before, after) = (try call("CALL", text)["tenant"], try call("MENDED_CALL", text)["tenant"])
    #expect(after == "common" && before != after)
  }

  /// A program's call is made with its grant and its changed fields.
  @Test func aProgramsCallIsMadeAsTheProgramMakesIt() throws {
    let text = try #require(
      ReproduceExport.pytest.text(
        reproduction("ClientSecretCredential authentication failed: AADSTS7000215: x"), scenario: "r.yaml"))
    let (before, after) = (try call("CALL", text), try call("MENDED_CALL", text))
    #expect(before["grant"] == "client_credentials" && before["client_secret"] == after["client_secret"])
    #expect(before["change_token"] == [["client_secret", "the-ID-of-the-secret"]])
    #expect(after["change_token"] == nil && !text.contains("runs the scenario"))
  }

  /// A test that cannot make the call, or drives another kind of program, is refused with the reason.
  @Test(arguments: [
    (ReproduceExport.playwright, "MSALInternalErrorCodeKey=-42001", "the program's SDK"),
    (.playwright, "400 Bad request - Invalid request - Identity not found", "the machine"),
    (.xcuitest, "AADSTS50173: revoked", "silent"),
    (.xcuitest, "ClientSecretCredential AADSTS7000215: x", "another"),
    (.uiautomator, "AADSTS50011: x", "another"),
    (.xcuitest, "MSALInternalErrorCodeKey=-42700", "no broker"),
  ])
  func aTestThatCannotShowTheFailureIsRefused(_ kind: ReproduceExport, _ source: String, _ reason: String)
    throws
  {
    let result = try reproduction(source)
    #expect(kind.text(result, scenario: "r.yaml") == nil)
    #expect(kind.obstacle(result)?.contains(reason) == true, "\(kind.obstacle(result) ?? "none")")
  }

  @Test func aFailureThatTheLabDoesNotHaveIsReportedButNotTested() throws {
    let unknown = try reproduction("AADSTS135010: something new")
    for kind in ReproduceExport.allCases {
      let isReport = [.html, .markdown, .junit].contains(kind)
      #expect((kind.text(unknown, scenario: "repro.yaml") != nil) == isReport, "\(kind)")
    }
  }

  @Test func aLiteralIsTheTextWhateverItContains() throws {
    let hostile = "a\"b\\c$d\n\u{202E}é😀"
    #expect(try JSONParser.parse(Data(Literal.json(hostile).utf8)) == .string(hostile))
    #expect(
      Literal.swift(hostile) == "\"a\\u{22}b\\u{5c}c\\u{24}d\\u{a}\\u{202e}\\u{e9}\\u{1f600}\"")
    #expect(
      Literal.kotlin(hostile)
        == "\"a\\u0022b\\u005cc\\u0024d\\u000a\\u202e\\u00e9\\ud83d\\ude00\"")
  }
}
