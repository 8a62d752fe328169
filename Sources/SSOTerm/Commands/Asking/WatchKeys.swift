import Essentials

/// The keys of the controlling terminal, read one by one and without echo.
///
/// They are for a command that follows a file until `q` or ^C. If the output goes elsewhere, there are none.
struct WatchKeys {
  enum News {
    case changed, timeout
    case end(ExitStatus)
  }

  private let descriptor: Int32

  init() {
    guard StandardStreams.isTerminal(StandardStreams.output) else {
      descriptor = -1
      return
    }
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
      case 0x03: return .end(.cancelled)
      case UInt8(ascii: "q"), UInt8(ascii: "Q"): return .end(.done)
      default: continue
      }
    }
  }

  func end() {
    guard descriptor >= 0 else { return }
    HiddenTyping.end()
    close(descriptor)
  }
}
