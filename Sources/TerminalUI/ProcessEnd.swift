import CNcurses

/// The ways in which this process may terminate.
package enum ProcessEnd {
  /// Sets whether a signal from outside first ends the event loop, as a lost terminal does, and then ``asAsked()`` the
  /// process.
  package static func isDelayed(_ on: Bool) { cn_delay_end(on) }

  /// Terminates the process with the delayed signal, or returns if there was none.
  package static func asAsked() { cn_end_as_asked() }

  /// Disables core files and prevents the user's other processes from reading the memory, because it contains secrets.
  package static func leavesNoCore() { cn_forbid_core_dumps() }
}

/// A program that this process starts and waits for, and that runs in the foreground in its place.
package enum ForegroundChild {
  /// Prevents ^C and every other signal that can be caught, except that of a crash, from terminating this process from
  /// now on.
  package static func catchEnds() { cn_catch_ends() }

  /// The signal that arrived before there was a child, or `nil` if there was none.
  package static var earlyEnd: Int32? {
    let signal = cn_early_end()
    return signal == 0 ? nil : signal
  }

  /// Waits for the child to exit, and forwards ^C and similar signals to it.
  ///
  /// If it leads a process group, the group gets the signals, and is terminated at the end. Unless ``catchEnds()`` was
  /// called, such a signal then also terminates this process.
  /// - Returns: its exit status, or 128 plus the number of the signal that terminated it, as in a shell.
  package static func ending(of pid: Int32, leadsGroup: Bool) -> Int32 { cn_await_child(pid, leadsGroup) }
}

/// Input on a terminal without echo.
///
/// The terminal's echo is restored for the shell, however the process terminates or stops.
package enum HiddenTyping {
  /// Turns the echo off.
  ///
  /// If `keyByKey` is true, a read does not wait for the end of a line, and ^C and ^Z are ordinary keys.
  /// - Returns: false if the descriptor is not a terminal.
  package static func begin(on descriptor: Int32, keyByKey: Bool = false) -> Bool {
    cn_hide_typing(descriptor, keyByKey)
  }
  package static func end() { cn_show_typing() }
}
