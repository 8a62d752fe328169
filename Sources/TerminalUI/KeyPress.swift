/// One key as the person pressed it.
package enum KeyPress: Hashable, Sendable {
  case character(Character)
  case enter, escape, tab, backTab, backspace, delete
  case up, down, left, right, home, end, pageUp, pageDown
  case function(Int)
  /// A letter with Control, in lower case.
  case control(Character)
}

/// What a mouse did.
package enum MouseAction: Equatable, Sendable {
  case press, release, drag, wheelUp, wheelDown
}

/// Whatever can happen to an interactive program.
package enum InputEvent: Equatable, Sendable {
  case key(KeyPress)
  /// Pasted text as it came, line ends and control characters included.
  case paste(String)
  case mouse(x: Int, y: Int, kind: MouseAction)
  case resize(width: Int, height: Int)
  case focus(Bool)
  /// The terminal has answered what is behind the text; the driver keeps it for itself.
  case background(Background)
  /// A watched descriptor became readable: look at the store again.
  case storeChanged
  /// Another thread used the ``Waker``.
  case woken
  /// The time that the program waited for has come.
  case deadline
}
