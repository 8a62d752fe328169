/// An event that the program may wait for while no key is pressed.
enum Alarm: CaseIterable, Sendable {
  /// The time to mask a secret on the screen again.
  case conceal
  /// The time to remove a secret from the clipboard.
  case clearClipboard
  /// The time at which the displayed state of a token changes.
  case nextState
  /// The time for the next step of a trace that is being played.
  case nextStep
  /// The time for the next frame of an animation.
  case motion
  /// The time for the next step in the drawing of a new call.
  case callPicture

  /// A wait for one occasion.
  ///
  /// A new occasion restarts the time.
  struct Wait: Equatable, Sendable {
    var occasion: Int
    var milliseconds: Int

  }
}

extension Alarm.Wait {
  init(occasion: Int, seconds: Int) { self.init(occasion: occasion, milliseconds: seconds * 1000) }
}

/// The times at which alarms go off.
///
/// The model only lists what it waits for, so a wait ends together with its reason.
struct AlarmClock {
  typealias Instant = ContinuousClock.Instant

  private struct Running {
    var wait: Alarm.Wait
    /// The time at which the alarm goes off, or `nil` once it has.
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

  /// Returns the milliseconds until the first alarm, rounded up so that the sleeper does not wake a moment early and
  /// sleep again.
  func next(at now: Instant) -> Int? {
    running.values.compactMap(\.due).min().map { due in
      let (seconds, attoseconds) = now.duration(to: due).components
      return max(0, Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
    }
  }

  /// Returns the alarms that are due, each of them once.
  mutating func ring(at now: Instant) -> [Alarm] {
    let rung = Alarm.allCases.filter { running[$0]?.due.map { $0 <= now } ?? false }
    for alarm in rung { running[alarm]?.due = nil }
    return rung
  }
}
