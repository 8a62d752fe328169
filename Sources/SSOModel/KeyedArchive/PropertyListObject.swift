import Essentials

/// One object of a binary property list.
///
/// Containers hold the numbers of other objects, so that nothing is followed before a reader asks for it.
package enum PropertyListObject: Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  /// Seconds since 2001-01-01T00:00:00Z.
  case date(Double)
  case data(Data)
  case string(String)
  /// A reference between the objects of a keyed archive (`CF$UID`).
  case uid(Int)
  case array([Int])
  case set([Int])
  case dictionary([Entry])

  package struct Entry: Hashable {
    package var key: Int
    package var value: Int
  }

  /// For errors: `a string`.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .integer: "an integer"
    case .real: "a real number"
    case .date: "a date"
    case .data: "data"
    case .string: "a string"
    case .uid: "a UID"
    case .array: "an array"
    case .set: "a set"
    case .dictionary: "a dictionary"
    }
  }
}
