import ArgumentParser
import SSOCore
import SSOLab
import SSOScenarios
import SSOServer
import SSOStore
import SSOTermApp

/// `ssoterm lab list|create|copy|reset|remove`.
struct LabsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "lab", "List, create, copy, and remove the labs beside this one, or reset this one.",
    examples: ["ssoterm lab list", "ssoterm lab create team2 --store 'postgresql://db/qa'"],
    after: """
      A lab is a file in the store's folder, or one of several in a PostgreSQL database. --store specifies one of them, \
      and so the place of the others.
      """,
    subcommands: [
      LabList.self, LabCreate.self, LabCopyCommand.self, LabReset.self, LabRemove.self,
    ])
}

struct LabList: LabCommand {
  static let configuration = CommandConfiguration(
    "list", "List the labs in the store's folder or database.",
    examples: ["ssoterm lab list", "ssoterm lab list --store 'postgresql://db/qa' --json"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  func perform(on console: Console) throws -> ExitStatus {
    let current = try storeLocation(option: options.storePath())
    let labs = try Labs.beside(current)
    let rows = labs.map { lab -> JSONValue in
      [
        "name": .string(lab.name), "store": .string(lab.location.name), "hasKey": .bool(lab.hasKey),
        "current": .bool(lab.location == current),
      ]
    }
    return try console.show(["labs": .array(rows)]) {
      guard !labs.isEmpty else { return "No labs here. Try: ssoterm lab create NAME" }
      return TextTable(["NAME", "KEY", "STORE"], of: labs) { lab in
        [
          InkedText(lab.name, lab.location == current ? .strong : .plain),
          lab.hasKey ? InkedText("here", .good) : InkedText("missing", .warning),
          InkedText(lab.location.name),
        ]
      }.text(console.ink)
    }
  }
}

struct LabCreate: LabCommand {
  static let configuration = CommandConfiguration(
    "create", "Create a lab beside this one.",
    examples: [
      "ssoterm lab create spare", "ssoterm lab create class --scenario two-vendors",
      "ssoterm lab create broken --scenario ./mine.yaml --until 3",
    ])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "Its name: lowercase letters, digits, _, and -.")
  var name: String

  @OptionGroup var start: ScenarioStart

  func perform(on console: Console) throws -> ExitStatus {
    try console.refuseReadOnly(options)
    let location = try Labs.place(named: name, beside: storeLocation(option: options.storePath()))
    guard try !Labs.exists(location) || Labs.isUnfinished(location) else {
      throw StoreError.exists(path: location.name)
    }
    let file = try start.file() ?? ScenarioLibrary.ofProgram.scenario(ScenarioLibrary.usual)
    _ = try Lab.open(location, user: .ofProcess(), creating: { file })
    return try console.show(["name": .string(name), "store": .string(location.name)]) {
      "✓ \(safe(location.name))"
    }
  }
}

/// Returns a scenario's name, or the path of its file, as it can be used in any folder.
func scenarioInAnyFolder(_ nameOrPath: String) -> String {
  ScenarioLibrary.isPath(nameOrPath) ? absolutePath(nameOrPath) : nameOrPath
}

/// The options for the state in which a new lab starts.
struct ScenarioStart: ParsableArguments {
  @Option(help: "The scenario (name or file) that the lab starts with.", completion: .scenario)
  var scenario: String?

  @Option(
    help: ArgumentHelp(
      "Perform the scenario's steps before this one, at the scenario's time.", valueName: "step"))
  var until: Int?

  @Flag(help: "Apply the scenario's fix.")
  var fixed = false

  /// The options as another process takes them, in any folder.
  var words: [String] {
    (scenario.map { ["--scenario", scenarioInAnyFolder($0)] } ?? [])
      + (until.map { ["--until", String($0)] } ?? [])
      + (fixed ? ["--fixed"] : [])
  }

  /// Returns the scenario, or `nil` if none is specified.
  func file() throws -> ScenarioFile? {
    guard let scenario else {
      guard until == nil, !fixed else {
        throw CommandFailure(
          usage: "\(fixed ? "--fixed" : "--until") needs a scenario.",
          why: "it is \(fixed ? "a change" : "the number of one of its steps")",
          next: "the same command with --scenario two-vendors")
      }
      return nil
    }
    let file = try ScenarioLibrary.ofProgram.scenario(scenario)
    let start = fixed ? try file.fixed() : file
    guard let until else { return start }
    do throws(ScenarioError) {
      // The step has its number in the file, to which a fix may add steps.
      let played = try file.playing(until: until)
      return fixed ? try start.playing(until: file.fix?.number(ofStep: until) ?? until) : played
    } catch {
      throw CommandFailure(
        usage: error.what, why: "",
        next: "the same command with --until \(until < 1 ? 1 : file.steps.count + 1)")
    }
  }
}

struct LabCopyCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "copy", "Copy the entire lab: items, documents, journal, and traces.",
    examples: [
      "ssoterm lab copy before-the-change", "ssoterm lab copy 'postgresql://db/qa?lab=team1'",
      "ssoterm lab copy ./mine.sqlite --store 'postgresql://db/qa?lab=team1'",
    ],
    after:
      "The copy may be in the other kind of database. It has the same key: anyone with the key of one can read both."
  )

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "A name, the path of a file, or the address of a lab in a database.", completion: .file())
  var target: String

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLabToRead(options)
    try refusePassword(in: target)
    let isPlace = target.contains("/") || target.hasSuffix(".sqlite")
    let location =
      isPlace || target.contains("=")
      ? try storeLocation(option: target) : try Labs.place(named: target, beside: lab.store.location)
    try LabCopy.make(of: lab.store, at: location)
    return try console.show(["store": .string(location.name)]) { "✓ \(safe(location.name))" }
  }
}

struct LabReset: LabCommand {
  static let configuration = CommandConfiguration(
    "reset", "Replace this lab's state with the start of a scenario.",
    examples: [
      "ssoterm lab reset --scenario contoso-suite", "ssoterm lab reset --scenario ./mine.yaml --until 3",
    ],
    after: """
      A server that serves the lab keeps running, with its port, certificates, and signing keys; the traces stay too. \
      While it runs, its scenario is the default, and the users and faults that it added come back after the reset. \
      ssoterm undo reverts the reset.
      """)

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions
  @OptionGroup var start: ScenarioStart

  func perform(on console: Console) throws -> ExitStatus {
    // A mistake in the options must not create a store.
    let asked = try start.file()
    let lab = try console.openLab(options)
    let (noted, machine) = try lab.read { (try $0.provider.ownStart(), try $0.provider.notedMachine()) }
    let served = noted.flatMap { isListening(on: $0.port) ? $0 : nil }
    guard let file = try asked ?? served.flatMap({ try ScenarioStart.parse($0.scenario).file() })
    else {
      throw CommandFailure(
        usage: "reset needs a scenario.", why: "its start becomes the lab's state",
        next: "ssoterm lab reset --scenario \(ScenarioLibrary.usual)")
    }
    try lab.reset(to: file) { start in
      guard let served else { return }
      try LabAdditions.parse(served.additions).add(to: start)
      if machine != nil { try start.registerManagedIdentities() }
      if let resource = served.resource, let port = try lab.read({ try $0.provider.notedServerPort() }) {
        _ = try start.publishResource(resource, at: serverOrigin(port: port))
      }
    }
    return try console.show(["scenario": .string(file.name)]) { "✓ \(safe(file.name))" }
  }
}

struct LabRemove: LabCommand {
  static let configuration = CommandConfiguration(
    "remove", "Remove a lab with its key. This cannot be undone.",
    examples: ["ssoterm lab remove spare", "ssoterm lab remove spare --yes"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "Its name, as in ssoterm lab list.")
  var name: String

  @OptionGroup var agreement: Agreement

  func perform(on console: Console) throws -> ExitStatus {
    try console.refuseReadOnly(options)
    let labs = try Labs.beside(storeLocation(option: options.storePath()))
    guard let lab = labs.first(where: { $0.name == name }) else {
      throw CommandFailure(unknown: "lab", name, among: labs.map(\.name), list: "ssoterm lab list")
    }
    try agreement.require("This removes a lab", "Remove \(safe(lab.location.name)) for good?", console)
    try Labs.remove(lab.location)
    return try console.show(["removed": .string(lab.location.name)]) {
      "✓ Removed: \(safe(lab.location.name))"
    }
  }
}

extension Console {
  /// Throws if the lab is read-only, for commands that change labs other than the open one.
  fileprivate func refuseReadOnly(_ options: GlobalOptions) throws(CommandFailure) {
    guard options.readonly else { return }
    throw CommandFailure(
      usage: "Nothing was changed.", why: "--readonly rejects every change",
      next: "the same command without --readonly")
  }
}
