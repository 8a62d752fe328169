import Essentials
import SafeText

/// The layout of a JSON document.
///
/// All layouts sort the keys, so that equal values produce identical bytes.
package enum JSONLayout: Sendable {
  /// No white space, and `/` as `\/`, as `NSJSONSerialization` writes MSAL's keychain items with options 0.
  case keychain
  /// No white space, and `/` unescaped, for HTTP bodies and token claims.
  case wire
  /// Indented, and `/` unescaped, for command output; characters that are not safe on a terminal are escaped.
  case document
}

extension JSONValue {
  /// Returns the document in UTF-8 with sorted keys.
  package func bytes(_ layout: JSONLayout) -> Data {
    var json = JSONWriter(layout)
    json.value(self)
    return json.data
  }

  package func text(_ layout: JSONLayout) -> String { String(decoding: bytes(layout), as: UTF8.self) }
}

/// A writer that produces a document piece by piece; the caller must write the members in sorted order.
///
/// It exists because Foundation's writer takes seconds for a hundred thousand rows.
package struct JSONWriter {
  private let layout: JSONLayout
  private var bytes: [UInt8] = []
  /// Whether the next member or element is the first of its object or array.
  private var isFirst = true
  /// The number of objects and arrays around the next value.
  private var depth = 0

  package init(_ layout: JSONLayout) {
    self.layout = layout
    bytes.reserveCapacity(1024)
  }

  /// The output so far, in UTF-8.
  package var data: Data { Data(bytes) }

  /// Writes a value and everything in it, with `null` for a number that is not finite.
  package mutating func value(_ value: JSONValue) {
    switch value {
    case .null: write("null")
    case .bool(let flag): write(flag ? "true" : "false")
    case .integer(let number): write(String(number))
    case .number(let number): write(number.isFinite ? String(number) : "null")
    case .numeral(let text): write(text)
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

  /// Writes an object, calling `body` to write its members.
  package mutating func object(_ body: (inout JSONWriter) -> Void) { nested("{", "}", body) }

  /// Writes the name of a member, whose value must be written next.
  package mutating func member(_ name: String) {
    separate()
    string(name)
    if layout == .document { write(" : ") } else { write(UInt8(ascii: ":")) }
  }

  /// Writes a member with a string, or nothing if the string is `nil`.
  package mutating func member(_ name: String, _ text: String?) {
    guard let text else { return }
    member(name)
    string(text)
  }

  private mutating func nested(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ body: (inout JSONWriter) -> Void
  ) {
    write(UInt8(ascii: open))
    isFirst = true
    depth += 1
    body(&self)
    depth -= 1
    if layout == .document {
      if isFirst { write("\n") }
      startLine()
    }
    isFirst = false
    write(UInt8(ascii: close))
  }

  private mutating func separate() {
    if !isFirst { write(UInt8(ascii: ",")) }
    isFirst = false
    if layout == .document { startLine() }
  }

  private mutating func startLine() {
    write("\n")
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }

  private mutating func write(_ byte: UInt8) { bytes.append(byte) }

  private mutating func write(_ text: String) { bytes += text.utf8 }

  private mutating func string(_ text: String) {
    write(UInt8(ascii: "\""))
    var copy = text
    copy.withUTF8 { utf8 in
      if utf8.allSatisfy(isPlain) {
        bytes.append(contentsOf: utf8)
      } else if layout == .document {
        writeSafely(text)
      } else {
        for byte in utf8 { if isPlain(byte) { write(byte) } else { write(escape(of: byte) ?? "") } }
      }
    }
    write(UInt8(ascii: "\""))
  }

  /// Returns whether this byte of a string is written unescaped.
  private func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
      && (byte != UInt8(ascii: "/") || layout != .keychain) && (byte < 0x7F || layout != .document)
  }

  /// Writes a string, escaping the scalars that ``safeText(_:)`` spells out.
  private mutating func writeSafely(_ text: String) {
    var treatments = ScalarTreatments()
    for scalar in text.unicodeScalars {
      let treatment = treatments.next(scalar)
      if scalar.isASCII, let escape = escape(of: UInt8(ascii: scalar)) {
        write(escape)
      } else if treatment == .spelledOut {
        for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter { write(unit) }
      } else {
        bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
  }

  /// Writes a UTF-16 unit as an escape, such as `\u202e`.
  private mutating func write(_ unit: UInt16) {
    write("\\u" + hexadecimal(UInt8(unit >> 8)) + hexadecimal(UInt8(truncatingIfNeeded: unit)))
  }

  /// Returns the escape for a byte, or `nil` if the byte does not need one.
  private func escape(of byte: UInt8) -> String? {
    switch byte {
    case UInt8(ascii: "\""): "\\\""
    case UInt8(ascii: "\\"): "\\\\"
    case UInt8(ascii: "/") where layout == .keychain: "\\/"
    case 0x08: "\\b"
    case 0x0C: "\\f"
    case 0x0A: "\\n"
    case 0x0D: "\\r"
    case 0x09: "\\t"
    case 0..<0x20, 0x7F: "\\u00" + hexadecimal(byte)
    default: nil
    }
  }
}
