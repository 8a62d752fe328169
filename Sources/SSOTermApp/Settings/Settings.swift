/// The user's settings for all runs: the file `config.yaml` of ssoterm-config(5).
///
/// The settings contain no secrets and no state. Without a file, the defaults apply.
package struct Settings: Equatable, Sendable {
  package var theme: Theme?
  /// The format of times at the start.
  package var time: TimeStyle?
  package var clipboard: ClipboardRoute?
  /// The path or the address of the store, if neither `--store` nor `SSOTERM_STORE` specifies one.
  package var store: String?
  var keys: [KeyBinding] = []
  var commands: [CustomCommand] = []

  package init() {}
}

/// Custom keys for a command of the screens.
struct KeyBinding: Equatable, Sendable {
  /// The command's name, as in the palette.
  var name: String
  /// The keys.
  ///
  /// If empty, the command can only be run from the palette.
  var keys: [KeyPress]
  /// The line of the binding in the file.
  var line: Int
}

/// An error in the settings file: the line, the problem, and the remedy.
package struct SettingsError: Error, Equatable, Sendable {
  package var file: String
  /// The line number, counted from 1, or 0 if the error concerns the entire file.
  package var line: Int
  package var problem: String
  /// The remedy, or `nil` to refer to the manual page.
  package var remedy: String?
  /// The number of further errors in the file.
  package var others = 0

  init(file: String, line: Int = 0, _ problem: String, remedy: String? = nil) {
    (self.file, self.line) = (file, line)
    self.problem = problem
    self.remedy = remedy
  }

  init(_ error: ScenarioError) {
    (file, line) = (error.file, error.line)
    problem = (error.key.map { "“\($0)” " } ?? "") + error.problem
    if let nearest = error.nearest {
      remedy = "Did you mean \(nearest)?"
    } else if !error.allowed.isEmpty {
      remedy = "Allowed there: \(error.allowed.joined(separator: ", "))."
    }
  }

  /// The file, the line, and the problem: `~/.config/ssoterm/config.yaml:3: …`.
  package var what: String { "\(file)\(line > 0 ? ":\(line)" : ""): \(problem)." }
  package var why: String { "The settings are used as a whole or not at all." }
  package var next: String {
    let all = others > 0 ? " All \(others + 1) mistakes: ssoterm config check" : ""
    return (remedy ?? "See ssoterm-config(5), or move the file away.") + all
  }
}
