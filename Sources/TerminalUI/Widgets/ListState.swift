/// The user's position in a list: the selected row and the first visible row.
///
/// It does not store rows. Every call takes their number and the height of the window, because both can change when
/// another process writes or the terminal is resized.
package struct ListState: Equatable, Sendable {
  package var selection: Int
  package var offset: Int

  package init(selection: Int = 0, offset: Int = 0) {
    self.selection = selection
    self.offset = offset
  }

  /// Moves the selection for a key of the common key map (`j k g G`, arrows, Home, End, page keys, Ctrl-U, Ctrl-D).
  /// - Returns: whether the key is one of those, even if the selection could not move.
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

  /// Adjusts the selection and the offset to a list of `count` rows.
  mutating func clamp(count: Int, height: Int) {
    selection = min(max(0, selection), max(0, count - 1))
    offset = scrolledOffset(height: height, count: count)
  }

  /// Returns the first row to show.
  ///
  /// This is the last offset, moved as little as possible so that the selection is visible and no empty rows follow the
  /// list.
  func scrolledOffset(height: Int, count: Int) -> Int {
    guard height > 0, count > 0 else { return 0 }
    let selected = min(max(0, selection), count - 1)
    let nearest = min(max(offset, selected - height + 1), selected)
    return min(max(0, nearest), max(0, count - height))
  }

  /// Returns the rows to draw.
  package func visible(height: Int, count: Int) -> Range<Int> {
    let first = scrolledOffset(height: height, count: count)
    return first..<min(count, first + max(0, height))
  }
}
