/// What a person has set once for all runs: the file `config.yaml` of ssoterm-config(5).
///
/// It has no secrets and no state; without a file everything is as it would be.
package struct Settings: Equatable, Sendable {
  package var theme: Theme?
  /// How times are shown at the start.
  package var time: TimeStyle?
  package var clipboard: ClipboardRoute?
  /// The path or the address of the store, where neither `--store` nor `SSOTERM_STORE` names one.
  package var store: String?
  var keys: [KeyBinding] = []
  var commands: [CustomCommand] = []

  package init() {}
}

/// Other keys for a command of the screens.
struct KeyBinding: Equatable, Sendable {
  /// The command's name, as the palette has it.
  var name: String
  /// None: the command can be run from the palette only.
  var keys: [KeyPress]
  /// Where it is in the file.
  var line: Int
}

/// What is wrong in the settings file: the line, what, and what to do.
package struct SettingsError: Error, Equatable, Sendable {
  package var file: String
  /// Counted from 1; 0 if it is about the whole file.
  package var line: Int
  package var problem: String
  /// What to do; nil: look at the page of the manual.
  package var remedy: String?
  /// How many more mistakes the file has.
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

  /// `~/.config/ssoterm/config.yaml:3: …`.
  package var what: String { "\(file)\(line > 0 ? ":\(line)" : ""): \(problem)." }
  package var why: String { "The settings are used as a whole or not at all." }
  package var next: String {
    let all = others > 0 ? " All \(others + 1) mistakes: ssoterm config check" : ""
    return (remedy ?? "See ssoterm-config(5), or move the file away.") + all
  }
}
