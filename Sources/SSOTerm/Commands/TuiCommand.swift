import ArgumentParser

/// `ssoterm tui [PATH]`: the screens, at a place like `tokens/mail`.
struct TuiCommand: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "tui", abstract: "Open the screens, at a place if one is given.")

  @OptionGroup var options: GlobalOptions

  @Argument(
    help: "apps, accounts, tokens, trace, keychain, lab or provider, and what in it: tokens/mail, trace/12.",
    completion: .list(StartScreen.paths))
  var path: String?

  func perform(on console: Console) throws -> ExitStatus {
    if let path {
      let place = String(path.prefix { $0 != "/" })
      guard StartScreen.paths.contains(place) else {
        throw CommandFailure(
          usage: "There is no place “\(place)”.",
          why: "the places are \(StartScreen.paths.joined(separator: ", ")), and story in ssoterm demo",
          next: "ssoterm tui \(nearestName(to: place, among: StartScreen.paths) ?? "apps")")
      }
    }
    if !console.plain, !console.canShowScreens { throw CommandFailure.noTerminal }
    guard !console.plain else { return try StatusCommand.show(console.openLabToRead(options), on: console) }
    try console.refuseUnmask()
    let lab = try console.openLab(options)
    let start = StartScreen.path(path ?? "apps")
    return try console.startTerminal(lab: lab, title: "store:" + storeName(lab), start: start)
  }
}

/// `ssoterm demo [SCENARIO]`: the screens on a lab in memory.
struct DemoCommand: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo", _superCommandName: "ssoterm",
    abstract: "Try a scenario on a temporary store in memory.", version: programVersion)

  @OptionGroup var options: GlobalOptions

  @Argument(help: "The scenario; `ssoterm scenario list` names them.", completion: .scenario)
  var scenario = "contoso-suite"

  func perform(on console: Console) throws -> ExitStatus {
    let file = try ScenarioLibrary().scenario(scenario)
    let lab = try throwAwayLab(file, options)
    guard console.canShowScreens else { return try StatusCommand.show(lab, on: console) }
    try console.refuseUnmask()
    return try console.startTerminal(lab: lab, title: "demo " + scenario, story: file)
  }
}
