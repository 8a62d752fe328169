import CYaml

/// A YAML file as a plain tree, with the place of every value.
///
/// So an error can specify the file and line long after parsing, and even after one file was applied to another
/// (`inherit`, `patch`).
package struct ScenarioTree: Sendable {
  package struct Entry: Sendable {
    package var key: String
    package var keyPlace: Place
    package var value: ScenarioTree
  }

  package enum Value: Sendable {
    case null
    /// `isQuoted` distinguishes "true" from true.
    case scalar(String, isQuoted: Bool)
    case list([ScenarioTree])
    case map([Entry])
  }

  package struct Place: Equatable, Sendable {
    package var file: String
    package var line: Int
  }

  package var value: Value
  package var place: Place

  /// The name that a user would give this kind of value.
  var kind: String {
    switch value {
    case .null: "nothing"
    case .scalar(let text, isQuoted: false) where Int(text) != nil: "a number"
    case .scalar("true", isQuoted: false), .scalar("false", isQuoted: false): "true or false"
    case .scalar: "a text"
    case .list: "a list"
    case .map: "a map"
    }
  }

  /// The value of a key of a map, or `nil` for an absent key and for other kinds of values.
  subscript(key: String) -> ScenarioTree? {
    guard case .map(let entries) = value else { return nil }
    return entries.first { $0.key == key }?.value
  }

  /// Returns this map with one key set, or added at the end.
  ///
  /// Other kinds of values are returned unchanged.
  func setting(_ entry: Entry) -> ScenarioTree {
    guard case .map(var entries) = value else { return self }
    if let index = entries.firstIndex(where: { $0.key == entry.key }) {
      entries[index] = entry
    } else {
      entries.append(entry)
    }
    return ScenarioTree(value: .map(entries), place: place)
  }
}

/// An event of YAML's serialisation (YAML 1.1 §3.1.2), and its position.
struct YAMLEvent {
  enum Kind {
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

  var kind: Kind
  /// The anchor of a value, without the ampersand.
  var anchor: String?
  /// The one-based line.
  var line: Int
  /// The position in the text, in Unicode scalars.
  var offset: Int
}

/// A reader of the events in a YAML text, one by one, with libyaml, which does not recurse.
///
/// This is the only file that uses libyaml.
final class YAMLEvents {
  private let text: String
  private let file: String
  /// libyaml stores the addresses of `parser` and `input`.
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let input: UnsafeMutableBufferPointer<UInt8>

  init(_ text: String, file: String) throws(ScenarioError) {
    self.text = text
    self.file = file
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
  /// - Throws: `ScenarioError` if the text is not valid YAML at this point.
  func next() throws(ScenarioError) -> YAMLEvent {
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

  private func refusal() -> ScenarioError {
    let problem = parser.pointee.problem.map { "this is not YAML: " + String(cString: $0) }
    switch parser.pointee.error {
    case YAML_SCANNER_ERROR, YAML_PARSER_ERROR:
      return ScenarioError(
        file: file, line: min(parser.pointee.problem_mark.line + 1, lastLine), problem ?? "this is not YAML")
    default:
      return ScenarioError(file: file, problem ?? "this is not YAML")
    }
  }

  /// The last line, because anything that is missing at the end of a file is reported one line after it.
  private var lastLine: Int {
    text.count { $0.isNewline } + (text.last?.isNewline == false ? 1 : 0)
  }
}
