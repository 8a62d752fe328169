/// A screen and its keyboard, which is the real terminal or a simulated one in a test.
package protocol TerminalDriver: AnyObject {
  var size: Size { get }
  /// The characters that may be drawn.
  var glyphs: GlyphSet { get }

  /// Updates the screen to show `grid`.
  func show(_ grid: Grid)

  /// Sleeps until something happens: a key press, a signal, a watched descriptor, the ``Waker``, or a timeout.
  ///
  /// The timeout is `milliseconds`, after which the result is ``InputEvent/deadline``. If it is `nil`, there is no
  /// timeout.
  /// - Returns: the events, possibly none of interest, or `nil` if the terminal is lost.
  func waitForEvents(watching descriptors: [Int32], milliseconds: Int?) -> [InputEvent]?
}
