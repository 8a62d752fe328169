import Essentials

/// The modes of the controlling terminal from when the program started.
struct TerminalModes: Sendable {
  private let modes: termios?

  init() {
    var modes = termios()
    let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    defer { if descriptor >= 0 { close(descriptor) } }
    self.modes = descriptor >= 0 && tcgetattr(descriptor, &modes) == 0 ? modes : nil
  }

  func restore() {
    guard var modes else { return }
    let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    tcsetattr(descriptor, TCSANOW, &modes)
  }
}
