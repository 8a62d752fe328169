import Foundation

/// The value as `NSJSONSerialization` writes it with options 0: no white space, `/` as `\/` (fact sheet
/// §1.3). Keys are sorted, so that the same value gives the same bytes.
package func serialized(_ value: JSONValue) -> Data {
  var json = JSONWriter(escapesSlash: true)
  json.value(value)
  return json.data
}

extension JSONValue {
  /// The bytes that go on the wire: sorted keys, slashes as they are.
  package func wireBytes() -> Data {
    var json = JSONWriter(escapesSlash: false)
    json.value(self)
    return json.data
  }

  /// The same as a text.
  package var wireText: String { String(decoding: wireBytes(), as: UTF8.self) }
}

/// Writes a document piece by piece; who calls it keeps the members sorted.
package struct JSONWriter {
  private let escapesSlash: Bool
  private var bytes: [UInt8] = []
  /// Whether the next member or element is the first of its object or array.
  private var isFirst = true

  package init(escapesSlash: Bool) {
    self.escapesSlash = escapesSlash
    bytes.reserveCapacity(1024)
  }

  package var data: Data { Data(bytes) }

  package mutating func value(_ value: JSONValue) {
    switch value {
    case .null: write("null")
    case .bool(let flag): write(flag ? "true" : "false")
    case .integer(let number): write(String(number))
    case .number(let number): write(number.isFinite ? String(number) : "null")
    case .string(let text): string(text)
    case .array(let elements):
      nested("[", "]") { json in
        for element in elements {
          json.separate()
          json.value(element)
        }
      }
    case .object(let members):
      object { json in
        for member in members.sorted(by: { $0.key < $1.key }) {
          json.member(member.key)
          json.value(member.value)
        }
      }
    }
  }

  package mutating func object(_ body: (inout JSONWriter) -> Void) { nested("{", "}", body) }

  /// The name of a member, whose value comes next.
  package mutating func member(_ name: String) {
    separate()
    string(name)
    bytes.append(UInt8(ascii: ":"))
  }

  /// A member with a text; without one there is none.
  package mutating func member(_ name: String, _ text: String?) {
    guard let text else { return }
    member(name)
    string(text)
  }

  private mutating func nested(_ open: Character, _ close: Character, _ body: (inout JSONWriter) -> Void) {
    bytes += open.utf8
    isFirst = true
    body(&self)
    isFirst = false
    bytes += close.utf8
  }

  private mutating func separate() {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
  }

  private mutating func write(_ word: String) { bytes += word.utf8 }

  private mutating func string(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      if utf8.contains(where: { escape(of: $0) != nil }) {
        for byte in utf8 { if let escape = escape(of: byte) { write(escape) } else { bytes.append(byte) } }
      } else {
        bytes.append(contentsOf: utf8)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// What a byte is written as, if not as itself.
  private func escape(of byte: UInt8) -> String? {
    switch byte {
    case UInt8(ascii: "\""): "\\\""
    case UInt8(ascii: "\\"): "\\\\"
    case UInt8(ascii: "/") where escapesSlash: "\\/"
    case 0x08: "\\b"
    case 0x0C: "\\f"
    case 0x0A: "\\n"
    case 0x0D: "\\r"
    case 0x09: "\\t"
    case 0..<0x20: "\\u00" + hexadecimal(byte)
    default: nil
    }
  }
}
