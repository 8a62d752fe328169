import ArgumentParser
import SSOCore
import SSOTermApp

/// `ssoterm`: opens the screens on a terminal, or prints the status as text otherwise.
struct SSOTermCommand: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "ssoterm",
    abstract: "See how apps share one sign-in: accounts, tokens, keychain, and every step between them.",
    discussion: examples(
      [
        "ssoterm demo", "ssoterm signin mytestapp1", "ssoterm silent mytestapp2",
        "ssoterm why mytestapp1 mytestapp2",
      ],
      after: "Without a command, opens the screens, or prints the status if there is no terminal."),
    version: programVersion,
    groupedSubcommands: CommandTable.groups.map {
      CommandGroup(name: $0.key, subcommands: $0.value.map(\.value))
    })

  @OptionGroup var options: GlobalOptions
  @OptionGroup var screen: ScreenOptions

  @Flag(name: .customLong("exit-codes"), help: "Print the exit codes and what they mean.")
  var exitCodes = false

  func perform(on console: Console) throws -> ExitStatus {
    if exitCodes {
      let table = ExitStatus.allCases.map { JSONValue.status($0) }
      return try console.show(["exitCodes": .array(table)]) { ExitStatus.table }
    }
    var start = StartCommand()
    (start.options, start.screen) = (options, screen)
    return try start.perform(on: console)
  }
}

/// `ssoterm` without a word: opens the screens, without the tables of the commands.
struct StartCommand: LabCommand {
  static let configuration = CommandConfiguration(commandName: "ssoterm")

  @OptionGroup var options: GlobalOptions
  @OptionGroup var screen: ScreenOptions

  func perform(on console: Console) throws -> ExitStatus {
    if console.isOnDumbTerminal {
      let lab = try console.openLab(options) { console.note($0) }
      if let end = try console.plainSession(lab, title: storeName(lab)) { return end }
    }
    guard console.canShowScreens else {
      return try StatusCommand.show(console.openLabToRead(options), on: console)
    }
    try console.refuseUnmask()
    // The screens would hide a line on stderr until they are closed.
    var greeting = ""
    let lab = try console.openLab(options) { greeting = $0 }
    return try console.startTerminal(
      lab: lab, title: storeName(lab), screen: screen, greeting: greeting)
  }
}

extension JSONValue {
  fileprivate static func status(_ status: ExitStatus) -> JSONValue {
    ["code": .integer(Int64(status.rawValue)), "meaning": .string(status.meaning)]
  }
}
