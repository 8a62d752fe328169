/// HTML that escapes interpolated text; interpolated markup stays as it is.
struct Markup: ExpressibleByStringInterpolation {
  private(set) var html: String

  init(stringLiteral value: String) { html = value }
  init(stringInterpolation: StringInterpolation) { html = stringInterpolation.html }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var html = ""

    init(literalCapacity: Int, interpolationCount: Int) {}
    mutating func appendLiteral(_ literal: String) { html += literal }
    mutating func appendInterpolation(_ text: String) { html += Markup.escaped(text) }
    mutating func appendInterpolation(_ number: Int) { html += String(number) }
    mutating func appendInterpolation(_ markup: Markup?) { html += markup?.html ?? "" }
    mutating func appendInterpolation(_ list: [Markup]) {
      for markup in list { html += markup.html }
    }
  }

  /// For text and for attributes in double quotes. Control and bidi characters appear as `<U+001B>`.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x26: result += "&amp;"
      case 0x3C: result += "&lt;"
      case 0x3E: result += "&gt;"
      case 0x22: result += "&quot;"
      case 0x27: result += "&#39;"
      case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
        let code = String(scalar.value, radix: 16, uppercase: true)
        result += "&lt;U+" + String(repeating: "0", count: max(0, 4 - code.count)) + code + "&gt;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
