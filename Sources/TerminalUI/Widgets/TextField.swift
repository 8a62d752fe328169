/// One line of editable text, with a cursor between its characters.
package struct TextField: Equatable, Sendable {
  package private(set) var text: String
  /// The number of characters before the cursor.
  package private(set) var cursor: Int

  package init(_ text: String = "") {
    self.text = text
    cursor = text.count
  }

  /// Edits the text in response to a key.
  /// - Returns: whether the field handles the key; Enter, Escape, and Tab are never handled.
  package mutating func handle(_ key: KeyPress) -> Bool {
    switch key {
    case .character(let character): insert(String(character))
    case .left, .control("b"): cursor = max(0, cursor - 1)
    case .right, .control("f"): cursor = min(text.count, cursor + 1)
    case .home, .control("a"): cursor = 0
    case .end, .control("e"): cursor = text.count
    case .backspace: remove(from: cursor - 1, to: cursor)
    case .delete, .control("d"): remove(from: cursor, to: cursor + 1)
    case .control("u"): remove(from: 0, to: cursor)
    case .control("k"): remove(from: cursor, to: text.count)
    case .control("w"): remove(from: startOfWord, to: cursor)
    default: return false
    }
    return true
  }

  /// Inserts typed or pasted text at the cursor.
  ///
  /// Line ends and control characters are dropped.
  package mutating func insert(_ addition: String) {
    let clean = String(
      String.UnicodeScalarView(
        addition.unicodeScalars.filter { $0.properties.generalCategory != .control }))
    let before = text.prefix(cursor) + clean
    let after = text.dropFirst(cursor)
    text = String(before + after)
    cursor = min(before.count, text.count)
  }

  private var startOfWord: Int {
    let before = Array(text.prefix(cursor))
    let word = before.lastIndex { $0 != " " } ?? 0
    return before[..<word].lastIndex(of: " ").map { $0 + 1 } ?? 0
  }

  private mutating func remove(from start: Int, to end: Int) {
    let lower = max(0, start)
    let upper = min(text.count, end)
    guard lower < upper else { return }
    text = String(text.prefix(lower) + text.dropFirst(upper))
    cursor = lower
  }
}

extension TextField {
  /// Draws the field in the first row of `rect`, scrolled so that the cursor is visible.
  ///
  /// A masked field shows one dot for each character, so a password never reaches the grid.
  package func draw(into grid: inout Grid, at rect: Rect, masked: Bool = false, focused: Bool) {
    let area = rect.rows(0, 1)
    guard !area.isEmpty else { return }
    let style = Style(underline: true)
    grid.fill(area, style: style)
    let characters = masked ? Array(repeating: "•", count: text.count) : text.map(String.init)
    let widths = characters.map(columnWidth)
    let before = widths.prefix(cursor).reduce(0, +)
    var start = 0
    var hidden = 0
    while before - hidden > area.width - 1, start < cursor {
      hidden += widths[start]
      start += 1
    }
    var end = start
    var used = 0
    while end < characters.count, used + widths[end] <= area.width {
      used += widths[end]
      end += 1
    }
    grid.put(characters[start..<end].joined(), at: area.x, area.y, width: area.width, style: style)
    if focused { grid.cursor = Point(x: area.x + before - hidden, y: area.y) }
  }
}
