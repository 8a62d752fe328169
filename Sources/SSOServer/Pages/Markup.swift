import SafeText

/// HTML that escapes interpolated text and leaves interpolated markup unchanged.
package struct Markup: ExpressibleByStringInterpolation {
  package private(set) var html: String

  package init(stringLiteral value: String) { html = value }
  package init(stringInterpolation: StringInterpolation) { html = stringInterpolation.html }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var html = ""

    package init(literalCapacity: Int, interpolationCount: Int) {}
    package mutating func appendLiteral(_ literal: String) { html += literal }
    /// Appends escaped text.
    ///
    /// Text in an attribute is a value that the browser may send back; elsewhere, the user reads it.
    package mutating func appendInterpolation(_ text: String) {
      let escaped = Escaping.html(text)
      html += html.hasSuffix("=\"") ? escaped : enclosedIfRightToLeft(escaped)
    }
    /// Appends escaped text that keeps its line ends.
    package mutating func appendInterpolation(lines text: String) {
      html += text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { enclosedIfRightToLeft(Escaping.html($0)) }.joined(separator: "\n")
    }
    package mutating func appendInterpolation(_ number: Int) { html += String(number) }
    package mutating func appendInterpolation(_ markup: Markup?) { html += markup?.html ?? "" }
    package mutating func appendInterpolation(_ list: [Markup]) {
      for markup in list { html += markup.html }
    }
  }
}

extension Markup {
  /// Returns a complete HTML page, with the heading and the footer of its only column.
  package static func page(
    _ title: Markup, heading: Markup, style: Markup, meta: Markup, footer: Markup, _ body: Markup
  ) -> Markup {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    \(meta)
    <title>\(title)</title>
    <style>\(style)</style>
    </head>
    <body>
    <main>
    <h1>\(heading)</h1>
    \(body)
    </main>
    <footer>\(footer)</footer>
    </body>
    </html>
    """
  }
}
