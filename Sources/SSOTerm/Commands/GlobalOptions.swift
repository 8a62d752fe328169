import ArgumentParser

/// The options of every command.
struct GlobalOptions: ParsableArguments {
  /// The heading of these options in the help of a command.
  static let title = "Options of every command"

  @Option(
    help: "The store to use (else SSOTERM_STORE, else ssoterm/store.sqlite in the XDG data folder).",
    completion: .file())
  var store: String?

  @Flag(help: "Print one JSON document.")
  var json = false

  @Flag(help: "Print secrets in full.")
  var unmask = false

  @Flag(help: "Ask and answer in numbered lines, for screen readers and scripts.")
  var plain = false

  @Flag(help: "Draw with ASCII characters only.")
  var ascii = false

  @Flag(help: "Print results only.")
  var quiet = false

  @Flag(name: .customLong("no-color"), help: "Print without colour (as NO_COLOR does).")
  var noColor = false

  @Flag(help: "Refuse every change to the store.")
  var readonly = false

  @Flag(help: "Create the store if there is none, also for a command that only reads.")
  var create = false
}
