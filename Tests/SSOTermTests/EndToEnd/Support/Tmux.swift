import Foundation
import Glibc

/// A separate tmux server with one shell in it: a terminal that can report the state in which a program left it.
final class Tmux {
  private let folder: Folder
  private let socket: String

  /// Starts tmux; `shell` runs in its only window.
  init(in folder: Folder, shell: [String]) throws {
    self.folder = folder
    // Keep this short, whatever TMPDIR is, because a socket's path has at most 108 bytes.
    socket = "/tmp/ssoterm-tmux-\(UUID().uuidString)"
    try folder.write("set -g default-terminal tmux-256color\nset -g set-clipboard on\n", to: "tmux.conf")
    try run(["-f", folder.path("tmux.conf"), "new-session", "-d", "-x", "100", "-y", "24"] + shell)
  }

  deinit {
    _ = try? run(["kill-server"])
    unlink(socket)
  }

  func type(_ text: String) throws { try run(["send-keys", "-l", text]) }

  /// Presses a key, given by its name in tmux, such as `Enter` or `C-z`.
  func press(_ key: String) throws { try run(["send-keys", key]) }

  func screen() throws -> String { try run(["capture-pane", "-p"]) }

  /// Returns the values of formats such as `alternate_on`.
  func state(_ names: String...) throws -> String {
    let format = names.map { "#{\($0)}" }.joined(separator: " ")
    return try run(["display-message", "-p", format]).trimmingCharacters(in: .newlines)
  }

  /// Checks repeatedly until the condition holds.
  ///
  /// Each check is a process, which is enough of a pause.
  func waitFor(_ what: String, within limit: Double = 20, _ isSo: (Tmux) throws -> Bool) throws {
    let end = secondsNow() + limit
    while try !isSo(self) {
      guard secondsNow() < end else { throw EndToEndError("never seen: \(what)\n\(try screen())") }
    }
  }

  func waitFor(_ words: String) throws { try waitFor(words) { try $0.screen().contains(words) } }

  @discardableResult
  func run(_ arguments: [String]) throws -> String {
    let child = try Child(
      ["/usr/bin/env", "tmux", "-S", socket] + arguments,
      environment: Program.environment(home: folder.root), terminal: nil,
      output: folder.path("tmux.out"), error: folder.path("tmux.err"))
    guard try child.ending(within: 20) == .exit(0) else {
      throw EndToEndError("tmux \(arguments.joined(separator: " ")): \(folder.text("tmux.err"))")
    }
    return folder.text("tmux.out")
  }
}
