@testable import TerminalUI

/// A terminal for tests, whose events come from a script and whose grids are recorded.
final class OffscreenDriver: TerminalDriver {
  private(set) var size: Size
  let glyphs: GlyphSet
  /// All grids that were shown, in order.
  private(set) var shown: [Grid] = []
  /// The timeout of each wait, in milliseconds, or `nil` for none.
  private(set) var waits: [Int?] = []
  private var script: ArraySlice<[InputEvent]>

  /// Creates a driver.
  ///
  /// Each list of `script` is the result of one wait; after the last one, the terminal is lost.
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
