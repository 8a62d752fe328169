/// A line of a panel.
package struct PanelLine: Equatable, Sendable {
  package var text: String
  package var style: Style
  /// The number of characters at the start that form the label, which is drawn without a style.
  package var label: Int

  package init(_ text: String, _ style: Style = .plain, label: Int = 0) {
    self.text = text
    self.style = style
    self.label = label
  }
}

extension Rect {
  /// The area of a panel below its heading.
  package var belowHeading: Rect { splitTop(1).1.inset(x: 1, y: 0) }
}

extension Grid {
  /// Draws a panel with its heading, and returns the area inside.
  ///
  /// The focused panel has a heavy rule and an accented title.
  package mutating func panel(_ rect: Rect, _ title: String, trailing: String = "", focused: Bool) -> Rect {
    guard rect.width >= 4, rect.height >= 2 else {
      omit(title)
      return Rect(x: 0, y: 0, width: 0, height: 0)
    }
    fill(rect)
    rule(
      rect.rows(0, 1), title: title, trailing: trailing, style: focused ? .accent : .dim,
      heading: focused ? .title : .bold, isHeavy: focused)
    let inner = rect.belowHeading
    if focused { parkCursor(in: inner) }
    return inner
  }

  /// Draws a framed window over the screen, and returns the area inside.
  package mutating func window(_ rect: Rect, _ title: String, trailing: String = "") -> Rect {
    guard rect.width >= 4, rect.height >= 2 else { return Rect(x: 0, y: 0, width: 0, height: 0) }
    fill(rect)
    box(rect, title: title, trailing: trailing, style: .accent)
    let inner = rect.inset(by: 1)
    parkCursor(in: inner)
    return inner
  }

  /// Moves the cursor to the start of an area, from where a list or a field moves it to its own position.
  private mutating func parkCursor(in inner: Rect) { cursor = Point(x: inner.x, y: inner.y) }

  /// Draws lines from `scroll` on, with an arrow in the last row if there are more.
  package mutating func lines(_ lines: [PanelLine], in rect: Rect, scroll: Int = 0) {
    guard !rect.isEmpty else { return }
    add(Touch(.text(lines: lines.count), rect))
    let first = min(scroll, max(0, lines.count - rect.height))
    for (row, line) in lines.dropFirst(first).prefix(rect.height).enumerated() {
      // Do not underline the indent of a continued line.
      let indent = line.text.utf8.prefix { $0 == UInt8(ascii: " ") }.count
      put(
        indent == 0 ? line.text : String(line.text.dropFirst(indent)), at: rect.x + 1 + indent,
        rect.y + row, width: rect.width - 2 - indent, style: line.style)
      guard line.label > 0 else { continue }
      let label = String(line.text.prefix(line.label))
      put(label, at: rect.x + 1, rect.y + row, width: min(rect.width - 2, columnWidth(label)))
    }
    if first + rect.height < lines.count {
      put("↓", at: rect.maxX - 1, rect.maxY - 1, width: 1, style: .dim)
    }
  }

  /// Draws the text of an empty panel.
  package mutating func emptyState(_ lines: [String], in rect: Rect) {
    // The text to read begins in the second line.
    if cursor == Point(x: rect.x, y: rect.y), rect.height > 1 { cursor = Point(x: rect.x, y: rect.y + 1) }
    self.lines(
      [PanelLine("")] + lines.flatMap { wrapped($0, rect.width - 2) }.map { PanelLine($0, .dim) }, in: rect)
  }
}

/// The greatest length of a text in one line, however wide the window is: a longer line is hard to read.
package let longestLine = 100

/// Wraps a text between words, and breaks words that are too long.
///
/// A line has at most 100 columns, or `width` columns if it is a single word, such as a URL.
package func wrapped(_ text: String, _ width: Int, indent: String = "") -> [String] {
  guard width > indent.count + 4 else { return [text] }
  let longest = min(width, longestLine)
  if let plain = wrappedPlain(text, longest, indent) {
    return plain.last.map { withoutOrphan(Array(plain.dropLast()), $0, width, indent: indent) } ?? []
  }
  var lines: [String] = []
  var line = ""
  var used = 0
  for word in text.utf8.split(separator: UInt8(ascii: " ")) {
    var rest = String(Substring(word))
    var columns = columnWidth(rest)
    if used > 0, used + 1 + columns <= longest {
      line += " "
      line += rest
      used += 1 + columns
      continue
    }
    if used > 0 { lines.append(line) }
    line = lines.isEmpty ? "" : indent
    used = line.count
    while used + columns > width {
      let room = max(1, (width - line.count) / (columns > rest.count ? 2 : 1))
      let part = breakable(rest.prefix(room))
      lines.append(line + part)
      rest = String(rest.dropFirst(part.count))
      columns = columnWidth(rest)
      line = indent
      used = indent.count
    }
    line += rest
    used += columns
  }
  guard !line.isEmpty else { return lines }
  return withoutOrphan(lines, line, width, indent: indent)
}

/// Returns the beginning of a word that is too long for a line, up to the last character behind which a value, a path, or a
/// name may continue in the next line.
///
/// A word without such a character in the second half of the line is broken anywhere, so that it does not need more lines.
private func breakable(_ part: Substring) -> Substring {
  guard let last = part.lastIndex(where: { "=/&?,;:.".contains($0) }) else { return part }
  let whole = part[...last]
  return whole.count * 2 >= part.count || whole.last == "=" ? whole : part
}

/// Wraps a text of scalars that each occupy one column, as most texts are, by copying each line at once.
///
/// Returns `nil` for any other text, and for one with a word that does not fit or more than one space between words.
private func wrappedPlain(_ text: String, _ longest: Int, _ indent: String) -> [String]? {
  text.utf8.withContiguousStorageIfAvailable { bytes -> [String]? in
    let space = UInt8(ascii: " ")
    guard let first = bytes.first, first != space, bytes.last != space, isSimpleText(bytes) else {
      return nil
    }
    var lines: [String] = []
    var (start, end) = (0, 0)
    func line() -> String {
      (lines.isEmpty ? "" : indent) + String(decoding: bytes[start..<end], as: UTF8.self)
    }
    var word = 0
    // The columns since `start` and since `word`; a scalar has one byte that does not continue it.
    var (columns, columnsOfWord) = (0, 0)
    for index in 0...bytes.count {
      if index < bytes.count, bytes[index] != space {
        if bytes[index] & 0xC0 != 0x80 { (columns, columnsOfWord) = (columns + 1, columnsOfWord + 1) }
        continue
      }
      let room = longest - (lines.isEmpty ? 0 : indent.utf8.count)
      if columns > room {
        guard word > start else { return nil }
        lines.append(line())
        start = word
        columns = columnsOfWord
        guard columns <= longest - indent.utf8.count else { return nil }
      }
      guard index > word else { return nil }
      (end, word) = (index, index + 1)
      (columns, columnsOfWord) = (columns + 1, 0)
    }
    lines.append(line())
    return lines
  } ?? nil
}

/// Returns lines in which the last one is not just a digit or a short word, such as `1` below `My Test App`.
private func withoutOrphan(_ lines: [String], _ last: String, _ width: Int, indent: String) -> [String] {
  let orphan = last.dropFirst(lines.isEmpty ? 0 : indent.count)
  guard orphan.utf8.count <= 3, !orphan.contains(" "), let before = lines.last,
    let space = before.lastIndex(of: " "), before[..<space].contains(where: { $0 != " " }),
    indent.count + columnWidth(String(before[space...])) + orphan.utf8.count <= width
  else { return lines + [last] }
  return lines.dropLast() + [String(before[..<space]), indent + before[space...].dropFirst() + " " + orphan]
}

/// Returns a path with shortened tenant IDs, such as `/5b1f3c2e…/oauth2/v2.0/token`.
package func withShortTenants(_ path: String) -> String {
  guard path.utf8.count > 36 else { return path }
  return path.split(separator: "/", omittingEmptySubsequences: false).map {
    $0.utf8.count == 36 && $0.split(separator: "-").count == 5 ? $0.prefix(8) + "…" : String($0)
  }.joined(separator: "/")
}

/// Returns a name and its value, which is truncated in the middle, where IDs can be cut.
package func field(_ name: String, _ value: String, width: Int, style: Style = .plain) -> PanelLine {
  let label = name.padding(to: 11)
  return PanelLine(
    label + middleTruncated(value, max(4, width - columnWidth(label))), style, label: label.count)
}

/// Returns a name and its complete value, which is below the name if there is no room beside it.
package func wholeField(_ name: String, _ value: String, width: Int) -> [PanelLine] {
  let room = width - columnWidth(name.padding(to: 11))
  guard columnWidth(value) > room else { return [field(name, value, width: width)] }
  return [field(name, "", width: width)] + wrapped(value, width).map { PanelLine($0) }
}

/// Returns a name and its value in as many lines as necessary.
package func fieldLines(
  _ name: String, _ value: String, width: Int, label column: Int = 11, style: Style = .plain
) -> [PanelLine] {
  let label = name.padding(to: column)
  let lines = wrapped(value, max(5, width - columnWidth(label)))
  return lines.enumerated().map { index, line in
    PanelLine(
      (index == 0 ? label : String(repeating: " ", count: columnWidth(label))) + line, style,
      label: index == 0 ? label.count : 0)
  }
}
