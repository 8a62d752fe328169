extension JSONValue {
  /// Returns a JSON value, which is null for an absent value, so that every key is always present.
  package static func optional(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
  package static func optional(_ value: Int?) -> JSONValue { value.map { .integer(Int64($0)) } ?? .null }
  package static func moment(_ value: Instant?) -> JSONValue { value.map { .string($0.iso8601) } ?? .null }
  package static func strings(_ values: [String]) -> JSONValue { .array(values.map { .string($0) }) }
  package static func count(_ value: Int) -> JSONValue { .integer(Int64(value)) }

  /// Returns the object with additional keys, or any other value unchanged.
  package func adding(_ more: [String: JSONValue]) -> JSONValue {
    guard case .object(let fields) = self else { return self }
    return .object(fields.merging(more, uniquingKeysWith: { $1 }))
  }
}
