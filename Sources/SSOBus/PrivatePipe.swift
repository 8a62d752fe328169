import Essentials
import Synchronization

/// A pipe whose ends are not inherited by other programs.
final class PrivatePipe: Sendable {
  private let ends: Mutex<(reading: Int32, writing: Int32)>

  /// Creates a pipe, or returns `nil` if the process cannot open more files.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    self.ends = Mutex((ends[0], ends[1]))
  }

  deinit {
    endReading()
    endWriting()
  }

  /// The descriptor of the reading end, or -1 after `endReading()`.
  var reading: Int32 { ends.withLock(\.reading) }
  /// The descriptor of the writing end, or -1 after `endWriting()`.
  var writing: Int32 { ends.withLock(\.writing) }

  func endReading() {
    ends.withLock { ends in
      if ends.reading >= 0 { close(ends.reading) }
      ends.reading = -1
    }
  }

  func endWriting() {
    ends.withLock { ends in
      if ends.writing >= 0 { close(ends.writing) }
      ends.writing = -1
    }
  }

  /// Waits for bytes and returns at most `limit` of them, or an empty string at the end.
  func nextText(limit: Int) -> String {
    var bytes = [UInt8](repeating: 0, count: limit)
    while true {
      let count = read(reading, &bytes, limit)
      if count < 0, errno == EINTR { continue }
      return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
  }
}
