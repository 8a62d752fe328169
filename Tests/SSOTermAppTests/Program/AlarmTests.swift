import TerminalUI
import Testing

@testable import SSOCore
@testable import SSOLab
@testable import SSOProvider
@testable import SSOTermApp

struct AlarmTests {
  private let start = ContinuousClock.now

  private func later(_ seconds: Double) -> ContinuousClock.Instant { start.advanced(by: .seconds(seconds)) }

  @Test func withNothingToWaitForItSleepsForEver() {
    var clock = AlarmClock()
    clock.set([:], at: start)
    #expect(clock.next(at: start) == nil)
    #expect(clock.ring(at: later(1e6)).isEmpty)
  }

  @Test func anAlarmGoesOffOnceAndAgainOnANewOccasion() {
    var clock = AlarmClock()
    let wait = Alarm.Wait(occasion: 1, seconds: 10)
    clock.set([.conceal: wait], at: start)
    #expect(clock.next(at: start) == 10_000)
    #expect(clock.ring(at: later(9.999)).isEmpty)
    clock.set([.conceal: wait], at: later(5))
    #expect(clock.next(at: later(5)) == 5_000, "the same wait goes on")
    #expect(clock.ring(at: later(10)) == [.conceal])
    clock.set([.conceal: wait], at: later(10))
    #expect(clock.next(at: later(10)) == nil)
    clock.set([.conceal: Alarm.Wait(occasion: 2, seconds: 10)], at: later(20))
    #expect(clock.next(at: later(20)) == 10_000)
  }

  @Test func aReasonThatIsGoneTakesItsAlarmAlong() {
    var clock = AlarmClock()
    clock.set([.conceal: Alarm.Wait(occasion: 1, seconds: 10)], at: start)
    clock.set([:], at: later(1))
    #expect(clock.next(at: later(1)) == nil)
  }

  /// Remaining lifetimes around the two boundaries: ten minutes before the expiry, and the expiry.
  @Test(
    arguments: [
      (3600, 3001), (601, 2), (600, 1), (599, 599), (1, 1), (0, nil), (-5, nil),
    ] as [(Int, Int?)])
  func aStandingKnowsWhenItsWordChanges(_ left: Int, _ changesIn: Int?) {
    let status = TokenStatus(until: Instant(10_000 + left), at: Instant(10_000))
    #expect(status.changesIn == changesIn)
    guard let changesIn else { return }
    let then = TokenStatus(until: Instant(10_000 + left), at: Instant(10_000 + changesIn))
    #expect(then.state != status.state)
    let before = TokenStatus(until: Instant(10_000 + left), at: Instant(10_000 + changesIn - 1))
    #expect(before.state == status.state)
  }

  @Test func refreshOnChangesTheWordEarlier() {
    let status = TokenStatus(until: Instant(10_000), refreshOn: Instant(2_000), at: Instant(0))
    #expect(status == TokenStatus(.valid, secondsLeft: 10_000, changesIn: 2_001))
  }

  @Test func theScreenWaitsForTheNextWordAndThenReadsAgain() {
    var model = Sample.model(.apps)
    #expect(model.alarms.isEmpty, "the samples' tokens never change")
    var row = Sample.apps[0]
    row.accessToken = TokenStatus(until: Instant(1000), at: Instant(0))
    row.refreshToken = TokenStatus(until: Instant(90_000), at: Instant(0))
    _ = update(&model, .loaded(.apps([row])))
    #expect(model.alarms[.nextState]?.milliseconds == 401_000)
    #expect(update(&model, .alarm(.nextState)) == [.load(.status), .load(.apps), .load(.traces)])
    #expect(model.alarms.isEmpty)
  }

  @Test func aSignOfLifeReadsAgainOnceTheMinuteIsOver() {
    var model = Sample.model(.apps)
    // The sample's clock was moved by an hour, so it shows 08:41:07.
    func real(_ seconds: Int) -> Instant { Sample.now.adding(seconds: seconds - 3600) }
    #expect(update(&model, .time(real(52))).isEmpty)
    #expect(update(&model, .time(real(53))) == [.load(.status), .load(.apps), .load(.traces)])
    #expect(update(&model, .time(real(54))).isEmpty, "it is being read")
    _ = update(&model, .loaded(.status(Sample.status)))
    #expect(update(&model, .time(real(54))).count == 3)
  }

  @Test func aCopiedSecretIsTakenOffTheClipboard() {
    var model = Sample.model(.tokens)
    #expect(
      FrameSample.commands(&model, "yt") == [.copySecret(credential: "t1", .token)])
    let copy = Copy(text: Sample.secret, label: "token", isSecret: true)
    #expect(update(&model, .secret(copy)) == [.copy(copy)])
    #expect(model.alarms.isEmpty, "it may not get there")
    _ = update(&model, .secretCopied(Notice(text: "! Copied.", kind: .bad)))
    #expect(model.alarms[.clearClipboard]?.milliseconds == 45_000)
    #expect(update(&model, .alarm(.clearClipboard)) == [.clearClipboard])
    #expect(model.alarms.isEmpty)
  }

  @Test func aTypedPasswordIsShownForTenSeconds() {
    var model = FrameSample.pressed(Sample.prompt(.signIn(Sample.signIn(.password))), "hunter2")
    _ = update(&model, .event(.key(.control("r"))))
    #expect(FrameSample("", model).frame(Size(width: 80, height: 24)).text().contains("hunter2"))
    for _ in 1...9 { _ = update(&model, .alarm(.conceal)) }
    #expect(FrameSample("", model).frame(Size(width: 80, height: 24)).text().contains("hunter2"))
    _ = update(&model, .alarm(.conceal))
    #expect(model.alarms[.conceal] == nil)
    #expect(!FrameSample("", model).frame(Size(width: 80, height: 24)).text().contains("hunter2"))
  }
}
