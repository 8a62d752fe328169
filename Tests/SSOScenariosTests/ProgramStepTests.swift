import Foundation
import SSOReference
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSOLab
@testable import SSOProvider
@testable import SSOScenarios

/// Steps of programs that are not apps of the device.
@Suite struct ProgramStepTests {
  private let lab: Lab
  private let file: ScenarioFile

  init() throws {
    file = try ScenarioLibrary().scenario("programs")
    lab = try Lab.temporary(file)
  }

  private func program(_ name: String) throws -> Program {
    try #require(file.world.programs.first { $0.name == name })
  }

  private func perform(_ call: CallProgram, _ answers: [Answer] = []) throws -> Outcome {
    guard case .done(let outcome, _) = try lab.perform(call, answers: answers) else { throw Unexpected() }
    return outcome
  }

  private struct Unexpected: Error {}

  private static let signIn: [Answer] = [
    .username("ada@contoso.com"), .password("analytical-engine"), .accept,
  ]
  private static let scopes = ["User.Read", "openid", "profile", "offline_access"]

  /// Each grant succeeds once, and its tokens are in the lists like those of a program at `ssoterm serve`.
  @Test func eachGrantHasTokens() throws {
    let tool = try program("tool")
    #expect(
      try perform(CallProgram(tool, .authorizationCode, scopes: Self.scopes), Self.signIn).verdict
        == .succeeded)
    #expect(try perform(CallProgram(tool, .refreshToken, scopes: Self.scopes)).username == "ada@contoso.com")
    var password = CallProgram(tool, .password, scopes: Self.scopes)
    password.account = "ada@contoso.com"
    #expect(try perform(password).verdict == .succeeded)
    let rows = try lab.read { try $0.tokens.rows() }.filter { $0.clientID == tool.clientID }
    #expect(Set(rows.map(\.type)) == ["AccessToken", "RefreshToken", "IdToken"])
    #expect(Set(rows.map(\.username)) == ["ada@contoso.com"])
    while try lab.undo() != nil {}
    #expect(try lab.read { try $0.tokens.rows() }.isEmpty, "a program's step can be undone")
  }

  @Test func aChangeReplacesOrLeavesOutAField() throws {
    var call = CallProgram(try program("tool"), .authorizationCode, scopes: Self.scopes)
    call.changes = [CallProgram.Change(.authorize, "resource", "https://mcp.example")]
    let refused = try perform(call)
    #expect((refused.verdict, refused.error?.oauth) == (.failed, "invalid_target"))
    call.changes = [CallProgram.Change(.token, "redirect_uri", nil)]
    #expect(try perform(call, Self.signIn).error?.oauth == "invalid_grant")
    call.changes = [CallProgram.Change(.authorize, "redirect_uri", "https://evil.example/")]
    let page = try perform(call, [.cancel])
    #expect(page.verdict == .cancelled && page.summary.hasPrefix("AADSTS50011: "))
  }

  @Test func onlyAPageSendsItsOrigin() throws {
    var page = try program("page")
    #expect(page.origin == "http://localhost:4200")
    let call = CallProgram(page, .authorizationCode, scopes: Self.scopes)
    #expect(try perform(call, Self.signIn).verdict == .succeeded)
    page.origin = nil
    let program = try perform(CallProgram(page, .refreshToken, scopes: Self.scopes))
    #expect(program.summary.hasPrefix("AADSTS\(AADSTSCode.crossOriginRequired.number): "))
  }

  /// A browser's origin with the request of a program that is not registered for any page.
  @Test func aChangedOriginIsSentByAProgramThatHasNone() throws {
    var call = CallProgram(try program("tool"), .authorizationCode, scopes: Self.scopes)
    call.changes = [CallProgram.Change(.token, "Origin", "https://app.contoso.com")]
    let refused = try perform(call, Self.signIn)
    #expect(
      refused.summary.hasPrefix("AADSTS\(AADSTSCode.crossOriginRefused.number): "), "\(refused.summary)")
  }

  @Test func aProgramWithoutATokenIsToldSo() throws {
    let call = CallProgram(try program("tool"), .refreshToken, scopes: Self.scopes)
    let error = #expect(throws: LabError.self) { try lab.perform(call) }
    #expect(error?.what == "tool has no RefreshToken.")
  }

  /// A policy for device codes refuses the poll that would redeem one.
  @Test func aPolicyMayForbidDeviceCodes() throws {
    _ = try lab.perform(SetPolicy(Policy(name: "No codes", requires: .block, flow: .deviceCode)))
    let call = CallProgram(try program("tool"), .deviceCode, scopes: Self.scopes)
    let outcome = try perform(call, Self.signIn)
    #expect(outcome.summary.hasPrefix("AADSTS53003: "), "\(outcome.summary)")
  }

  @Test(arguments: [
    (
      "programs: [{name: a, kind: page, clientID: c, secret: s}]", "key 'secret' is for a program of the kind"
    ),
    (
      "programs: [{name: a, kind: daemon, clientID: c, origin: o}]",
      "key 'origin' is for a program of the kind page"
    ),
    ("programs: [{name: a, kind: robot, clientID: c}]", "key 'kind' has the value 'robot'"),
  ])
  func aWrongProgramIsNamed(_ line: String, _ words: String) throws {
    let text = BadScenario.world + "  \(line)\nsteps: []\n"
    let error = #expect(throws: ScenarioError.self) {
      try ScenarioFile(ScenarioSource(path: "a.yaml", text: text))
    }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test(arguments: [
    ("{program: b, grant: password}", "names the program 'b', which is not in this world"),
    ("{program: a, grant: magic}", "key 'grant' has the value 'magic'"),
    ("{program: a, grant: password}", "'account' is missing"),
    ("{program: a, grant: onBehalfOf}", "'assertion' is missing"),
    ("{program: a, grant: refreshToken, change: {body: {x: y}}}", "key 'body' is not known here"),
  ])
  func aWrongCallIsNamed(_ call: String, _ words: String) throws {
    let text =
      BadScenario.world
      + "  programs: [{name: a, kind: publicProgram, clientID: c}]\nsteps:\n  - title: X\n    do: {call: \(call)}\n"
    let error = #expect(throws: ScenarioError.self) {
      try ScenarioFile(ScenarioSource(path: "a.yaml", text: text))
    }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  // MARK: - Played into a lab

  @Test func aLabIsInTheStateBeforeAStep() throws {
    let played = try Lab.temporary(try ScenarioLibrary().scenario("refused-by-policy").playing(until: 4))
    #expect(try played.read { try $0.directory.policies() }.map(\.name) == ["Closed"])
    #expect(try played.read { try $0.traces.rows(limit: 9) }.count == 3)
    let none = try Lab.temporary(try ScenarioLibrary().scenario("refused-by-policy").playing(until: 1))
    #expect(try none.read { try $0.traces.rows(limit: 9) }.isEmpty)
    #expect(throws: ScenarioError.self) { try file.playing(until: file.steps.count + 2) }
    #expect(throws: ScenarioError.self) { try file.playing(until: 0) }
  }

  @Test func aStepThatComesOutOtherwiseEndsTheCreation() throws {
    var wrong = try ScenarioLibrary().scenario("refused-by-policy")
    wrong.steps[2].expectation.error?.number = "AADSTS1"
    let error = #expect(throws: ScenarioError.self) { try Lab.temporary(wrong.playing(until: 4)) }
    #expect(
      error?.problem.contains("was to result in number AADSTS1, and resulted in number AADSTS53003") == true)
  }
}
