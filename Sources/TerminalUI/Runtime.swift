/// What the program wants after an event.
package struct LoopVerdict: Equatable, Sendable {
  package enum Action: Equatable, Sendable { case redraw, ignore, quit }

  package var action: Action
  /// Send ``InputEvent/deadline`` after this time, once; replaces an earlier wish. `nil` leaves it.
  package var wakeAfterMilliseconds: Int?

  package init(_ action: Action, wakeAfterMilliseconds: Int? = nil) {
    self.action = action
    self.wakeAfterMilliseconds = wakeAfterMilliseconds
  }

  package static let redraw = LoopVerdict(.redraw)
  package static let ignore = LoopVerdict(.ignore)
  package static let quit = LoopVerdict(.quit)
}

/// Runs an interface on the thread that calls it, until `onEvent` says quit or the terminal is gone.
///
/// Between events the thread sleeps without a time limit: an idle program makes no wake-ups. Events that
/// come together are handled together and drawn once. If the caller is on the main actor, other work for
/// the main actor waits meanwhile: let background work leave its result behind a lock and use the
/// driver's ``Waker``.
/// - Parameter descriptors: readable means ``InputEvent/storeChanged``. The driver reads away what is in
///   them, so they must be the program's own (inotify, a pipe).
package func runTerminal(
  driver: some TerminalDriver, watching descriptors: [Int32] = [],
  onEvent: (InputEvent) -> LoopVerdict, draw: (inout Grid) -> Void
) {
  func paint() {
    var grid = Grid(width: driver.size.width, height: driver.size.height, glyphs: driver.glyphs)
    draw(&grid)
    driver.show(grid)
  }

  var deadline: ContinuousClock.Instant?
  paint()
  while let events = driver.waitForEvents(
    watching: descriptors, milliseconds: deadline.map { ContinuousClock.now.milliseconds(until: $0) })
  {
    var mustPaint = false
    for event in events {
      if event == .deadline { deadline = nil }
      if case .resize = event { mustPaint = true }  // the picture is gone, whatever the program thinks
      let verdict = onEvent(event)
      if let wait = verdict.wakeAfterMilliseconds {
        deadline = ContinuousClock.now.advanced(by: .milliseconds(wait))
      }
      switch verdict.action {
      case .quit: return
      case .redraw: mustPaint = true
      case .ignore: break
      }
    }
    if mustPaint { paint() }
  }
}

extension ContinuousClock.Instant {
  /// Rounded up, so that the sleeper does not wake a moment early and sleep again.
  fileprivate func milliseconds(until later: Self) -> Int {
    let (seconds, attoseconds) = duration(to: later).components
    return max(0, Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
  }
}
