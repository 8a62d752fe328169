import ArgumentParser

/// `ssoterm`: opens the screens on a terminal, or prints the status as text otherwise.
struct SSOTermCommand: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "ssoterm",
    abstract: "See how apps share one sign-in: accounts, tokens, keychain and every step between them.",
    discussion: examples(
      [
        "ssoterm demo", "ssoterm signin mytestapp1", "ssoterm silent mytestapp2",
        "ssoterm why mytestapp1 mytestapp2",
      ],
      after: "Without a command it opens the screens; without a terminal it prints the status."),
    version: programVersion,
    subcommands: [
      TuiCommand.self, DemoCommand.self, ConfigCommand.self, PathsCommand.self, CompletionCommand.self,
    ],
    groupedSubcommands: [
      CommandGroup(
        name: "Lists",
        subcommands: [
          StatusCommand.self, AppsCommand.self, AccountsCommand.self, TokensCommand.self,
          KeychainCommand.self,
        ]),
      CommandGroup(
        name: "Signing in and out",
        subcommands: [
          SignInCommand.self, SilentCommand.self, SignOutCommand.self, CurrentAccountCommand.self,
          HandOverCommand.self, PickCommand.self,
        ]),
      CommandGroup(
        name: "Real programs",
        subcommands: [
          ServeCommand.self, RunCommand.self, FederationCommand.self, CertificateAuthorityCommand.self,
          DoctorCommand.self, TokenCommand.self,
        ]),
      CommandGroup(
        name: "Changing the store",
        subcommands: [
          ForgetCommand.self, RevokeCommand.self, ExpireCommand.self, InvalidateCommand.self,
          DeleteCommand.self,
          UndoCommand.self, RedoCommand.self, JournalCommand.self, ClockCommand.self, FaultCommand.self,
        ]),
      CommandGroup(
        name: "The device",
        subcommands: [
          BrokerCommand.self, DisturbCommand.self, ReinstallCommand.self, EndCommand.self, OpenCommand.self,
          PolicyCommand.self, ComplianceCommand.self, EnrollCommand.self,
        ]),
      CommandGroup(
        name: "Changing the lab",
        subcommands: [
          RecordCommand<AppRecords>.self, RecordCommand<PersonRecords>.self,
          RecordCommand<TenantRecords>.self, RecordCommand<RegistrationRecords>.self,
          RecordCommand<DeviceRecords>.self, RecordCommand<GroupRecords>.self,
          RecordCommand<RoleRecords>.self, RecordCommand<IdentityRecords>.self,
        ]),
      CommandGroup(name: "A team's labs", subcommands: [LabsCommand.self, LabKeyCommand.self]),
      CommandGroup(
        name: "Files",
        subcommands: [ImportCommand.self, ViewCommand.self, ExportCommand.self, CacheCommand.self]),
      CommandGroup(name: "Your own apps", subcommands: [ReadCommand.self]),
      CommandGroup(
        name: "Stories",
        subcommands: [
          ScenarioCommand.self, ChecklistCommand.self, NotesCommand.self, TraceCommand.self, WhyCommand.self,
          ExplainCommand.self,
        ]),
    ])

  @OptionGroup var options: GlobalOptions
  @OptionGroup var screen: ScreenOptions

  @Flag(name: .customLong("exit-codes"), help: "Print the exit codes and what they mean.")
  var exitCodes = false

  func perform(on console: Console) throws -> ExitStatus {
    if exitCodes {
      let table = ExitStatus.allCases.map { JSONValue.status($0) }
      return try console.show(["exitCodes": .array(table)]) { ExitStatus.table }
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
