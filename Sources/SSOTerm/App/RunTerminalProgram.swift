import Foundation
import SSOModel
import TerminalUI

/// How the person wants the screens drawn; nil leaves it to the terminal.
struct ScreenLook: Sendable {
  var glyphs: GlyphSet?
  var monochrome: Bool?
}

/// Runs the full-screen program and says how it ended.
///
/// - Parameters:
///   - title: what the header calls the store: `store:shared`, `demo`.
///   - start: the first screen, or the picker alone.
///   - look: glyphs and colours that were asked for.
///   - descriptors: become readable when another process has written to the store.
@MainActor
func runTerminalProgram(
  lab: Lab, title: String, start: StartScreen, look: ScreenLook = ScreenLook(),
  watching descriptors: [Int32] = []
) throws -> ProgramResult {
  var model = AppModel(title: title)
  model.isReadOnly = lab.isReadOnly
  model.utcOffset = TimeZone.current.secondsFromGMT()
  let first = try prepare(&model, lab, start)
  let driver = try NcursesDriver(glyphs: look.glyphs, monochrome: look.monochrome)
  defer { driver.close() }
  model.size = driver.size
  let waker = driver.waker
  let runner = CommandRunner(lab: lab) { waker.wake() }
  // Read before the first frame, which is then the full one.
  var queue = first
  while !queue.isEmpty {
    let command = queue.removeFirst()
    if let message = runner.run(command) { queue += update(&model, message) }
  }
  var result = ProgramResult.quit
  runTerminal(driver: driver, watching: descriptors) { event in
    // The write-ahead log is written before its commit can be read: look a moment later.
    if event == .storeChanged {
      runner.post(.event(event), afterMilliseconds: 10)
      return .ignore
    }
    let messages = event == .woken ? runner.collect() : [.event(event)]
    var verdict = LoopVerdict.redraw
    for command in messages.flatMap({ update(&model, $0) }) {
      switch command {
      case .finish(let end):
        result = end
        return .quit
      case .wake(let milliseconds): verdict.wakeAfterMilliseconds = milliseconds
      case .redraw: driver.repaint()
      case .suspend: driver.suspend()
      case .copy(let text, let label):
        let words = driver.copy(text) ? "Copied the \(label)." : "Too much text for the clipboard."
        model.notice = Notice(text: words, kind: .plain)
      default: runner.start(command)
      }
    }
    return verdict
  } draw: { grid in
    view(model, into: &grid)
  }
  return result
}

/// Sets the first screen and says what to read for it.
private func prepare(_ model: inout AppModel, _ lab: Lab, _ start: StartScreen) throws -> [Command] {
  switch start {
  case .path(let path): return model.follow(path: path)
  case .picker(let app):
    model.isPickerOnly = true
    model.dialogs = [.prompt(PromptDialog(.chooseAccount(try lab.picker(app: app)), intent: nil))]
    return [.load(.status)]
  }
}
