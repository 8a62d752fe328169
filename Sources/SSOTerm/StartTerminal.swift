import SSOCore
import SSOLab
import SSOScenarios
import SSOStore
import SSOTermApp
import SafeText
import TerminalUI

extension Console {
  /// Opens the screens.
  ///
  /// This is the only call into them. They run on the main thread, as commands do.
  func showScreens(
    _ lab: Lab, title: String, start: StartScreen, screen: ScreenOptions, demo: ScenarioFile? = nil,
    checklist: ChecklistToTry? = nil, autoPace: Int? = nil, logFacts: String? = nil, greeting: String = ""
  ) throws -> ProgramResult {
    let (settings, clipboard) = try settingsAndClipboard()
    // A store in memory needs no watch, because no other process can access it.
    let watch = try StoreWatch(lab.store)
    defer { withExtendedLifetime(watch) {} }
    do {
      return try MainActor.assumeIsolated {
        try runTerminalProgram(
          lab: lab, title: title, start: start, settings: settings, look: look(screen, settings),
          clipboard: clipboard,
          storeOption: storeOption(of: lab), demo: demo,
          checklist: checklist, autoPace: autoPace, logFacts: logFacts, greeting: greeting,
          watching: watch.map { [$0.descriptor] } ?? [])
      }
    } catch let error as TerminalError {
      var failure = CommandFailure.noTerminal
      failure.why = String(describing: error)
      failure.next = error.next
      throw failure
    }
  }

  /// Runs the session in numbered lines if it was requested and there is a terminal for the answers.
  func plainSession(
    _ lab: Lab, title: String, path: String = "apps", demo: ScenarioFile? = nil
  ) throws -> ExitStatus? {
    guard plain || isOnDumbTerminal, !json, let terminal = ControllingTerminal() else { return nil }
    let (settings, clipboard) = try settingsAndClipboard()
    let watch = try StoreWatch(lab.store)
    defer { withExtendedLifetime(watch) {} }
    let session = PlainSession(
      lab: lab, title: title, settings: settings, clipboard: clipboard,
      storeOption: storeOption(of: lab), demo: demo,
      watching: watch.map { [$0.descriptor] } ?? [],
      terminal: PlainTerminal(terminal, ink: ink))
    return session.run(at: path) == .cancelled ? .cancelled : .done
  }

  private func settingsAndClipboard() throws -> (Settings, ClipboardController) {
    let settings = try Settings.read(at: settingsPath()) ?? Settings()
    let route = try clipboardRoute() ?? settings.clipboard ?? .auto
    return (settings, ClipboardController(route, variable: StandardStreams.variable))
  }

  func startTerminal(
    lab: Lab, title: String, start: StartScreen = .path("apps"), screen: ScreenOptions,
    demo: ScenarioFile? = nil, checklist: ChecklistToTry? = nil, autoPace: Int? = nil,
    logFacts: String? = nil, greeting: String = ""
  ) throws -> ExitStatus {
    switch try showScreens(
      lab, title: title, start: start, screen: screen, demo: demo, checklist: checklist,
      autoPace: autoPace, logFacts: logFacts, greeting: greeting)
    {
    case .cancelled: .cancelled
    case .quit, .picked, .demo: .done
    }
  }
}

extension Console {
  /// Throws if `--unmask` was given, because the screens show one secret at a time, for ten seconds.
  func refuseUnmask() throws(CommandFailure) {
    guard unmask else { return }
    throw CommandFailure(
      usage: "The screens have no --unmask.", why: "v on 3 Tokens shows one secret for ten seconds",
      next: "ssoterm tokens --unmask")
  }
}

/// Returns the value of `SSOTERM_CLIPBOARD`, or `nil` if it is not set.
private func clipboardRoute() throws -> ClipboardRoute? {
  guard let word = StandardStreams.variable("SSOTERM_CLIPBOARD") else { return nil }
  guard let route = ClipboardRoute(rawValue: word) else {
    let words = ClipboardRoute.allCases.map(\.rawValue)
    throw CommandFailure(
      usage: "SSOTERM_CLIPBOARD is “\(word)”.", why: "it must be \(words.joined(separator: ", "))",
      next: "SSOTERM_CLIPBOARD=\(nearestName(to: word, among: words) ?? "auto") ssoterm")
  }
  return route
}

extension TerminalError {
  /// The command that works in this terminal.
  fileprivate var next: String {
    let typed = (["ssoterm"] + ProgramStart.arguments.dropFirst()).map(shellWord).joined(separator: " ")
    return switch self {
    case .noType, .unknownType: "TERM=xterm-256color " + typed
    case .cannotMoveCursor: typed + " --plain"
    case .noTerminal, .alreadyOpen: "ssoterm status"
    }
  }
}

extension CommandFailure {
  static let noTerminal = CommandFailure(
    status: .terminalUnusable, kind: "terminal", what: "The screens cannot be shown here.",
    why: "there is no terminal that can place the cursor", next: "ssoterm status")
}
