import Essentials
import SSOCore
import SSOLab
import SSOScenarios
import TerminalUI

/// The user's choices for drawing the screens.
///
/// The terminal decides where a choice is `nil`.
package struct ScreenLook: Sendable {
  var glyphs: GlyphSet?
  /// The theme that the user named, or `nil` for the last choice on the screens.
  var theme: Theme?
  var monochrome: Bool?
  /// Whether the screen may be animated.
  var moves: Bool

  package init(
    glyphs: GlyphSet? = nil, theme: Theme? = nil, monochrome: Bool? = nil, moves: Bool = false
  ) {
    self.glyphs = glyphs
    self.theme = theme
    self.moves = moves
    self.monochrome = monochrome
  }
}

/// Runs the full-screen program, and returns how it ended.
/// - Parameters:
///   - lab: The lab to show and change.
///   - title: The name of the store in the header, such as `~/lab.sqlite` or `demo two-vendors`.
///   - start: The first screen, or only the account picker.
///   - settings: The user's own keys, commands, and time format.
///   - look: The requested glyphs and colours.
///   - clipboard: The recipient of copied text.
///   - storeOption: The store as a command-line option, if it is not the default store.
///   - demo: The scenario of a demo, whose steps can be run.
///   - checklist: The list for the Scenarios screen in place of all scenarios.
///   - autoPace: The time between two steps of a demo that runs automatically, in milliseconds.
///   - logFacts: A description of the log that the lab's traces were read from, for the header.
///   - greeting: The first text of the status line, or an empty string for none.
///   - descriptors: Descriptors that become readable when another process has written to the store.
/// - Returns: How the program ended, and what was chosen in the account picker.
/// - Throws: `TerminalError` if there is no terminal to draw on, `StoreError` if the lab cannot be read.
@MainActor
package func runTerminalProgram(
  lab: Lab, title: String, start: StartScreen, settings: Settings = Settings(),
  look: ScreenLook = ScreenLook(),
  clipboard: ClipboardController,
  storeOption: String? = nil, demo: ScenarioFile? = nil, checklist: ChecklistToTry? = nil,
  autoPace: Int? = nil, logFacts: String? = nil, greeting: String = "",
  watching descriptors: [Int32] = []
) throws -> ProgramResult {
  var model = AppModel(title: title)
  model.lab.isReadOnly = lab.isReadOnly
  if settings != Settings() { model.shared.keys = KeyTable(settings) }
  model.times.style = settings.time ?? model.times.style
  model.lab.storeOption = storeOption
  model.lab.logFacts = logFacts
  model.mayMove = look.moves
  let memory = ScreenMemory.read()
  model.hasMouse = memory.hasMouse ?? true
  // A demo has its own next step.
  if memory.isCoached == nil, case .path("apps") = start, demo == nil, !lab.isReadOnly {
    model.shared.coach = .signIn
  }
  model.times.utcOffset = StandardStreams.secondsFromUTC()
  if let demo { model.screens.demo.show(demo, &model.shared) }
  if let autoPace {
    (model.shared.autoPace, model.isPresenting) = (autoPace, true)
    model.shared.say(
      "The steps run automatically. A key pauses them for \(Waits.secondsAfterKey) s; q quits.")
  }
  if let checklist { model.screens.scenarios.show(checklist) }
  let first = try prepare(&model, lab, start)
  if !greeting.isEmpty { model.shared.say(greeting.sentenceCased + ".") }
  let theme = look.theme ?? memory.chosenTheme ?? .auto
  let driver = try NcursesDriver(glyphs: look.glyphs, theme: theme, monochrome: look.monochrome)
  defer { driver.close() }
  driver.setMouse(model.hasMouse)
  model.size = driver.size
  let session = TerminalSession(model, lab: lab, driver: driver, clipboard: clipboard)
  session.memory = memory
  session.start(with: first)
  run(session, driver, clipboard, watching: descriptors)
  session.leave()
  driver.close()
  ProcessEnd.asAsked()
  return session.result
}

/// Runs the screens, and each demo that is started from them.
@MainActor
private func run(
  _ session: TerminalSession, _ driver: NcursesDriver, _ clipboard: ClipboardController,
  watching descriptors: [Int32] = []
) {
  while true {
    runTerminal(
      driver: driver, watching: descriptors, nextWake: { session.rest() },
      onEvent: { session.handle($0) }, draw: { view(session.model, into: &$0) })
    guard case .demo(let start) = session.result else { return }
    do {
      let opened = try start.open()
      var model = AppModel(demo: opened, from: session.model)
      let first = model.follow(path: opened.path)
      let demo = TerminalSession(model, lab: opened.lab, driver: driver, clipboard: clipboard)
      demo.start(with: first)
      run(demo, driver, clipboard)
      demo.leave()
      guard demo.result != .cancelled else { return session.end(.cancelled) }
      session.resume(after: demo.model.screens.demo.running.map { .demoLeft($0) } ?? .said(""))
    } catch {
      session.resume(after: .failed(Problem(error)))
    }
  }
}

extension AppModel {
  /// Creates the screens of a scenario's demo, which look the same as the screens that it was started from.
  init(demo: OpenedDemo, from model: AppModel) {
    self.init(title: "demo " + demo.file.name, size: model.size)
    (shared.times, shared.hasMouse, shared.isPresenting) = (model.times, model.hasMouse, model.isPresenting)
    shared.theme = model.theme
    demo.show(in: &self)
  }
}

/// Sets the first screen, and returns the commands that read its data.
private func prepare(_ model: inout AppModel, _ lab: Lab, _ start: StartScreen) throws -> [Command] {
  switch start {
  case .path(let path): return model.follow(path: path)
  case .picker(let app):
    model.isPickerOnly = true
    model.dialogs = [
      Dialog(PromptDialog(.chooseAccount(try lab.read { try $0.status.picker(app: app) }), intent: nil))
    ]
    return [.load(.status)]
  case .server(let settings): return ProviderScreen.start(settings, in: &model)
  case .bus(let settings): return ProviderScreen.start(settings, in: &model)
  case .doctor(let source): return [.load(.status), .load(.apps)] + model.open(.doctor(source))
  case .reproduction(let read): return ReproductionScreen.start(read, in: &model)
  }
}
