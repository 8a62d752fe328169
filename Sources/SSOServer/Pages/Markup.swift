/// HTML that escapes interpolated text and leaves interpolated markup unchanged.
struct Markup: ExpressibleByStringInterpolation {
  private(set) var html: String

  init(stringLiteral value: String) { html = value }
  init(stringInterpolation: StringInterpolation) { html = stringInterpolation.html }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var html = ""

    init(literalCapacity: Int, interpolationCount: Int) {}
    mutating func appendLiteral(_ literal: String) { html += literal }
    /// Appends escaped text.
    ///
    /// Text in an attribute is a value that the browser may send back; elsewhere, a person reads it.
    mutating func appendInterpolation(_ text: String) {
      let escaped = Markup.escaped(text)
      html += html.hasSuffix("=\"") ? escaped : enclosedIfRightToLeft(escaped)
    }
    mutating func appendInterpolation(_ number: Int) { html += String(number) }
    mutating func appendInterpolation(_ markup: Markup?) { html += markup?.html ?? "" }
    mutating func appendInterpolation(_ list: [Markup]) {
      for markup in list { html += markup.html }
    }
  }

  /// Escapes text for element content and for attributes in double quotes.
  ///
  /// Characters that must not be displayed appear as `<U+001B>`.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in safeText(text).unicodeScalars {
      switch scalar.value {
      case 0x26: result += "&amp;"
      case 0x3C: result += "&lt;"
      case 0x3E: result += "&gt;"
      case 0x22: result += "&quot;"
      case 0x27: result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
