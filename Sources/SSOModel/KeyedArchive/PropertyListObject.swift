import Essentials

/// An object of a binary property list.
///
/// Containers hold the numbers of other objects, so that no reference is followed before a reader requests
/// it.
package enum PropertyListObject: Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  /// The seconds since 2001-01-01T00:00:00Z.
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

  /// The kind of object for error messages, such as `a string`.
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
