internal import SSOModel
internal import TerminalUI

extension Console {
  /// The one call into the screens. They run on the main thread, which is where commands run.
  func showScreens(_ lab: Lab, title: String, start: StartScreen) throws -> ProgramResult {
    // In memory there is nothing to watch: no other process sees that store.
    let watch = try StoreWatch(lab.store)
    defer { withExtendedLifetime(watch) {} }
    do {
      return try MainActor.assumeIsolated {
        try runTerminalProgram(
          lab: lab, title: title, start: start, look: look,
          watching: watch.map { [$0.descriptor] } ?? [])
      }
    } catch let error as TerminalError {
      var failure = CommandFailure.noTerminal
      failure.why = String(describing: error)
      throw failure
    }
  }

  func startTerminal(lab: Lab, title: String, path: String = "apps") throws -> ExitStatus {
    switch try showScreens(lab, title: title, start: .path(path)) {
    case .cancelled: .cancelled
    case .quit, .picked: .done
    }
  }
}

extension Console {
  /// What the person asked of the screens; `NO_COLOR` is the driver's to ask.
  private var look: ScreenLook {
    ScreenLook(glyphs: wantsASCII ? .ascii : nil, monochrome: refusesColour ? true : nil)
  }
}

extension CommandFailure {
  static let noTerminal = CommandFailure(
    status: .terminalUnusable, kind: "terminal", what: "The screens cannot be shown here.",
    why: "there is no terminal that can place the cursor", next: "ssoterm status")
}
