import Essentials

/// What was read from a log or a recording: calls as traces, and what could not be read.
package struct LogReading: Sendable {
  package var traces: [Trace]
  /// Calls that went well and were too many to keep.
  package var callsLeftOut: Int
  package var lineCount: Int
  /// Recognised lines of each kind; the others belong to the line before them, or are unknown.
  package var counts: [LogKind: Int]
  /// The first of them.
  package var unknown: [UnknownLine]
  package var unknownCount: Int
  /// Whether the lines go back in time, so that calls are read from their end.
  package var isNewestFirst: Bool
}

/// The calls of a text that may be a log or a recording.
/// - Throws: ``HARError`` for a recording that cannot be read.
package func readTraces(in text: String, people: KnownPeople) throws -> [Trace] {
  var bytes = Array(text.utf8)
  if HARFile.isRecording(bytes) { return [RecordingReader(try HARFile(Data(bytes))).read().trace] }
  var reader = LogReader(people: people)
  bytes.withUnsafeMutableBytes { reader.feed(UnsafeRawBufferPointer($0)) }
  return reader.finish().traces
}

extension Explanation {
  /// The codes of a printed error, the one that says most first: what a layer below says is nearer to the cause.
  static func ofError(_ text: String) -> [Explanation] {
    let order: [Family] = [.aadsts, .msalInternal, .keychain, .library, .identityCore, .oauth, .adal, .msal]
    let found = Explanation.find(in: text)
    return order.flatMap { family in found.filter { $0.family == family } }
  }
}

extension Trace {
  /// What the codes of the first failure mean; empty if nothing failed, or no code is known.
  package var explanations: [Explanation] {
    guard let outcome, outcome.verdict == .failed else { return [] }
    let words = [
      outcome.errorDomain, outcome.errorCode.map(String.init), outcome.summary, outcome.errorText,
      outcome.failedCheck?.found,
    ]
    return Explanation.ofError(words.compactMap(\.self).joined(separator: " ")).prefix(3).map(\.outside)
  }
}
