import CDispatch
import Essentials
import SSOCore
import SSOReading
import SSOStore
import SSOTermApp
import SafeText

/// `ssoterm read -` and `ssoterm read FILE --follow`: prints each call as it ends.
///
/// A pipe is read until its end, a file until `q` or ^C. A truncated file is read from its beginning, and a replaced file
/// to its end before the new file.
struct LogFollower {
  private static let pieceSize = 262_144
  /// The time, in milliseconds, without further lines after which the last record counts as complete.
  private static let pause: Int32 = 20
  /// The time, in milliseconds, without further lines after which an error without an end counts as a failed call.
  private static let silence: Int32 = 1000
  /// The time after which an error that an app printed counts as a failed call although lines keep coming.
  private static let deadline = Duration.seconds(1)

  private let path: String
  private let console: Console
  private let keys = WatchKeys()
  private let watch: FileWatch?
  private var reader: LogReader
  private var wide: UTF16Pieces?
  private var descriptor: Int32
  /// The number of bytes that were read of the open file.
  private var offset = 0
  private var hasFailed = false
  private var hasSaidMissing = false

  /// Creates a follower, or returns `nil` if the file's folder cannot be watched.
  init?(_ path: String, _ reader: LogReader, _ console: Console) {
    (self.path, self.reader, self.console) = (path, reader, console)
    self.reader.isFollowed = true
    if path == "-" {
      (watch, descriptor) = (nil, 0)
    } else {
      guard let watch = FileWatch(path: path) else { return nil }
      (self.watch, descriptor) = (watch, -1)
    }
  }

  /// Reads until the end, and returns what was read.
  mutating func run() throws -> LogReading {
    defer {
      keys.end()
      if descriptor > 0 { close(descriptor) }
    }
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 16)
    defer { piece.deallocate() }
    // The times to wait for further lines, in order; after the last one there is nothing to do until a line comes.
    let waits = [Self.pause, Self.silence, -1]
    var step = 0
    var lastPause = ContinuousClock.now
    while console.troubles.output == nil {
      if watch != nil, try readFile(into: piece) { step = 0 }
      switch keys.wait(for: watch?.descriptor ?? descriptor, milliseconds: waits[step]) {
      case .end: return finish()
      case .timeout:
        report(step == 0 ? .ended : .failed)
        lastPause = .now
        step += 1
      case .changed:
        if let watch {
          guard watch.takeChange() != nil else { return finish() }
        } else {
          guard try readPiece(into: piece) > 0 else { return finish() }
          report(.endedByNow)
          step = 0
        }
        guard lastPause.duration(to: .now) >= Self.deadline else { continue }
        report(.overdue)
        lastPause = .now
      }
    }
    return finish()
  }

  private mutating func finish() -> LogReading {
    report(.atEnd)
    return reader.finish()
  }

  // MARK: - Reading

  /// Reads the part of the file that has not been read yet, and returns whether there was any.
  private mutating func readFile(into piece: UnsafeMutableRawBufferPointer) throws -> Bool {
    var hasRead = false
    while true {
      if descriptor < 0 {
        descriptor = Essentials.open(path, O_RDONLY | O_CLOEXEC)
        offset = 0
        guard descriptor >= 0 else {
          if !hasSaidMissing { console.note("\(path) does not exist yet") }
          hasSaidMissing = true
          return hasRead
        }
      }
      while try readPiece(into: piece) > 0 {
        hasRead = true
        report(.endedByNow)
      }
      guard isOutdated() else { return hasRead }
    }
  }

  /// Returns whether there is more to read because the file was replaced or truncated, and prepares to read it.
  private mutating func isOutdated() -> Bool {
    var (open, named) = (stat(), stat())
    guard fstat(descriptor, &open) == 0 else { return false }
    if stat(path, &named) == 0, named.st_ino != open.st_ino || named.st_dev != open.st_dev {
      close(descriptor)
      descriptor = -1
      return true
    }
    guard open.st_size < offset else { return false }
    lseek(descriptor, 0, SEEK_SET)
    offset = 0
    return true
  }

  private mutating func readPiece(into piece: UnsafeMutableRawBufferPointer) throws -> Int {
    while true {
      let count = Essentials.read(descriptor, piece.baseAddress, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw CommandFailure(reading: path, SystemError(code: errno)) }
      guard count > 0 else { return 0 }
      let part = UnsafeRawBufferPointer(rebasing: piece[..<count])
      if offset == 0 { wide = UTF16Pieces(firstPiece: part) }
      offset += count
      if let text = wide?.text(of: part) {
        Array(text.utf8).withUnsafeBytes { reader.feed($0) }
      } else {
        reader.feed(part)
      }
      return count
    }
  }

  // MARK: - Printing

  private mutating func report(_ calls: LogReader.NewCalls) {
    for trace in reader.takeCalls(calls) {
      if console.json {
        console.print(document: trace.readJSON, onOneLine: true)
      } else {
        console.print(trace.line(console.ink))
      }
    }
  }
}

extension Trace {
  /// The tone of the call's outcome.
  var tone: Tone {
    switch outcome?.verdict {
    case .succeeded: .good
    case .failed: .bad
    case .cancelled, nil: .faint
    }
  }

  /// The trace with the explanations of its failure and the verdict.
  var readJSON: JSONValue {
    json.adding([
      "explanations": .array(explanations.map(\.json)), "finding": verdict?.json ?? .null,
    ])
  }

  /// Returns the call in one line: its time, its outcome, its name, and the cause of a failure.
  func line(_ ink: TextInk) -> String {
    let mark =
      switch outcome?.verdict {
      case .succeeded: "✓"
      case .failed: "✗"
      case .cancelled, nil: "–"
      }
    let verdict = verdict
    let time = summary.at.seconds == 0 ? "" : summary.at.iso8601.dropFirst(11).prefix(8) + "  "
    var texts = [InkedText(mark + " " + summary.title, tone)]
    if let verdict {
      texts.append(InkedText("  " + (verdict.cause.map { $0 + ": " } ?? "") + verdict.meaning))
      texts.append(InkedText(verdict.remedy.map { "  To do: " + $0.commandLine } ?? ""))
    } else {
      texts.append(InkedText("  " + summary.summary))
    }
    let place = [verdict?.place ?? "", "call \(summary.id)"].filter { !$0.isEmpty }
    texts.append(InkedText("  (\(place.joined(separator: ", ")))", .faint))
    return ink.paragraph(InkedText(String(time), .faint), texts)
  }
}
