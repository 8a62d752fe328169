import Essentials
import SSOCore
import SSOReference

/// The result of reading a log or a recording: calls as traces, and the lines that could not be read.
package struct LogReading: Sendable {
  package var traces: [Trace]
  /// The number of older calls that were not retained because there were too many.
  package var callsLeftOut: Int
  package var lineCount: Int
  /// The number of recognised lines of each kind; other lines belong to the line before them, or are unknown.
  package var counts: [LogKind: Int]
  /// The first unknown lines.
  package var unknown: [UnknownLine]
  package var unknownCount: Int
  /// Whether times go back from line to line, so that calls are read from their end.
  package var isNewestFirst: Bool
  /// Whether the text only speaks of errors, as source code and documentation do.
  var isOrdinary = false

  /// Whether the text shows no call and no error: nothing is asserted about it.
  package var assertsNothing: Bool { traces.isEmpty }

  /// Whether the text only speaks of the errors that it names.
  package var onlyMentions: Bool {
    isOrdinary
      || traces.isEmpty
        && unknown.contains { OrdinaryLine.matches($0.text) || OrdinaryLine.isTable($0.text) }
  }
}

/// Returns the calls in a text that may be a log or a recording.
/// - Throws: ``HARError`` for a recording that cannot be read.
package func readTraces(in text: String, people: KnownPeople) throws -> [Trace] {
  var bytes = Array(text.utf8)
  if HARFile.isRecording(bytes) { return [RecordingReader(try HARFile(Data(bytes))).read().trace] }
  var reader = LogReader(people: people)
  bytes.withUnsafeMutableBytes { reader.feed(UnsafeRawBufferPointer($0)) }
  return reader.finish().traces
}

extension Trace {
  /// Explanations of the codes of the first failure; empty if nothing failed, or no code is known.
  package var explanations: [Explanation] {
    guard let outcome, outcome.verdict == .failed else { return [] }
    let words = [
      outcome.errorDomain, outcome.errorCode.map(String.init), outcome.summary, outcome.errorText,
      outcome.failedCheck?.found,
    ]
    return Explanation.ofError(words.compactMap(\.self).joined(separator: " ")).prefix(3).map(\.outside)
  }
}

/// A line of no recognised kind, as written in the log except for secrets.
package struct UnknownLine: Hashable, Sendable {
  /// The maximum number of unknown lines to keep; the others are only counted.
  package static let kept = 100
  /// The one-based line number.
  package var number: Int
  package var text: String
}
