import Essentials

/// A JSON value that preserves unknown keys, because caches contain keys that this version does not know
/// (docs/behaviour/msal-cache.md §2).
///
/// Integers stay integers.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  /// A number outside the range of a double, in its original spelling, from a parser that
  /// ``JSONParser/keepsLongNumbers``.
  case numeral(String)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  package var string: String? { if case .string(let value) = self { value } else { nil } }
  package var object: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }
  package var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
  package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  package var isLongNumber: Bool { if case .numeral = self { true } else { false } }

  package subscript(key: String) -> JSONValue? { object?[key] }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
  package init(stringLiteral value: String) { self = .string(value) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

/// Returns the JSON of a record with sorted keys, so that equal values produce identical bytes.
///
/// Records are `Codable` and use Foundation's coders; every other document is a ``JSONValue``, which ``JSONParser``
/// reads and ``JSONWriter`` writes.
/// - Throws: `EncodingError`.
package func encodeJSON(_ value: some Encodable) throws -> Data {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys]
  return try encoder.encode(value)
}

/// Decodes a record that ``encodeJSON(_:)`` wrote.
/// - Throws: `DecodingError` if the data is not the JSON of such a record.
package func decodeJSON<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
  try JSONDecoder().decode(type, from: data)
}
