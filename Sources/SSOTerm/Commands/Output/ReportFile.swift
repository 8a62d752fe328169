import Foundation

/// A report besides a command's output, as `--report KIND FILE` asks for it: for a CI that reads JUnit, or for people.
enum ReportFile: String, CaseIterable {
  case junit, markdown

  /// - Parameter command: the command that writes it, for the next one to type.
  func write(_ text: String, to path: String, of command: String) throws {
    do {
      try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw CommandFailure(
        status: .usage, kind: "report", what: "The report \(path) cannot be written.",
        why: error.localizedDescription, next: "\(command) --report \(rawValue) OTHER-FILE")
    }
  }

  /// The reports that the words after `--report` name, a kind and a file each, and the words that are neither.
  static func parse(
    _ words: [String], of command: String
  ) throws -> (files: [(kind: ReportFile, path: String)], more: [String]) {
    var files: [(kind: ReportFile, path: String)] = []
    var more: [String] = []
    var words = words[...]
    while let word = words.popFirst() {
      if let kind = ReportFile(rawValue: word), let path = words.popFirst() {
        files.append((kind, path))
      } else if files.isEmpty || ReportFile(rawValue: word) != nil {
        throw CommandFailure(
          usage: "--report takes a kind and a file.",
          why: "the kinds are \(allCases.map(\.rawValue).joined(separator: " and "))",
          next: "\(command) --report junit report.xml")
      } else {
        more.append(word)
      }
    }
    return (files, more)
  }
}

/// A group of cases in a JUnit report.
struct ReportSuite {
  struct Case {
    var name: String
    /// What was wrong: a line of summary, and the text.
    var failure: (message: String, text: String)?
  }

  var name: String
  var cases: [Case]
}

/// - Parameter name: of the report as a whole.
func junitText(_ name: String, _ suites: [ReportSuite]) -> String {
  let cases = suites.flatMap(\.cases)
  var lines = [
    #"<?xml version="1.0" encoding="UTF-8"?>"#,
    #"<testsuites name="\#(xml(name))" tests="\#(cases.count)" failures="\#(cases.count { $0.failure != nil })">"#,
  ]
  for suite in suites {
    let failures = suite.cases.count { $0.failure != nil }
    lines.append(
      #"  <testsuite name="\#(xml(suite.name))" tests="\#(suite.cases.count)" failures="\#(failures)">"#)
    for one in suite.cases {
      let head = #"    <testcase classname="\#(xml(suite.name))" name="\#(xml(one.name))""#
      guard let failure = one.failure else {
        lines.append(head + "/>")
        continue
      }
      lines += [
        head + ">", #"      <failure message="\#(xml(failure.message))">"# + xml(failure.text) + "</failure>",
        "    </testcase>",
      ]
    }
    lines.append("  </testsuite>")
  }
  return (lines + ["</testsuites>", ""]).joined(separator: "\n")
}

/// Text inside XML: markup escaped, and what XML 1.0 does not allow made visible.
private func xml(_ text: String) -> String {
  text.split(separator: "\n", omittingEmptySubsequences: false).map { safe(String($0)) }
    .joined(separator: "\n").replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
}

/// Text inside a table cell.
func markdown(_ text: String) -> String {
  safe(text).replacing("\\", with: "\\\\").replacing("|", with: "\\|").replacing("<", with: "&lt;")
}
