import SSOCore
import SSOTermApp
import Testing

@testable import SSOScenarios

@Suite struct ReportFileTests {
  private static let run: TrialRun = {
    let report = ScenarioReport(
      name: "two<steps>", title: "A | B", claims: ["C1"],
      steps: [
        StepReport(index: 1, title: "signs in", note: "", passed: true, mismatches: []),
        StepReport(
          index: 2, title: "asks & waits", note: "", passed: false,
          mismatches: [Mismatch(expected: "verdict \"succeeded\"", found: "failed\u{1B}[31m")]),
      ])
    let at = Instant(1_768_466_467)
    var run = TrialRun(
      title: "Release 5.2", startedAt: at,
      items: [
        TrialRun.Item(
          name: "two<steps>", title: "A | B", claims: ["C1"],
          result: TrialResult(
            .failed, at: at, milliseconds: 42, report: report,
            evidence: [
              TrialResult.Evidence(
                name: "trace of step 1 ![x](https://evil.example)", text: "1  App -> MSAL\u{1B}[2J\n````")
            ])),
        TrialRun.Item(
          name: "Open Mail.", title: "No picker.",
          result: TrialResult(.skipped, remark: "no phone", at: at)),
        TrialRun.Item(name: "later", title: ""),
      ])
    run.environment = [(name: "build under test", value: "Mail <812>")]
    return run
  }()

  @Test func junitHasACaseForEachStepTheEnvironmentTheTimeAndTheEvidence() {
    #expect(
      junitText(Self.run) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="Release 5.2" tests="4" failures="1" time="0.042">
          <testsuite name="two&lt;steps&gt;" tests="2" failures="1" timestamp="2026-01-15T08:41:07Z" time="0.042">
            <properties>
              <property name="build under test" value="Mail &lt;812&gt;"/>
            </properties>
            <testcase classname="two&lt;steps&gt;" name="1 signs in"/>
            <testcase classname="two&lt;steps&gt;" name="2 asks &amp; waits">
              <failure message="1 expectation not met">expected verdict &quot;succeeded&quot;
        found    failed&lt;U+001B&gt;[31m</failure>
            </testcase>
            <system-out>== trace of step 1 ![x](https://evil.example)
        1  App -&gt; MSAL&lt;U+001B&gt;[2J
        ````
        </system-out>
          </testsuite>
          <testsuite name="Open Mail." tests="1" failures="0" skipped="1" timestamp="2026-01-15T08:41:07Z" time="0.000">
            <properties>
              <property name="build under test" value="Mail &lt;812&gt;"/>
            </properties>
            <testcase classname="Open Mail." name="No picker.">
              <skipped message="no phone"/>
            </testcase>
          </testsuite>
          <testsuite name="later" tests="1" failures="0" skipped="1" timestamp="2026-01-15T08:41:07Z" time="0.000">
            <properties>
              <property name="build under test" value="Mail &lt;812&gt;"/>
            </properties>
            <testcase classname="later" name="later">
              <skipped message="not tried"/>
            </testcase>
          </testsuite>
        </testsuites>

        """)
  }

  @Test func markdownHasATableForEachScenarioAndItsEvidence() {
    #expect(
      markdownText(Self.run) == """
        # Release 5.2

        | | |
        |---|---|
        | build under test | Mail &lt;812> |
        | time | 2026-01-15T08:41:07Z, 0.042 s |

        0 passed, 1 failed, 1 skipped, 1 not tried.

        ## ✗ two&lt;steps> (C1)

        A \\| B

        failed at 2026-01-15T08:41:07Z

        | step | | what came |
        |---|---|---|
        | 1 signs in | ✓ | as expected |
        | 2 asks &amp; waits | ✗ | expected verdict "succeeded", found failed&lt;U+001B>\\[31m |

        <details><summary>trace of step 1 ![x](https://evil.example)</summary>

        `````text
        1  App -> MSAL<U+001B>[2J
        ````
        `````

        </details>

        ## - Open Mail.

        No picker.

        skipped at 2026-01-15T08:41:07Z: no phone

        ## ? later

        Not tried.

        """)
  }
}
