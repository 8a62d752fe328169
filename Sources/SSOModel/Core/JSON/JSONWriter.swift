import Essentials

/// How a JSON document is laid out.
///
/// Keys are sorted in all, so that the same value gives the same bytes.
package enum JSONLayout: Sendable {
  /// As `NSJSONSerialization` writes it with options 0: no white space, `/` as `\/`. MSAL's keychain items.
  case keychain
  /// No white space, `/` as it is: HTTP bodies, token claims.
  case wire
  /// Indented, `/` as it is: the output of a command. What a terminal must not show is escaped.
  case document
}

extension JSONValue {
  /// The document in UTF-8, its keys sorted.
  package func bytes(_ layout: JSONLayout) -> Data {
    var json = JSONWriter(layout)
    json.value(self)
    return json.data
  }

  package func text(_ layout: JSONLayout) -> String { String(decoding: bytes(layout), as: UTF8.self) }
}

/// Writes a document piece by piece; the caller keeps the members sorted.
///
/// Foundation's writer takes seconds for a hundred thousand rows.
package struct JSONWriter {
  private let layout: JSONLayout
  private var bytes: [UInt8] = []
  /// Whether the next member or element is the first of its object or array.
  private var isFirst = true
  /// Objects and arrays around the next value.
  private var depth = 0

  package init(_ layout: JSONLayout) {
    self.layout = layout
    bytes.reserveCapacity(1024)
  }

  /// What was written so far, in UTF-8.
  package var data: Data { Data(bytes) }

  /// Writes a value with all that is in it; a number that is not finite as `null`.
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

  /// Writes an object whose members `body` writes.
  package mutating func object(_ body: (inout JSONWriter) -> Void) { nested("{", "}", body) }

  /// The name of a member, whose value comes next.
  package mutating func member(_ name: String) {
    separate()
    string(name)
    if layout == .document { write(" : ") } else { write(UInt8(ascii: ":")) }
  }

  /// A member with a text; no member if the text is nil.
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

  /// Whether this byte of a text is written as it is.
  private func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
      && (byte != UInt8(ascii: "/") || layout != .keychain) && (byte < 0x7F || layout != .document)
  }

  /// Escapes what ``safeText(_:)`` spells out.
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

  /// `\u202e`.
  private mutating func write(_ unit: UInt16) {
    write("\\u" + hexadecimal(UInt8(unit >> 8)) + hexadecimal(UInt8(truncatingIfNeeded: unit)))
  }

  /// What a byte is written as, if not as itself.
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
    case 0..<0x20: "\\u00" + hexadecimal(byte)
    default: nil
    }
  }
}
