import Essentials

/// The value of `SSOTERM_CLIPBOARD`: how text reaches the user's clipboard.
package enum ClipboardRoute: String, CaseIterable, Sendable {
  case auto, native, tmux, osc52, off

  /// Returns the clipboard method for this environment.
  ///
  /// `auto` chooses a desktop program unless the session is remote, because its clipboard is then on another machine.
  /// Otherwise it chooses tmux, or else the terminal by OSC 52, which works over SSH too.
  func way(variable: (String) -> String?, isInstalled: (String) -> Bool) -> ClipboardMethod {
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

/// The recipient of the text.
enum ClipboardMethod: Equatable, Sendable {
  case program(ClipboardProgram)
  /// The terminal, by OSC 52, which cannot be asked for the contents of its clipboard.
  case terminal
  /// Neither a program nor the terminal, with the reason.
  case off(String)
}

/// A program that copies its standard input to a clipboard.
struct ClipboardProgram: Equatable, Sendable {
  var name: String
  /// The environment variable that the program requires.
  var display: String?
  var copy: [String]
  /// The command that prints the contents of the clipboard.
  var paste: [String]
  /// The command that empties the clipboard, or `nil` if copying an empty text does.
  var clear: [String]?
  /// Whether the program also passes the text to another clipboard, which `clear` does not reach.
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

  /// The tmux buffer.
  ///
  /// `-w` also passes the text to the terminal that tmux runs in.
  static let tmux = ClipboardProgram(
    name: "tmux", copy: ["tmux", "load-buffer", "-w", "-"], paste: ["tmux", "show-buffer"],
    clear: ["tmux", "delete-buffer"], handsOn: true)
}
