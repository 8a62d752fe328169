import Essentials
import SSOCore
import SSOLab
import SSOReading
import SSOScenarios
import SSOStore
import SafeText
import TerminalUI

/// Returns a JUnit report with a suite for each item, and a case for each step of a scenario.
package func junitText(_ run: TrialRun) -> String { junitText(run.title, run.suites) }

extension TrialRun {
  /// A suite for each item.
  package var suites: [ReportSuite] {
    items.map { item in
      var suite = ReportSuite(name: item.name, cases: item.cases)
      suite.at = item.result?.at ?? startedAt
      suite.milliseconds = item.result?.milliseconds ?? 0
      suite.properties = environment
      suite.output = (item.result?.evidence ?? []).map { "== \($0.name)\n\($0.text)\n" }.joined(
        separator: "\n")
      return suite
    }
  }
}

extension TrialRun.Item {
  fileprivate var cases: [ReportSuite.Case] {
    let steps = (result?.report?.steps ?? []).map { step in
      let text = step.mismatches.map { "expected \($0.expected)\nfound    \($0.found)" }
      return ReportSuite.Case(
        name: "\(step.index) \(step.title)",
        failure: step.passed
          ? nil : (counted(text.count, "expectation") + " not met", text.joined(separator: "\n")))
    }
    guard let result else {
      return [ReportSuite.Case(name: title.isEmpty ? name : title, skipped: "not tried")]
    }
    // A verdict that the steps already express is not an additional case.
    let isOwn = result.report == nil || result.verdict != (result.report?.passed == true ? .passed : .failed)
    guard isOwn else { return steps }
    let words = result.remark.isEmpty ? "assessed by a person" : result.remark
    return steps + [
      ReportSuite.Case(
        name: title.isEmpty ? name : title,
        failure: result.verdict == .failed ? ("failed", words) : nil,
        skipped: result.verdict == .skipped ? words : nil)
    ]
  }
}

/// Returns a report for people: the environment, a table for each item, and the evidence below it.
package func markdownText(_ run: TrialRun) -> String {
  var lines = ["# \(Escaping.markdown(run.title))", "", "| | |", "|---|---|"]
  lines += run.environment.map { "| \(Escaping.markdown($0.name)) | \(Escaping.markdown($0.value)) |" }
  lines.append("| time | \(run.startedAt.iso8601), \(Double(run.milliseconds) / 1000) s |")
  let open = run.items.count { $0.result == nil }
  let counts = TrialResult.Verdict.allCases.map { "\(run.count($0)) \($0.rawValue)" }
  lines += ["", (counts + ["\(open) not tried"]).joined(separator: ", ") + "."]
  for item in run.items { lines += item.markdownLines }
  return (lines + [""]).joined(separator: "\n")
}

extension TrialResult.Verdict {
  package var glyph: String {
    switch self {
    case .passed: "✓"
    case .failed: "✗"
    case .skipped: "-"
    }
  }
}

extension TrialRun.Item {
  fileprivate var markdownLines: [String] {
    let claims = claims.isEmpty ? "" : " (\(Escaping.markdown(claims.joined(separator: ", "))))"
    let verdict = result.map { "\($0.verdict.glyph) " } ?? "? "
    var lines = ["", "## \(verdict)\(Escaping.markdown(name))\(claims)"]
    if !title.isEmpty { lines += ["", Escaping.markdown(title)] }
    guard let result else { return lines + ["", "Not tried."] }
    let remark = result.remark.isEmpty ? "" : ": " + Escaping.markdown(result.remark)
    lines += ["", "\(result.verdict.rawValue) at \(result.at.iso8601)\(remark)"]
    if let report = result.report {
      lines += ["", "| step | | what came |", "|---|---|---|"]
      for step in report.steps {
        let found = step.mismatches.map { "expected \($0.expected), found \($0.found)" }
        lines.append(
          "| \(step.index) \(Escaping.markdown(step.title)) | \(step.passed ? "✓" : "✗") "
            + "| \(found.isEmpty ? "as expected" : found.map { Escaping.markdown($0) }.joined(separator: "<br>")) |"
        )
      }
    }
    for evidence in result.evidence {
      let text = evidence.text.split(separator: "\n", omittingEmptySubsequences: false).map {
        safe(String($0))
      }
      // A line of backticks in the text must not end the block.
      let longest = evidence.text.split { $0 != "`" }.map(\.count).max() ?? 0
      let fence = String(repeating: "`", count: max(4, longest + 1))
      lines += ["", "<details><summary>\(Escaping.html(evidence.name))</summary>", "", fence + "text"] + text
      lines += [fence, "", "</details>"]
    }
    return lines
  }
}

/// Writes both reports to the current folder, and never overwrites an existing file.
/// - Returns: A sentence that says where they were written.
func writeReports(_ run: TrialRun) throws -> String {
  let page = try writeNew("checklist", "md", markdownText(run))
  let junit = try writeNew("checklist", "xml", junitText(run))
  return "Written to \(page) and \(junit), secrets masked."
}

/// A group of cases in a JUnit report.
package struct ReportSuite {
  package struct Case {
    package var name: String
    /// The failure: a line of summary, and the full text.
    package var failure: (message: String, text: String)?
    /// The reason that the case was skipped.
    package var skipped: String?

    package init(name: String, failure: (message: String, text: String)? = nil, skipped: String? = nil) {
      (self.name, self.failure, self.skipped) = (name, failure, skipped)
    }
  }

  package var name: String
  package var cases: [Case]
  package var at: Instant?
  /// The duration in milliseconds, or `nil` if it was not measured.
  package var milliseconds: Int?
  package var properties: [(name: String, value: String)] = []
  /// The observations, which are written as `system-out`.
  package var output = ""

  package init(name: String, cases: [Case]) { (self.name, self.cases) = (name, cases) }
}

/// Returns a JUnit report.
///
/// `name` is the name of the entire report.
package func junitText(_ name: String, _ suites: [ReportSuite]) -> String {
  let cases = suites.flatMap(\.cases)
  let times = suites.compactMap(\.milliseconds)
  let time = times.isEmpty ? "" : #" time="\#(secondsText(times.reduce(0, +)))""#
  var lines = [
    #"<?xml version="1.0" encoding="UTF-8"?>"#,
    #"<testsuites name="\#(Escaping.xml(name))" tests="\#(cases.count)" failures="\#(cases.count { $0.failure != nil })"\#(time)>"#,
  ]
  for suite in suites { lines += suite.lines }
  return (lines + ["</testsuites>", ""]).joined(separator: "\n")
}

extension ReportSuite {
  fileprivate var lines: [String] {
    let skips = cases.count { $0.skipped != nil }
    let more = [
      skips > 0 ? #" skipped="\#(skips)""# : "", at.map { #" timestamp="\#($0.iso8601)""# } ?? "",
      milliseconds.map { #" time="\#(secondsText($0))""# } ?? "",
    ].joined()
    let failures = cases.count { $0.failure != nil }
    var lines = [
      #"  <testsuite name="\#(Escaping.xml(name))" tests="\#(cases.count)" failures="\#(failures)"\#(more)>"#
    ]
    if !properties.isEmpty {
      lines.append("    <properties>")
      lines += properties.map {
        #"      <property name="\#(Escaping.xml($0.name))" value="\#(Escaping.xml($0.value))"/>"#
      }
      lines.append("    </properties>")
    }
    for one in cases {
      let head = #"    <testcase classname="\#(Escaping.xml(name))" name="\#(Escaping.xml(one.name))""#
      if let failure = one.failure {
        lines += [
          head + ">",
          #"      <failure message="\#(Escaping.xml(failure.message))">"# + Escaping.xml(failure.text)
            + "</failure>",
          "    </testcase>",
        ]
      } else if let reason = one.skipped {
        lines += [head + ">", #"      <skipped message="\#(Escaping.xml(reason))"/>"#, "    </testcase>"]
      } else {
        lines.append(head + "/>")
      }
    }
    if !output.isEmpty { lines.append("    <system-out>" + Escaping.xml(output) + "</system-out>") }
    return lines + ["  </testsuite>"]
  }
}

/// Returns a duration in seconds, such as `0.042`.
private func secondsText(_ milliseconds: Int) -> String {
  "\(milliseconds / 1000)." + String(milliseconds % 1000 + 1000).dropFirst()
}

/// Runs a scenario in a separate lab, and collects the evidence for its verdict: the trace of each step, and the final
/// Apps screen as text.
/// - Throws: `LabError` if the world cannot be created, and `StoreError`. A step that fails is part of the result.
package func tryScenario(_ file: ScenarioFile) throws -> TrialResult {
  let start = ContinuousClock.now
  let lab = try Lab.temporary(file)
  let report = lab.run(file)
  let (seconds, attoseconds) = start.duration(to: .now).components
  var evidence: [TrialResult.Evidence] = []
  for step in report.steps {
    guard let id = step.traceID, let trace = try lab.read({ try $0.traces.trace(id) }) else { continue }
    evidence.append(.init(name: "trace of step \(step.index)", text: traceText(trace, TextInk())))
  }
  evidence.append(
    .init(name: "screen at the end", text: OffscreenSession(lab, title: file.name).picture.text()))
  return TrialResult(
    report.passed ? .passed : .failed, at: StandardStreams.now(),
    milliseconds: Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000), report: report,
    evidence: evidence)
}

extension TrialRun.Item {
  package init(_ file: ScenarioFile) { self.init(name: file.name, title: file.title, claims: file.claims) }

  package init(_ item: ChecklistFile.Item) {
    switch item {
    case .scenario(let file): self.init(file)
    case .manual(let text, let expect): self.init(name: text, title: expect)
    }
  }
}

extension TrialRun {
  /// Returns the environment of the run: the build under test and the user, if they are known, the program, and the
  /// system.
  package static func environment(build: String?, person: String?) -> [(name: String, value: String)] {
    var system = utsname()
    uname(&system)
    func text<Field>(_ field: Field) -> String {
      withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    let words = [text(system.sysname), text(system.release), text(system.machine)].joined(separator: " ")
    let user = person ?? StandardStreams.variable("USER") ?? ""
    return [
      ("build under test", build ?? ""), ("person", user), ("ssoterm", programVersion), ("system", words),
    ]
    .filter { !$0.1.isEmpty }.map { (name: $0.0, value: $0.1) }
  }
}

extension TrialResult.Evidence {
  /// The size above which only the size and the hash of a file are recorded, because people read the reports.
  private static let textLimit = 256 * 1024
  private static let sizeLimit = 256 * 1024 * 1024

  /// Creates the evidence that a user adds to an item of a checklist.
  ///
  /// The evidence is a text with its secrets masked or, for a picture or another file that is not a text, the size and
  /// the SHA-256.
  /// - Throws: The reason that the file cannot be read.
  package init(fileAt path: String) throws(UnreadableEvidence) {
    // Do not wait for the other end of a pipe.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw UnreadableEvidence(path: path, why: SystemError(code: errno).displayText)
    }
    defer { close(descriptor) }
    guard permissions(ofRegularFile: descriptor) != nil else {
      throw UnreadableEvidence(path: path, why: "it is not a file")
    }
    let data: Data
    do throws(SystemError) {
      data = try StandardStreams.read(descriptor, limit: Self.sizeLimit + 1)
    } catch { throw UnreadableEvidence(path: path, why: error.displayText) }
    guard data.count <= Self.sizeLimit else {
      throw UnreadableEvidence(path: path, why: "it is larger than 256 MB")
    }
    let name = "file " + (path.split(separator: "/").last.map(String.init) ?? path)
    let text = data.count <= Self.textLimit ? String(data: data, encoding: .utf8) : nil
    if let text, !text.contains("\0") {
      self.init(name: name, text: Redaction.text(text))
    } else {
      self.init(name: name, text: "\(data.count) bytes, SHA-256 \(hexadecimal(bytes: sha256(data)))")
    }
  }
}

/// The reason that a file cannot be added to an item of a checklist.
package struct UnreadableEvidence: Error, Equatable {
  package var path: String
  package var why: String
}
