import Essentials
import SSOLab
import Synchronization
import TerminalUI

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

/// A text for the clipboard, with a label that describes it.
struct Copy: Equatable, Sendable {
  var text: String
  var label: String
  var isSecret = false
}

extension Copy {
  init(_ item: CopyItem, of detail: TokenDetail) {
    let secret = detail.row.secret
    let text = item == .authHeader ? "Authorization: Bearer \(secret)" : secret
    self.init(text: text, label: item.displayText, isSecret: true)
  }
}

/// A controller that passes text to a clipboard program, and remembers a copied secret that may still be there.
package final class ClipboardController: Sendable {
  private let route: ClipboardRoute
  private let variable: @Sendable (String) -> String?
  private let known = Mutex<ClipboardMethod?>(nil)
  private let secret = Mutex<String?>(nil)

  package init(_ route: ClipboardRoute, variable: @escaping @Sendable (String) -> String?) {
    self.route = route
    self.variable = variable
  }

  /// The clipboard method, which is determined when it is first needed, because that searches the folders of `PATH`.
  var way: ClipboardMethod {
    known.withLock { known in
      let way = known ?? route.way(variable: variable) { ChildProgram.path(of: $0) != nil }
      known = way
      return way
    }
  }

  /// Copies a text and returns the result, or `nil` if the terminal must copy it.
  func copy(_ copy: Copy) -> Message? {
    switch way {
    case .terminal: return nil
    case .off(let reason):
      return .noted(Notice(text: "The \(copy.label) was not copied. \(reason)", kind: .bad))
    case .program(let program):
      guard ChildProgram.feed(copy.text, to: program.copy) else {
        let words = "The \(copy.label) was not copied: \(program.name) failed. See SSOTERM_CLIPBOARD."
        return .noted(Notice(text: words, kind: .bad))
      }
      secret.withLock { $0 = copy.isSecret ? copy.text : nil }
      ProcessEnd.isDelayed(copy.isSecret)
      let words = "Copied the \(copy.label) with \(program.name)"
      guard copy.isSecret else { return .noted(Notice(text: words + ".", kind: .plain)) }
      return .secretCopied(
        Notice(text: "! \(words): a secret, cleared in 45 s or when you leave.", kind: .bad))
    }
  }

  /// Removes the secret from the clipboard unless something else has been copied since, and returns `nil` if there was
  /// no secret.
  @discardableResult
  func clearSecret() -> Notice? {
    guard
      let text = secret.withLock({ kept in
        defer { kept = nil }
        return kept
      }),
      case .program(let program) = way
    else { return nil }
    ProcessEnd.isDelayed(false)
    guard ChildProgram.output(of: program.paste) == text else {
      return Notice(text: "The clipboard has other content now and was not changed.", kind: .plain)
    }
    // Where the secret was forwarded to another clipboard, a second text replaces it, and is then cleared like the
    // first.
    let isOverwritten =
      !program.handsOn
      || ChildProgram.feed(" ", to: program.copy) && ChildProgram.feed("", to: program.clear ?? program.copy)
    let isCleared = ChildProgram.feed("", to: program.clear ?? program.copy) && isOverwritten
    return isCleared
      ? Notice(text: "The secret was removed from the clipboard.", kind: .plain)
      : Notice(text: "! The secret is still on the clipboard: \(program.name) failed.", kind: .bad)
  }
}
