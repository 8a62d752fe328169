import CYaml

/// An error in a YAML text, with its one-based line, or 0 if it is about the entire text.
package struct YAMLError: Error {
  package var line: Int
  package var text: String

  package init(line: Int, text: String) { (self.line, self.text) = (line, text) }
}

/// An event of YAML's serialisation (YAML 1.1 §3.1.2), and its position.
package struct YAMLEvent {
  package enum Kind {
    case alias(String)
    case scalar(String, isQuoted: Bool)
    case listStart
    case mapStart
    /// The end of a list or a map.
    case end
    case documentStart
    case documentEnd
    case streamStart
    case streamEnd
  }

  package var kind: Kind
  /// The anchor of a value, without the ampersand.
  package var anchor: String?
  /// The one-based line.
  package var line: Int
  /// The position in the text, in Unicode scalars.
  package var offset: Int
}

/// A reader of the events in a YAML text, one by one, with libyaml, which does not recurse.
///
/// This is the only file that uses libyaml.
package final class YAMLEvents {
  private let text: String
  /// libyaml stores the addresses of `parser` and `input`.
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let input: UnsafeMutableBufferPointer<UInt8>

  /// - Throws: ``YAMLError`` if libyaml cannot be prepared.
  package init(_ text: String) throws(YAMLError) {
    self.text = text
    parser = .allocate(capacity: 1)
    parser.initialize(to: yaml_parser_t())
    input = .allocate(capacity: text.utf8.count)
    _ = input.initialize(from: text.utf8)
    guard yaml_parser_initialize(parser) == 1 else { throw refusal() }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, input.baseAddress, input.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
    input.deallocate()
  }

  /// Returns the next event.
  /// - Throws: ``YAMLError`` if the text is not valid YAML at this point.
  package func next() throws(YAMLError) -> YAMLEvent {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw refusal() }
    defer { yaml_event_delete(&event) }
    var anchor: UnsafeMutablePointer<yaml_char_t>?
    let kind: YAMLEvent.Kind
    switch event.type {
    case YAML_STREAM_START_EVENT: kind = .streamStart
    case YAML_DOCUMENT_START_EVENT: kind = .documentStart
    case YAML_DOCUMENT_END_EVENT: kind = .documentEnd
    case YAML_ALIAS_EVENT: kind = .alias(String(cString: event.data.alias.anchor))
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      anchor = scalar.anchor
      kind = .scalar(
        String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self),
        isQuoted: scalar.style != YAML_PLAIN_SCALAR_STYLE)
    case YAML_SEQUENCE_START_EVENT:
      anchor = event.data.sequence_start.anchor
      kind = .listStart
    case YAML_MAPPING_START_EVENT:
      anchor = event.data.mapping_start.anchor
      kind = .mapStart
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: kind = .end
    default: kind = .streamEnd
    }
    return YAMLEvent(
      kind: kind, anchor: anchor.map { String(cString: $0) }, line: event.start_mark.line + 1,
      offset: event.start_mark.index)
  }

  private func refusal() -> YAMLError {
    let problem = parser.pointee.problem.map { "this is not YAML: " + String(cString: $0) }
    switch parser.pointee.error {
    case YAML_SCANNER_ERROR, YAML_PARSER_ERROR:
      return YAMLError(
        line: min(parser.pointee.problem_mark.line + 1, lastLine), text: problem ?? "this is not YAML")
    default:
      return YAMLError(line: 0, text: problem ?? "this is not YAML")
    }
  }

  /// The last line, because anything that is missing at the end of a file is reported one line after it.
  private var lastLine: Int {
    text.count { $0.isNewline } + (text.last?.isNewline == false ? 1 : 0)
  }
}
