import Foundation
import Testing

@testable import SSOCore
@testable import SSODevice
@testable import SSOLab
@testable import SSOProvider

/// Device codes, which wait from the moment they are issued, and can be approved at a terminal or in a browser.
extension TerminalApprovalTests {
  private func onlyOne() throws -> WaitingSignIn? {
    let all = try lab.read { try $0.provider.waitingSignIns() }
    #expect(all.count <= 1)
    return all.first
  }

  @Test func aDeviceCodeAsksNobodyBeforeSomebodyTypesIt() throws {
    let code = try program.deviceCode(approval: .terminal)
    #expect(try lab.read { try $0.provider.waitingSignIns() }.map(\.comesUp) == [false])
    let typed = try lab.serve(type("WRONGCODE"), approval: .terminal)
    #expect(!typed.startsWaiting)
    let page = try wait(type(code.user.lowercased()))
    let waiting = try #require(try onlyOne())
    #expect(waiting.comesUp)
    #expect(try look(page).waiting == WaitingPage(client: "Lab Public App", number: waiting.number))
    #expect(waiting.userCode == code.user)
    #expect(waiting.redirectURI.isEmpty)
    #expect(waiting.scopes == ["User.Read", "openid", "profile", "offline_access"])
    guard case .needs(.chooseAccount(let picker), _) = try lab.perform(intent()) else {
      Issue.record("no picker")
      return
    }
    #expect(picker.reason == "Its page shows \(waiting.number).")
    #expect(picker.redirectURI == "none, it is for the device that shows \(code.user)")
    #expect(try answer(answers).verdict == .succeeded)
    let answer = try lab.serve(program.poll(code.device), approval: .terminal).answer.http
    #expect(try TokenResponse(reading: answer).refreshToken != nil)
  }

  @Test(arguments: [Approval.terminal, .browser])
  func aDeviceCodeIsAnsweredWithoutABrowser(_ approval: Approval) throws {
    let code = try program.deviceCode(approval: approval)
    let waiting = try #require(try onlyOne())
    #expect(waiting.client == "Lab Public App" && waiting.program == "MSAL.Python 1.39.0")
    #expect(waiting.userCode == code.user && waiting.number.isEmpty && !waiting.comesUp)
    #expect(waiting.devicePage == "https://localhost:8443/common/oauth2/deviceauth")
    #expect(waiting.secondsLeft == DeviceAuthorization.lifetime)
    #expect(try answer(answers).verdict == .succeeded)
    #expect(try onlyOne() == nil)
    let answer = try lab.serve(program.poll(code.device), approval: approval).answer.http
    #expect(try TokenResponse(reading: answer).refreshToken != nil)
  }

  @Test func aDeviceCodeIsDeclinedWithoutABrowser() throws {
    let code = try program.deviceCode(approval: .terminal)
    #expect(try answer([.cancel]).verdict == .cancelled)
    #expect(try onlyOne() == nil)
    let poll = try lab.serve(program.poll(code.device), approval: .terminal)
    #expect(poll.result.contains("AADSTS65004"))
  }

  @Test func whatIsAnsweredInABrowserNoLongerWaits() throws {
    let code = try program.deviceCode(approval: .browser)
    let before = try intent()
    let typed = type(code.user)
    _ = try lab.serve(typed, approval: .automatic(username: ServedLab.ada))
    #expect(try onlyOne() == nil)
    let error = #expect(throws: LabError.self) { _ = try lab.perform(before) }
    #expect(error?.what == "This sign-in no longer waits.")
  }

  @Test(arguments: [(899, 1), (900, 0)])
  func aDeviceCodeWaitsAsLongAsItIsValid(_ seconds: Int, _ count: Int) throws {
    _ = try program.deviceCode(approval: .terminal)
    _ = try lab.perform(MoveClock(bySeconds: seconds))
    #expect(try lab.read { try $0.provider.waitingSignIns() }.count == count)
  }

  /// A program that requests device codes endlessly takes no page's place.
  @Test func manyDeviceCodesLeaveThePageThatWaits() throws {
    let page = try wait(program.authorize)
    for _ in 0...PendingSignIn.most { _ = try program.deviceCode(approval: .terminal) }
    let all = try lab.read { try $0.provider.waitingSignIns() }
    #expect(all.count { $0.devicePage != nil } == PendingSignIn.most)
    #expect(try look(page).waiting != nil)
  }

  @Test func aScriptsDeviceCodeDoesNotWait() throws {
    _ = try program.deviceCode(approval: .automatic(username: ServedLab.ada))
    #expect(try onlyOne() == nil)
  }

  /// No browser posts anything: the trace contains the user's actions, with the checks of the code.
  @Test func theTraceOfAnAnsweredCodeHasNoRequest() throws {
    _ = try program.deviceCode(approval: .terminal)
    guard case .done(_, let id) = try lab.perform(intent(), answers: answers) else {
      Issue.record("an answer is missing")
      return
    }
    let hops = try #require(try lab.read { try $0.traces.trace(id) }).hops
    #expect(!hops.contains { $0.from == .system || $0.action.hasPrefix("POST") })
    #expect(hops.first?.action == "answer the device code")
    #expect(hops.first?.checks.contains { $0.name == "user code known" } == true)
  }
}
