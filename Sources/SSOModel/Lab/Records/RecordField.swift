import Essentials
import SSOCore
import SSOReference

/// The form of the text that a user may type for a field of a record.
package enum RecordFieldForm: Hashable, Sendable {
  case text, flag, number
  case texts
  /// One of these texts.
  case choice([String])
  /// A JSON object or list.
  case structure

  /// The text for error messages.
  var expected: String {
    switch self {
    case .text: "Expected text."
    case .flag: "Expected yes or no."
    case .number: "Expected a whole number."
    case .texts: "Expected a list: = sets it, += and -= change it."
    case .choice(let words): "Expected one of \(words.joined(separator: ", "))."
    case .structure: "Expected a JSON object or list."
    }
  }
}

/// A type that a record's field may have.
package protocol RecordFieldValue: Sendable {
  static var form: RecordFieldForm { get }
  /// Whether null is a value, so that the field may be removed.
  static var isOptional: Bool { get }
  /// Creates a value, or returns `nil` if the JSON does not have the form.
  init?(_ json: JSONValue)
  var json: JSONValue { get }
}

/// The name and form of a field, whatever record it belongs to.
package struct RecordFieldDescription: Hashable, Sendable {
  package let name: String
  package let form: RecordFieldForm
  /// Whether the field may be removed.
  package let isOptional: Bool
  /// Whether the value is masked unless requested.
  package fileprivate(set) var isSecret = false
  /// Whether an empty value removes the field, although an empty list is a value too.
  package fileprivate(set) var isRemovedByEmptyValue = false
  /// Whether the field identifies the record in the store, so that it cannot be changed.
  package fileprivate(set) var isIdentity = false
  /// An additional condition for the values.
  fileprivate(set) var condition: String?

  var expected: String { form.expected + (condition.map { " " + $0 } ?? "") }
}

/// A stored property of a record, described once for `set`, for lists, and for scenario files.
package struct RecordField<Record>: Sendable {
  package private(set) var description: RecordFieldDescription
  /// Returns the value, or null if the field is not set.
  let value: @Sendable (Record) -> JSONValue
  /// Sets the value, or returns `false` if it does not have the form.
  ///
  /// Null removes an optional field.
  package private(set) var assign: @Sendable (inout Record, JSONValue) -> Bool
  /// Returns the reason that a value of the right form is rejected, or `nil` if it is accepted.
  private(set) var problem: @Sendable (JSONValue) -> String? = { _ in nil }

  /// The path to a property.
  ///
  /// It is made when the field is first used, because a start needs few of the hundred fields.
  typealias Path<Value> = @Sendable () -> any WritableKeyPath<Record, Value> & Sendable

  init<Value: RecordFieldValue>(_ name: String, _ path: @autoclosure @escaping Path<Value>) {
    description = RecordFieldDescription(name: name, form: Value.form, isOptional: Value.isOptional)
    value = { $0[keyPath: path()].json }
    assign = { record, json in
      guard let value = Value(json) else { return false }
      record[keyPath: path()] = value
      return true
    }
  }

  /// Creates a field for a property that is typed and displayed as JSON.
  init<Value: Codable & Sendable>(
    structure name: String, isOptional: Bool = false, _ path: @autoclosure @escaping Path<Value>
  ) {
    description = RecordFieldDescription(name: name, form: .structure, isOptional: isOptional)
    value = { record in
      (try? JSONParser.parse(encodeJSON(record[keyPath: path()]))) ?? .null
    }
    assign = { record, json in
      guard let value = try? decodeJSON(Value.self, from: json.bytes(.wire)) else { return false }
      record[keyPath: path()] = value
      return true
    }
  }

  /// Returns a field for a name.
  ///
  /// If the name is blank, the record gets its key as the name.
  func named(by key: @autoclosure @escaping Path<String>) -> RecordField {
    var field = self
    field.assign = { [assign] record, json in
      let isBlank = json.string?.allSatisfy(\.isWhitespace) ?? false
      return assign(&record, isBlank ? .string(record[keyPath: key()]) : json)
    }
    return field
  }

  var secret: RecordField {
    var field = self
    field.description.isSecret = true
    return field
  }

  /// A list that an empty value removes; `[]` is the empty list.
  var removedByEmptyValue: RecordField {
    var field = self
    field.description.isRemovedByEmptyValue = true
    return field
  }

  /// Returns a field whose values must also meet a condition.
  func requiring(
    _ condition: String, _ holds: @escaping @Sendable (JSONValue) -> Bool
  ) -> RecordField {
    var field = self
    let assign = assign
    field.description.condition = condition
    field.assign = { holds($1) && assign(&$0, $1) }
    return field
  }

  /// Returns a field that rejects values, each with its own reason.
  func refusing(_ problem: @escaping @Sendable (JSONValue) -> String?) -> RecordField {
    var field = self
    let assign = assign
    field.problem = problem
    field.assign = { problem($1) == nil && assign(&$0, $1) }
    return field
  }

  var identity: RecordField {
    var field = self
    field.description.isIdentity = true
    return field
  }
}

extension RecordFieldValue {
  package static var isOptional: Bool { false }
}

extension String: RecordFieldValue {
  package static var form: RecordFieldForm { .text }
  package init?(_ json: JSONValue) {
    guard let text = json.string else { return nil }
    self = text
  }
  package var json: JSONValue { .string(self) }
}

/// A time in ISO 8601 format.
extension Instant: RecordFieldValue {
  package static var form: RecordFieldForm { .text }
  package init?(_ json: JSONValue) {
    guard let text = json.string else { return nil }
    self.init(iso8601: text)
  }
  package var json: JSONValue { .string(iso8601) }
}

extension Bool: RecordFieldValue {
  package static var form: RecordFieldForm { .flag }
  package init?(_ json: JSONValue) {
    guard let flag = json.bool else { return nil }
    self = flag
  }
  package var json: JSONValue { .bool(self) }
}

extension Int: RecordFieldValue {
  package static var form: RecordFieldForm { .number }
  package init?(_ json: JSONValue) {
    guard let number = json.integer else { return nil }
    self.init(exactly: number)
  }
  package var json: JSONValue { .integer(Int64(self)) }
}

extension [String]: RecordFieldValue {
  package static var form: RecordFieldForm { .texts }
  package init?(_ json: JSONValue) {
    guard let list = json.array else { return nil }
    self = list.compactMap(\.string)
    guard count == list.count else { return nil }
  }
  package var json: JSONValue { .array(map(JSONValue.string)) }
}

extension Optional: RecordFieldValue where Wrapped: RecordFieldValue {
  package static var form: RecordFieldForm { Wrapped.form }
  package static var isOptional: Bool { true }
  package init?(_ json: JSONValue) {
    if json == .null {
      self = .none
    } else {
      guard let value = Wrapped(json) else { return nil }
      self = .some(value)
    }
  }
  package var json: JSONValue { self?.json ?? .null }
}

/// An enumeration, which is a choice of its raw values.
extension RecordFieldValue where Self: RawRepresentable & CaseIterable, RawValue == String {
  package static var form: RecordFieldForm { .choice(allCases.map(\.rawValue)) }
  package init?(_ json: JSONValue) {
    guard let text = json.string else { return nil }
    self.init(rawValue: text)
  }
  package var json: JSONValue { .string(rawValue) }
}

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
        next: "An empty value, as in keychainSharingGroup=, removes the field.")
    }
    let before = text[text.index(before: sign)]
    let isList = before == "+" || before == "-"
    operation = isList ? (before == "+" ? .add : .remove) : .set
    field = String(text[..<(isList ? text.index(before: sign) : sign)])
    value = String(text[text.index(after: sign)...])
  }

  package var displayText: String { field + operation.rawValue + (isSecret ? "…" : value) }

  /// Whether the value is never displayed.
  package var isSecret: Bool { RecordKind.secretFields.contains(field) }

  /// Returns the field's value for this text, or `nil` if the field does not accept it.
  func value(for field: RecordFieldDescription, present: JSONValue) -> JSONValue? {
    if field.form == .texts {
      let isRemoval = operation == .set && value.isEmpty && field.isRemovedByEmptyValue
      return isRemoval ? .null : texts(present.array ?? [])
    }
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
