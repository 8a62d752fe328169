/// Where the person is in a list: the selected row and the first visible one.
///
/// It holds no rows. Their number and the height of the window come with every call, because both
/// change under it when another process writes or the terminal is resized.
package struct ListState: Equatable, Sendable {
  package var selection: Int
  package var offset: Int

  package init(selection: Int = 0, offset: Int = 0) {
    self.selection = selection
    self.offset = offset
  }

  /// Moves by a key of the common map (`j k g G`, arrows, Home, End, pages, Ctrl-U, Ctrl-D).
  /// - Returns: whether the key is one of those, even when the selection could not go further.
  package mutating func handle(_ key: KeyPress, count: Int, height: Int) -> Bool {
    let page = max(1, height - 1)
    let half = max(1, height / 2)
    switch key {
    case .down, .character("j"): selection += 1
    case .up, .character("k"): selection -= 1
    case .pageDown: selection += page
    case .pageUp: selection -= page
    case .control("d"): selection += half
    case .control("u"): selection -= half
    case .home, .character("g"): selection = 0
    case .end, .character("G"): selection = count - 1
    default: return false
    }
    clamp(count: count, height: height)
    return true
  }

  /// Brings selection and offset back into a list of `count` rows.
  package mutating func clamp(count: Int, height: Int) {
    selection = min(max(0, selection), max(0, count - 1))
    offset = scrolledOffset(height: height, count: count)
  }

  /// The first row to show: the last offset, moved as little as keeps the selection visible and
  /// leaves no empty rows below the list.
  package func scrolledOffset(height: Int, count: Int) -> Int {
    guard height > 0, count > 0 else { return 0 }
    let selected = min(max(0, selection), count - 1)
    let nearest = min(max(offset, selected - height + 1), selected)
    return min(max(0, nearest), max(0, count - height))
  }

  /// The rows to draw.
  package func visible(height: Int, count: Int) -> Range<Int> {
    let first = scrolledOffset(height: height, count: count)
    return first..<min(count, first + max(0, height))
  }
}
