internal import Foundation
internal import SSOModel

/// A document as people and scripts like it: keys sorted, indented.
func jsonText(_ value: JSONValue) throws -> String {
  String(decoding: try encodeJSON(value, pretty: true), as: UTF8.self)
}

extension JSONValue {
  /// Absent values are null, so that every key is always there.
  static func optional(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
  static func optional(_ value: Int?) -> JSONValue { value.map { .integer(Int64($0)) } ?? .null }
  static func moment(_ value: Instant?) -> JSONValue { value.map { .string($0.iso8601) } ?? .null }
  static func strings(_ values: [String]) -> JSONValue { .array(values.map { .string($0) }) }
  static func count(_ value: Int) -> JSONValue { .integer(Int64(value)) }

  /// The object with more keys; what is no object stays as it is.
  func adding(_ more: [String: JSONValue]) -> JSONValue {
    guard case .object(let fields) = self else { return self }
    return .object(fields.merging(more, uniquingKeysWith: { $1 }))
  }
}
