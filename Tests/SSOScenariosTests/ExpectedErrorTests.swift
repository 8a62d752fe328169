import Foundation
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSOLab
@testable import SSOScenarios

/// `expect: error:` compares each value as a whole, and a part of a text matches whole words only.
@Suite struct ExpectedErrorTests {
  @Test(arguments: [
    ("AADSTS70008", false), ("AADSTS700082", true), ("AADSTS7000", false), ("invalid_grant", true),
    ("400", true), ("40", false), ("grant", true), ("grant AADSTS700082", true), ("", true),
  ])
  func aPartIsWhole(_ part: String, _ isPart: Bool) {
    #expect("400 invalid_grant AADSTS700082".contains(whole: part) == isPart)
  }

  private static let hop = Hop(
    from: .sdk, to: .provider, action: "POST /common/oauth2/v2.0/token",
    result: "400 invalid_grant AADSTS700082",
    refusal: Refusal(error: "invalid_grant", suberror: "bad_token", number: "AADSTS700082", place: .token))

  private static let outcome = Outcome(
    .failed, "User interaction is required", errorDomain: "MSALErrorDomain", errorCode: -42004,
    error: ReportedError(code: -50002, internalCode: -42004, oauth: "invalid_grant", suberror: "bad_token"))

  @Test(arguments: [
    ("{domain: MSALErrorDomain, code: -50002, internal: -42004}", ""),
    ("{oauth: invalid_grant, suberror: bad_token, aadsts: 700082, at: token}", ""),
    ("{aadsts: 70008}", "number AADSTS70008, found number AADSTS700082"),
    ("{b2c: 90080}", "number AADB2C90080, found number AADSTS700082"),
    ("{oauth: invalid}", "OAuth error invalid, found OAuth error invalid_grant"),
    ("{suberror: bad}", "suberror bad, found suberror bad_token"),
    ("{code: -5000}", "code -5000, found code -50002"),
    ("{internal: -42}", "internal code -42, found internal code -42004"),
    ("{symbol: no_tokens_found}", "symbol no_tokens_found, found symbol none"),
    ("{domain: MSALError}", "domain MSALError, found domain MSALErrorDomain"),
    ("{at: page}", "place page, found place token"),
  ])
  func eachValueIsCompared(_ expected: String, _ mismatch: String) throws {
    let file = try ScenarioFile(
      ScenarioSource(
        path: "a.yaml", text: BadScenario.world + "\n" + BadScenario.expecting("error: \(expected)")))
    var evidence = StepEvidence()
    (evidence.outcome, evidence.hops) = (Self.outcome, [Self.hop])
    let found = file.steps[0].expectation.check(evidence)
    #expect(found.map { "\($0.expected), found \($0.found)" } == (mismatch.isEmpty ? [] : [mismatch]))
  }

  /// The place of a refusal that is not the provider's.
  @Test func theDeviceRefusesToo() throws {
    func places(_ name: String) throws -> [String] {
      let file = try ScenarioLibrary().scenario(name)
      let lab = try Lab.temporary(file)
      let refused = try file.steps.enumerated().compactMap { index, step -> Mismatch? in
        let report = step.run(on: lab, index: index + 1)
        guard step.expectation.verdict != .succeeded else { return nil }
        let hops = try report.traceID.flatMap { id in try lab.read { try $0.traces.trace(id) } }?.hops ?? []
        var expected = ExpectedError()
        expected.place = .deviceCode
        return expected.check(nil, hops).first
      }
      return refused.map { String($0.found.dropFirst("place ".count)) }
    }
    #expect(try places("own-app-query-scheme").contains("init"))
    #expect(try places("contoso-suite-broken-entitlement").contains("keychain"))
    #expect(try places("refused-person") == ["token", "token", "page", "page"])
  }

  @Test func aStepThatExpectedAnotherNumberFails() throws {
    var file = try ScenarioLibrary().scenario("refused-by-policy")
    #expect(try Lab.run(file).passed)
    file.steps[2].expectation.error?.number = "AADSTS5300"
    let report = try Lab.run(file)
    #expect(report.steps[2].mismatches.map(\.expected) == ["number AADSTS5300"])
  }
}
