import ArgumentParser
import Essentials
import SSOLab
import SSOStore
import SSOTermApp
import TerminalUI

/// The options of every command.
struct GlobalOptions: ParsableArguments {
  /// The heading of these options in the help of a command.
  static let title = "Options of every command"

  @Option(
    help:
      "The store to use (default: SSOTERM_STORE, or else ssoterm/store.sqlite in the XDG data directory).",
    completion: .file())
  var store: String?

  @Flag(help: "Print one JSON document.")
  var json = false

  @Flag(help: "Print secrets in full.")
  var unmask = false

  @Flag(help: "Prompt and print in numbered lines, for screen readers and scripts.")
  var plain = false

  @Flag(help: "Draw with ASCII characters only.")
  var ascii = false

  @Flag(help: "Print results only.")
  var quiet = false

  @Flag(name: .customLong("no-color"), help: "Print without colour (as NO_COLOR does).")
  var noColor = false

  @Flag(help: "Reject every change to the store.")
  var readonly = false

  @Flag(help: "Create the store if it does not exist, even for a command that only reads.")
  var create = false
}

extension GlobalOptions {
  /// Returns the location of the store: `--store`, or else `SSOTERM_STORE`, the settings, or the XDG data directory.
  func storePath() throws -> String {
    guard let store else { return try Self.storePathOfEnvironment() }
    try refusePassword(in: store)
    return store
  }

  /// Returns the location of the store without regard to the option.
  static func storePathOfEnvironment() throws -> String {
    try StandardStreams.variable("SSOTERM_STORE") ?? defaultStorePath()
  }

  /// Returns the default location of the store, if the command line does not specify one.
  static func defaultStorePath() throws -> String {
    if let path = try Settings.store(at: settingsPath()) { return path }
    return SSOTermApp.defaultStorePath()
  }
}

/// Refuses the address of a team's lab with a password on the command line.
func refusePassword(in address: String) throws(CommandFailure) {
  guard LabAddress.hasPassword(address) else { return }
  throw CommandFailure(
    usage: "Passwords are not accepted on the command line.",
    why: "other users of this machine can see it in the process list, and the shell saves it in its history",
    next: "the same command without it; it belongs in ~/.pgpass, PGPASSWORD, or SSOTERM_STORE")
}

/// Returns the `--store` value with which a command finds the lab from any folder, in a shell without SSOTERM_STORE.
///
/// - Returns: `nil` if the command does not need the option, or if no other process can read the lab.
func storeOption(of lab: Lab) -> String? {
  let location = lab.store.location
  guard (try? storeLocation(option: GlobalOptions.defaultStorePath())) != location else { return nil }
  guard case .file(let path) = location else { return lab.store.path }
  return URL(fileURLWithPath: path).standardizedFileURL.path
}

/// The appearance of the screens, for the commands that open them.
struct ScreenOptions: ParsableArguments {
  @Option(
    help: """
      The colours. auto follows the terminal's background; terminal uses the terminal's own 16 colours.
      """)
  var theme: Theme?

  @Flag(
    name: .customLong("no-motion"),
    help: "Turn off animation, which is always off over SSH (SSH_CONNECTION) and without colour.")
  var noMotion = false
}

extension Theme: ExpressibleByArgument {}

extension Console {
  /// Returns the appearance that the user requested.
  ///
  /// The driver reads `NO_COLOR` itself.
  func look(_ options: ScreenOptions, _ settings: Settings) -> ScreenLook {
    let isRemote = ["SSH_CONNECTION", "SSH_TTY"].contains { StandardStreams.variable($0) != nil }
    return ScreenLook(
      glyphs: wantsASCII ? .ascii : nil, theme: options.theme ?? settings.theme,
      monochrome: refusesColour ? true : nil,
      moves: !options.noMotion && !isRemote && !refusesColour)
  }
}
