import CNcurses

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The driver for the real terminal.
///
/// One thread owns it; only its ``Waker`` may be used on other threads.
///
/// It keeps the last grid and passes only the changed cells to ncurses, which is five to ten times cheaper than passing
/// all of them.
package final class NcursesDriver: TerminalDriver {
  package let glyphs: GlyphSet
  package let waker: Waker
  let terminal: cn_terminal
  let escapeDelay: Int
  var decoder: KeyDecoder
  /// The descriptors to poll: the input, the signals, and then the watched ones.
  ///
  /// A watched descriptor that has ended is -1, because polling it again would always return at once.
  private var polled: [pollfd] = []
  /// The watched descriptors.
  private var watched: [Int32] = []
  private var palette: Palette
  private var background: Background
  private var last: Grid?

  /// Takes over the controlling terminal, even if standard input and output are redirected.
  /// - Parameters:
  ///   - forced: the glyphs that the user requested, or `nil` to use what the locale allows.
  ///   - theme: the colours of the inks.
  ///   - monochrome: whether to use no colours; `nil` uses `NO_COLOR`.
  /// - Throws: `TerminalError` if there is no controlling terminal, or it cannot move the cursor.
  package init(
    glyphs forced: GlyphSet? = nil, theme: Theme = .auto, monochrome: Bool? = nil
  ) throws(TerminalError) {
    var found = cn_terminal()
    let status = cn_open(&found)
    if let error = TerminalError(status) { throw error }
    terminal = found
    glyphs = forced ?? (found.utf8 ? .unicode : .ascii)
    waker = Waker(descriptor: found.waker)
    palette = Palette(
      theme: theme, colors: Int(found.colors), direct: found.direct,
      monochrome: monochrome ?? !(environment("NO_COLOR") ?? "").isEmpty)
    escapeDelay = environment("ESCDELAY").flatMap { Int($0) }.map { min(max(1, $0), 2000) } ?? 25
    decoder = KeyDecoder(terminfoKeys: Self.terminfoKeys())
    background = Background(colorFGBG: environment("COLORFGBG")) ?? .unknown
    palette.choose(for: background)
    if palette.dependsOnBackground, Background.canBeAsked(type: environment("TERM") ?? "") {
      write(Background.query)
    }
  }

  /// Adapts the colours to the background that the terminal reported.
  func learn(_ background: Background) {
    self.background = background
    palette.choose(for: background)
    redraw()
  }

  /// Changes the colours of everything that is displayed.
  package func use(_ theme: Theme) {
    guard theme != palette.theme else { return }
    palette.theme = theme
    palette.choose(for: background)
    cn_repaint()
    redraw()
  }

  /// Draws all cells again, because a cell's attributes depend on the palette too, and ncurses only knows of new colours.
  private func redraw() {
    guard let frame = last else { return cn_flush() }
    last = nil
    show(frame)
  }

  private func write(_ text: String) {
    let bytes = Array(text.utf8)
    bytes.withUnsafeBytes { cn_write($0.baseAddress, $0.count) }
  }

  deinit { close() }

  /// Restores the terminal permanently.
  ///
  /// May be called twice.
  package func close() { cn_close() }

  package var size: Size {
    var width: Int32 = 0
    var height: Int32 = 0
    cn_size(&width, &height)
    return Size(width: Int(width), height: Int(height))
  }

  /// Draws only the cells that differ from the last grid.
  package func show(_ grid: Grid) {
    if last.map({ $0.width != grid.width || $0.height != grid.height }) ?? true {
      cn_erase()
      last = Grid(width: grid.width, height: grid.height)
    }
    draw(grid, over: last?.cells ?? [])
    cn_cursor(Int32(grid.cursor?.x ?? 0), Int32(grid.cursor?.y ?? 0), grid.cursor != nil)
    cn_flush()
    last = grid
  }

  /// Redraws everything, for Ctrl-L and after another program has written to the screen.
  package func repaint() {
    cn_repaint()
    if let last { show(last) }
  }

  /// Copies text to the user's clipboard with OSC 52.
  ///
  /// The terminal does not report whether it allows this.
  /// - Returns: false if the text is too long for any terminal.
  @discardableResult
  package func copy(_ text: String) -> Bool {
    guard let sequence = Self.clipboardSequence(text) else { return false }
    write(sequence)
    return true
  }

  /// Sets whether to overwrite the clipboard with a space if a signal, such as that of a crash, terminates the program.
  package func overwriteClipboardAtCrash(_ on: Bool) { cn_last_words(on ? Self.clipboardSequence(" ") : nil) }

  private static func clipboardSequence(_ text: String) -> String? {
    let multiplexer: Clipboard.Multiplexer =
      environment("TMUX") != nil ? .tmux : environment("STY") != nil ? .screen : .none
    return Clipboard.sequence(for: text, through: multiplexer)
  }

  /// Turns mouse reports on or off.
  ///
  /// If they are off, the terminal handles text selection.
  package func setMouse(_ on: Bool) { cn_mouse(on) }

  /// Suspends the program as ^Z does, and returns when it is continued.
  package func suspend() {
    cn_suspend()
    last = nil
  }

  /// Releases the terminal during `work` and takes it over again afterwards.
  package func lend<Result>(_ work: () -> Result) -> Result {
    cn_release()
    defer { restore() }
    return work()
  }

  /// Takes over the terminal again.
  ///
  /// Its contents are unknown.
  func restore() {
    cn_restore()
    last = nil
  }
}

extension NcursesDriver {
  private func draw(_ grid: Grid, over old: [Cell]) {
    guard grid.width > 0 else { return }
    // A local copy, because reading a part of a class's property copies the entire property for each cell.
    let palette = palette
    grid.cells.withUnsafeBufferPointer { new in
      old.withUnsafeBufferPointer { old in
        for start in stride(from: 0, to: new.count, by: grid.width) where !isSame(new, old, start, grid.width)
        {
          draw(new, old, start..<(start + grid.width), palette)
        }
      }
    }
  }

  /// Draws the changed cells of a row, runs of letters in one style together.
  private func draw(
    _ new: UnsafeBufferPointer<Cell>, _ old: UnsafeBufferPointer<Cell>, _ row: Range<Int>, _ palette: Palette
  ) {
    let y = row.lowerBound / row.count
    var index = row.lowerBound
    while index < row.upperBound {
      guard new[index] != old[index] else {
        index += 1
        continue
      }
      var end = index
      while end < row.upperBound, new[end].isLetter, new[end].style == new[index].style, new[end] != old[end]
      {
        end += 1
      }
      if end > index + 1 {
        let look = palette.look(of: new[index].style, isSymbol: false)
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: end - index) { scalars in
          for place in index..<end { scalars[place - index] = new[place].base.value }
          cn_put_run(
            Int32(index - row.lowerBound), Int32(y), scalars.baseAddress, Int32(end - index), look.attributes,
            look.pair)
        }
        index = end
      } else {
        let isWide = index + 1 < row.upperBound && new[index + 1].isContinuation
        draw(new[index], x: index - row.lowerBound, y, isWide, palette)
        index += 1
      }
    }
  }

  /// Returns whether a row is unchanged, comparing it as memory because most rows are.
  private func isSame(
    _ new: UnsafeBufferPointer<Cell>, _ old: UnsafeBufferPointer<Cell>, _ start: Int, _ width: Int
  ) -> Bool {
    guard let new = new.baseAddress, let old = old.baseAddress else { return true }
    return memcmp(new + start, old + start, width * MemoryLayout<Cell>.stride) == 0
  }

  private func draw(_ cell: Cell, x: Int, _ y: Int, _ isWide: Bool, _ palette: Palette) {
    guard !cell.isContinuation else { return }
    let look = palette.look(of: cell.style, isSymbol: cell.isSymbol)
    func put(_ scalar: UInt32, at column: Int) {
      var scalar = scalar
      cn_put(Int32(column), Int32(y), &scalar, 1, look.attributes, look.pair)
    }
    let base = cell.base.value
    // If the C library computes a different width, whatever follows would be drawn in the wrong place.
    guard base < 0x80 || cn_width(base) == (isWide ? 2 : 1) else {
      put(0x3F, at: x)
      if isWide { put(0x20, at: x + 1) }
      return
    }
    guard cell.hasMarks else { return put(base, at: x) }
    let scalars = [base] + cell.scalars.dropFirst().map(\.value).filter { cn_width($0) == 0 }
    cn_put(Int32(x), Int32(y), scalars, Int32(scalars.count), look.attributes, look.pair)
  }

  /// Returns the keys of this terminal as defined in terminfo.
  private static func terminfoKeys() -> [[UInt8]: KeyPress] {
    var names: [(String, KeyPress)] = [
      ("kcuu1", .up), ("kcud1", .down), ("kcub1", .left), ("kcuf1", .right), ("khome", .home),
      ("kend", .end), ("kpp", .pageUp), ("knp", .pageDown), ("kdch1", .delete), ("kcbt", .backTab),
    ]
    names += (1...12).map { ("kf\($0)", .function($0)) }
    var keys: [[UInt8]: KeyPress] = [:]
    for (name, key) in names {
      guard let bytes = cn_capability(name).map({ Array(String(cString: $0).utf8) }) else { continue }
      if bytes.count > 1 { keys[bytes] = key }
    }
    return keys
  }
}

extension TerminalError {
  fileprivate init?(_ status: Int32) {
    let type = environment("TERM") ?? ""
    switch UInt32(status) {
    case CN_OK.rawValue: return nil
    case CN_UNKNOWN_TYPE.rawValue: self = type.isEmpty ? .noType : .unknownType(type)
    case CN_NO_CURSOR_MOTION.rawValue: self = .cannotMoveCursor(type)
    case CN_ALREADY_OPEN.rawValue: self = .alreadyOpen
    default: self = .noTerminal
    }
  }
}

private func environment(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}

extension NcursesDriver {
  package func waitForEvents(watching descriptors: [Int32], milliseconds: Int?) -> [InputEvent]? {
    if polled.isEmpty || watched != descriptors {
      watched = descriptors
      polled = ([terminal.input, terminal.signals] + descriptors).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
    }
    let waitsForEscape = decoder.hasPendingEscape
    let timeout = waitsForEscape ? min(escapeDelay, milliseconds ?? .max) : milliseconds ?? -1
    let count = poll(&polled, nfds_t(polled.count), Int32(clamping: timeout))
    if count < 0 { return errno == EINTR || errno == EAGAIN ? [] : nil }
    if count == 0 { return waitsForEscape ? decoder.flush() : [.deadline] }

    var events: [InputEvent] = []
    if polled[1].revents != 0 { events += readSignals() }
    if cn_asked_to_end() != 0 { return nil }
    var isStoreChanged = false
    for place in 2..<polled.count where polled[place].revents != 0 {
      if bytes(from: polled[place].fd).isEmpty { polled[place].fd = -1 }
      isStoreChanged = true
    }
    if isStoreChanged { events.append(.storeChanged) }
    if polled[0].revents & Int16(POLLIN) != 0 {
      let typed = bytes(from: terminal.input)
      if typed.isEmpty { return nil }
      for event in decoder.feed(typed) {
        if let event = actOnOwn(event) { events.append(event) }
      }
    } else if polled[0].revents != 0 {
      return nil
    }
    return events
  }

  /// Handles the signals that have arrived, each number once, and returns the resulting events.
  private func readSignals() -> [InputEvent] {
    var tags: Set<UInt8> = []
    var batch = bytes(from: terminal.signals)
    while !batch.isEmpty {
      tags.formUnion(batch)
      batch = bytes(from: terminal.signals)
    }
    var events: [InputEvent] = []
    if tags.contains(0) { events.append(.woken) }
    if tags.contains(UInt8(SIGTSTP)) {
      suspend()
      events.append(resized)
    } else if tags.contains(UInt8(SIGCONT)) {
      // The process was stopped by a signal that cannot be caught, so the shell may have changed any terminal setting.
      cn_release()
      restore()
      events.append(resized)
    }
    if tags.contains(UInt8(SIGWINCH)), cn_resize() { events.append(resized) }
    return events
  }

  /// Handles the events that concern only the driver.
  ///
  /// ^Z is an ordinary key in raw mode, so the driver does what the terminal would have done.
  private func actOnOwn(_ event: InputEvent) -> InputEvent? {
    switch event {
    case .key(.control("z")):
      suspend()
      return resized
    case .background(let background):
      learn(background)
      return nil
    default: return event
    }
  }

  /// An event that makes the program redraw at the current size.
  private var resized: InputEvent {
    let now = size
    return .resize(width: now.width, height: now.height)
  }

  private func bytes(from descriptor: Int32) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
    }
  }
}
