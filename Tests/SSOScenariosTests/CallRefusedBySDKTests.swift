import SSOReference
import Testing

@testable import SSOCore
@testable import SSOLab
@testable import SSOScenarios

/// Calls that the SDK itself rejects: a lookup of the account by its username, and a second call at the same time.
@Suite struct CallRefusedBySDKTests {
  private static let app = "com.contoso.mytestapp1"
  private static let signIn = """
      - title: Ada signs in
        do: {signIn: {app: \(app)}}
        answers: {username: ada@contoso.com, password: analytical-engine, consent: accept}

    """

  /// Runs the steps in the lab of contoso-suite, and returns the mismatches and the outcome of the last one.
  private func last(_ steps: String) throws -> (mismatches: [Mismatch], outcome: Outcome?) {
    let text = "name: a\ntitle: A\ninherit: contoso-suite\nsteps:\n\(steps)"
    let file = try ScenarioFile(ScenarioSource(path: "a.yaml", text: text)) { name throws(ScenarioError) in
      try ScenarioLibrary().source(named: name)
    }
    let lab = try Lab.temporary(file)
    let reports = lab.run(file).steps
    #expect(reports.dropLast().allSatisfy { $0.mismatches.isEmpty }, "\(reports)")
    let report = try #require(reports.last)
    let outcome = try report.traceID.flatMap { id in try lab.read { try $0.traces.trace(id)?.outcome } }
    return (report.mismatches, outcome)
  }

  /// The lookup ignores case; a name that the cache does not have, such as that of a renamed user, finds no account.
  @Test(arguments: [
    ("ada@contoso.com", "{verdict: succeeded}"), ("ADA@Contoso.com", "{verdict: succeeded}"),
    ("ada.king@contoso.com", "{verdict: failed, error: {domain: MSALErrorDomain, code: -50002}}"),
    ("", "{verdict: failed, error: {domain: MSIDErrorDomain, code: -51111}}"),
    ("' '", "{verdict: failed, error: {domain: MSIDErrorDomain, code: -51111}}"),
  ])
  func anAccountIsLookedUpByItsUsername(_ name: String, _ expected: String) throws {
    let username = name.isEmpty ? "''" : name
    let report = try last(
      Self.signIn + """
          - title: Ada is renamed
            do: {set: {person: ada@contoso.com, fields: [username=ada.king@contoso.com]}}
          - title: The app looks the account up
            do: {silent: {app: \(Self.app), username: \(username)}}
            expect: \(expected)
        """)
    #expect(report.mismatches.isEmpty, "\(report.mismatches)")
  }

  /// The stored username is the new one after the next sign-in, and the old one then finds nothing.
  @Test func aRenamedAccountIsFoundByTheNameOfTheLastSignIn() throws {
    let report = try last(
      Self.signIn + """
          - title: Nobody is looked up
            do: {silent: {app: \(Self.app), username: grace@contoso.com}}
            expect: {verdict: failed, error: {code: -50002}}
        """)
    #expect(report.mismatches.isEmpty, "\(report.mismatches)")
    #expect(report.outcome?.failedCheck?.name == "accountForUsername finds an account")
  }

  @Test func anAccountIsNamedOnce() {
    let steps = """
        - title: Both
          do: {silent: {app: \(Self.app), account: ada@contoso.com, username: ada@contoso.com}}
      """
    #expect(throws: ScenarioError.self) { try last(steps) }
  }

  /// A second interactive call is rejected when its page, or the broker, would open.
  @Test(arguments: [
    ("", "{code: -50000, internal: -42402}", "Only one interactive session is allowed at a time."),
    (
      "    - title: The broker is there\n      do: {installBroker: {}}\n",
      "{code: -50000, internal: -42402}", "Broker authentication already in progress"
    ),
  ])
  func callsDoNotOverlap(_ before: String, _ error: String, _ sentence: String) throws {
    let report = try last(
      before + """
            - title: The button is pressed twice
              do: {signIn: {app: \(Self.app), overlaps: true}}
              expect: {verdict: failed, error: \(error)}
        """)
    #expect(report.mismatches.isEmpty, "\(report.mismatches)")
    #expect(report.outcome?.summary.contains(sentence) == true, "\(report.outcome?.summary ?? "")")
  }
}
