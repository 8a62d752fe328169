/// A screen and its keys: the real terminal, or one that exists only in a test.
package protocol TerminalDriver: AnyObject {
  var size: Size { get }
  /// What may be drawn on it.
  var glyphs: GlyphSet { get }

  /// Makes the screen look like `grid`.
  func show(_ grid: Grid)

  /// Sleeps until something happens: a key, a signal, a watched descriptor, the ``Waker``, or the end of
  /// `milliseconds` (then the answer is ``InputEvent/deadline``). Without a time it sleeps for ever.
  /// - Returns: what happened, perhaps nothing of interest; `nil` when the terminal is gone.
  func waitForEvents(watching descriptors: [Int32], milliseconds: Int?) -> [InputEvent]?
}
