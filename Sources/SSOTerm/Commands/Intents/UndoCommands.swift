import ArgumentParser

/// `ssoterm undo`.
struct UndoCommand: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Undo the last change.",
    discussion: """
      It takes back what was done in the lab. What ssoterm serve gave to a real program stays valid, with the consent \
      that it needs; an answer to a real program's sign-in is no change of this list.
      """)

  @OptionGroup var options: GlobalOptions

  func perform(on console: Console) throws -> ExitStatus {
    try console.showStep("undo", "undone", try console.openLab(options).undo(), why: "no change is left")
  }
}

/// `ssoterm redo`.
struct RedoCommand: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Redo the change that was undone last.")

  @OptionGroup var options: GlobalOptions

  func perform(on console: Console) throws -> ExitStatus {
    try console.showStep(
      "redo", "redone", try console.openLab(options).redo(), why: "nothing was undone since")
  }
}

extension Console {
  fileprivate func showStep(
    _ verb: String, _ done: String, _ change: String?, why: String
  ) throws -> ExitStatus {
    guard let change else {
      throw CommandFailure(
        status: .nothingMatched, kind: "nothingMatched", what: "There is nothing to \(verb).", why: why,
        next: "ssoterm trace list")
    }
    try show([done: .string(change)]) {
      ink.draw("✓ ", .good) + ink.draw("\(done.prefix(1).uppercased() + done.dropFirst()): \(change)")
    }
    return .done
  }
}
