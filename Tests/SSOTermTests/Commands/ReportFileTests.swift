import Testing

@testable import SSOScenarios
@testable import SSOTerm

@Suite struct ReportFileTests {
  static let reports = [
    ScenarioReport(
      name: "two<steps>", title: "A | B", claims: ["C1"],
      steps: [
        StepReport(index: 1, title: "signs in", note: "", passed: true, mismatches: []),
        StepReport(
          index: 2, title: "asks & waits", note: "", passed: false,
          mismatches: [Mismatch(expected: "verdict \"succeeded\"", found: "failed\u{1B}[31m")]),
      ])
  ]

  @Test func junitHasACaseForEachStepAndEscapesWhatItQuotes() {
    #expect(
      junitText(Self.reports) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="ssoterm scenarios" tests="2" failures="1">
          <testsuite name="two&lt;steps&gt;" tests="2" failures="1">
            <testcase classname="two&lt;steps&gt;" name="1 signs in"/>
            <testcase classname="two&lt;steps&gt;" name="2 asks &amp; waits">
              <failure message="1 expectation not met">expected verdict &quot;succeeded&quot;
        found    failed&lt;U+001B&gt;[31m</failure>
            </testcase>
          </testsuite>
        </testsuites>

        """)
  }

  @Test func markdownHasATableForEachScenario() {
    #expect(
      markdownText(Self.reports) == """
        # Scenarios

        0 of 1 scenario passed.

        ## ✗ two&lt;steps> (C1)

        A \\| B

        | step | | what came |
        |---|---|---|
        | 1 signs in | ✓ | as expected |
        | 2 asks & waits | ✗ | expected verdict "succeeded", found failed&lt;U+001B>[31m |

        """)
  }
}
