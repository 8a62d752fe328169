public import Foundation

/// The value as `NSJSONSerialization` writes it with options 0: no white space, `/` as `\/` (fact sheet
/// §1.3). Keys are sorted, so that the same value gives the same bytes.
func serialized(_ value: JSONValue) -> Data {
  var writer = JSONWriter(escapesSlash: true)
  writer.write(value)
  return Data(writer.out)
}

extension JSONValue {
  /// The bytes that go on the wire: sorted keys, slashes as they are.
  public func wireBytes() -> Data {
    var writer = JSONWriter(escapesSlash: false)
    writer.write(self)
    return Data(writer.out)
  }

  /// The same as a text.
  var wireText: String { String(decoding: wireBytes(), as: UTF8.self) }
}

private struct JSONWriter {
  let escapesSlash: Bool
  var out: [UInt8] = []

  init(escapesSlash: Bool) {
    self.escapesSlash = escapesSlash
    out.reserveCapacity(1024)
  }

  mutating func write(_ value: JSONValue) {
    switch value {
    case .null: out.append(contentsOf: "null".utf8)
    case .bool(let flag): out.append(contentsOf: (flag ? "true" : "false").utf8)
    case .integer(let number): out.append(contentsOf: String(number).utf8)
    case .number(let number): out.append(contentsOf: (number.isFinite ? String(number) : "null").utf8)
    case .string(let text): write(text)
    case .array(let elements):
      list("[", elements, "]") { $0.write($1) }
    case .object(let members):
      list("{", members.sorted { $0.key < $1.key }, "}") { writer, member in
        writer.write(member.key)
        writer.out.append(UInt8(ascii: ":"))
        writer.write(member.value)
      }
    }
  }

  private mutating func list<Element>(
    _ open: String, _ elements: [Element], _ close: String, _ body: (inout JSONWriter, Element) -> Void
  ) {
    out.append(contentsOf: open.utf8)
    for (index, element) in elements.enumerated() {
      if index > 0 { out.append(UInt8(ascii: ",")) }
      body(&self, element)
    }
    out.append(contentsOf: close.utf8)
  }

  private mutating func write(_ text: String) {
    out.append(UInt8(ascii: "\""))
    defer { out.append(UInt8(ascii: "\"")) }
    let plain = text.utf8.allSatisfy {
      $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C && ($0 != 0x2F || !escapesSlash)
    }
    if plain { return out.append(contentsOf: text.utf8) }
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): out.append(contentsOf: "\\\"".utf8)
      case UInt8(ascii: "\\"): out.append(contentsOf: "\\\\".utf8)
      case UInt8(ascii: "/") where escapesSlash: out.append(contentsOf: "\\/".utf8)
      case 0x08: out.append(contentsOf: "\\b".utf8)
      case 0x0C: out.append(contentsOf: "\\f".utf8)
      case 0x0A: out.append(contentsOf: "\\n".utf8)
      case 0x0D: out.append(contentsOf: "\\r".utf8)
      case 0x09: out.append(contentsOf: "\\t".utf8)
      case 0..<0x20: out.append(contentsOf: ("\\u00" + hexadecimal(byte)).utf8)
      default: out.append(byte)
      }
    }
  }
}
