import ArgumentParser
import SSOCore
import SSODevice
import SSOLab
import SSOTermApp

/// The confirmation of a removal, by `--yes` or by the user.
struct Agreement: ParsableArguments {
  @Flag(help: "Do not ask for a confirmation.")
  var yes = false

  func perform(_ intent: any Intent, on lab: Lab, _ console: Console) throws -> ExitStatus {
    let radius = try lab.blastRadius(of: intent)
    if !console.json, !console.quiet { console.print(try blastRadiusText(radius, of: lab, console.ink)) }
    let items = counted(radius.itemCount, "item")
    try require("This deletes \(items)", "Delete \(items)?", console)
    return try console.show(try runUnattended(intent, on: lab)) {
      $0.summary + " Undo: " + TypedLine.withStore("try: ssoterm undo").dropFirst("try: ".count)
    }
  }

  /// Requires a confirmation.
  ///
  /// `effect` is part of the error if there is no terminal for the question.
  func require(_ effect: String, _ question: String, _ console: Console) throws(CommandFailure) {
    if yes { return }
    guard let dialogue = console.dialogue() else {
      throw CommandFailure(
        usage: "\(effect) and needs a confirmation.", why: "there is no terminal to ask on",
        next: "the same command with --yes")
    }
    guard dialogue.confirm(question) else {
      throw CommandFailure(
        status: .cancelled, kind: "cancelled", what: "Nothing was deleted.", why: "the answer was no",
        next: "the same command with --yes")
    }
  }
}

/// Returns the accounts and tokens that each app would lose in a removal (claim C6).
func blastRadiusText(_ radius: BlastRadius, of lab: Lab, _ ink: TextInk) throws -> String {
  let hasCaches = try lab.read { $0.device.platform.storage == .cache }
  var lines = [ink.draw(radius.title, .strong)]
  for loss in radius.affected {
    let mark = loss.losesSignIn ? InkedText("✗", .bad) : InkedText("·", .faint)
    lines.append(ink.paragraph(InkedText("  " + mark.text + " ", mark.tone), [InkedText(loss.displayText)]))
  }
  if radius.affected.isEmpty { lines.append(ink.draw("  No app loses anything.")) }
  lines.append(
    "  " + ink.draw("\(counted(radius.itemCount, hasCaches ? "cache item" : "keychain item")) in all", .faint)
  )
  return lines.joined(separator: "\n")
}
