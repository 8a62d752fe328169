/// The manual as text for a terminal.
struct ManualText {
  var ink: Ink
  /// The width of filled text in columns.
  var width: Int
  /// The column in which the explanations of short lists start, which is the same in the entire text.
  private let column: Int

  /// The widest term, in columns, that leaves room for an explanation beside it.
  private static let widestTerm = 24

  init(_ blocks: [ManualBlock], ink: Ink, width: Int) {
    (self.ink, self.width) = (ink, width)
    column = 2 + (Self.items(in: blocks).map { columnWidth(Self.plain($0.term)) }.max() ?? 0)
  }

  /// Returns the lines of the blocks, joined.
  static func text(_ blocks: [ManualBlock], ink: Ink, width: Int) -> String {
    ManualText(blocks, ink: ink, width: width).lines(blocks, indent: 0).joined(separator: "\n")
  }

  private func lines(_ blocks: [ManualBlock], indent: Int) -> [String] {
    var lines: [String] = []
    for block in blocks {
      if !lines.isEmpty { lines.append("") }
      switch block {
      case .heading(let title): lines.append(ink.draw(title.uppercased(), .strong))
      case .paragraph(let text): lines += filled(Self.quoted(text), indent: indent)
      case .literal(let text): lines += text.map { Self.spaces(indent + 2) + $0 }
      case .list(let items): lines += list(items, indent: indent)
      }
    }
    return lines
  }

  private func list(_ items: [ManualItem], indent: Int) -> [String] {
    guard Self.isShort(items) else {
      let entries = items.map { item in
        filled(Self.plain(item.term), indent: indent + 2, .strong)
          + self.lines(item.blocks, indent: indent + 6)
      }
      return Array(entries.joined(separator: [""]))
    }
    return items.flatMap { item in
      let text = self.lines(item.blocks, indent: indent + 2 + column)
      let term = Self.plain(item.term)
      let start = Self.spaces(indent + 2) + ink.draw(term, .strong) + Self.spaces(column - columnWidth(term))
      return [start + (text.first ?? "").dropFirst(indent + 2 + column)] + text.dropFirst()
    }
  }

  private func filled(_ text: String, indent: Int, _ tone: Tone = .plain) -> [String] {
    wrapped(text, max(width - indent, 20)).map { Self.spaces(indent) + ink.draw($0, tone) }
  }

  /// Returns the items of short lists, including nested ones.
  private static func items(in blocks: [ManualBlock]) -> [ManualItem] {
    blocks.flatMap { block -> [ManualItem] in
      guard case .list(let items) = block else { return [] }
      return isShort(items) ? items : items.flatMap { Self.items(in: $0.blocks) }
    }
  }

  private static func isShort(_ items: [ManualItem]) -> Bool {
    items.allSatisfy { $0.blocks.count < 2 && columnWidth(plain($0.term)) <= widestTerm }
  }

  /// Returns the text with quotation marks around backticked parts that contain spaces.
  private static func quoted(_ text: String) -> String {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
    return parts.enumerated().map { !$0.isMultiple(of: 2) && $1.contains(" ") ? "“\($1)”" : $1 }.joined()
  }

  private static func plain(_ text: String) -> String { text.filter { $0 != "`" } }

  private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}
