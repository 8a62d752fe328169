import SSOCore

/// A document as people and scripts like it: keys sorted, indented. Written here and not by Foundation, which takes
/// seconds for a hundred thousand rows.
package func jsonText(_ value: JSONValue) -> String {
  var writer = JSONWriter()
  writer.write(value, indent: 0)
  return String(decoding: writer.bytes, as: UTF8.self)
}

private struct JSONWriter {
  var bytes: [UInt8] = []

  mutating func write(_ value: JSONValue, indent: Int) {
    switch value {
    case .null: write("null")
    case .bool(let flag): write(flag ? "true" : "false")
    case .integer(let number): write(String(number))
    case .number(let number): write(number.isFinite ? String(number) : "null")
    case .string(let text): write(quoted: text)
    case .array(let values):
      writeList(values, "[", "]", indent) { writer, value in writer.write(value, indent: indent + 1) }
    case .object(let members):
      writeList(members.sorted { $0.key < $1.key }, "{", "}", indent) { writer, member in
        writer.write(quoted: member.key)
        writer.write(" : ")
        writer.write(member.value, indent: indent + 1)
      }
    }
  }

  private mutating func writeList<Element>(
    _ elements: [Element], _ open: String, _ close: String, _ indent: Int,
    _ body: (inout JSONWriter, Element) -> Void
  ) {
    write(open)
    var separator = "\n"
    for element in elements {
      write(separator)
      writeIndent(indent + 1)
      body(&self, element)
      separator = ",\n"
    }
    write(elements.isEmpty ? "\n\n" : "\n")
    writeIndent(indent)
    write(close)
  }

  private mutating func writeIndent(_ indent: Int) {
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * indent))
  }

  private mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func write(quoted text: String) {
    write("\"")
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) {
      write(text)
    } else {
      for scalar in text.unicodeScalars { write(scalar) }
    }
    write("\"")
  }

  private mutating func write(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x22: write("\\\"")
    case 0x5C: write("\\\\")
    case 0x08: write("\\b")
    case 0x09: write("\\t")
    case 0x0A: write("\\n")
    case 0x0C: write("\\f")
    case 0x0D: write("\\r")
    // Control and bidirectional characters, which JSON may write as numbers.
    case 0..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069:
      let digits = String(scalar.value, radix: 16)
      write("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
    default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }
}

extension JSONValue {
  /// Absent values are null, so that every key is always there.
  package static func optional(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
  package static func optional(_ value: Int?) -> JSONValue { value.map { .integer(Int64($0)) } ?? .null }
  package static func moment(_ value: Instant?) -> JSONValue { value.map { .string($0.iso8601) } ?? .null }
  package static func strings(_ values: [String]) -> JSONValue { .array(values.map { .string($0) }) }
  package static func count(_ value: Int) -> JSONValue { .integer(Int64(value)) }

  /// The object with more keys; what is no object stays as it is.
  package func adding(_ more: [String: JSONValue]) -> JSONValue {
    guard case .object(let fields) = self else { return self }
    return .object(fields.merging(more, uniquingKeysWith: { $1 }))
  }
}
