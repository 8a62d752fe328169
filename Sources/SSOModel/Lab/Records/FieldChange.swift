import Essentials

/// A typed change of one field, such as `teamID=F6G7H8I9J0`, `urlSchemes+=msauthv3`, or
/// `queriesSchemes-=msauthv2`.
package struct FieldChange: Codable, Hashable, Sendable {
  package enum Operation: String, Codable, Sendable {
    case set = "="
    case add = "+="
    case remove = "-="
  }

  package var field: String
  package var operation: Operation
  package var value: String

  /// Parses a change.
  ///
  /// - Throws: `LabError` if there is no `=`.
  package init(_ text: String) throws(LabError) {
    guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
      throw LabError(
        .badInput, "“\(text)” changes nothing.", why: "Expected FIELD=VALUE, FIELD+=VALUE or FIELD-=VALUE.",
        next: "An empty value removes the field: keychainSharingGroup=")
    }
    let before = text[text.index(before: sign)]
    let isList = before == "+" || before == "-"
    operation = isList ? (before == "+" ? .add : .remove) : .set
    field = String(text[..<(isList ? text.index(before: sign) : sign)])
    value = String(text[text.index(after: sign)...])
  }

  package var words: String { field + operation.rawValue + (isSecret ? "…" : value) }

  /// Whether the value is never displayed.
  package var isSecret: Bool { RecordKind.secretFields.contains(field) }

  /// Returns the field's value for this text, or `nil` if the field does not accept it.
  func value(for field: RecordFieldDescription, present: JSONValue) -> JSONValue? {
    if field.form == .texts { return texts(present.array ?? []) }
    if field.form == .structure, operation != .set { return list(present) }
    guard operation == .set else { return nil }
    if value.isEmpty, field.isOptional { return .null }
    switch field.form {
    case .text, .choice: return .string(value)
    case .flag:
      return ["yes": true, "true": true, "no": false, "false": false][value.lowercased()].map(JSONValue.bool)
    case .number: return Int64(value).map(JSONValue.integer)
    case .structure: return value.isEmpty ? [] : JSONValue(bounded: Data(value.utf8))
    case .texts: return nil
    }
  }

  /// Returns a list with elements added or removed, which are typed as JSON, or `nil` if either is not a
  /// list.
  private func list(_ present: JSONValue) -> JSONValue? {
    guard let present = present == .null ? [] : present.array,
      let typed = JSONValue(bounded: Data(value.utf8))?.array
    else { return nil }
    return .array(present.filter { !typed.contains($0) } + (operation == .add ? typed : []))
  }

  /// Returns a list that is typed with commas or as JSON.
  private func texts(_ present: [JSONValue]) -> JSONValue {
    let typed = value.split(separator: ",").map { JSONValue.string(String($0.trimmed)) }
    switch operation {
    case .set: return (value.hasPrefix("[") ? JSONValue(bounded: Data(value.utf8)) : nil) ?? .array(typed)
    case .add: return .array(present + typed.filter { !present.contains($0) })
    case .remove: return .array(present.filter { !typed.contains($0) })
    }
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    var text = self
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return text
  }
}
