/// What the program may wait for while no key is pressed.
enum Alarm: CaseIterable, Sendable {
  /// A secret on the screen is masked again.
  case conceal
  /// A secret is taken off the clipboard.
  case clearClipboard
  /// The next state of a token on the screen changes its word.
  case nextState
  /// A trace that plays goes on to its next step.
  case nextStep
  /// The next picture of a motion.
  case motion
  /// The next step of a call that is drawn while it is new.
  case callPicture

  /// One occasion to wait: a new one starts the time anew.
  struct Wait: Equatable, Sendable {
    var occasion: Int
    var milliseconds: Int

  }
}

extension Alarm.Wait {
  init(occasion: Int, seconds: Int) { self.init(occasion: occasion, milliseconds: seconds * 1000) }
}

/// When each alarm goes off.
///
/// The model only says what it waits for, so a wait whose reason is gone is gone too.
struct AlarmClock {
  typealias Instant = ContinuousClock.Instant

  private struct Running {
    var wait: Alarm.Wait
    /// nil once it has gone off.
    var due: Instant?
  }
  private var running: [Alarm: Running] = [:]

  mutating func set(_ waits: [Alarm: Alarm.Wait], at now: Instant) {
    for alarm in Alarm.allCases where running[alarm]?.wait != waits[alarm] {
      running[alarm] = waits[alarm].map {
        Running(wait: $0, due: now.advanced(by: .milliseconds($0.milliseconds)))
      }
    }
  }

  /// Milliseconds to the first alarm, rounded up so that the sleeper does not wake a moment early and sleep again.
  func next(at now: Instant) -> Int? {
    running.values.compactMap(\.due).min().map { due in
      let (seconds, attoseconds) = now.duration(to: due).components
      return max(0, Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
    }
  }

  /// The alarms that go off now; each does so once.
  mutating func ring(at now: Instant) -> [Alarm] {
    let rung = Alarm.allCases.filter { running[$0]?.due.map { $0 <= now } ?? false }
    for alarm in rung { running[alarm]?.due = nil }
    return rung
  }
}
