import CDispatch
import Foundation

/// The process's own files and variables, without buffers or locales in between.
package enum StandardStreams {
  package static let output: Int32 = 1
  package static let error: Int32 = 2

  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// A variable of the environment; empty counts as absent.
  package static func variable(_ name: String) -> String? {
    guard let pointer = getenv(name) else { return nil }
    let value = String(cString: pointer)
    return value.isEmpty ? nil : value
  }

  package static func write(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { bytes in
      var sent = 0
      while sent < bytes.count {
        let count = Foundation.write(descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent)
        if count < 0, errno == EINTR { continue }
        if count <= 0 { return }
        sent += count
      }
    }
  }

  /// Everything that is piped in.
  package static func readAll() -> Data { FileHandle.standardInput.readDataToEndOfFile() }

  /// The first line that is piped in, without its end: a password.
  package static func readLine() -> String? { Swift.readLine(strippingNewline: true) }

  /// The moment by the machine's clock; only `view` needs it, as a file knows no lab.
  package static func now() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
