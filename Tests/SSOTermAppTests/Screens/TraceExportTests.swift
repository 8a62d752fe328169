import Foundation
import Testing

@testable import SSOCore
@testable import SSODevice
@testable import SSOLab
@testable import SSOReading
@testable import SSOTermApp

/// A trace as a picture and as a recording.
@Suite struct TraceExportTests {
  private static func realTrace() throws -> Trace {
    var keys = try LabByKeys("contoso-suite")
    keys.signIn()
    return try #require(try keys.lab.read { try $0.traces.trace(1) })
  }

  /// The program can read what it writes, with the same requests.
  @Test func aRecordingOfATraceIsARecording() throws {
    let trace = try Self.realTrace()
    let text = exportText(trace, as: .har)
    #expect(HARFile.isRecording(Array(text.utf8)))
    let file = try HARFile(Data(text.utf8))
    let requests = trace.hops.filter { $0.to == .provider && $0.from != .person }
    #expect(file.unreadable == 0 && file.exchanges.count == requests.count && requests.count > 4)
    #expect(
      file.exchanges.map { "\($0.request.method) \($0.request.path)" } == requests.map(\.action))
    #expect(
      file.exchanges.map { String($0.response.status) } == requests.map { String($0.result.prefix(3)) })
    let token = try #require(file.exchanges.last)
    #expect(token.request.form["grant_type"] == "authorization_code")
    #expect(token.request.origin == "https://login.microsoftonline.com")
    // The library names itself in headers, and in no field.
    let names = ["x-client-SKU", "x-client-Ver"]
    #expect(names.map { token.request.header($0) } == ["MSAL.iOS", PlatformDefaults(.iOS).sdkVersion])
    #expect(names.allSatisfy { token.request.field($0) == nil })
    #expect(!text.contains("analytical-engine"))
    let read = RecordingReader(file).read()
    #expect(read.trace.hops.count >= requests.count)
  }

  @Test func aStepThatIsNoRequestIsNotInTheRecording() throws {
    var trace = Sample.trace
    trace.hops[3].action = "a sentence / with a slash"
    #expect(try HARFile(Data(exportText(trace, as: .har).utf8)).exchanges.isEmpty)
    #expect(exportRemark(trace, as: .har)?.contains("no request") == true)
    #expect(exportRemark(trace, as: .json) == nil)
    #expect(exportRemark(try Self.realTrace(), as: .har) == nil)
  }

  /// A failed check of a log says what is missing, in every form.
  @Test func aFailedCheckOfALogSaysWhatIsMissing() {
    var trace = Sample.trace
    trace.hops[2].checks = [
      Check("open lamp", expected: "a bulb for the lamp", found: "code -7", false, source: "real-logs.md §1"),
      Check("return light", expected: "a light", found: "none", false, source: "real-logs.md §1"),
    ]
    for text in [mermaid(trace), exportText(trace, as: .svg)] {
      #expect(text.contains("✗ open lamp: no bulb for the lamp, found code -7"))
      #expect(text.contains("✗ return light: no light") && !text.contains("expected a"))
    }
    #expect(
      trace.hops[2].checks.map(\.listText) == ["open lamp: no bulb for the lamp", "return light: no light"])
  }

  /// The picture is well-formed XML with an element for each row, whatever the texts are.
  @Test func aPictureIsWellFormedAndSaysWhatFailed() throws {
    var trace = Sample.trace
    trace.summary.title = "<script>alert(\"x\")</script> & \u{1B}[31m ]]>"
    trace.notes = [0: "a <note>"]
    let text = exportText(trace, as: .svg)
    #expect(!text.contains("<script>") && !text.contains("\u{1B}") && text.contains("&lt;script&gt;"))
    #expect(text.contains("✗ Same client ID") && text.contains("a &lt;note&gt;"))
    let parser = XMLCheck(text)
    #expect(parser.isWellFormed)
    #expect(parser.elements["path"] == Sample.hops.count { $0.from != $0.to })
    let real = exportText(try Self.realTrace(), as: .svg)
    #expect(XMLCheck(real).isWellFormed && real.contains(">consent<") && real.contains("7 adds"))
  }

  /// The page runs nothing, asks for nothing, and escapes each text; each step leads to the next.
  @Test func aPageIsSelfContained() throws {
    var trace = Sample.trace
    trace.summary.title = "<script>alert(1)</script>"
    trace.hops[0].action = "\"><img src=x>"
    trace.notes = [0: "a <note>"]
    let text = exportText(trace, as: .html)
    for part in ["<script", "<img", "url(", "@import", "href=\"http", "<link"] {
      #expect(!text.contains(part), "\(part)")
    }
    #expect(text.contains("&lt;script&gt;") && text.contains("a &lt;note&gt;") && text.contains("&lt;img"))
    #expect(text.contains("content=\"default-src 'none'; style-src 'unsafe-inline'\""))
    #expect(text.components(separatedBy: "<details").count == trace.hops.count + 1)
    #expect(text.contains("href=\"#step-2\"") && text.contains("id=\"step-2\""))
  }

  @Test func aReportIsAPageWithEachCase() {
    var suite = ReportSuite(
      name: "<suite>",
      cases: [
        ReportSuite.Case(name: "one"),
        ReportSuite.Case(name: "two", failure: ("refused", "line 1\nline <2>")),
        ReportSuite.Case(name: "three", skipped: "no phone"),
      ])
    suite.output = "what was <seen>"
    let text = HTMLPage("A report", [suite]).text
    for part in [
      "&lt;suite&gt;", "3 cases, 1 failure.", "line 1\nline &lt;2&gt;", "no phone", "&lt;seen&gt;",
    ] {
      #expect(text.contains(part), "\(part)")
    }
  }

  /// Each row of the trace is highlighted for a second, and the last screen stays.
  @Test func aTraceIsPlayedInATerminal() throws {
    let trace = try Self.realTrace()
    let text = exportText(trace, as: .cast)
    let lines = text.split(separator: "\n")
    let head = try JSONParser.parse(Data(try #require(lines.first).utf8))
    #expect(head["version"] == .integer(2) && head["width"] == .integer(120))
    #expect(lines.count == Flow(trace.hops).rows.count + 2)
    #expect(lines.last?.hasPrefix("[\(Flow(trace.hops).rows.count).000") == true)
    #expect(text.contains("Sequence") && !text.contains("analytical-engine"))
    #expect(exportText(trace, as: .cast) == text)
  }

  @Test func aTraceWithoutStepsIsADocumentToo() throws {
    let empty = Trace(summary: Sample.traces[0], hops: [], outcome: nil)
    #expect(XMLCheck(exportText(empty, as: .svg)).isWellFormed)
    #expect(try HARFile(Data(exportText(empty, as: .har).utf8)).exchanges.isEmpty)
  }
}

/// A checker that opens and closes the elements of a document.
private struct XMLCheck {
  private(set) var isWellFormed = true
  private(set) var elements: [String: Int] = [:]

  init(_ text: String) {
    var open: [String] = []
    for part in text.split(separator: "<").dropFirst(text.hasPrefix("<") ? 0 : 1) {
      guard let end = part.firstIndex(of: ">") else {
        isWellFormed = false
        return
      }
      let tag = part[..<end]
      if tag.hasPrefix("?") { continue }
      let name = String(tag.drop { $0 == "/" }.prefix { $0.isLetter })
      if tag.hasPrefix("/") {
        if open.popLast() != name { isWellFormed = false }
      } else {
        elements[name, default: 0] += 1
        if !tag.hasSuffix("/") { open.append(name) }
      }
    }
    isWellFormed = isWellFormed && open.isEmpty
  }
}
