import SSOLab
import SSOScenarios
import TerminalUI

/// The screens of a lab without a terminal: each key and its commands are carried out at once, and the result is a
/// screen.
struct OffscreenSession {
  var model: AppModel
  private let runner: CommandRunner

  /// Creates the screens of a lab.
  ///
  /// `file` is the scenario of a demo, whose steps can then be run.
  init(_ lab: Lab, title: String, size: Size = Size(width: 100, height: 30), demo file: ScenarioFile? = nil) {
    runner = CommandRunner(lab: lab, clipboard: ClipboardController(.off) { _ in nil }) {}
    model = AppModel(title: title, size: size)
    if let file {
      model.shared.isPresenting = true
      model.screens.demo.show(file, &model.shared)
      model.notice = nil
    }
    carryOut(model.follow(path: "apps"))
  }

  /// Presses a key for each character; a carriage return is Enter.
  /// - Returns: The results of the keys' commands.
  @discardableResult mutating func press(_ keys: String) -> [Message] {
    keys.flatMap { press($0 == "\r" ? .enter : .character($0)) }
  }

  @discardableResult mutating func press(_ key: KeyPress) -> [Message] { take(.event(.key(key))) }

  /// Takes a message, and carries out the commands that follow from it and from their results.
  /// - Returns: The results, in order.
  @discardableResult mutating func take(_ message: Message) -> [Message] { carryOut(update(&model, message)) }

  @discardableResult private mutating func carryOut(_ commands: [Command]) -> [Message] {
    var queue = commands
    var results: [Message] = []
    while !queue.isEmpty {
      guard let message = runner.run(queue.removeFirst()) else { continue }
      results.append(message)
      queue += update(&model, message)
    }
    return results
  }

  var picture: Grid {
    var grid = Grid(width: model.size.width, height: model.size.height)
    view(model, into: &grid)
    return grid
  }
}

/// A demo that runs automatically, recorded as an asciicast: all steps in order, with the scenario's answers, as `>`
/// runs them.
///
/// The recording is the same each time, because the lab's clock is stopped.
package struct DemoRecording: Equatable {
  /// The contents of the file.
  package let text: String
  /// The playing time, in milliseconds.
  package let milliseconds: Int

  /// Creates a recording by running the demo.
  ///
  /// `pace` is the time that each screen is shown, in milliseconds. The screen after a step is shown for twice as long.
  /// - Throws: `UnfinishedDemo` if a step shows a prompt that the scenario has no answer for.
  package init(_ file: ScenarioFile, size: Size, pace: Int) throws {
    var session = OffscreenSession(
      try Lab.temporary(file), title: "demo " + file.name, size: size, demo: file)
    var cast = Asciicast(size: size, title: file.title)
    var done: Int { session.model.screens.demo.running?.reports.count ?? 0 }
    cast.show(session.picture, forMilliseconds: 2 * pace)
    while let step = session.model.screens.demo.running?.next {
      let count = done
      // The longest flow has eight prompts.
      for _ in 0..<16 where done == count {
        session.press(">")
        cast.show(session.picture, forMilliseconds: done == count ? pace : 2 * pace)
      }
      if done == count { throw UnfinishedDemo(step: step.title) }
    }
    cast.end()
    (text, milliseconds) = (cast.text, cast.milliseconds)
  }
}

/// An error for a demo that cannot be recorded to its end.
package struct UnfinishedDemo: Error {
  package var step: String
}
