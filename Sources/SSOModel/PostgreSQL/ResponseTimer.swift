import Dispatch
import Essentials

/// A time limit for a response of the server.
struct ResponseTimer {
  private let began = DispatchTime.now()
  private let limit: Double
  private let patience: Double
  private var hasNotified = false

  /// Creates a time limit.
  ///
  /// - Parameters:
  ///   - limit: The seconds after which to give up.
  ///   - patience: The seconds after which to notify the user.
  init(limit: Double, patience: Double) {
    self.limit = limit
    self.patience = patience
  }

  /// Waits until the socket can be read or written.
  ///
  /// `tell` is called once, after `patience`.
  ///
  /// - Throws: `lost` after `limit`.
  mutating func forSocket(
    _ socket: Int32, toWrite: Bool, _ store: String, _ tell: () -> Void
  ) throws(StoreError) {
    while true {
      let elapsed = began.secondsAgo
      guard elapsed < limit else {
        throw .server(store, .lost("no answer for \(Int(limit)) seconds"))
      }
      if !hasNotified, elapsed >= patience {
        hasNotified = true
        tell()
      }
      let rest = (hasNotified ? limit : min(limit, patience)) - elapsed
      // Sending may have to wait until the server's pending data has been read.
      var polled = pollfd(fd: socket, events: Int16(toWrite ? POLLIN | POLLOUT : POLLIN), revents: 0)
      let ready = poll(&polled, 1, Int32(max(1, rest * 1000)))
      if ready > 0 { return }
      if ready < 0, errno != EINTR { throw .server(store, .lost(String(cString: strerror(errno)))) }
    }
  }
}

extension DispatchTime {
  var secondsAgo: Double {
    Double(DispatchTime.now().uptimeNanoseconds - uptimeNanoseconds) / 1_000_000_000
  }
}

/// The values of a statement in the format of libpq.
struct PostgresParameters {
  private var bytes: [UInt8] = []
  private var ranges: [Range<Int>?] = []

  init(_ values: [SQLParameter]) {
    for value in values {
      let start = bytes.count
      switch value {
      case .null:
        ranges.append(nil)
        continue
      case .integer(let number): withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
      case .bytes(let data): bytes.append(contentsOf: data)
      }
      ranges.append(start..<bytes.count)
    }
    // Give an empty value a start address too, because libpq treats a null pointer as NULL.
    bytes.append(0)
  }

  func withPointers(
    _ body: (Int32, PostgresLibrary.Texts?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Int32
  ) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      let start = buffer.bindMemory(to: CChar.self).baseAddress
      let values = ranges.map { range in range.flatMap { range in start.map { $0 + range.lowerBound } } }
      let lengths = ranges.map { Int32($0?.count ?? 0) }
      let formats = [Int32](repeating: 1, count: ranges.count)
      return values.withUnsafeBufferPointer { values in
        lengths.withUnsafeBufferPointer { lengths in
          formats.withUnsafeBufferPointer { formats in
            body(Int32(ranges.count), values.baseAddress, lengths.baseAddress, formats.baseAddress)
          }
        }
      }
    }
  }
}

/// Calls `body` with C strings, followed by a null pointer.
func withTexts<T>(_ texts: [String], _ body: (PostgresLibrary.Texts) -> T) -> T {
  let copies = texts.map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  let pointers = copies.map { $0.map { UnsafePointer($0) } } + [nil]
  return pointers.withUnsafeBufferPointer { buffer in
    guard let start = buffer.baseAddress else { preconditionFailure("there is always the last nil") }
    return body(start)
  }
}
