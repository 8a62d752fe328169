import Essentials

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
