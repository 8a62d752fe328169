import SSOCore

/// A value of a scenario file, in which keys keep their order.
///
/// Text may come from a stranger's log, so every text that is not clearly a plain word is quoted and escaped.
package indirect enum YAMLValue: Hashable, Sendable {
  /// A flag or a number, which is written unchanged.
  case plain(String)
  case text(String)
  case list([YAMLValue])
  case map([Entry])

  package struct Entry: Hashable, Sendable {
    var key: String
    var value: YAMLValue

    init(_ key: String, _ value: YAMLValue) { (self.key, self.value) = (key, value) }
  }

  /// The value of a record's field; null is the empty value.
  init(_ json: JSONValue) {
    switch json {
    case .null: self = .plain("null")
    case .bool(let flag): self = .plain(flag ? "true" : "false")
    case .integer(let number): self = .plain(String(number))
    case .number(let number): self = .plain(String(number))
    case .numeral(let text), .string(let text): self = .text(text)
    case .array(let list): self = .list(list.map(YAMLValue.init))
    case .object(let fields):
      self = .map(fields.sorted { $0.key < $1.key }.map { Entry($0.key, YAMLValue($0.value)) })
    }
  }

  /// Returns the value with each text and each key replaced.
  func replacing(_ change: (String) -> String) -> YAMLValue {
    switch self {
    case .plain: self
    case .text(let text): .text(change(text))
    case .list(let list): .list(list.map { $0.replacing(change) })
    case .map(let entries): .map(entries.map { Entry(change($0.key), $0.value.replacing(change)) })
    }
  }

  /// The text, or `nil` for a value of another form.
  var asText: String? { if case .text(let text) = self { text } else { nil } }

  /// The texts of a list.
  var texts: [String] {
    guard case .list(let list) = self else { return [] }
    return list.compactMap(\.asText)
  }

  /// Returns the map with the key's value replaced or added.
  func setting(_ key: String, _ value: YAMLValue) -> YAMLValue {
    guard case .map(let entries) = self else { return self }
    return .map(entries.filter { $0.key != key } + [Entry(key, value)])
  }

  /// The value of a key of a map, or `nil` if the key is missing.
  subscript(key: String) -> YAMLValue? {
    guard case .map(let entries) = self else { return nil }
    return entries.first { $0.key == key }?.value
  }
}

extension YAMLValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .text(value) }
  package init(booleanLiteral value: Bool) { self = .plain(value ? "true" : "false") }
  package init(arrayLiteral elements: YAMLValue...) { self = .list(elements) }
  package init(dictionaryLiteral elements: (String, YAMLValue)...) {
    self = .map(elements.map { Entry($0.0, $0.1) })
  }
}

// MARK: - Writing

extension YAMLValue {
  private static let lineWidth = 110

  /// The lines of the document.
  package var document: String { lines(indent: 0).joined(separator: "\n") + "\n" }

  private func lines(indent: Int) -> [String] {
    let space = String(repeating: " ", count: indent)
    switch self {
    case .map(let entries):
      return entries.flatMap { entry in
        entry.value.isShort(after: indent + entry.key.count + 2, isTop: indent == 0)
          ? ["\(space)\(entry.key): \(entry.value.flow)"]
          : ["\(space)\(entry.key):"] + entry.value.lines(indent: indent + 2)
      }
    case .list(let elements):
      return elements.flatMap { element in
        if element.isShort(after: indent + 2, isTop: false) { return ["\(space)- \(element.flow)"] }
        var lines = element.lines(indent: indent + 2)
        lines[0] = space + "- " + lines[0].dropFirst(indent + 2)
        return lines
      }
    case .plain, .text: return [space + flow]
    }
  }

  private func isShort(after indent: Int, isTop: Bool) -> Bool {
    switch self {
    case .plain, .text: true
    case .list(let list) where list.isEmpty: true
    case .map(let entries) where entries.isEmpty: true
    case .list(let list) where !list.allSatisfy(\.isScalar): false
    case .list, .map: !isTop && flow.count + indent <= Self.lineWidth
    }
  }

  private var isScalar: Bool {
    switch self {
    case .plain, .text: true
    case .list, .map: false
    }
  }

  private var flow: String {
    switch self {
    case .plain(let text): text
    case .text(let text): Self.quoted(text)
    case .list(let list): "[" + list.map(\.flow).joined(separator: ", ") + "]"
    case .map(let entries): "{" + entries.map { "\($0.key): \($0.value.flow)" }.joined(separator: ", ") + "}"
    }
  }

  /// Returns the text as a scalar that YAML reads as this text, whatever it contains.
  private static func quoted(_ text: String) -> String {
    let isPlain =
      text.first?.isASCIILetter == true && text.last != ":"
      && text.unicodeScalars.allSatisfy { scalar in
        scalar.isASCII
          && (scalar.properties.isAlphabetic || "0123456789._@/+-:=$".unicodeScalars.contains(scalar))
      }
      && !["true", "false", "yes", "no", "on", "off", "null", "y", "n"].contains(text.lowercased())
    guard !isPlain else { return text }
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 0x20 || scalar.value > 0x7E && !scalar.properties.isAlphabetic:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

extension Character {
  fileprivate var isASCIILetter: Bool { isASCII && isLetter }
}
