import ArgumentParser
import Essentials
import SSOCore
import SSODevice
import SSODoctor
import SSOLab
import SSOTermApp
import SafeText

/// `ssoterm app import PATH…`: imports the apps of a real project into the lab, where everything works with them.
struct AppImport: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import the apps and registrations of a real project into the lab.",
    discussion: """
      What doctor reads becomes apps of the lab's device and registrations of its directory: bundle ID, team, keychain \
      groups, schemes, client ID, redirect URI, SDK, delegates; of Android apps package name, signature hash and the \
      configuration of MSAL; of web apps a registration. A second import updates them and prints what changed. \
      undo takes it back. The files are only read.

      Examples:
        ssoterm app import ~/MyApp registration.json
        ssoterm app import sample:no-callback
        ssoterm why MyApp OtherApp
      """)

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Option(help: "Only this target.")
  var target: String?

  @Option(
    name: .customLong("client-id"),
    help: "The client ID for apps whose files do not contain one. Prompts for it on a terminal if omitted.")
  var clientID: String?

  @Argument(help: "Projects and registrations, as doctor accepts them.", completion: .file())
  var paths: [String]

  func perform(on console: Console) throws -> ExitStatus {
    try console.importProject(
      try examine(paths, clientID: clientID), paths, target: target, clientID: clientID, options)
  }
}

extension Console {
  /// Imports the diagnosed project into the lab, and prints what is different there.
  func importProject(
    _ diagnosis: Diagnosis, _ paths: [String], target: String?, clientID: String?, _ options: GlobalOptions
  ) throws -> ExitStatus {
    let records: ProjectRecords
    do throws(ImportRefusal) {
      records = try diagnosis.records(
        named: paths.map(fileName).joined(separator: ", "), target: target, clientID: clientID,
        source: ProjectSource(paths: paths.map(absolutePath), clientID: clientID))
    } catch {
      guard case .missingClientID(let apps) = error, let clientID = askClientID(of: apps) else {
        throw CommandFailure(error, paths)
      }
      return try importProject(diagnosis, paths, target: target, clientID: clientID, options)
    }
    let lab = try openLab(options)
    return try show(try runUnattended(ImportProject(records), on: lab), details: \.effectLines)
  }

  /// Prompts for a client ID and returns it, or returns `nil` if the user does not enter one or there is no terminal.
  private func askClientID(of apps: [String]) -> String? {
    guard !json, let terminal = ControllingTerminal() else { return nil }
    let dialogue = PlainDialogue(terminal, ink: ink)
    let typed = dialogue.ask("Client ID of \(apps.joined(separator: ", ")), empty to cancel:")
    return typed.flatMap { $0.trimmed.isEmpty ? nil : $0.trimmed }
  }
}

/// Returns the absolute path, for later commands that may run in another folder.
func absolutePath(_ path: String) -> String {
  path.hasPrefix("/") || SampleProject(path) != nil
    ? path : simplified(FileManager.default.currentDirectoryPath + "/" + path)
}

extension CommandFailure {
  fileprivate init(_ refusal: ImportRefusal, _ paths: [String]) {
    let path = shellWord(paths.first ?? "PATH")
    switch refusal {
    case .nothingToImport:
      self.init(
        status: .nothingMatched, kind: "nothingToImport", what: "There is no app to import.",
        why: "no app with MSAL or ADAL, and no registration, was found",
        next: "ssoterm doctor \(path)")
    case .unknownTarget(let name, let targets):
      self.init(unknown: "target", name, among: targets, list: "ssoterm doctor \(path)")
    case .missingClientID(let apps):
      self.init(
        usage: "No client ID found for \(apps.joined(separator: ", ")).",
        why: "no file has one as a literal",
        next: "ssoterm app import \(path) --client-id CLIENTID")
    }
  }
}
