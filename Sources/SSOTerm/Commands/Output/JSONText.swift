internal import Foundation
internal import SSOModel

/// A document as people and scripts like it: keys sorted, indented.
func jsonText(_ value: JSONValue) throws -> String {
  var text = ""
  for scalar in String(decoding: try encodeJSON(value, pretty: true), as: UTF8.self).unicodeScalars {
    switch scalar.value {
    // They stand in strings only, where JSON may write them as numbers.
    case 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069:
      let digits = String(scalar.value, radix: 16)
      text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: text.unicodeScalars.append(scalar)
    }
  }
  return text
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
