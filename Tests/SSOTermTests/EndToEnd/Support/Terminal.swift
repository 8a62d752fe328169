import CVTerm
import Foundation
import Glibc

/// The program on a pty, with libvterm interpreting its output.
///
/// One test owns it.
final class Terminal {
  private(set) var rows: Int32
  private(set) var columns: Int32
  /// All bytes of the program's output.
  private(set) var raw: [UInt8] = []
  /// The terminal's modes before the program started.
  let modesBefore: termios
  let child: Child
  private var master: Int32
  /// Whether the terminal responds to queries about its cursor and its device.
  private let answersQueries: Bool
  private let emulator: OpaquePointer
  private let screen: OpaquePointer

  init(
    _ arguments: [String], environment: [String: String], rows: Int32 = 24, columns: Int32 = 100,
    output: String = "/dev/null", answersQueries: Bool = true
  ) throws {
    self.answersQueries = answersQueries
    self.rows = rows
    self.columns = columns
    master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard master >= 0, grantpt(master) == 0, unlockpt(master) == 0 else {
      throw EndToEndError("no pty: error \(errno)")
    }
    var name = [CChar](repeating: 0, count: 128)
    _ = ptsname_r(master, &name, 128)
    let path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    var modes = termios()
    tcgetattr(master, &modes)
    modesBefore = modes
    Self.setSize(master, rows: rows, columns: columns)

    guard let emulator = vterm_new(rows, columns), let screen = vterm_obtain_screen(emulator) else {
      throw EndToEndError("libvterm does not start")
    }
    self.emulator = emulator
    self.screen = screen
    vterm_set_utf8(emulator, 1)
    vterm_screen_enable_altscreen(screen, 1)
    vterm_screen_reset(screen, 1)
    child = try Child(arguments, environment: environment, terminal: path, output: output)
  }

  deinit {
    hangUp()
    vterm_free(emulator)
  }

  /// Closes the program's terminal, as a lost connection does.
  func hangUp() {
    if master >= 0 { close(master) }
    master = -1
  }

  /// The current modes of the terminal.
  var modes: termios {
    var modes = termios()
    tcgetattr(master, &modes)
    return modes
  }

  func resize(rows: Int32, columns: Int32) {
    self.rows = rows
    self.columns = columns
    vterm_set_size(emulator, rows, columns)
    Self.setSize(master, rows: rows, columns: columns)
  }

  /// Types keys.
  ///
  /// The program's output is read between the pieces of a long text. Otherwise, both could wait for each other.
  func send(_ keys: String) {
    Array(keys.utf8).withUnsafeBytes { bytes in
      var rest = bytes[...]
      while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
        let count = write(master, start, min(rest.count, 1024))
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
        if !rest.isEmpty { pump(0) }
      }
    }
  }

  // MARK: - The screen

  func line(_ row: Int32) -> String {
    var text = ""
    var column: Int32 = 0
    while column < columns {
      var cell = VTermScreenCell()
      guard vterm_screen_get_cell(screen, VTermPos(row: row, col: column), &cell) != 0 else { break }
      withUnsafeBytes(of: cell.chars) { bytes in
        let scalars = bytes.bindMemory(to: UInt32.self).prefix { $0 != 0 }.compactMap(Unicode.Scalar.init)
        text.unicodeScalars.append(contentsOf: scalars.isEmpty ? [" "] : scalars)
      }
      column += max(1, Int32(cell.width))
    }
    while text.last == " " { text.removeLast() }
    return text
  }

  func text() -> String { (0..<rows).map(line).joined(separator: "\n") }

  func shows(_ words: String...) -> Bool {
    let text = text()
    return words.allSatisfy(text.contains)
  }

  /// The position of the cursor, counted from 0.
  var cursor: (row: Int32, column: Int32) {
    var place = VTermPos(row: 0, col: 0)
    vterm_state_get_cursorpos(vterm_obtain_state(emulator), &place)
    return (place.row, place.col)
  }

  /// Whether the program has shown the cursor since it last hid it.
  var showsCursor: Bool {
    let text = String(decoding: raw, as: UTF8.self)
    guard let shown = text.range(of: "\u{1b}[?25h", options: .backwards) else { return false }
    let hidden = text.range(of: "\u{1b}[?25l", options: .backwards)
    return hidden.map { $0.lowerBound < shown.lowerBound } ?? true
  }

  // MARK: - Waiting

  /// Reads the program's output until the screen is as expected.
  func waitFor(_ what: String, within limit: Double = 15, _ isThere: (Terminal) -> Bool) throws {
    let end = secondsNow() + limit
    while !isThere(self) {
      guard secondsNow() < end, pump(50) || isThere(self) else {
        throw EndToEndError("never seen: \(what)\n\(text())")
      }
    }
  }

  func waitFor(_ words: String) throws { try waitFor(words) { $0.shows(words) } }

  /// Waits for the program to end, and reads its remaining output.
  func ending(within limit: Double = 15) throws -> Ending {
    let ending = try child.ending(within: limit) { pump(5) }
    while isReadable(0), pump(0) {}
    return ending
  }

  /// Feeds the available output to the screen, and returns false at the end of the output.
  @discardableResult
  private func pump(_ milliseconds: Int32) -> Bool {
    guard isReadable(milliseconds) else { return true }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(master, &buffer, buffer.count)
    guard count > 0 else { return false }
    raw += buffer[..<count]
    buffer.withUnsafeBytes { bytes in
      _ = vterm_input_write(emulator, bytes.bindMemory(to: CChar.self).baseAddress, count)
    }
    guard answersQueries else { return true }
    // Responses to queries about the cursor and the device.
    var answer = [CChar](repeating: 0, count: 1024)
    let length = vterm_output_read(emulator, &answer, answer.count)
    if length > 0 { _ = write(master, answer, length) }
    return true
  }

  private func isReadable(_ milliseconds: Int32) -> Bool {
    var request = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, milliseconds) > 0
  }

  private static func setSize(_ terminal: Int32, rows: Int32, columns: Int32) {
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
  }
}
