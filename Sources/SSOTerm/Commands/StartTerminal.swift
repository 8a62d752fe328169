internal import SSOModel

/// The one call into the screens. They run on the main thread, which is where commands run.
func startTerminal(lab: Lab, title: String, start: String?, on console: Console) throws -> ExitStatus {
  throw CommandFailure.noTerminal
}

extension CommandFailure {
  static let noTerminal = CommandFailure(
    status: .terminalUnusable, kind: "terminal", what: "The screens cannot be shown here.",
    why: "there is no terminal that can place the cursor", next: "ssoterm status")
}
