import Foundation
import SSOCore
import SSOReading
import SSOReference
import Testing

/// Reads a log in pieces of this many bytes.
func readLog(
  _ text: String, pieces: Int = .max, people: KnownPeople = KnownPeople(), strings: LogStrings = LogStrings()
)
  -> LogReading
{
  readLog(Data(text.utf8), pieces: pieces, people: people, strings: strings)
}

func readLog(
  _ data: Data, pieces: Int = .max, people: KnownPeople = KnownPeople(), strings: LogStrings = LogStrings()
) -> LogReading {
  var reader = LogReader(people: people, strings: strings)
  data.withUnsafeBytes { bytes in
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + min(pieces, bytes.count))
      reader.feed(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
      start = end
    }
  }
  return reader.finish()
}

/// Expects that a verdict whose cause is seen quotes the text.
///
/// A sentence occurs byte for byte, except that lines may break elsewhere; a number may have another form.
func expectSeen(_ verdict: Verdict, in text: String, _ location: SourceLocation = #_sourceLocation) {
  guard verdict.certainty == .seen, let cause = verdict.cause else { return }
  func joined(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
  let isThere =
    cause.contains(" ")
    ? joined(text).contains(joined(cause))
    : text.lowercased().contains(cause.lowercased())
      || Explanation.find(in: text).contains { $0.code == cause && cause.contains(where: \.isNumber) }
  #expect(isThere, "\(cause)", sourceLocation: location)
}

extension Trace {
  /// The steps as lines such as `sdk → keychain: read access token = no item`.
  ///
  /// A failed check is marked.
  var steps: [String] {
    hops.map { hop in
      let failed = hop.checks.contains { $0.verdict == .failed } ? "✗ " : ""
      let result = hop.result.isEmpty ? "" : " = \(hop.result)"
      return "\(failed)\(hop.from.rawValue) → \(hop.to.rawValue): \(hop.action)\(result)"
    }
  }
}
