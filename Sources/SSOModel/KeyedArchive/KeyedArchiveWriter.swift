import Essentials
import SSOCore

/// A writer of archives in the format of `NSKeyedArchiver`.
///
/// `$objects` begins with `$null` and has one entry for each object. Classes are separate entries, and UIDs
/// refer to entries. The order of `$objects` is free (docs/behaviour/adal.md §2); here an object precedes its
/// contents, which are in the order of its keys.
package struct KeyedArchiveWriter {
  private var objects: [PropertyListValue] = [.string("$null")]
  private var known: [ArchivedValue: Int] = [:]
  private var classes: [String: Int] = [:]

  /// Returns a binary property list as NSKeyedArchiver writes it.
  package static func data(of root: ArchivedObject) -> Data { data(of: .object(root)) }

  package static func data(of root: ArchivedValue) -> Data {
    var writer = KeyedArchiveWriter()
    let index = writer.add(root)
    return BinaryPropertyListWriter.data(
      of: .dictionary([
        "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
        "$objects": .array(writer.objects), "$top": .dictionary(["root": .uid(index)]),
      ]))
  }

  /// Adds a value and returns its UID.
  ///
  /// Equal plain values share a UID.
  private mutating func add(_ value: ArchivedValue) -> Int {
    switch value {
    case .nothing: return 0
    case .string(let text): return share(value, as: .string(text))
    case .integer(let number): return share(value, as: .integer(number))
    case .real(let number): return share(value, as: .real(number))
    case .bool(let flag): return share(value, as: .bool(flag))
    case .data(let data): return share(value, as: .data(data))
    case .null: return instance("NSNull") { _ in [:] }
    case .date(let seconds): return instance("NSDate") { _ in ["NS.time": .real(seconds)] }
    case .url(let text, let base):
      return instance("NSURL") { writer in
        [
          "NS.base": .uid(base.map { writer.add(.url($0, base: nil)) } ?? 0),
          "NS.relative": .uid(writer.add(.string(text))),
        ]
      }
    case .array(let elements):
      return instance("NSArray") { writer in ["NS.objects": .array(elements.map { .uid(writer.add($0)) })] }
    case .set(let elements):
      let sorted = elements.sorted { Self.order($0) < Self.order($1) }
      return instance("NSSet") { writer in ["NS.objects": .array(sorted.map { .uid(writer.add($0)) })] }
    case .dictionary(let entries, let isMutable):
      let sorted = entries.sorted { Self.order($0.key) < Self.order($1.key) }
      let chain = isMutable ? ["NSMutableDictionary", "NSDictionary"] : ["NSDictionary"]
      return instance(chain[0], chain.dropFirst() + ["NSObject"]) { writer in
        [
          "NS.keys": .array(sorted.map { .uid(writer.add($0.key)) }),
          "NS.objects": .array(sorted.map { .uid(writer.add($0.value)) }),
        ]
      }
    case .object(let object):
      return instance(object.className, object.superclasses) { writer in
        var fields: [String: PropertyListValue] = [:]
        for (name, value) in object.fields.sorted(by: { $0.key < $1.key }) {
          // `encodeBool:` and `encodeInt:` write in place; `encodeObject:` writes an object.
          switch value {
          case .bool(let flag): fields[name] = .bool(flag)
          case .integer(let number): fields[name] = .integer(number)
          case .real(let number): fields[name] = .real(number)
          default: fields[name] = .uid(writer.add(value))
          }
        }
        return fields
      }
    }
  }

  private mutating func share(_ value: ArchivedValue, as plain: PropertyListValue) -> Int {
    if let uid = known[value] { return uid }
    objects.append(plain)
    known[value] = objects.count - 1
    return objects.count - 1
  }

  private mutating func instance(
    _ name: String, _ superclasses: [String] = ["NSObject"],
    fields: (inout Self) -> [String: PropertyListValue]
  ) -> Int {
    let uid = objects.count
    objects.append(.string(""))
    var entries = fields(&self)
    entries["$class"] = .uid(classUID(name, superclasses))
    objects[uid] = .dictionary(entries)
    return uid
  }

  private mutating func classUID(_ name: String, _ superclasses: [String]) -> Int {
    if let uid = classes[name] { return uid }
    let chain = [name] + superclasses
    objects.append(
      .dictionary(["$classname": .string(name), "$classes": .array(chain.map(PropertyListValue.string))]))
    classes[name] = objects.count - 1
    return objects.count - 1
  }

  /// Returns a sort key.
  ///
  /// Keys and elements are unordered, so any stable order works.
  private static func order(_ value: ArchivedValue) -> String { value.string ?? String(describing: value) }
}

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
  /// Most do not have a base.
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
  var superclasses: [String]
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

    var displayText: String {
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
  var displayText: String {
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
