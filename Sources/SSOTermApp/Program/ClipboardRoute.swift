import Essentials

/// `SSOTERM_CLIPBOARD`: how text gets to the person's clipboard.
package enum ClipboardRoute: String, CaseIterable, Sendable {
  case auto, native, tmux, osc52, off

  /// What that comes to here.
  ///
  /// `auto` takes a program of the desktop unless the session is remote (its clipboard is then another machine's), else
  /// tmux, else asks the terminal by OSC 52, which works over ssh too.
  func way(variable: (String) -> String?, isInstalled: (String) -> Bool) -> ClipboardWay {
    func native() -> ClipboardProgram? {
      ClipboardProgram.native.first { program in
        (program.display.map { variable($0) != nil } ?? true) && isInstalled(program.name)
      }
    }
    switch self {
    case .off: return .off("SSOTERM_CLIPBOARD is off.")
    case .osc52: return .terminal
    case .tmux: return isInstalled("tmux") ? .program(.tmux) : .off("This terminal does not run in tmux.")
    case .native:
      let names = ClipboardProgram.native.map(\.name).joined(separator: ", ")
      return native().map { .program($0) } ?? .off("None of \(names) can be used here.")
    case .auto:
      let isRemote = variable("SSH_CONNECTION") != nil || variable("SSH_TTY") != nil
      if !isRemote, let program = native() { return .program(program) }
      return variable("TMUX") != nil && isInstalled("tmux") ? .program(.tmux) : .terminal
    }
  }
}

/// Who takes the text.
enum ClipboardWay: Equatable, Sendable {
  case program(ClipboardProgram)
  /// The terminal, by OSC 52; it cannot be asked what it holds.
  case terminal
  /// No program and not the terminal, and why.
  case off(String)
}

/// A program whose standard input goes to a clipboard.
struct ClipboardProgram: Equatable, Sendable {
  var name: String
  /// The variable without which it cannot work.
  var display: String?
  var copy: [String]
  /// Prints what is on the clipboard.
  var paste: [String]
  /// Empties the clipboard; nil: an empty copy does.
  var clear: [String]?
  /// Whether it gives the text to another clipboard too, which `clear` does not reach.
  var handsOn = false

  static let native = [
    ClipboardProgram(
      name: "wl-copy", display: "WAYLAND_DISPLAY", copy: ["wl-copy"], paste: ["wl-paste", "-n"],
      clear: ["wl-copy", "--clear"]),
    ClipboardProgram(
      name: "xclip", display: "DISPLAY", copy: ["xclip", "-selection", "clipboard", "-in"],
      paste: ["xclip", "-selection", "clipboard", "-out"]),
    ClipboardProgram(
      name: "xsel", display: "DISPLAY", copy: ["xsel", "--clipboard", "--input"],
      paste: ["xsel", "--clipboard", "--output"], clear: ["xsel", "--clipboard", "--clear"]),
    ClipboardProgram(name: "pbcopy", copy: ["pbcopy"], paste: ["pbpaste"]),
  ]

  /// `-w` hands the text on to the terminal that tmux runs in.
  static let tmux = ClipboardProgram(
    name: "tmux", copy: ["tmux", "load-buffer", "-w", "-"], paste: ["tmux", "show-buffer"],
    clear: ["tmux", "delete-buffer"], handsOn: true)
}
