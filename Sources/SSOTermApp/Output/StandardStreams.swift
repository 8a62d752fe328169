import CDispatch
import Dispatch
import Essentials
import SSOCore
import Synchronization

/// The process's own files and environment variables, without buffers or locales in between.
package enum StandardStreams {
  package static let output: Int32 = 1
  package static let error: Int32 = 2

  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Returns the width, in columns, of the terminal that a stream goes to, or `nil` if there is no such terminal or its
  /// width is unknown.
  package static func terminalWidth(of stream: Int32 = output) -> Int? {
    var size = winsize()
    guard ioctl(stream, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20 else { return nil }
    return Int(size.ws_col)
  }

  /// Returns an environment variable.
  ///
  /// An empty variable counts as absent.
  package static func variable(_ name: String) -> String? {
    guard let pointer = getenv(name) else { return nil }
    let value = String(cString: pointer)
    return value.isEmpty ? nil : value
  }

  /// Returns whether an environment variable is not UTF-8.
  package static func isInvalid(variable name: String) -> Bool {
    getenv(name).map { String(validatingCString: $0) == nil } ?? false
  }

  package static func write(_ text: String, to descriptor: Int32) throws(SystemError) {
    try write(Data(text.utf8), to: descriptor)
  }

  /// Writes all bytes, with several system calls if necessary.
  package static func write(_ data: Data, to descriptor: Int32) throws(SystemError) {
    try writeAll(data, to: descriptor)
  }

  /// Checks that all output has arrived, because some file systems report only at the end that there was no room.
  package static func checkOutput() throws(SystemError) {
    let copy = dup(output)
    guard copy >= 0, close(copy) != 0, errno != EINTR else { return }
    throw SystemError(code: errno)
  }

  /// Returns the contents of a file or a pipe, up to its end or to `limit` bytes.
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

  /// Returns the first line that is piped in, without its end, such as a password of at most 4096 bytes.
  ///
  /// Returns `nil` if there is no input.
  package static func readLine() -> String? {
    var line = Data()
    while line.count < 4096, let byte = try? read(0, limit: 1), !byte.isEmpty {
      if byte.first == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line += byte
    }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }

  /// Returns how many seconds the local time is ahead of UTC now.
  ///
  /// The C library reads one file for it; Foundation first sets up its time zones and copies the entire environment.
  static func secondsFromUTC() -> Int {
    var now = time(nil)
    var local = tm()
    tzset()
    localtime_r(&now, &local)
    return local.tm_gmtoff
  }

  /// Returns the time of the machine's clock, which is independent of a lab's clock.
  package static func now() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}

/// Runs asynchronous work to its end, because commands are synchronous and the server is not.
/// - Throws: The error that `work` throws.
package func waiting<Result: Sendable>(_ work: @escaping @Sendable () async throws -> Result) throws -> Result
{
  let ended = DispatchSemaphore(value: 0)
  let kept = Kept<Result>()
  Task.detached {
    do {
      let result = try await work()
      kept.value.withLock { $0 = .success(result) }
    } catch {
      kept.value.withLock { $0 = .failure(error) }
    }
    ended.signal()
  }
  ended.wait()
  guard let result = kept.value.withLock({ $0 }) else { throw CancellationError() }
  return try result.get()
}

private final class Kept<Value: Sendable>: Sendable {
  let value = Mutex<Result<Value, any Error>?>(nil)
}

/// The program's version, for `--version` and reports.
package let programVersion = "0.1.0"
