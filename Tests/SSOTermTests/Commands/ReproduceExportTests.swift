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
    let text = try #require(kind.text(reproduction(source), scenario: "repro.yaml"))
    #expect(text.contains("50173") && !text.contains("{{"))
    for secret in ["jane", "wingtip", "c0ffee00", "eyJ"] { #expect(!text.contains(secret), "\(secret)") }
  }

  @Test func aTestMakesTheCallBeforeAndAfterTheChange() throws {
    let text = try #require(
      ReproduceExport.pytest.text(reproduction("AADSTS50173: revoked"), scenario: "my repro.yaml"))
    #expect(text.contains("with_name(\"my repro.yaml\"), 3\n"))
    #expect(text.contains("\nCALL = {\"grant\":\"refresh_token\""))
    #expect(text.contains("\nMENDED_CALL = {\"consent\":\"accept\",\"grant\":\"authorization_code\""))
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
