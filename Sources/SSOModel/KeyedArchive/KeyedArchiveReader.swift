import Essentials

/// A reader for untrusted keyed archives (`NSKeyedArchiver`).
///
/// Foundation's unarchiver traps on an unexpected class (seen with Swift 6.3 on Linux), so this is a separate
/// implementation. It supports the specified classes and Foundation's plain ones, and rejects all others. It
/// stops at cycles, at depth 32, and at 4 MB of content. Shared values count each time, so that a few bytes
/// cannot fill the memory.
package struct KeyedArchiveReader {
  static let deepest = 32
  static let largestMeaning = 4 << 20

  private let list: BinaryPropertyList
  private let classes: [String: ArchivedClass]
  /// The numbers of the objects by UID.
  private var objects: [Int] = []
  private var open: Set<Int> = []
  private var meaning = 0

  /// Returns the root object.
  ///
  /// `root` is the expected class of the root object, and `classes` are the app's own classes that may occur.
  ///
  /// - Throws: `ArchiveError` if the archive is malformed or too deep, or contains another class.
  package static func root(
    of data: Data, root: String, classes: [ArchivedClass]
  ) throws(ArchiveError) -> ArchivedObject {
    var reader = KeyedArchiveReader(list: try BinaryPropertyList(data), classes: classes)
    let (index, value) = try reader.readRoot()
    guard case .object(let object) = value, object.className == root else {
      throw ArchiveError(
        reader.offset(index), "the root is \(value.displayText), not an object of class \(root)")
    }
    return object
  }

  /// Returns the root, which may be of any of Foundation's plain classes.
  package static func value(of data: Data) throws(ArchiveError) -> ArchivedValue {
    var reader = KeyedArchiveReader(list: try BinaryPropertyList(data), classes: [])
    return try reader.readRoot().value
  }

  private init(list: BinaryPropertyList, classes: [ArchivedClass]) {
    self.list = list
    self.classes = Dictionary(classes.map { ($0.name, $0) }) { $1 }
  }

  private mutating func readRoot() throws(ArchiveError) -> (index: Int, value: ArchivedValue) {
    let top = try fields(list.top, "the top of the archive")
    guard case .string("NSKeyedArchiver") = try object(top["$archiver"]) else {
      throw ArchiveError(list.offset(of: list.top), "$archiver is not NSKeyedArchiver")
    }
    guard case .integer(100_000) = try object(top["$version"]) else {
      throw ArchiveError(list.offset(of: top["$version"] ?? list.top), "$version is not 100000")
    }
    guard case .array(let objects) = try object(top["$objects"]) else {
      throw ArchiveError(list.offset(of: top["$objects"] ?? list.top), "$objects is not an array")
    }
    self.objects = objects
    guard let first = objects.first, case .string("$null") = try list.object(first) else {
      throw ArchiveError(list.offset(of: top["$objects"] ?? list.top), "$objects does not begin with $null")
    }
    guard let roots = top["$top"] else { throw ArchiveError(list.offset(of: list.top), "$top is missing") }
    guard let index = try fields(roots, "$top")["root"] else {
      throw ArchiveError(list.offset(of: roots), "$top has no root")
    }
    return (index, try value(index, depth: 0))
  }

  // MARK: Values

  /// Reads a value, which is either in place or the UID of an object.
  private mutating func value(_ index: Int, depth: Int) throws(ArchiveError) -> ArchivedValue {
    try charge(64, at: index)
    guard case .uid(let uid) = try list.object(index) else { return try plain(index) }
    guard uid < objects.count else {
      throw ArchiveError(list.offset(of: index), "UID \(uid), but there are \(objects.count) objects")
    }
    if uid == 0 { return .nothing }
    let target = objects[uid]
    guard depth < Self.deepest else {
      throw ArchiveError(list.offset(of: target), "objects are nested more than \(Self.deepest) deep")
    }
    guard case .dictionary = try list.object(target) else { return try plain(target) }
    guard open.insert(target).inserted else {
      throw ArchiveError(list.offset(of: target), "the object contains itself")
    }
    let value = try instance(target, depth: depth + 1)
    open.remove(target)
    return value
  }

  private mutating func plain(_ index: Int) throws(ArchiveError) -> ArchivedValue {
    switch try list.object(index) {
    case .bool(let flag): return .bool(flag)
    case .integer(let number): return .integer(number)
    case .real(let number): return .real(number)
    case .string(let text):
      try charge(text.utf8.count, at: index)
      return .string(text)
    case .data(let data):
      try charge(data.count, at: index)
      return .data(data)
    case let other: throw ArchiveError(list.offset(of: index), "found \(other.kind) in place of an object")
    }
  }

  /// Adds the approximate memory size of a value.
  private mutating func charge(_ bytes: Int, at index: Int) throws(ArchiveError) {
    meaning += bytes
    guard meaning <= Self.largestMeaning else {
      throw ArchiveError(
        list.offset(of: index),
        "more than \(Self.largestMeaning) bytes of content, shared values counted each time")
    }
  }

  /// Reads an object with a class.
  private mutating func instance(_ index: Int, depth: Int) throws(ArchiveError) -> ArchivedValue {
    var fields = try fields(index, "an object")
    guard let classIndex = fields.removeValue(forKey: "$class") else {
      throw ArchiveError(list.offset(of: index), "the object has no $class")
    }
    let (name, superclasses) = try classNames(classIndex)
    switch name {
    case "NSNull": return .null
    case "NSString", "NSMutableString":
      guard let place = fields["NS.string"], case .string(let text) = try value(place, depth: depth) else {
        throw ArchiveError(list.offset(of: index), "\(name) has no NS.string")
      }
      return .string(text)
    case "NSData", "NSMutableData":
      guard let place = fields["NS.data"], case .data(let data) = try value(place, depth: depth) else {
        throw ArchiveError(list.offset(of: index), "\(name) has no NS.data")
      }
      return .data(data)
    case "NSDate": return .date(try seconds(fields, index))
    case "NSURL":
      guard let place = fields["NS.relative"], case .string(let text) = try value(place, depth: depth) else {
        throw ArchiveError(list.offset(of: index), "NSURL has no NS.relative")
      }
      guard let base = fields["NS.base"], case .url(let root, nil) = try value(base, depth: depth) else {
        return .url(text, base: nil)
      }
      return .url(text, base: root)
    case "NSArray", "NSMutableArray": return .array(try elements("NS.objects", fields, index, depth))
    case "NSSet", "NSMutableSet": return .set(Set(try elements("NS.objects", fields, index, depth)))
    case "NSDictionary", "NSMutableDictionary":
      let keys = try elements("NS.keys", fields, index, depth)
      let values = try elements("NS.objects", fields, index, depth)
      guard keys.count == values.count, Set(keys).count == keys.count else {
        throw ArchiveError(
          list.offset(of: index), "\(keys.count) keys, not all different, for \(values.count) values")
      }
      return .dictionary(
        Dictionary(uniqueKeysWithValues: zip(keys, values)), isMutable: name == "NSMutableDictionary")
    default:
      guard let known = classes[name] else {
        throw ArchiveError(list.offset(of: classIndex), "class \(name) is not expected here")
      }
      return .object(try object(of: known, superclasses, fields, depth))
    }
  }

  private mutating func object(
    of known: ArchivedClass, _ superclasses: [String], _ fields: [String: Int], _ depth: Int
  ) throws(ArchiveError) -> ArchivedObject {
    var object = ArchivedObject(known.name, superclasses: superclasses, [:])
    for (name, place) in fields.sorted(by: { $0.key < $1.key }) {
      let value = try value(place, depth: depth)
      if let kind = known.fields[name], !value.isOf(kind) {
        throw ArchiveError(
          offset(place), "\(known.name).\(name) is \(value.displayText), not \(kind.displayText)")
      }
      object.fields[name] = value
    }
    return object
  }

  private mutating func elements(
    _ key: String, _ fields: [String: Int], _ index: Int, _ depth: Int
  ) throws(ArchiveError) -> [ArchivedValue] {
    guard let place = fields[key], case .array(let places) = try list.object(place) else {
      throw ArchiveError(list.offset(of: index), "the container has no \(key)")
    }
    var values: [ArchivedValue] = []
    for place in places { values.append(try value(place, depth: depth)) }
    return values
  }

  private func seconds(_ fields: [String: Int], _ index: Int) throws(ArchiveError) -> Double {
    switch try object(fields["NS.time"]) {
    case .real(let seconds)? where seconds.isFinite: return seconds
    case .integer(let seconds)?: return Double(seconds)
    default: throw ArchiveError(list.offset(of: index), "NSDate has no NS.time that is a number")
    }
  }

  // MARK: Bookkeeping

  private func object(_ index: Int?) throws(ArchiveError) -> PropertyListObject? {
    guard let index else { return nil }
    return try list.object(index)
  }

  /// Returns the offset of a value.
  ///
  /// If it is a UID, the offset is that of the referenced object.
  private func offset(_ index: Int) -> Int {
    guard case .uid(let uid)? = try? list.object(index), uid < objects.count else {
      return list.offset(of: index)
    }
    return list.offset(of: objects[uid])
  }

  /// Reads a dictionary with unique text keys.
  private mutating func fields(_ index: Int, _ name: String) throws(ArchiveError) -> [String: Int] {
    guard case .dictionary(let entries) = try list.object(index) else {
      throw ArchiveError(list.offset(of: index), "\(name) is not a dictionary")
    }
    try charge(64 * entries.count, at: index)
    var fields: [String: Int] = [:]
    for entry in entries {
      guard case .string(let key) = try list.object(entry.key) else {
        throw ArchiveError(list.offset(of: entry.key), "a key of \(name) is not a string")
      }
      guard fields.updateValue(entry.value, forKey: key) == nil else {
        throw ArchiveError(list.offset(of: entry.key), "the key \(key) occurs twice")
      }
    }
    return fields
  }

  private mutating func classNames(_ index: Int) throws(ArchiveError) -> (
    name: String, superclasses: [String]
  ) {
    guard case .uid(let uid) = try list.object(index), uid < objects.count else {
      throw ArchiveError(list.offset(of: index), "$class is not the UID of an object")
    }
    let fields = try fields(objects[uid], "a class")
    guard case .string(let name)? = try object(fields["$classname"]) else {
      throw ArchiveError(list.offset(of: objects[uid]), "the class has no $classname")
    }
    guard case .array(let places)? = try object(fields["$classes"]), places.count <= Self.deepest else {
      throw ArchiveError(list.offset(of: objects[uid]), "the class has no $classes")
    }
    var chain: [String] = []
    for place in places {
      guard case .string(let name) = try list.object(place) else {
        throw ArchiveError(list.offset(of: place), "a name in $classes is not a string")
      }
      chain.append(name)
    }
    guard chain.first == name else {
      throw ArchiveError(list.offset(of: objects[uid]), "$classes does not begin with \(name)")
    }
    return (name, Array(chain.dropFirst()))
  }
}

/// An error for a binary property list or keyed archive that is not valid: the position and the problem.
package struct ArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The zero-based byte offset at which the error was detected.
  package var offset: Int
  /// The problem as a sentence without its full stop, such as `the object contains itself`.
  package var problem: String

  package init(_ offset: Int, _ problem: String) {
    self.offset = offset
    self.problem = problem
  }

  package var description: String { "byte \(offset): \(problem)" }
}
