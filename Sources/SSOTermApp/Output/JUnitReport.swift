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
