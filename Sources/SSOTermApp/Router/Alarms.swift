import SSOCore
import SSOLab

/// The reasons for the program to wake without user input; see ``Alarm``.
struct Waits: Equatable, Sendable {
  /// The seconds for which a secret is still shown.
  private(set) var revealSeconds = 0
  /// The number of times that these seconds have changed.
  private(set) var reveals = 0
  /// The number of secrets copied so far, and whether the last one may still be on the clipboard.
  var secretCopies = 0
  var hasSecretOnClipboard = false
  /// The number of times that rows were read, and the seconds from the last time until the displayed state of a token
  /// changes.
  var reads = 0
  var nextState: Int?
  /// The seconds that a demo that runs automatically leaves a visitor who pressed a key.
  static let secondsAfterKey = 30
  /// The number of keys and of steps so far in a demo that runs automatically.
  private(set) var autoBeats = 0
  /// Whether the last of them was a key, after which the next step waits longer.
  private(set) var isHeldByKey = false
  /// Whether rows are being read because the displayed rows are from an earlier minute.
  var isRefreshing = false

  /// Shows a secret for ten seconds, or for ten more if it is shown already.
  mutating func reveal(again: Bool) {
    revealSeconds = again ? revealSeconds + 10 : 10
    reveals += 1
  }

  /// Counts one of the seconds.
  mutating func countReveal() {
    revealSeconds = max(0, revealSeconds - 1)
    reveals += 1
  }

  /// Counts a key or a step of a demo that runs automatically.
  mutating func countAutoBeat(isKey: Bool) {
    autoBeats += 1
    isHeldByKey = isKey
  }

  /// Records that rows were read, and when the state of one of them changes next.
  mutating func countRead(_ statuses: some Sequence<TokenStatus>) {
    reads += 1
    nextState = statuses.compactMap(\.changesIn).min()
  }
}

extension AppModel {
  /// The alarms to wait for.
  ///
  /// An idle program without a valid token never wakes.
  var alarms: [Alarm: Alarm.Wait] {
    // An empty literal is an unspecialised call.
    var alarms = [Alarm: Alarm.Wait]()
    if shared.revealedToken != nil || topDialog(PromptDialog.self)?.isRevealed == true {
      alarms[.conceal] = Alarm.Wait(occasion: shared.waits.reveals, seconds: 1)
    }
    if shared.waits.hasSecretOnClipboard {
      alarms[.clearClipboard] = Alarm.Wait(occasion: shared.waits.secretCopies, seconds: 45)
    }
    if let seconds = shared.waits.nextState {
      alarms[.nextState] = Alarm.Wait(occasion: shared.waits.reads, seconds: max(1, seconds))
    }
    let playback = screens.trace.playback
    if playback.isRunning, shared.place.screen == .trace, shared.dialogs.isEmpty {
      alarms[.nextStep] = Alarm.Wait(occasion: playback.beats, milliseconds: playback.milliseconds)
    }
    if let motion = shared.motion {
      alarms[.motion] = Alarm.Wait(occasion: motion.frame, milliseconds: RowMotion.milliseconds)
    }
    alarms[.callPicture] = screens.apps.picture?.wait
    if let pace = shared.autoPace, shared.hasDemo, shared.working == nil {
      alarms[.autoStep] = Alarm.Wait(
        occasion: shared.waits.autoBeats,
        milliseconds: shared.waits.isHeldByKey ? max(pace, Waits.secondsAfterKey * 1000) : pace)
    }
    return alarms
  }

  mutating func ring(_ alarm: Alarm) -> [Command] {
    switch alarm {
    case .conceal:
      shared.waits.countReveal()
      return shared.waits.revealSeconds > 0 ? [] : conceal()
    case .clearClipboard:
      shared.waits.hasSecretOnClipboard = false
      return [.clearClipboard]
    case .nextStep:
      screens.trace.beat()
      shared.scroll = 0
      return []
    case .motion:
      shared.motion = shared.motion?.next
      return []
    case .callPicture:
      screens.apps.picture = screens.apps.picture?.next
      return []
    case .autoStep: return DemoAction.goOn(&self)
    case .nextState:
      shared.waits.nextState = nil
      return reload()
    }
  }

  /// Masks a revealed secret again.
  mutating func conceal() -> [Command] {
    if var prompt = topDialog(PromptDialog.self) {
      prompt.isRevealed = false
      shared.replaceDialog(prompt)
    }
    return screens.tokens.conceal(&shared)
  }

  /// Reads the rows again after the minute in the header has passed.
  ///
  /// Each remaining time, such as “59m”, is relative to that minute.
  mutating func refresh(at realTime: Instant) -> [Command] {
    guard let status = shared.lab.status, !shared.waits.isRefreshing, !shared.isPickerOnly else { return [] }
    let now = realTime.adding(seconds: status.clockOffset ?? 0)
    guard now.seconds / 60 != status.now.seconds / 60 else { return [] }
    shared.waits.isRefreshing = true
    return reload()
  }
}

/// An event that the program may wait for while no key is pressed.
enum Alarm: CaseIterable, Sendable {
  /// The next second in which a secret is on the screen.
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
  /// The time for the next step of a demo that runs automatically.
  case autoStep

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
