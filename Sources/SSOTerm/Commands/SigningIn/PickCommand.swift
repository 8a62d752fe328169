import ArgumentParser
import SSODevice
import SSOLab
import SSOTermApp

/// `ssoterm pick`: lets the user choose an account on the terminal, and prints it to stdout.
struct PickCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "pick", "Ask which account to use, and print it.",
    examples: ["USER=$(ssoterm pick)", "ssoterm pick --app mytestapp1 --print home-account-id"])

  enum Form: String, ExpressibleByArgument, CaseIterable {
    case upn, json
    case homeAccountID = "home-account-id"
  }

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions
  @OptionGroup var screen: ScreenOptions

  @Option(help: "The app that asks: a bundle ID, or an unambiguous part of one.", completion: .app)
  var app: String?

  @Option(name: .customLong("print"), help: "upn, home-account-id, or json.")
  var form: Form = .upn

  @Option(help: "Choose without asking: a UPN or home account ID.")
  var choose: String?

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLabToRead(options)
    let bundleID = try lab.read { reader in try app.map { try reader.app($0).bundleID } }
    let picker = try lab.read { try $0.status.picker(app: bundleID) }
    guard !picker.candidates.isEmpty else {
      throw CommandFailure(
        status: .nothingMatched, kind: "nothingMatched", what: "There is no account to choose.",
        why: "no account is signed in", next: "ssoterm signin \(picker.bundleID)")
    }
    if choose == nil, console.canPickOnScreen {
      return finish(
        try console.showScreens(lab, title: "pick", start: .picker(app: bundleID), screen: screen),
        on: console)
    }
    var answerer = PromptAnswerer(choose: choose, dialogue: choose == nil ? console.dialogue() : nil)
    guard choose != nil || answerer.dialogue != nil else {
      var failure = CommandFailure.noTerminal
      failure.next = "ssoterm pick --choose \(picker.candidates[0].username)"
      throw failure
    }
    guard case .account(let id) = try answerer.answer(.chooseAccount(picker)),
      let chosen = picker.candidates.first(where: { $0.homeAccountID == id })
    else {
      return .cancelled
    }
    print(chosen, on: console)
    return .done
  }

  private func finish(_ result: ProgramResult, on console: Console) -> ExitStatus {
    guard case .picked(let chosen) = result else { return .cancelled }
    print(chosen, on: console)
    return .done
  }

  private func print(_ chosen: PickerCandidate, on console: Console) {
    switch form {
    case .json,
      _ where console.json:
      console.print(document: chosen.json)
    case .upn: console.print(safe(chosen.username))
    case .homeAccountID: console.print(safe(chosen.homeAccountID))
    }
  }
}
