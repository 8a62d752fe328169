import ArgumentParser
import Essentials
import SSOCore
import SSOLab
import SSOScenarios
import SSOTermApp
import SafeText
import TerminalUI

/// `ssoterm tui [PATH]`: opens the screens, at a place such as `tokens/mail`.
struct TuiCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "tui", "Open the screens, optionally at a place.",
    examples: [
      "ssoterm tui tokens/mail", "ssoterm tui trace/12 --readonly",
      "ssoterm tui ~/.azure/msal_token_cache.json",
    ])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions
  @OptionGroup var screen: ScreenOptions

  @Argument(
    help: """
      apps, accounts, tokens, trace, keychain, lab or provider, and what in it: tokens/mail, trace/12. Or a token cache file, which is \
      shown and not changed.
      """,
    completion: .list(StartScreen.paths))
  var path: String?

  func perform(on console: Console) throws -> ExitStatus {
    if let path {
      let place = String(path.prefix { $0 != "/" })
      guard StartScreen.paths.contains(place) else {
        if access(path, F_OK) == 0 { return try show(file: path, on: console) }
        if path.contains("/") && !path.hasPrefix(place + "/") || place.contains(".") || path.hasPrefix("/") {
          throw CommandFailure(reading: path, SystemError(code: ENOENT))
        }
        throw CommandFailure(
          usage: "There is no place “\(place)”.",
          why:
            "the places are \(StartScreen.paths.joined(separator: ", ")); a demo also has the place demo, and ssoterm doctor --open has doctor",
          next: "ssoterm tui \(nearestName(to: place, among: StartScreen.paths) ?? "apps")")
      }
    }
    if !console.plain, !console.isOnDumbTerminal, !console.canShowScreens { throw CommandFailure.noTerminal }
    if console.plain, !ControllingTerminal.isThere {
      return try StatusCommand.show(console.openLabToRead(options), on: console)
    }
    try console.refuseUnmask()
    // The screens would hide a line on stderr until they are closed.
    var greeting = ""
    let lab = try console.openLab(options) { if console.plain { console.note($0) } else { greeting = $0 } }
    if let end = try console.plainSession(lab, title: storeName(lab), path: path ?? "apps") {
      return end
    }
    let start = StartScreen.path(path ?? "apps")
    return try console.startTerminal(
      lab: lab, title: storeName(lab), start: start, screen: screen, greeting: greeting)
  }
}

extension TuiCommand {
  /// Shows the tokens of a cache file, or prints the output of `view` if the screens are not available.
  private func show(file path: String, on console: Console) throws -> ExitStatus {
    guard console.canShowScreens else {
      let view = try ViewCommand.parse([path])
      return try view.perform(on: console)
    }
    try console.refuseUnmask()
    let title = "file:" + (path.split(separator: "/").last.map(String.init) ?? path)
    return try console.startTerminal(
      lab: try labShowing(cacheAt: path), title: title, start: .path("tokens"), screen: screen)
  }
}

/// `ssoterm demo [SCENARIO]`: opens the screens on a lab in memory.
struct DemoCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "demo", "Try a scenario on a temporary store in memory.",
    examples: [
      "ssoterm demo",
      "ssoterm demo two-vendors --auto 6s",
      "ssoterm demo two-vendors --readonly",
      "ssoterm demo two-vendors --record two-vendors.cast --pace 1.5",
    ])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions
  @OptionGroup var screen: ScreenOptions

  @Argument(help: "The scenario; `ssoterm scenario list` lists them.", completion: .scenario)
  var scenario = ScenarioLibrary.usual

  @Option(
    help: ArgumentHelp(
      "Run the demo's steps automatically, and write an asciicast of it (asciinema play FILE).",
      valueName: "file.cast"))
  var record: String?

  @Option(help: "With --record: how long each screen is shown, in seconds (default: 2).")
  var pace: Double?

  @Option(help: "With --record: columns and rows (default: 100x30).")
  var size: String?

  @Option(
    help: ArgumentHelp(
      "Run the steps automatically in a loop, with this time between them: 6s, or 0.5s to 600s.",
      valueName: "seconds"))
  var auto: String?

  func perform(on console: Console) throws -> ExitStatus {
    let file = try ScenarioLibrary.ofProgram.scenario(scenario)
    let lab = try temporaryLab(file, options)
    if let record { return try write(file, to: record, console) }
    guard size == nil, pace == nil else {
      throw CommandFailure(
        usage: "--size and --pace are for a recording.", why: "no --record names its file",
        next: "ssoterm demo \(scenario) --record \(scenario).cast")
    }
    try console.refuseUnmask()
    let autoPace = try auto.map(milliseconds)
    if autoPace != nil, console.plain {
      throw CommandFailure(
        usage: "--auto is for the screens.", why: "--plain does not open them",
        next: "ssoterm demo \(scenario) --auto \(auto ?? "")")
    }
    if autoPace != nil, !console.canShowScreens {
      var failure = CommandFailure.noTerminal
      failure.next = "ssoterm scenario run \(scenario)"
      throw failure
    }
    if let end = try console.plainSession(lab, title: "demo " + scenario, demo: file) { return end }
    guard console.canShowScreens else { return try StatusCommand.show(lab, on: console) }
    return try console.startTerminal(
      lab: lab, title: "demo " + scenario, screen: screen, demo: file, autoPace: autoPace)
  }

  private func milliseconds(_ text: String) throws(CommandFailure) -> Int {
    let number = text.hasSuffix("s") ? String(text.dropLast()) : text
    guard let seconds = Double(number), (0.5...600).contains(seconds) else {
      throw CommandFailure(
        usage: "--auto is “\(text)”.", why: "it must be 0.5s to 600s",
        next: "ssoterm demo \(scenario) --auto 6s")
    }
    return Int(seconds * 1000)
  }

  /// Refuses to begin if hardly any file can be opened: libdispatch, which plays the demo, ends a process without them.
  private func refuseFullTable() throws(CommandFailure) {
    let tried = (0..<8).map { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) }
    for descriptor in tried where descriptor >= 0 { close(descriptor) }
    guard tried.contains(where: { $0 < 0 }) else { return }
    throw CommandFailure(
      status: .fault, kind: "openFiles", what: "The demo cannot be recorded.",
      why: "the limit of open files of this process is reached", next: "ulimit -n 256")
  }

  private func write(_ file: ScenarioFile, to path: String, _ console: Console) throws -> ExitStatus {
    let (size, pace) = (size ?? "100x30", pace ?? 2)
    let numbers = size.split(separator: "x", omittingEmptySubsequences: false).compactMap { Int($0) }
    guard numbers.count == 2, (40...400).contains(numbers[0]), (12...200).contains(numbers[1]) else {
      throw CommandFailure(
        usage: "--size is “\(size)”.", why: "it must be COLUMNSxROWS, from 40x12 to 400x200",
        next: "ssoterm demo \(scenario) --record \(path) --size 100x30")
    }
    guard (0.05...60).contains(pace) else {
      throw CommandFailure(
        usage: "--pace is \(pace).", why: "it must be 0.05 to 60 seconds",
        next: "ssoterm demo \(scenario) --record \(path) --pace 2")
    }
    try refuseFullTable()
    do {
      let recording = try DemoRecording(
        file, size: Size(width: numbers[0], height: numbers[1]), pace: Int(pace * 1000))
      try writeFile(Data(recording.text.utf8), to: path)
      let seconds = (recording.milliseconds + 500) / 1000
      let document: JSONValue = [
        "file": .string(path), "steps": .count(file.steps.count), "seconds": .count(seconds),
        "columns": .count(numbers[0]), "rows": .count(numbers[1]),
      ]
      try console.show(document) {
        console.ink.draw("✓ ", .good)
          + "\(safe(path)): \(counted(file.steps.count, "step")), \(counted(seconds, "second")), \(size)\n"
          + "Play it: asciinema play \(safe(shellWord(path)))"
      }
    } catch let problem as UnfinishedDemo {
      throw CommandFailure(
        status: .finding, kind: "unfinishedDemo", what: "The demo cannot be recorded to the end.",
        why: "the step “\(problem.step)” asks what the scenario has no answer for",
        next: "ssoterm scenario run \(scenario)")
    } catch let error as SystemError {
      throw CommandFailure(
        writing: path, error, kind: "recording", next: "the same command with --record \(scenario).cast")
    }
    return .done
  }
}
