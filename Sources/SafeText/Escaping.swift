/// A format in which untrusted text is written, with its own signs escaped.
package enum Escaping: Sendable {
  case xml, html, markdown, mermaid

  /// Returns text for the format, with characters that must not be shown spelt out (``safeText(_:)``).
  ///
  /// XML keeps line ends. Markdown is meant for a cell of a table.
  package func callAsFunction(_ text: some StringProtocol) -> String {
    guard self == .xml else { return signs(in: safeText(String(text))) }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { signs(in: safeText(String($0))) }.joined(separator: "\n")
  }

  /// Returns text with the format's signs escaped and nothing else changed, for a value that a program reads back.
  package func signs(in text: String) -> String {
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
    case (.xml, "<"), (.html, "<"), (.markdown, "<"): "&lt;"
    case (.xml, ">"), (.html, ">"): "&gt;"
    case (.xml, "\""), (.html, "\""): "&quot;"
    case (.html, "'"): "&#39;"
    case (.markdown, "\\"): "\\\\"
    case (.markdown, "|"): "\\|"
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
