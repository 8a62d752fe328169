import SSOCore
import Testing

@testable import SSODoctor
@testable import SSOTerm

@Suite struct DoctorReportsTests {
  private static func check(_ rule: DoctorRule, passes: Bool, line: Int? = 7) -> DoctorCheck {
    DoctorCheck(
      rule: rule, subject: "Mail <1>",
      check: Check(
        "a | b", expected: "x", found: passes ? "x" : "y\u{1B}[31m", passes, source: "broker.md §12"),
      mistake: "x is missing", place: FilePlace("My App/Info.plist", line: line),
      refusal: DoctorCheck.Refusal("-42001", "Error \"Domain\""),
      fix: "<string>x</string>")
  }

  private static let diagnosis = Diagnosis(
    checks: [check(.urlScheme, passes: false), check(.querySchemes, passes: true)])

  @Test func sarifNamesRuleLevelFileAndLine() throws {
    let run = try #require(Self.diagnosis.sarif["runs"]?.array?.first)
    let results = try #require(run["results"]?.array)
    #expect(results.count == 1)
    let result = try #require(results.first)
    #expect(result["ruleId"] == "url-scheme")
    #expect(result["level"] == "error")
    let rules = try #require(run["tool"]?["driver"]?["rules"]?.array)
    let index = try #require(result["ruleIndex"]?.integer)
    #expect(rules[Int(index)]["id"] == "url-scheme")
    let location = result["locations"]?.array?.first?["physicalLocation"]
    #expect(location?["artifactLocation"]?["uri"] == "My%20App/Info.plist")
    #expect(location?["region"]?["startLine"] == .integer(7))
    #expect(result["message"]?["text"]?.string?.contains("<U+001B>") == true)
  }

  @Test func junitFailsTheCaseOfWhatDoesNotWork() {
    #expect(
      Self.diagnosis.report(.junit) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="ssoterm doctor" tests="2" failures="1">
          <testsuite name="Mail &lt;1&gt;" tests="2" failures="1">
            <testcase classname="Mail &lt;1&gt;" name="url-scheme: a | b">
              <failure message="x is missing">My App/Info.plist:7
        expected  x
        found     y&lt;U+001B&gt;[31m
        prints    Error &quot;Domain&quot;
        explain   ssoterm explain -42001
        write     &lt;string&gt;x&lt;/string&gt;</failure>
            </testcase>
            <testcase classname="Mail &lt;1&gt;" name="query-schemes: a | b"/>
          </testsuite>
        </testsuites>

        """)
  }

  @Test func markdownHasATableOfTheFindings() {
    #expect(
      Self.diagnosis.report(.markdown) == """
        # Doctor

        1 finding.

        ## ✗ Mail &lt;1>

        | rule | where | expected | found | code |
        |---|---|---|---|---|
        | url-scheme (fails) | My App/Info.plist:7 | x | y&lt;U+001B>\\[31m | -42001 |

        url-scheme, to write:

            <string>x</string>

        """)
  }
}
