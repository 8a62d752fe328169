import ArgumentParser
import SSOCore
import SSODevice
import SSOLab
import SSOScenarios
import SSOStore
import SSOTermApp
import SafeText

/// A command of the program.
///
/// Its `perform(on:)` returns the exit status or throws an error. Only this protocol converts errors to text on stderr
/// and an exit code.
protocol LabCommand: ParsableCommand {
  var options: GlobalOptions { get }
  func perform(on console: Console) throws -> ExitStatus
}

extension LabCommand {
  /// Returns the bundle ID that matches a part of it.
  func bundleID(_ typed: String, in lab: Lab) throws -> String {
    try lab.read { try $0.app(typed).bundleID }
  }

  mutating func run() throws {
    let console = Console(options)
    var status: ExitStatus
    do {
      status = try perform(on: console)
    } catch let status as ExitCode {
      // This is the exit code of another program, which has already reported its errors.
      throw status
    } catch {
      let failure = CommandFailure(error)
      console.report(failure)
      status = failure.status
    }
    status = console.finish(status)
    if status != .done { throw ExitCode(status.rawValue) }
  }
}

extension Console {
  /// Reports the problems besides the result, and returns the final exit status.
  func finish(_ status: ExitStatus) -> ExitStatus {
    if troubles.output == nil {
      do throws(SystemError) { try StandardStreams.checkOutput() } catch { troubles.add(output: error) }
    }
    let failures = troubles.failures
    for failure in failures { complain(failure) }
    return status == .done ? failures.last?.status ?? .done : status
  }

  /// Opens the lab in the store.
  ///
  /// If the store does not exist, this creates it with the suite of the articles and prints a note, unless `--readonly`
  /// was given.
  func openLab(_ options: GlobalOptions) throws -> Lab { try openLab(options) { note($0) } }

  /// Opens the lab in the store.
  ///
  /// `news` receives the note about a store that was created.
  func openLab(_ options: GlobalOptions, news: (String) -> Void) throws -> Lab {
    let location = try storeLocation(option: options.storePath())
    let (lab, created) = try Lab.open(
      location, user: .ofProcess(),
      creating: { options.readonly ? nil : try ScenarioLibrary.ofProgram.scenario(ScenarioLibrary.usual) })
    if created {
      news(
        "there was no \(location.isServer ? "lab" : "store"); made \(location.name) with the scenario contoso-suite"
      )
    }
    return listening(lab, options)
  }

  /// Returns the lab, whose store now reports its events through this command.
  private func listening(_ lab: Lab, _ options: GlobalOptions) -> Lab {
    lab.store.listen { news in
      switch news {
      case .waits: note("another process writes to the store; this one waits for its turn")
      case .unresponsive:
        note("the server of the lab does not answer, or another writer has the lab; waiting")
      case .held(let holder): note("another writer has the lab: \(holder)")
      case .recovered: note("the server of the lab answers again")
      case .leftOut(let error): troubles.add(leftOut: error)
      }
    }
    let risks = lab.store.risks
    if !risks.planters.isEmpty, let store = lab.store.path {
      let names = risks.planters.joined(separator: ", ")
      note(
        "\(names) may add triggers to the lab, which would run with the rights of each user who writes to it")
      note(PostgresError.howToRevoke(from: risks.planters, store).commandLine)
    }
    if let owner = risks.weakerOwner {
      note("\(owner) owns the lab, and could run code with the rights of a superuser, who opens it now")
      note("open the lab as a user of the server with fewer rights")
    }
    return options.readonly || lab.store.onlyReads != nil ? lab.readOnly() : lab
  }
}

extension Console {
  /// Opens the lab for a command that only reads.
  ///
  /// It is an error if a specified store does not exist.
  func openLabToRead(_ options: GlobalOptions) throws -> Lab {
    let path = try options.storePath()
    guard !options.create, path != (try GlobalOptions.defaultStorePath()) else {
      return try openLab(options)
    }
    return listening(
      try Lab.open(storeLocation(option: path), user: .ofProcess(), creating: { nil }).lab, options)
  }
}

/// Creates a lab in memory with a scenario's world, which is discarded when the program exits.
func temporaryLab(_ scenario: ScenarioFile, _ options: GlobalOptions) throws -> Lab {
  let lab = try Lab.temporary(scenario, clockRuns: true)
  return options.readonly ? lab.readOnly() : lab
}

/// Performs an intent that has no prompt.
func runUnattended(_ intent: any Intent, on lab: Lab) throws -> (outcome: Outcome, traceID: Int64) {
  if case .done(let outcome, let traceID) = try lab.perform(intent) { return (outcome, traceID) }
  var answerer = PromptAnswerer()
  return try runInteractively(intent, on: lab, with: &answerer)
}

extension Lab {
  /// The command that signs in to the first app, for lists that are empty until then: `ssoterm signin mytestapp1`.
  var signInCommand: String {
    let apps = (try? read { $0.installed.map(\.bundleID) }) ?? []
    guard let first = apps.first else { return "ssoterm app list" }
    let end = first.split(separator: ".").last.map(String.init) ?? first
    return "ssoterm signin " + shellWord(apps.count { $0.hasSuffix("." + end) } == 1 ? end : first)
  }
}

/// Returns the end of a command's help: example command lines that can be typed unchanged.
///
/// `text` is placed before the examples.
func examples(_ lines: [String], after text: String = "") -> String {
  lines.reduce(text.isEmpty ? "Examples:" : text + "\n\nExamples:") { $0 + "\n  " + $1 }
}

extension CommandConfiguration {
  /// Creates the configuration of a command whose help ends with examples.
  ///
  /// `text` is placed before them.
  init(
    _ name: String, _ abstract: String, examples lines: [String], after text: String = "",
    subcommands: [any ParsableCommand.Type] = [], defaultSubcommand: (any ParsableCommand.Type)? = nil
  ) {
    self.init(
      commandName: name, _superCommandName: "ssoterm", abstract: abstract,
      discussion: examples(lines, after: text), version: programVersion, subcommands: subcommands,
      defaultSubcommand: defaultSubcommand)
  }
}

/// The completions of names in a shell.
extension CompletionKind {
  /// The scenarios that can be found from here.
  static var scenario: CompletionKind { .custom { _, _, _ in ScenarioLibrary.ofProgram.names() } }

  /// The bundle IDs of the apps, and their last components if these are unambiguous.
  static var app: CompletionKind {
    .custom { words, _, _ in
      let names = names(of: .app, for: words)
      let ends = names.compactMap { $0.split(separator: ".").last.map(String.init) }
      return names + ends.filter { end in ends.count { $0 == end } == 1 }
    }
  }

  /// The usernames of the accounts that are signed in.
  static var account: CompletionKind {
    .custom { words, _, _ in readLab(words) { try $0.names.usernames() } }
  }

  /// The IDs of the credentials as `ssoterm tokens` prints them.
  static var credential: CompletionKind {
    .custom { words, _, _ in readLab(words) { try $0.tokens.rows(TokenFilter()).map(\.id) } }
  }

  /// Returns a completion for the names of the store's records of a kind.
  static func records(_ kind: RecordKind) -> CompletionKind {
    .custom { words, _, _ in names(of: kind, for: words) }
  }

  /// Returns the names of the records, or none without a store, because completion never creates one.
  private static func names(of kind: RecordKind, for words: [String]) -> [String] {
    readLab(words) { try $0.records.rows(kind).map(\.name) }
  }
}

/// Returns names from the lab of a command line, or none if there is no store.
func readLab(_ words: [String], _ body: (LabReader) throws -> [String]) -> [String] {
  let named = words.firstIndex(of: "--store").map { words[($0 + 1)...].first ?? "" }
  guard let store = try? named ?? GlobalOptions.storePathOfEnvironment(),
    let lab = try? Lab.open(storeLocation(option: store), creating: { nil }).lab
  else { return [] }
  return (try? lab.read { try body($0) }) ?? []
}
