import Essentials

/// A writer of binary property lists that always produces the same bytes for the same value.
///
/// It sorts keys, which Apple's writer does not, writes equal scalars once, and uses the smallest widths, as Apple's does
/// (CoreFoundation, `CFBinaryPList.c`).
struct BinaryPropertyListWriter {
  private enum Flat {
    case scalar(PropertyListValue)
    case array([Int])
    case dictionary(keys: [Int], values: [Int])
  }

  private var objects: [Flat] = []
  private var scalars: [PropertyListValue: Int] = [:]

  static func data(of value: PropertyListValue) -> Data {
    var writer = BinaryPropertyListWriter()
    let top = writer.add(value)
    return writer.written(top: top)
  }

  /// Adds a value and returns its number.
  ///
  /// A container comes before its contents.
  private mutating func add(_ value: PropertyListValue) -> Int {
    switch value {
    case .array(let elements):
      let index = objects.count
      objects.append(.array([]))
      objects[index] = .array(elements.map { add($0) })
      return index
    case .dictionary(let entries):
      let index = objects.count
      objects.append(.array([]))
      let sorted = entries.sorted { $0.key < $1.key }
      let keys = sorted.map { add(.string($0.key)) }
      objects[index] = .dictionary(keys: keys, values: sorted.map { add($0.value) })
      return index
    default:
      if let known = scalars[value] { return known }
      let index = objects.count
      scalars[value] = index
      objects.append(.scalar(value))
      return index
    }
  }

  private func written(top: Int) -> Data {
    var out = Array("bplist00".utf8)
    let referenceWidth = Self.width(objects.count)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(out.count)
      switch object {
      case .scalar(let value): Self.write(value, to: &out)
      case .array(let elements):
        Self.mark(0xA0, elements.count, to: &out)
        for element in elements { Self.write(element, referenceWidth, to: &out) }
      case .dictionary(let keys, let values):
        Self.mark(0xD0, keys.count, to: &out)
        for index in keys + values { Self.write(index, referenceWidth, to: &out) }
      }
    }
    let table = out.count
    let offsetWidth = Self.width(table)
    for offset in offsets { Self.write(offset, offsetWidth, to: &out) }
    out += [0, 0, 0, 0, 0, 0, UInt8(offsetWidth), UInt8(referenceWidth)]
    for number in [objects.count, top, table] { Self.write(number, 8, to: &out) }
    return Data(out)
  }

  private static func write(_ value: PropertyListValue, to out: inout [UInt8]) {
    switch value {
    case .bool(let flag): out.append(flag ? 0x09 : 0x08)
    case .integer(let number): write(number, to: &out)
    case .real(let number):
      out.append(0x23)
      write(Int(bitPattern: UInt(number.bitPattern)), 8, to: &out)
    case .data(let data):
      mark(0x40, data.count, to: &out)
      out += data
    case .string(let text):
      if text.utf8.allSatisfy({ $0 < 0x80 }) {
        mark(0x50, text.utf8.count, to: &out)
        out += Array(text.utf8)
      } else {
        mark(0x60, text.utf16.count, to: &out)
        for unit in text.utf16 { write(Int(unit), 2, to: &out) }
      }
    case .uid(let uid):
      let width = width(uid)
      out.append(0x80 | UInt8(width - 1))
      write(uid, width, to: &out)
    case .array, .dictionary: break
    }
  }

  /// Writes an integer.
  ///
  /// 1, 2, and 4 bytes are unsigned; any other number takes 8.
  private static func write(_ number: Int64, to out: inout [UInt8]) {
    let width = number < 0 ? 8 : width(Int(number))
    out.append(0x10 | UInt8(width.trailingZeroBitCount))
    write(Int(number), width, to: &out)
  }

  /// Writes a marker with its length.
  ///
  /// From 15 on, the length is a separate integer.
  private static func mark(_ kind: UInt8, _ count: Int, to out: inout [UInt8]) {
    guard count >= 15 else { return out.append(kind | UInt8(count)) }
    out.append(kind | 0x0F)
    write(Int64(count), to: &out)
  }

  private static func write(_ number: Int, _ width: Int, to out: inout [UInt8]) {
    for shift in stride(from: (width - 1) * 8, through: 0, by: -8) {
      out.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  /// Returns the smallest of 1, 2, 4, and 8 bytes that can hold the number.
  private static func width(_ number: Int) -> Int {
    switch number {
    case ..<0x100: 1
    case ..<0x1_0000: 2
    case ..<0x1_0000_0000: 4
    default: 8
    }
  }
}
