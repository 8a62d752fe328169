@testable import SSOCore
@testable import SSOTermApp

/// A JSON Schema (https://json-schema.org/draft/2020-12) that is inferred from documents.
///
/// A document fits a schema if the union of the schema and the document's own schema is the schema again.
enum JSONSchema {
  /// The objects whose keys are data, by the key that holds them.
  private static let tables: Set = ["environment", "families", "kinds", "variables"]

  static func inferred(from value: JSONValue, under key: String = "") -> JSONValue {
    switch value {
    case .null: return ["type": "null"]
    case .bool: return ["type": "boolean"]
    case .integer(1) where key == "version": return ["const": .integer(1)]
    case .integer: return ["type": "integer"]
    case .number, .numeral: return ["type": "number"]
    case .string: return ["type": "string"]
    case .array(let items):
      let all = items.map { inferred(from: $0) }
      guard let first = all.first else { return ["type": "array"] }
      return ["type": "array", "items": all.dropFirst().reduce(first, union)]
    case .object(let fields) where tables.contains(key):
      let all = fields.values.map { inferred(from: $0) }
      guard let first = all.first else { return ["type": "object"] }
      return ["type": "object", "additionalProperties": all.dropFirst().reduce(first, union)]
    case .object(let fields):
      return [
        "type": "object", "additionalProperties": .bool(false),
        "properties": .object(
          Dictionary(uniqueKeysWithValues: fields.map { ($0, inferred(from: $1, under: $0)) })),
        "required": .strings(fields.keys.sorted()),
      ]
    }
  }

  /// Returns the schema of the documents that fit either schema.
  static func union(_ one: JSONValue, _ other: JSONValue) -> JSONValue {
    guard one != other, var fields = one.object, let more = other.object else { return one }
    fields["type"] = union(ofTypes: fields["type"], more["type"])
    for key in ["items", "additionalProperties"] {
      guard let value = more[key] else { continue }
      fields[key] = fields[key].map { union($0, value) } ?? value
    }
    guard let properties = more["properties"]?.object else { return .object(fields) }
    let own = fields["properties"]?.object
    fields["properties"] = .object((own ?? [:]).merging(properties, uniquingKeysWith: union))
    let required = Set(more["required"]?.array ?? [])
    fields["required"] =
      own == nil ? more["required"] : .array((fields["required"]?.array ?? []).filter(required.contains))
    return .object(fields)
  }

  private static func union(ofTypes types: JSONValue?...) -> JSONValue {
    let all = Set(types.flatMap { $0?.array ?? [$0].compactMap(\.self) }.compactMap(\.string)).sorted()
    return all.count == 1 ? .string(all[0]) : .strings(all)
  }

  /// Returns the schema as text, with each value on one line if it fits.
  static func text(_ value: JSONValue, indent: String = "") -> String {
    let line = value.text(.wire).replacing("\":", with: "\": ").replacing(",\"", with: ", \"")
    if line.count + indent.count <= 110 { return line }
    let inner = indent + "  "
    switch value {
    case .object(let fields):
      let lines = fields.sorted { $0.key < $1.key }.map { "\(inner)\"\($0)\": \(text($1, indent: inner))" }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
    case .array(let items):
      return "[\n" + items.map { inner + text($0, indent: inner) }.joined(separator: ",\n") + "\n\(indent)]"
    default: return line
    }
  }
}
