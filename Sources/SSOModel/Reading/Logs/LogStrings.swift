import Essentials
import SSOCore

/// The sentences behind the six-character hashes that MSAL.js has written since October 2025.
///
/// They come from `log-strings-mapping.json` of its npm package: `{"mappings": {"1plfzx": "initialize called"}}`.
package struct LogStrings: Sendable {
  private var sentences: [String: String] = [:]

  package init() {}

  /// - Throws: `JSONParseError`, or an error that describes the expected file if the document is not such a file.
  package init(_ data: Data) throws {
    let document = try JSONParser.parse(data)
    let mappings = document["mappings"]?.object ?? document.object ?? [:]
    sentences = mappings.compactMapValues(\.string).filter { $0.key.utf8.count == 6 }
    guard !sentences.isEmpty else { throw LogStringsError() }
  }

  func step(of message: LineBytes, _ kind: LogKind) -> LogStep? {
    if let step = LogSteps.of(kind).step(of: message) { return step }
    guard kind == .javaScript, var sentence = sentence(of: message) else { return nil }
    return sentence.withUTF8 { LogSteps.of(kind).step(of: LineBytes($0)) }
  }

  /// Returns the sentence for a message that is a hash, with the values that follow inserted at `${…}`, or `nil` if
  /// the hash is unknown.
  func sentence(of message: LineBytes) -> String? {
    guard !sentences.isEmpty else { return nil }
    let words = message.text(0..<min(message.count, 600)).split(
      separator: " ", omittingEmptySubsequences: true)
    guard let hash = words.first, hash.utf8.count == 6, let sentence = sentences[String(hash)] else {
      return nil
    }
    var values = words.dropFirst()
    var output = ""
    var rest = sentence[...]
    while let open = rest.firstRange(of: "${"), let close = rest[open.upperBound...].firstIndex(of: "}") {
      output += rest[..<open.lowerBound]
      output += values.popFirst().map(String.init) ?? String(rest[open.lowerBound...close])
      rest = rest[rest.index(after: close)...]
    }
    return output + rest
  }
}

/// An error for a JSON document that does not contain hashes.
package struct LogStringsError: Error, CustomStringConvertible {
  package var description: String {
    "expected a JSON object whose \"mappings\" have keys of six characters, as log-strings-mapping.json of an npm package has"
  }
}
