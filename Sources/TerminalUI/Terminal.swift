#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A screen and its keyboard, which is the real terminal or a simulated one in a test.
package protocol TerminalDriver: AnyObject {
  var size: Size { get }
  /// The characters that may be drawn.
  var glyphs: GlyphSet { get }

  /// Updates the screen to show `grid`.
  func show(_ grid: Grid)

  /// Sleeps until something happens: a key press, a signal, a watched descriptor, the ``Waker``, or a timeout.
  ///
  /// The timeout is `milliseconds`, after which the result is ``InputEvent/deadline``. If it is `nil`, there is no
  /// timeout.
  /// - Returns: the events, possibly none of interest, or `nil` if the terminal is lost.
  func waitForEvents(watching descriptors: [Int32], milliseconds: Int?) -> [InputEvent]?
}

/// A converter from grids to the output for a terminal.
///
/// It uses the escape sequences of ECMA-48, with those of the 256 colours that are readable on a dark background.
package struct TerminalOutput {
  package init() {}

  /// Returns the output that makes the terminal display `new`.
  ///
  /// `old` is the grid that it displays now, or `nil` if the terminal was just opened.
  package func text(of new: Grid, over old: Grid?) -> String {
    let isSameSize = old?.width == new.width && old?.height == new.height
    var text = isSameSize ? "" : "\u{1B}[?25l\u{1B}[2J"
    for y in 0..<new.height {
      var x = 0
      while x < new.width {
        guard !isSameSize || old?[x, y] != new[x, y] else {
          x += 1
          continue
        }
        text += "\u{1B}[\(y + 1);\(x + 1)H"
        x = write(new, over: isSameSize ? old : nil, from: x, y, to: &text)
      }
    }
    return text
  }

  /// Writes the cells from the first that differs up to the next that does not.
  /// - Returns: the column after them.
  private func write(_ new: Grid, over old: Grid?, from start: Int, _ y: Int, to text: inout String) -> Int {
    var x = start
    var style: Style?
    while x < new.width, old == nil || old?[x, y] != new[x, y] {
      let cell = new[x, y]
      if !cell.isContinuation {
        if cell.style != style { text += codes(of: cell.style) }
        style = cell.style
        text.unicodeScalars.append(contentsOf: cell.scalars)
      }
      x += 1
    }
    text += "\u{1B}[0m"
    return x
  }

  private func codes(of style: Style) -> String {
    var codes = ["0"]
    if style.bold { codes.append("1") }
    if style.underline { codes.append("4") }
    if style.reverse { codes.append("7") }
    if let color = Theme.dark.inks(on: .dark, colors: 256).color(of: style.ink) {
      codes.append("38;5;\(color)")
    }
    return "\u{1B}[\(codes.joined(separator: ";"))m"
  }
}

/// The reason that a full-screen interface is not available.
///
/// The program can still run in plain mode.
package enum TerminalError: Error, Equatable, Sendable, CustomStringConvertible {
  case noTerminal
  case noType
  case unknownType(String)
  case cannotMoveCursor(String)
  case alreadyOpen

  package var description: String {
    switch self {
    case .noTerminal: "There is no terminal: /dev/tty cannot be opened."
    case .noType: "TERM is not set, so the terminal's abilities are not known."
    case .unknownType(let type): "TERM is '\(type)', which terminfo does not know on this machine."
    case .cannotMoveCursor(let type): "A terminal of type '\(type)' cannot move its cursor."
    case .alreadyOpen: "The terminal is already in use by this process."
    }
  }
}

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
///   - draw: draws the entire grid.
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

/// A handle that wakes a thread that polls the other end of a pipe.
///
/// It can be used from any thread.
///
/// The thread that owns the terminal then receives ``InputEvent/woken``.
package struct Waker: Sendable {
  private let descriptor: Int32

  /// - Parameter descriptor: the writing end of the pipe, which must be non-blocking.
  package init(descriptor: Int32) { self.descriptor = descriptor }

  /// Wakes the interface.
  ///
  /// May be called from any thread.
  package func wake() {
    var tag: UInt8 = 0
    // A full pipe has the same effect, because the reader has not yet read its contents.
    _ = write(descriptor, &tag, 1)
  }
}
