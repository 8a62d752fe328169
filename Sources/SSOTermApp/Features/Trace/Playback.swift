/// The playback of a trace, which advances step by step.
struct Playback: Equatable, Sendable {
  /// The milliseconds that a step stays lit, from the slowest speed to the fastest.
  static let paces = [4000, 2000, 1000, 500, 250]

  var isRunning = false
  private(set) var speed = 2
  /// The number of steps shown so far, each of which has its own alarm.
  private(set) var beats = 0

  var milliseconds: Int { Self.paces[speed] }
  var canBeFaster: Bool { speed + 1 < Self.paces.count }
  var canBeSlower: Bool { speed > 0 }

  mutating func start() {
    isRunning = true
    beats += 1
  }

  mutating func beat() { beats += 1 }

  mutating func change(by steps: Int) {
    speed = min(max(0, speed + steps), Self.paces.count - 1)
    beats += 1
  }

  /// The speed: `1 s a step`, `0.25 s a step`.
  var words: String {
    let whole = milliseconds / 1000
    let rest = ["", ".25", ".5", ".75"][milliseconds % 1000 / 250]
    return "\(whole)\(rest) s a step"
  }
}
