import Foundation
import Testing

@testable import SSOCore
@testable import SSOLab

/// Sign-ins whose page or program has ended, and the trace of an answer.
extension TerminalApprovalTests {
  private func ended() throws -> String? {
    try #require(try lab.read { try $0.provider.waitingSignIns() }.first).ended
  }

  @Test(arguments: [(PendingSignIn.longestSilence, false), (PendingSignIn.longestSilence + 1, true)])
  func aPageThatNoLongerAsksIsClosed(_ seconds: Int, _ isClosed: Bool) throws {
    let page = try wait(program.authorize)
    #expect(try ended() == nil)
    _ = try look(page)
    _ = try lab.perform(MoveClock(bySeconds: seconds))
    #expect(try ended() == (isClosed ? "its page was closed" : nil))
    _ = try look(page)
    #expect(try ended() == nil, "it asks again")
  }

  @Test(arguments: [(75, false), (76, true)])
  func aDeviceThatNoLongerAsksHasEnded(_ seconds: Int, _ hasEnded: Bool) throws {
    let code = try program.deviceCode(approval: .terminal)
    _ = try wait(type(code.user))
    _ = try lab.perform(MoveClock(bySeconds: seconds))
    let words = "its program has not asked for the tokens of this device code for over a minute"
    #expect(try ended() == (hasEnded ? words : nil))
    _ = try lab.serve(program.poll(code.device), approval: .terminal)
    #expect(try ended() == nil)
  }

  /// The browser sends one request.
  ///
  /// The rest is answered in the terminal, for which no request is recorded.
  @Test func theTraceHasNoRequestThatNoBrowserMade() throws {
    _ = try wait(program.authorize)
    guard case .done(_, let id) = try lab.perform(intent(), answers: answers) else {
      Issue.record("an answer is missing")
      return
    }
    let hops = try #require(try lab.read { try $0.traces.trace(id) }).hops
    #expect(
      hops.filter { $0.from == .system && $0.to == .provider }.map(\.action).map { $0.prefix(3) } == ["GET"])
    #expect(!hops.contains { $0.action.hasPrefix("POST") })
    let password = try #require(hops.first { $0.checks.contains { $0.name == "password" } })
    #expect(password.from == .person && password.to == .provider)
  }
}
