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
      let escaped = Escaping.html(text)
      html += html.hasSuffix("=\"") ? escaped : enclosedIfRightToLeft(escaped)
    }
    mutating func appendInterpolation(_ number: Int) { html += String(number) }
    mutating func appendInterpolation(_ markup: Markup?) { html += markup?.html ?? "" }
    mutating func appendInterpolation(_ list: [Markup]) {
      for markup in list { html += markup.html }
    }
  }
}
