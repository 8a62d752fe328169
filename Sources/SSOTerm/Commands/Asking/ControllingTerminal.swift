import Essentials

/// The process's terminal, `/dev/tty`, which is used for prompts so that stdout contains only results and stdin may be
/// a pipe.
final class ControllingTerminal {
  private let descriptor: Int32

  /// Opens the terminal, or returns `nil` if the process has none.
  init?() {
    descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  static var isThere: Bool { ControllingTerminal() != nil }

  /// Waits for a line, or until one of the other descriptors is readable.
  func wait(or others: [Int32]) -> FirstInput { waitForInput(on: descriptor, or: others) }

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
