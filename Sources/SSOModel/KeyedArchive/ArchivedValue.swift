import Essentials

/// The contents of a keyed archive: values and objects, without the bookkeeping of `$objects` and UIDs.
package indirect enum ArchivedValue: Hashable, Sendable {
  /// `nil`: the archive contains the key without a value.
  case nothing
  /// `NSNull`.
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case string(String)
  case data(Data)
  /// `NSDate`: the seconds since 2001-01-01T00:00:00Z, with the precision of the archive.
  case date(Double)
  /// `NSURL`.
  ///
  /// Most have no base.
  case url(String, base: String?)
  case array([ArchivedValue])
  case set(Set<ArchivedValue>)
  case dictionary([ArchivedValue: ArchivedValue], isMutable: Bool = false)
  case object(ArchivedObject)

  package var string: String? { if case .string(let text) = self { text } else { nil } }
  package var object: ArchivedObject? { if case .object(let object) = self { object } else { nil } }
  package var dictionary: [ArchivedValue: ArchivedValue]? {
    if case .dictionary(let entries, _) = self { entries } else { nil }
  }

  /// The date by the lab's clock, to the millisecond, or `nil` if the value is not a date or exceeds 10^12
  /// seconds.
  package var instant: Instant? {
    guard case .date(let seconds) = self, abs(seconds) < 1e12 else { return nil }
    return Instant(milliseconds: Int64((seconds * 1000).rounded()) + Self.referenceMilliseconds)
  }

  /// Returns an NSDate: the seconds since 2001-01-01, UTC.
  package static func date(_ moment: Instant) -> ArchivedValue {
    .date(Double(moment.milliseconds - referenceMilliseconds) / 1000)
  }

  /// 2001-01-01T00:00:00Z on the lab's clock.
  private static let referenceMilliseconds: Int64 = 978_307_200_000
}

/// An object of a class that is not one of Foundation's.
package struct ArchivedObject: Hashable, Sendable {
  package var className: String
  /// The superclasses, from the direct superclass up to NSObject.
  package var superclasses: [String]
  package var fields: [String: ArchivedValue]

  package init(_ className: String, superclasses: [String] = ["NSObject"], _ fields: [String: ArchivedValue])
  {
    self.className = className
    self.superclasses = superclasses
    self.fields = fields
  }
}

/// A class that a reader supports, with the types of its fields.
///
/// Other fields are read and preserved.
package struct ArchivedClass {
  package enum Kind: Hashable {
    case string, date, data, bool, dictionary
    case object(String)

    var words: String {
      switch self {
      case .string: "a string"
      case .date: "a date"
      case .data: "data"
      case .bool: "a boolean"
      case .dictionary: "a dictionary"
      case .object(let name): "an object of class \(name)"
      }
    }
  }

  var name: String
  var fields: [String: Kind]

  package init(name: String, fields: [String: Kind]) {
    self.name = name
    self.fields = fields
  }
}

extension ArchivedValue {
  /// Returns whether the value has a kind.
  ///
  /// A missing value matches every kind.
  func isOf(_ kind: ArchivedClass.Kind) -> Bool {
    switch (self, kind) {
    case (.nothing, _), (.string, .string), (.date, .date), (.data, .data), (.bool, .bool),
      (.dictionary, .dictionary):
      true
    case (.object(let object), .object(let name)): object.className == name
    default: false
    }
  }

  /// The kind of value, for error messages.
  var words: String {
    switch self {
    case .nothing: "nothing"
    case .null: "NSNull"
    case .bool: "a boolean"
    case .integer, .real: "a number"
    case .string: "a string"
    case .data: "data"
    case .date: "a date"
    case .url: "a URL"
    case .array: "an array"
    case .set: "a set"
    case .dictionary: "a dictionary"
    case .object(let object): "an object of class \(object.className)"
    }
  }
}
