@testable import TerminalUI

/// A terminal for tests: events come from a script, and pictures are kept.
final class OffscreenDriver: TerminalDriver {
  private(set) var size: Size
  let glyphs: GlyphSet
  /// All pictures shown, the last one at the end.
  private(set) var shown: [Grid] = []
  /// What the program asked for with each wait: the time it was ready to sleep.
  private(set) var waits: [Int?] = []
  private var script: ArraySlice<[InputEvent]>

  /// Each list of `script` answers one wait; after the last, the terminal is gone.
  init(width: Int, height: Int, glyphs: GlyphSet = .unicode, script: [[InputEvent]]) {
    size = Size(width: width, height: height)
    self.glyphs = glyphs
    self.script = script[...]
  }

  func show(_ grid: Grid) { shown.append(grid) }

  func waitForEvents(watching descriptors: [Int32], milliseconds: Int?) -> [InputEvent]? {
    waits.append(milliseconds)
    guard let events = script.popFirst() else { return nil }
    for case .resize(let width, let height) in events { size = Size(width: width, height: height) }
    return events
  }
}
