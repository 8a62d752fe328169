import Essentials
import SSOServer
import SSOTermApp
import TerminalUI

/// The process's terminal, `/dev/tty`, which is used for prompts so that stdout contains only results and stdin may be
/// a pipe.
final class ControllingTerminal {
  private let descriptor: Int32

  /// Opens the terminal, or returns `nil` if the process does not have one.
  init?() {
    descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  static var isThere: Bool { ControllingTerminal() != nil }

  /// Waits for a line, or until one of the other descriptors is readable.
  func wait(or others: [Int32]) -> FirstInput { waitForInput(on: descriptor, or: others) }

  /// The columns of the terminal, which change with its window.
  var width: Int? { StandardStreams.terminalWidth(of: descriptor) }

  func write(_ text: String) { try? StandardStreams.write(text, to: descriptor) }

  /// Reads a line and returns it without its line end, or returns `nil` at the end of the input.
  ///
  /// `hidden` turns off the echo, for passwords.
  func readLine(hidden: Bool = false) -> String? {
    guard hidden else { return nextLine() }
    guard HiddenTyping.begin(on: descriptor) else { return nil }
    defer {
      HiddenTyping.end()
      write("\n")
    }
    return nextLine()
  }

  private func nextLine() -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = read(descriptor, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
      if byte == 0x0A { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
  }
}

extension PlainTerminal {
  /// Creates a plain terminal for the process's own terminal.
  init(_ terminal: ControllingTerminal, ink: TextInk) {
    let dialogue = PlainDialogue(terminal, ink: ink)
    self.init(
      say: { dialogue.line($0) },
      hear: { question, others in
        dialogue.say(question: question)
        guard others.isEmpty || terminal.wait(or: others) != .news else {
          // Start a new line, because the next output must not continue the line of the question.
          dialogue.line("")
          return .news
        }
        return dialogue.hear(false).map { .line($0) } ?? .end
      },
      answer: { prompt, offersPutOff in
        var dialogue = dialogue
        dialogue.offersPutOff = offersPutOff
        if offersPutOff { dialogue.line("Type ! to postpone it.") }
        return dialogue.answer(prompt)
      })
  }
}

/// The keys of the controlling terminal, read one at a time without echo.
///
/// They are for a command that follows a file until `q` or ^C. If the output goes elsewhere, SIGINT and SIGTERM stand for
/// ^C, so that the command can print what it has.
struct WatchKeys {
  enum News {
    case changed, timeout
    case end(ExitStatus)
  }

  /// The byte of ^C.
  private static let interrupt: UInt8 = 0x03

  private let descriptor: Int32
  private let signals: EndSignals?

  init() {
    guard StandardStreams.isTerminal(StandardStreams.output) else {
      var ends: [Int32] = [-1, -1]
      let writing = pipe(&ends) == 0 ? ends[1] : -1
      descriptor = ends[0]
      signals = EndSignals {
        var key = Self.interrupt
        _ = Essentials.write(writing, &key, 1)
      }
      return
    }
    signals = nil
    descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    // ^C arrives as a byte, so that the terminal can be restored first.
    _ = HiddenTyping.begin(on: descriptor, keyByKey: true)
  }

  /// Waits until a watch's descriptor is readable or a key ends the command.
  ///
  /// A timeout of -1 milliseconds waits indefinitely.
  func wait(for watch: Int32, milliseconds: Int32) -> News {
    while true {
      var polled = [
        pollfd(fd: watch, events: Int16(POLLIN), revents: 0),
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&polled, 2, milliseconds)
      if count < 0, errno == EINTR { continue }
      guard count != 0 else { return .timeout }
      guard count > 0 else { return .end(.done) }
      guard polled[1].revents != 0 else { return .changed }
      var key: UInt8 = 0
      guard read(descriptor, &key, 1) == 1 else { return .end(.done) }
      switch key {
      case Self.interrupt: return .end(.cancelled)
      case UInt8(ascii: "q"), UInt8(ascii: "Q"): return .end(.done)
      default: continue
      }
    }
  }

  func end() {
    // A second signal may still write to the pipe, which ends with the process.
    guard descriptor >= 0, signals == nil else { return }
    HiddenTyping.end()
    close(descriptor)
  }
}
