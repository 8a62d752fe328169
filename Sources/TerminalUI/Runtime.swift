/// The program's response to an event.
package enum LoopVerdict: Equatable, Sendable { case redraw, ignore, quit }

/// Runs an interface on the calling thread until `onEvent` returns `quit` or the terminal is lost.
///
/// Between events, the thread sleeps without a time limit unless the program waits for a point in time, so an idle
/// program causes no wake-ups. Events that arrive together are handled together and drawn once. If the caller is on the
/// main actor, this blocks all other work of the main actor. Background work should store its result behind a lock and
/// use the driver's ``Waker``.
/// - Parameters:
///   - driver: the driver that provides input and displays grids.
///   - descriptors: the descriptors that cause ``InputEvent/storeChanged`` when they are readable. The driver consumes
///     their contents, so they must belong to the program (inotify, a pipe).
///   - nextWake: called before each sleep; returns the number of milliseconds until ``InputEvent/deadline``, or `nil`.
///   - onEvent: handles an event, and returns whether to draw, continue, or quit.
///   - draw: draws the whole grid.
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
      if case .resize = event { mustPaint = true }  // the screen has lost its contents
      switch onEvent(event) {
      case .quit: return
      case .redraw: mustPaint = true
      case .ignore: break
      }
    }
    if mustPaint { paint() }
  }
}
