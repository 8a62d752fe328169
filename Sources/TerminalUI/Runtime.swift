/// What the program wants after an event.
package enum LoopVerdict: Equatable, Sendable { case redraw, ignore, quit }

/// Runs an interface on the thread that calls it, until `onEvent` says quit or the terminal is gone.
///
/// Between events the thread sleeps without a time limit, unless the program waits for a moment: an idle program
/// makes no wake-ups. Events that come together are handled together and drawn once. If the caller is on the main actor, other work for
/// the main actor waits meanwhile: let background work leave its result behind a lock and use the
/// driver's ``Waker``.
/// - Parameters:
///   - driver: takes input and shows pictures.
///   - descriptors: readable means ``InputEvent/storeChanged``. The driver reads away what is in them, so they must be the
///     program's own (inotify, a pipe).
///   - nextWake: asked before each sleep: after how many milliseconds to send ``InputEvent/deadline``, if at all.
///   - onEvent: handles an event, and says whether to draw, to go on or to quit.
///   - draw: draws the whole picture.
package func runTerminal(
  driver: some TerminalDriver, watching descriptors: [Int32] = [], nextWake: () -> Int? = { nil },
  onEvent: (InputEvent) -> LoopVerdict, draw: (inout Grid) -> Void
) {
  func paint() {
    var grid = Grid(width: driver.size.width, height: driver.size.height, glyphs: driver.glyphs)
    draw(&grid)
    driver.show(grid)
  }

  paint()
  while let events = driver.waitForEvents(watching: descriptors, milliseconds: nextWake()) {
    var mustPaint = false
    for event in events {
      if case .resize = event { mustPaint = true }  // the picture is gone, whatever the program thinks
      switch onEvent(event) {
      case .quit: return
      case .redraw: mustPaint = true
      case .ignore: break
      }
    }
    if mustPaint { paint() }
  }
}
