/// One key that the user pressed.
package enum KeyPress: Hashable, Sendable {
  case character(Character)
  case enter, escape, tab, backTab, backspace, delete
  case up, down, left, right, home, end, pageUp, pageDown
  case function(Int)
  /// A letter pressed with Control, in lowercase.
  case control(Character)
}

/// An action of the mouse.
package enum MouseAction: Equatable, Sendable {
  case press, release, drag, wheelUp, wheelDown
}

/// An event that an interactive program can receive.
package enum InputEvent: Equatable, Sendable {
  case key(KeyPress)
  /// Pasted text exactly as received, including line ends and control characters.
  case paste(String)
  case mouse(x: Int, y: Int, kind: MouseAction)
  case resize(width: Int, height: Int)
  case focus(Bool)
  /// The terminal's response about its background; the driver handles this event itself.
  case background(Background)
  /// A watched descriptor became readable, so the store has to be read again.
  case storeChanged
  /// Another thread called the ``Waker``.
  case woken
  /// The time at which the program asked to be woken has come.
  case deadline
}
