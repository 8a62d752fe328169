/// A format in which untrusted text is written, with its own signs escaped.
package enum Escaping: Sendable {
  case xml, html, markdown, mermaid

  /// Returns text for the format, with characters that must not be shown spelt out (``safeText(_:)``).
  ///
  /// XML keeps line ends. Markdown is meant for a line or the cell of a table.
  package func callAsFunction(_ text: some StringProtocol) -> String {
    guard self == .xml else { return signs(in: safeText(String(text))) }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { signs(in: safeText(String($0))) }.joined(separator: "\n")
  }

  /// Returns text with the format's signs escaped and nothing else changed, for a value that a program reads back.
  package func signs(in text: String) -> String {
    if self == .markdown { return MarkdownEscaping(text).text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let replacement = replacement(for: scalar) {
        result.append(contentsOf: replacement.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  private func replacement(for scalar: Unicode.Scalar) -> String? {
    switch (self, scalar) {
    case (.xml, "&"), (.html, "&"): "&amp;"
    case (.xml, "<"), (.html, "<"): "&lt;"
    case (.xml, ">"), (.html, ">"): "&gt;"
    case (.xml, "\""), (.html, "\""): "&quot;"
    case (.html, "'"): "&#39;"
    case (.mermaid, "#"): "#35;"
    case (.mermaid, ";"): "#59;"
    case (.mermaid, "<"): "#60;"
    case (.mermaid, ">"): "#62;"
    case (.mermaid, "%"): "#37;"
    default: nil
    }
  }

  // MARK: Reading

  /// Returns the character of an entity of XML without `&` and `;` (`lt`, `#39`, `#x2B`), or `nil` if there is none.
  package static func character(ofEntity name: some StringProtocol) -> Character? {
    switch name {
    case "lt": "<"
    case "gt": ">"
    case "amp": "&"
    case "quot": "\""
    case "apos": "'"
    case _ where name.hasPrefix("#x"):
      UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init).map(Character.init)
    case _ where name.hasPrefix("#"):
      UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init).map(Character.init)
    default: nil
    }
  }

  /// Returns text with its entities replaced by their characters; an unknown entity stays as it is.
  package static func readingEntities(_ text: some StringProtocol) -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "&") {
      result.append(contentsOf: rest[..<start])
      rest = rest[start...]
      let end = rest.prefix(12).firstIndex(of: ";")
      if let end, let character = character(ofEntity: rest[rest.index(after: start)..<end]) {
        result.append(character)
        rest = rest[rest.index(after: end)...]
      } else {
        result.append("&")
        rest = rest.dropFirst()
      }
    }
    result.append(contentsOf: rest)
    return result
  }
}

/// Text as literal Markdown: no image, link, emphasis, code, HTML, table cell, or block of CommonMark or of GitHub's
/// extensions.
///
/// A character is escaped only where it is active, so that names such as `client_id` stay legible in the source.
/// Sources: https://spec.commonmark.org/0.31.2/ and https://github.github.com/gfm/.
private struct MarkdownEscaping {
  private let scalars: [Unicode.Scalar]

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  var text: String {
    var result = String.UnicodeScalarView()
    let start = startEscapes
    for (index, scalar) in scalars.enumerated() {
      switch scalar {
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case " " where start.contains(index): result.append(contentsOf: "&#32;".unicodeScalars)
      default:
        if isActive(scalar, at: index) || start.contains(index) { result.append("\\") }
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// Returns whether the character is active anywhere in a line.
  private func isActive(_ scalar: Unicode.Scalar, at index: Int) -> Bool {
    switch scalar {
    case "\\", "`", "*", "[", "]", "|", "~", "$": true
    case "!": self[index + 1] == "["
    case "_": !(isWord(self[index - 1]) && isWord(self[index + 1]))
    // GitHub makes links of addresses without brackets too.
    case ":": self[index + 1] == "/" && self[index + 2] == "/"
    case ".": index >= 3 && scalars[index - 3..<index].allSatisfy { $0 == "w" || $0 == "W" }
    default: false
    }
  }

  /// The positions that would make the line a heading, a quotation, a list item, a rule, an underline, or code.
  private var startEscapes: Range<Int> {
    switch scalars.first {
    case " ": return 0..<(scalars.firstIndex { $0 != " " } ?? scalars.count)
    case "#", ">": return 0..<1
    case "+", "-", "=": return 0..<([nil, " ", scalars.first].contains(self[1]) ? 1 : 0)
    default: break
    }
    let digits = scalars.prefix { ("0"..."9").contains($0) }.count
    guard (1...9).contains(digits), self[digits] == "." || self[digits] == ")" else { return 0..<0 }
    let next = self[digits + 1]
    return next == nil || next == " " ? digits..<digits + 1 : 0..<0
  }

  private func isWord(_ scalar: Unicode.Scalar?) -> Bool {
    scalar.map { $0.properties.isAlphabetic || ("0"..."9").contains($0) } ?? false
  }

  private subscript(_ index: Int) -> Unicode.Scalar? {
    scalars.indices.contains(index) ? scalars[index] : nil
  }
}
