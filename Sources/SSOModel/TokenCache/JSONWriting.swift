import Foundation

/// The value as `NSJSONSerialization` writes it with options 0: no white space, `/` as `\/` (fact sheet
/// §1.3). Keys are sorted, so that the same value gives the same bytes.
func serialized(_ value: JSONValue) -> Data {
  var out: [UInt8] = []
  write(value, into: &out)
  return Data(out)
}

private func write(_ value: JSONValue, into out: inout [UInt8]) {
  switch value {
  case .null: out.append(contentsOf: "null".utf8)
  case .bool(let flag): out.append(contentsOf: (flag ? "true" : "false").utf8)
  case .integer(let number): out.append(contentsOf: String(number).utf8)
  case .number(let number): out.append(contentsOf: (number.isFinite ? String(number) : "null").utf8)
  case .string(let text): write(text, into: &out)
  case .array(let elements):
    writeList("[", elements, "]", into: &out) { element, out in write(element, into: &out) }
  case .object(let members):
    writeList("{", members.sorted { $0.key < $1.key }, "}", into: &out) { member, out in
      write(member.key, into: &out)
      out.append(UInt8(ascii: ":"))
      write(member.value, into: &out)
    }
  }
}

private func writeList<Element>(
  _ open: String, _ elements: [Element], _ close: String, into out: inout [UInt8],
  _ body: (Element, inout [UInt8]) -> Void
) {
  out.append(contentsOf: open.utf8)
  for (index, element) in elements.enumerated() {
    if index > 0 { out.append(UInt8(ascii: ",")) }
    body(element, &out)
  }
  out.append(contentsOf: close.utf8)
}

private func write(_ text: String, into out: inout [UInt8]) {
  out.append(UInt8(ascii: "\""))
  defer { out.append(UInt8(ascii: "\"")) }
  let plain = text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x2F && $0 != 0x5C }
  if plain { return out.append(contentsOf: text.utf8) }
  for byte in text.utf8 {
    switch byte {
    case UInt8(ascii: "\""): out.append(contentsOf: "\\\"".utf8)
    case UInt8(ascii: "\\"): out.append(contentsOf: "\\\\".utf8)
    case UInt8(ascii: "/"): out.append(contentsOf: "\\/".utf8)
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
