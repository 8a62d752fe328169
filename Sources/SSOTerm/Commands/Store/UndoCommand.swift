import ArgumentParser
import SSOCore
import SSOLab
import SSOTermApp

/// `ssoterm undo`.
struct UndoCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "undo", "Undo your last change.",
    examples: ["ssoterm undo", "ssoterm undo --anyone"],
    after: """
      A change is yours if you made it under the same name: SSOTERM_USER, or else the login name on this machine. Undo is rejected \
      if another user has changed the same record since then. ssoterm journal lists who did what.

      Undo reverts changes to the lab. Tokens that ssoterm serve has issued to a real program stay valid, with the consent \
      that they need; an answer to a real program's sign-in cannot be undone.
      """)

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Flag(help: "Undo the last change by any user.")
  var anyone = false

  func perform(on console: Console) throws -> ExitStatus {
    try console.showStep(
      "undo", "undone", try console.openLab(options).undo(anyone: anyone), why: "no change is left")
  }
}

/// `ssoterm redo`.
struct RedoCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "redo", "Redo the last change that you undid.",
    examples: ["ssoterm redo"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Flag(help: "Redo the change that was undone last by any user.")
  var anyone = false

  func perform(on console: Console) throws -> ExitStatus {
    try console.showStep(
      "redo", "redone", try console.openLab(options).redo(anyone: anyone),
      why: "nothing was undone since the last change")
  }
}

extension Console {
  fileprivate func showStep(
    _ verb: String, _ done: String, _ change: String?, why: String
  ) throws -> ExitStatus {
    guard let change else {
      throw CommandFailure(
        status: .nothingMatched, kind: "nothingMatched", what: "There is nothing to \(verb).", why: why,
        next: "ssoterm journal")
    }
    return try show([done: .string(change)]) {
      ink.draw("✓ ", .good) + ink.draw("\(done.sentenceCased): \(change)")
    }
  }
}
