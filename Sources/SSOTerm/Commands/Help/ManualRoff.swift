/// The manual as a manual page in the macros of man(7).
enum ManualRoff {
  /// Returns a page with its heading.
  ///
  /// The page has no date, so that the same version always has the same bytes.
  static func page(_ name: String, section: Int, _ blocks: [ManualBlock]) -> String {
    let heading = ".TH \(name.uppercased()) \(section) \"\" \"ssoterm \(programVersion)\""
    return ([heading] + lines(blocks)).joined(separator: "\n")
  }

  private static func lines(_ blocks: [ManualBlock]) -> [String] {
    blocks.flatMap { block -> [String] in
      switch block {
      case .heading(let title): [".SH " + escaped(title.uppercased())]
      case .paragraph(let text): [".PP", marked(text)]
      case .literal(let text): [".PP", ".RS 4", ".nf"] + text.map(escaped) + [".fi", ".RE"]
      case .list(let items): items.flatMap(lines)
      }
    }
  }

  private static func lines(_ item: ManualItem) -> [String] {
    let term = [".TP", "\\fB" + escaped(item.term.filter { $0 != "`" }) + "\\fR"]
    guard case .paragraph(let text)? = item.blocks.first else { return term + lines(item.blocks) }
    let rest = item.blocks.dropFirst()
    return term + [marked(text)] + (rest.isEmpty ? [] : [".RS"] + lines(Array(rest)) + [".RE"])
  }

  /// Returns the text with the parts between backticks in bold.
  private static func marked(_ text: String) -> String {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
    let line = parts.enumerated().map { $0.isMultiple(of: 2) ? inLine($1) : "\\fB" + inLine($1) + "\\fR" }
    return protected(line.joined())
  }

  private static func escaped(_ text: String) -> String { protected(inLine(text)) }

  /// Replaces the characters that have a meaning in roff anywhere in a line.
  private static func inLine(_ text: String) -> String {
    [
      ("\\", "\\e"), ("-", "\\-"), ("~", "\\(ti"), ("“", "\\(lq"), ("”", "\\(rq"), ("…", "..."),
      ("→", "\\(->"),
    ]
    .reduce(text) { text, pair in text.replacing(pair.0, with: pair.1) }
  }

  /// Protects a line that starts with a full stop or an apostrophe, which would otherwise be a request.
  private static func protected(_ line: String) -> String {
    line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
  }
}
