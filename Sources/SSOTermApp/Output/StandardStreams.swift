import CDispatch
import Essentials

/// The process's own files and variables, without buffers or locales in between.
package enum StandardStreams {
  package static let output: Int32 = 1
  package static let error: Int32 = 2

  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// The columns of the terminal that the output goes to; nil if it goes elsewhere, or does not know.
  package static func terminalWidth() -> Int? {
    var size = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20 else { return nil }
    return Int(size.ws_col)
  }

  /// A variable of the environment; empty counts as absent.
  package static func variable(_ name: String) -> String? {
    guard let pointer = getenv(name) else { return nil }
    let value = String(cString: pointer)
    return value.isEmpty ? nil : value
  }

  package static func write(_ text: String, to descriptor: Int32) throws(SystemError) {
    try write(Data(text.utf8), to: descriptor)
  }

  /// Writes all bytes, also over several calls of the system.
  /// - Throws: `SystemError`, `EPIPE` if the reader has gone.
  package static func write(_ data: Data, to descriptor: Int32) throws(SystemError) {
    var rest = data[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Essentials.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemError(code: errno) }
      rest = rest.dropFirst(count)
    }
  }

  /// Asks whether all that was written has arrived: some file systems say only at the end that there was no room.
  package static func checkOutput() throws(SystemError) {
    let copy = dup(output)
    guard copy >= 0, close(copy) != 0, errno != EINTR else { return }
    throw SystemError(code: errno)
  }

  /// What is in a file or a pipe, up to its end or to `limit` bytes.
  package static func read(_ descriptor: Int32, limit: Int) throws(SystemError) -> Data {
    var data = Data()
    var chunk = [UInt8](repeating: 0, count: min(limit, 256 * 1024))
    while data.count < limit {
      let count = Essentials.read(descriptor, &chunk, min(chunk.count, limit - data.count))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError(code: errno) }
      guard count > 0 else { break }
      data.append(chunk, count: count)
    }
    return data
  }

  /// The first line that is piped in, without its end: a password, of at most 4096 bytes.
  ///
  /// Nil if nothing comes.
  package static func readLine() -> String? {
    var line = Data()
    while line.count < 4096, let byte = try? read(0, limit: 1), !byte.isEmpty {
      if byte.first == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line += byte
    }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }

  /// The moment by the machine's clock; only `view` needs it, as a file knows no lab.
  package static func now() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
