import CNcurses

/// How this process may end, and what is left of it.
package enum ProcessEnd {
  /// While it is on, a signal from outside ends the loop of events, as a lost terminal does, and ``asAsked()`` the process.
  package static func isDelayed(_ on: Bool) { cn_delay_end(on) }

  /// Ends the process by the signal that was delayed; returns if there was none.
  package static func asAsked() { cn_end_as_asked() }

  /// No core file, and no other process of this user reads the memory: there are secrets in it.
  package static func leavesNoCore() { cn_forbid_core_dumps() }
}

/// A program that this process starts and waits for, in the foreground in its place.
package enum ForegroundChild {
  /// From now on ^C and the like do not end this process.
  package static func catchEnds() { cn_catch_ends() }

  /// The signal that came before a child was there; nil: none.
  package static var earlyEnd: Int32? {
    let signal = cn_early_end()
    return signal == 0 ? nil : signal
  }

  /// Waits for its end; ^C and the like are passed on to it.
  /// - Returns: its exit status, or 128 and the number of the signal that ended it, as a shell has it.
  package static func ending(of pid: Int32) -> Int32 { cn_await_child(pid) }
}

/// What is typed on a terminal without being shown.
///
/// Whatever ends or stops the process, the shell sees typing again.
package enum HiddenTyping {
  /// With `keyByKey` a read does not wait for the end of a line, and ^C and ^Z are keys.
  /// - Returns: false if it is no terminal.
  package static func begin(on descriptor: Int32, keyByKey: Bool = false) -> Bool {
    cn_hide_typing(descriptor, keyByKey)
  }
  package static func end() { cn_show_typing() }
}
