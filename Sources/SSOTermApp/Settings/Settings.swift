import Essentials
import SSOCore
import SSOScenarios
import SSOStore
import SafeText
import TerminalUI

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
      remedy = "Allowed there: \(error.allowed.listed(near: error.key ?? "", as: "words"))."
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

extension Settings {
  /// Returns the settings in the file at a path, or `nil` if there is no file.
  ///
  /// - Throws: The first error in the file, with its line.
  package static func read(at path: String) throws(SettingsError) -> Settings? {
    guard let text = try text(at: path) else { return nil }
    let (settings, mistakes) = examined(text, file: path)
    guard mistakes.isEmpty else { throw first(of: mistakes) }
    return settings
  }

  /// Returns the first of several errors, with the number of the others.
  static func first(of mistakes: [SettingsError]) -> SettingsError {
    var first = mistakes[0]
    first.others = mistakes.count - 1
    return first
  }

  /// Returns the settings that can be read, and all errors in the order of their lines, or `nil` if there is no file.
  package static func examined(
    at path: String
  ) throws(SettingsError) -> (settings: Settings, mistakes: [SettingsError])? {
    try text(at: path).map { examined($0, file: path) }
  }

  static func examined(_ text: String, file: String) -> (settings: Settings, mistakes: [SettingsError]) {
    var reader = SettingsReader(file: file)
    let settings = reader.read(text)
    let mistakes = reader.mistakes + KeyTable.conflicts(in: settings, file: file)
    return (settings, mistakes.sorted { $0.line < $1.line })
  }

  /// Returns the contents of the file, or `nil` if there is no file.
  static func text(at path: String) throws(SettingsError) -> String? {
    // The path that users specify to use no settings.
    guard path != "/dev/null" else { return nil }
    // Do not wait for the other end of a pipe.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw SettingsError(file: path, "cannot be read: \(SystemError(code: errno).displayText)")
    }
    defer { close(descriptor) }
    guard let permissions = permissions(ofRegularFile: descriptor) else {
      throw SettingsError(file: path, "is not a file")
    }
    // The file names programs to run.
    guard permissions & 0o002 == 0 else {
      throw SettingsError(file: path, "can be written by every user", remedy: "chmod o-w \(shellWord(path))")
    }
    do throws(SystemError) {
      let data = try StandardStreams.read(descriptor, limit: ScenarioParser.largestFile + 1)
      return String(decoding: data, as: UTF8.self)
    } catch {
      throw SettingsError(file: path, "cannot be read: \(error.displayText)")
    }
  }
}

/// Returns the path of the settings file: `SSOTERM_CONFIG`, or else a file in the XDG configuration directory.
///
/// It is never in the current folder, where others might put a file.
package func settingsPath(
  variable: (String) -> String? = StandardStreams.variable, home: () -> String? = systemHome
) -> String {
  if let path = variable("SSOTERM_CONFIG") { return path }
  let file = "/ssoterm/config.yaml"
  // The XDG specification ignores a relative path in the variable.
  if let folder = variable("XDG_CONFIG_HOME"), folder.hasPrefix("/") { return folder + file }
  return homeFolder(variable, home) + "/.config" + file
}

extension Settings {
  /// Returns the store that the settings file specifies, or `nil` if it does not specify one.
  ///
  /// Every command calls this, so a file that does not contain the word is not parsed.
  package static func store(at path: String) throws(SettingsError) -> String? {
    guard let text = try text(at: path), text.contains("store") else { return nil }
    var reader = SettingsReader(file: path)
    let settings = reader.read(text)
    guard reader.mistakes.isEmpty else { throw first(of: examined(text, file: path).mistakes) }
    return settings.store
  }
}

extension ScenarioLibrary {
  /// The library of this program: the embedded scenarios, preceded by the scenarios in the folder that `SSOTERM_ASSETS`
  /// specifies.
  ///
  /// Files in the current folder are read only if they are specified, because they may belong to another user.
  package static var ofProgram: ScenarioLibrary {
    ScenarioLibrary(assets: StandardStreams.variable("SSOTERM_ASSETS") ?? "")
  }
}
