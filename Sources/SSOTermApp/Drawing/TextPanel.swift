/// A line of a panel.
struct PanelLine: Equatable, Sendable {
  var text: String
  var style: Style
  /// So many characters at the start name what follows, and have no style of their own.
  var label: Int
  init(_ text: String, _ style: Style = .plain, label: Int = 0) {
    self.text = text
    self.style = style
    self.label = label
  }
}

extension Rect {
  /// What a panel has inside.
  var belowHeading: Rect { splitTop(1).1.inset(x: 1, y: 0) }
}

extension Grid {
  /// A part of the screen below its heading; the rule of the one that has the keys is heavy, its title in the accent.
  mutating func panel(_ rect: Rect, _ title: String, trailing: String = "", focused: Bool) -> Rect {
    guard rect.width >= 4, rect.height >= 2 else { return Rect(x: 0, y: 0, width: 0, height: 0) }
    fill(rect)
    rule(
      rect.rows(0, 1), title: title, trailing: trailing, style: focused ? .accent : .dim,
      heading: focused ? .title : .bold, isHeavy: focused)
    let inner = rect.belowHeading
    if focused { parkCursor(in: inner) }
    return inner
  }

  /// What is drawn over the screen has a frame.
  mutating func window(_ rect: Rect, _ title: String, trailing: String = "") -> Rect {
    guard rect.width >= 4, rect.height >= 2 else { return Rect(x: 0, y: 0, width: 0, height: 0) }
    fill(rect)
    box(rect, title: title, trailing: trailing, style: .accent)
    let inner = rect.inset(by: 1)
    parkCursor(in: inner)
    return inner
  }

  /// A list or a field moves it to its own place.
  private mutating func parkCursor(in inner: Rect) { cursor = Point(x: inner.x, y: inner.y) }

  /// Lines from `scroll` on; a last row says when there is more.
  mutating func lines(_ lines: [PanelLine], in rect: Rect, scroll: Int = 0) {
    guard !rect.isEmpty else { return }
    note(Touch(.text(lines: lines.count), rect))
    let first = min(scroll, max(0, lines.count - rect.height))
    for (row, line) in lines.dropFirst(first).prefix(rect.height).enumerated() {
      // The indent of a line that goes on is not underlined.
      let indent = line.text.utf8.prefix { $0 == UInt8(ascii: " ") }.count
      put(
        String(line.text.dropFirst(indent)), at: rect.x + 1 + indent, rect.y + row,
        width: rect.width - 2 - indent, style: line.style)
      let label = String(line.text.prefix(line.label))
      put(label, at: rect.x + 1, rect.y + row, width: min(rect.width - 2, columnWidth(label)))
    }
    if first + rect.height < lines.count {
      put("↓", at: rect.maxX - 1, rect.maxY - 1, width: 1, style: .dim)
    }
  }

  /// What a list says that shows no row.
  ///
  /// `noun` says what a row is, `nothing` what to say if the list has none even without a filter.
  mutating func emptyState(of list: RowList, _ noun: String, _ nothing: [String], in rect: Rect) {
    let isFilter = list.isFiltered && list.index.count > 0
    emptyState(isFilter ? ["No \(noun) matches the filter. Esc shows all."] : nothing, in: rect)
  }

  /// What an empty panel says.
  mutating func emptyState(_ lines: [String], in rect: Rect) {
    // What is to be read begins in the second line.
    if cursor == Point(x: rect.x, y: rect.y), rect.height > 1 { cursor = Point(x: rect.x, y: rect.y + 1) }
    self.lines(
      [PanelLine("")] + lines.flatMap { wrapped($0, rect.width - 2) }.map { PanelLine($0, .dim) }, in: rect)
  }
}

/// Breaks a text between words; a word that is too long is broken too.
package func wrapped(_ text: String, _ width: Int, indent: String = "") -> [String] {
  guard width > indent.count + 4 else { return [text] }
  var lines: [String] = []
  var line = ""
  var used = 0
  for word in text.utf8.split(separator: UInt8(ascii: " ")) {
    var rest = String(Substring(word))
    var columns = columnWidth(rest)
    if used > 0, used + 1 + columns <= width {
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
      lines.append(line + rest.prefix(room))
      rest = String(rest.dropFirst(room))
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

/// A digit or a short word does not stand alone in the last line: `My Test App` and below it `1`.
private func withoutOrphan(_ lines: [String], _ last: String, _ width: Int, indent: String) -> [String] {
  let orphan = last.dropFirst(lines.isEmpty ? 0 : indent.count)
  guard orphan.utf8.count <= 3, !orphan.contains(" "), let before = lines.last,
    let space = before.lastIndex(of: " "), before[..<space].contains(where: { $0 != " " }),
    indent.count + columnWidth(String(before[space...])) + orphan.utf8.count <= width
  else { return lines + [last] }
  return lines.dropLast() + [String(before[..<space]), indent + before[space...].dropFirst() + " " + orphan]
}

/// A path whose tenant IDs are shortened: `/5b1f3c2e…/oauth2/v2.0/token`.
func withShortTenants(_ path: String) -> String {
  guard path.utf8.count > 36 else { return path }
  return path.split(separator: "/", omittingEmptySubsequences: false).map {
    $0.utf8.count == 36 && $0.split(separator: "-").count == 5 ? $0.prefix(8) + "…" : String($0)
  }.joined(separator: "/")
}

/// A name, and its value in the middle of which an ID is cut.
func field(_ name: String, _ value: String, width: Int, style: Style = .plain) -> PanelLine {
  let label = name.padding(to: 11)
  return PanelLine(
    label + middleTruncated(value, max(4, width - columnWidth(label))), style, label: label.count)
}

/// A name and its value, which is never cut: below its name where it has no room beside it.
func wholeField(_ name: String, _ value: String, width: Int) -> [PanelLine] {
  let room = width - columnWidth(name.padding(to: 11))
  guard columnWidth(value) > room else { return [field(name, value, width: width)] }
  return [field(name, "", width: width)] + wrapped(value, width).map { PanelLine($0) }
}

/// A name, and its value in as many lines as it takes.
func fieldLines(
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

extension String {
  package func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - columnWidth(self)))
  }
}

/// A check with what it found, and where it was not met with what it wants.
func checkLines(_ checks: [Check], width: Int) -> [PanelLine] {
  checks.flatMap { check -> [PanelLine] in
    let values = check.verdict == .passed ? check.found : "expected \(check.expected), found \(check.found)"
    return wrapped("\(check.glyph) \(check.name): \(values)", width, indent: "  ").map {
      PanelLine($0, check.style)
    }
  }
}
