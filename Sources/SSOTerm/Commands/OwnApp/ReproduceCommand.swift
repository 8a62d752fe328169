import ArgumentParser
import Essentials
import SSOCore
import SSODevice
import SSODoctor
import SSOInterop
import SSOLab
import SSOReading
import SSOReproduce
import SSOScenarios
import SSOTermApp
import SafeText
import TerminalUI

/// `ssoterm reproduce FILE…`: turns the traces of a failing sign-in into a lab in which the same call fails.
struct ReproduceCommand: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "reproduce", _superCommandName: "ssoterm",
    abstract: "Make a lab in which the same call fails as in a log, and prove what fixes it.",
    discussion: """
      FILE is a log, an error that an app or a page showed, a recording (HAR), a token cache, a registration as JSON, or a \
      project, as read and doctor accept them; several files describe one failure. The command tries the worlds that may \
      cause the error, in memory with the real engine, reduces the nearest one to a minimum, and proves the changes that let \
      its call succeed by running them. It never replays a recording, and it replaces names and tenants.

      Exit code 0: the same number at the same endpoint, and the same code of the SDK; 4: no failure, or only the nearest one; 3: \
      nothing could be read.

      Examples:
        ssoterm reproduce app.log --project ~/MyApp
        ssoterm reproduce app.log registration.json -o repro.yaml
        ssoterm reproduce app.log -o repro.yaml --as pytest > test_repro.py
        pbpaste | ssoterm reproduce -
        ssoterm reproduce sample:no-callback
        ssoterm reproduce app.log --open
        ssoterm scenario run ./repro.yaml --fixed
      """, version: programVersion)

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Option(help: "The folder of the app's project, as doctor accepts it.", completion: .directory)
  var project: [String] = []

  @Option(help: "A token cache from the time of the failure.", completion: .file())
  var cache: String?

  @Option(
    name: .shortAndLong,
    help:
      "Write the scenario, which expects the failure and contains the change that fixes it, to this file.",
    completion: .file())
  var output: String?

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      "Print a document instead: a page (html), a bug report (markdown), junit, or a test of the scenario's file.",
      valueName: "kind"))
  var form: ReproduceExport?

  @Flag(name: .customLong("keep-ids"), help: "Keep the tenant and the username that the sources show.")
  var keepIDs = false

  @Flag(
    help:
      "Open the screens: the steps of the sources beside the lab's, at the failing one; L opens the lab there."
  )
  var open = false

  /// The systems whose apps the lab simulates.
  enum System: String, CaseIterable, ExpressibleByArgument {
    case ios, macos, android

    fileprivate var platform: Platform {
      switch self {
      case .ios: .iOS
      case .macos: .macOS
      case .android: .android
      }
    }
  }

  @Option(
    help: ArgumentHelp(
      "The failing call is that of an app for this system, which no source shows.", valueName: "system"))
  var platform: System?

  @Option(
    help: ArgumentHelp(
      "The failing call is that of a program of this kind, which no source shows.", valueName: "kind"))
  var program: Program.Kind?

  @Option(
    help: ArgumentHelp(
      "The failing call is that of a program, and has this grant, which no source shows.", valueName: "grant")
  )
  var grant: CallProgram.Grant?

  @OptionGroup var screen: ScreenOptions

  @Option(
    help: ArgumentHelp(
      "Take another failing call of a log: its number, counted from 1, or the beginning of its correlation ID.",
      valueName: "call"))
  var only: String?

  @Argument(
    help: "Logs, recordings, errors, caches, registrations, projects; - reads stdin.", completion: .file())
  var files: [String] = []

  func perform(on console: Console) throws -> ExitStatus {
    guard !files.isEmpty || !project.isEmpty else {
      throw CommandFailure(
        usage: "No source specified.", why: "reproduce takes logs, recordings, errors, and projects",
        next: "ssoterm reproduce sample:no-callback")
    }
    let evidence = try evidence()
    let result = Reproducer(evidence, keepsIDs: keepIDs).reproduce()
    guard result.verdict != .nothingRead else {
      throw CommandFailure(
        status: .nothingMatched, kind: "nothingRecognised",
        what: "No error was found in \((files + project).map(safe).joined(separator: ", ")).",
        why: evidence.diagnosis == nil
          ? "no line has a code of Entra, of an SDK, or of the keychain"
          : "no app with MSAL or ADAL and no registration is there",
        next: evidence.diagnosis == nil ? "ssoterm read --help" : "ssoterm doctor --help")
    }
    if let output, let scenario = result.scenario { try write(scenario, to: output) }
    if open { return try show(evidence, on: console) }
    if let form, !console.json {
      let name = output?.split(separator: "/").last.map(String.init) ?? "repro.yaml"
      guard let text = form.text(result, scenario: name) else {
        let hasNoCall = result.test == nil
        throw CommandFailure(
          status: hasNoCall ? .signInNeeded : .usage, kind: hasNoCall ? "notReproduced" : "notExpressible",
          what: hasNoCall
            ? "There is no call to test." : "A test of the kind \(form.rawValue) cannot show this failure.",
          why: form.obstacle(result) ?? "no call in the lab fails like this",
          next: "the same command with --as \(hasNoCall ? "markdown" : "pytest")")
      }
      console.print(text)
    } else {
      try console.show(result.json(output: output)) { result.text(console.ink, output: output) }
    }
    return result.verdict == .reproduced ? .done : .signInNeeded
  }

  /// Opens the screens on an in-memory lab without apps, from which the lab of the failure opens.
  private func show(_ evidence: Evidence, on console: Console) throws -> ExitStatus {
    guard console.canShowScreens else { throw CommandFailure.noTerminal }
    guard !keepIDs else {
      throw CommandFailure(
        usage: "The screens have no --keep-ids.", why: "they show the assumed names and tenants",
        next: "the same command without --open")
    }
    try console.refuseUnmask()
    var scenario = try ScenarioLibrary.ofProgram.scenario("blank")
    scenario.clock = nil
    let lab = try Lab.temporary(scenario, clockRuns: true)
    return try console.startTerminal(
      lab: lab, title: "reproduce", start: .reproduction(ReadEvidence(evidence, of: files + project)),
      screen: screen)
  }

  private func write(_ text: String, to path: String) throws {
    do { try writeFile(Data(text.utf8), to: path) } catch {
      throw CommandFailure(
        writing: path, error, noun: "scenario", next: "the same command with -o repro.yaml")
    }
  }

  /// Reads all sources.
  private func evidence() throws -> Evidence {
    var reader = EvidenceReader(only: only)
    var projects = project
    for file in files + (cache.map { [$0] } ?? []) {
      guard file == "-" || !isProject(file) else {
        projects.append(file)
        continue
      }
      let (name, raw) = try readFile(file)
      let data = raw.asUTF8
      // The folders in a path may name a user, and documents are shared.
      let source = EvidenceFile(name: name.split(separator: "/").last.map(String.init) ?? name, data: data)
      guard data.count <= EvidenceFile.sizeLimit else {
        throw CommandFailure(
          usage: "\(name) is too large.", why: "at most \(EvidenceFile.sizeLimit >> 20) MB are read",
          next: "ssoterm read \(shellWord(file))")
      }
      if source.kind == .registration {
        projects.append(file)
      } else {
        do { try reader.read(source) } catch let error as EvidenceReader.NoSuchCall {
          throw CommandFailure(
            status: .nothingMatched, kind: "unknownCall",
            what: "\(name) has no failing call \(safe(error.only)).",
            why: error.count == 0 ? "no call of it failed" : "\(counted(error.count, "call")) of it failed",
            next: "ssoterm read \(shellWord(file))")
        } catch {
          throw CommandFailure(
            status: .usage, kind: "badInput", what: "\(name) cannot be read.", why: Self.reason(of: error),
            next: "ssoterm read \(shellWord(file))")
        }
      }
    }
    try assumeCaller(in: &reader)
    if !projects.isEmpty { reader.take(try examine(projects, clientID: nil)) }
    return reader.finish()
  }

  /// Sets the caller that the options name.
  private func assumeCaller(in reader: inout EvidenceReader) throws {
    if let platform { reader.assume(appFor: platform.platform) }
    guard program != nil || grant != nil else { return }
    guard platform == nil else {
      throw CommandFailure(
        usage: "--platform is for apps, and --program and --grant are for programs.",
        why: "one call has one caller",
        next: "the same command without --platform")
    }
    guard reader.assume(program: program, grant: grant) else {
      throw CommandFailure(
        usage: "No program of the kind \(program?.rawValue ?? "") has the grant \(grant?.rawValue ?? "").",
        why: "each grant belongs to certain programs",
        next: "the same command without --program")
    }
  }

  private static func reason(of error: any Error) -> String {
    (error as? HARError)?.description ?? (error as? CacheFileError)?.description ?? "it is not understood"
  }

  /// Returns whether the doctor reads it: a folder, a sample, or a file of a project.
  private func isProject(_ path: String) -> Bool {
    // A JSON document may be a recording or a cache.
    ProjectFiles.isFolder(path) || SampleProject(path) != nil
      || ![nil, .json].contains(Doctor.FileType(path))
  }
}

extension Program.Kind: ExpressibleByArgument {}
extension CallProgram.Grant: ExpressibleByArgument {}

// MARK: - Text

extension Reproduction {
  /// Returns the three blocks, the verdict, and the change that fixes the call.
  fileprivate func text(_ ink: TextInk, output: String?) -> String {
    var lines = [ink.draw("What was read", .strong)]
    lines += facts.map { line($0.name.rawValue, $0.value, $0.place, ink) }
    if let other = otherFailures.first {
      let more = counted(otherFailures.count, "more call") + " of the log failed"
      lines.append(
        ink.sentence("\(more); --only \(other.number) takes the one with \(other.text)", .faint, indent: 2))
    }
    // Nothing was assumed if nothing was tried.
    if call != nil {
      lines += ["", ink.draw("What was assumed", .strong)]
      lines += assumptions.map { assumption in
        let isOpen = assumption.name == .caller && assumption.why == Assumption.unshown
        let why = assumption.why + (isOpen ? "; --platform or --program names another" : "")
        return line(assumption.name.rawValue, assumption.value, why, ink)
      }
    }
    if alternatives.count > 1 {
      lines.append(ink.sentence("Each of these fails like this. To tell them apart:", indent: 2))
      lines += alternatives.flatMap {
        [
          ink.paragraph(InkedText("  ? "), [InkedText($0.question)]),
          ink.paragraph(InkedText("      yes: ", .faint), [InkedText($0.text, .faint)]),
        ]
      }
    }
    lines += ["", ink.draw("What the lab does", .strong)]
    if let call, let failure {
      lines.append(ink.sentence("\(call): \(failure.displayText)", indent: 2))
      if !shown.isEmpty {
        lines.append(ink.sentence("the source shows: \(shown.displayText)", .faint, indent: 2))
      }
      if let check { lines.append(checkLine(check, ink, indent: 2)) }
    }
    lines += stepLines(ink)
    lines.append(verdictLine(ink))
    if let change = changes.first {
      lines += ["", ink.draw("What fixes it", .strong)]
      lines += change.lines(ink)
      for other in changes.dropFirst() { lines += [ink.draw("  or:", .faint)] + other.lines(ink) }
    }
    if let output, scenario != nil {
      let run = "ssoterm scenario run \(shellWord(output.contains("/") ? output : "./" + output))"
      lines += ["", ink.draw(run)] + (changes.isEmpty ? [] : [ink.draw(run + " --fixed")])
    }
    return lines.joined(separator: "\n")
  }

  private func line(_ name: String, _ value: String, _ source: String, _ ink: TextInk) -> String {
    ink.paragraph(
      InkedText("  " + name.padding(to: 14), .faint), [InkedText(value), InkedText("  " + source, .faint)])
  }

  /// Returns the steps that both have, and the lab's other steps.
  private func stepLines(_ ink: TextInk) -> [String] {
    guard let steps, steps.rows.contains(where: { $0.source != nil }) else { return [] }
    return steps.rows.map { row in
      let mark = row.source != nil && row.lab != nil ? "=" : row.lab == nil ? "-" : "+"
      return ink.paragraph(
        InkedText("    \(mark) ", mark == "=" ? .good : .faint), [InkedText(row.source ?? row.lab ?? "")])
    }
  }

  private func verdictLine(_ ink: TextInk) -> String {
    let mark =
      switch verdict {
      case .reproduced: InkedText("✓ ", .good)
      case .nearest: InkedText("~ ", .warning)
      case .notReproduced, .nothingRead: InkedText("✗ ", .bad)
      }
    // The lines above say how the call fails.
    let text = verdict == .reproduced && assumedCaller == nil ? "Reproduced." : verdictText
    return ink.paragraph(mark, [InkedText(text)])
  }
}

extension Reproduction.Change {
  fileprivate func lines(_ ink: TextInk) -> [String] {
    var lines = [ink.paragraph(InkedText("  \(kindName.padding(to: 14))", .faint), [InkedText(text)])]
    if let place { lines.append(ink.draw("  " + "".padding(to: 14) + place, .faint)) }
    guard let failsThen else {
      return lines + [ink.draw("  ✓ ", .good) + ink.draw("proved: the call gets a token", .faint)]
    }
    lines.append(
      ink.sentence("and then the lab's call fails with \(failsThen.displayText):", .faint, indent: 2))
    return lines + next.flatMap { $0.lines(ink) }
  }
}

// MARK: - JSON

extension Reproduction {
  fileprivate func json(output: String?) -> JSONValue {
    [
      "verdict": .string(verdict.rawValue), "difference": .optional(difference),
      "read": .array(
        facts.map {
          ["fact": .string($0.name.rawValue), "value": .string($0.value), "place": .string($0.place)]
        }),
      "assumed": .array(
        assumptions.map {
          ["name": .string($0.name.rawValue), "value": .string($0.value), "why": .string($0.why)]
        }),
      "alternatives": .array(
        alternatives.map {
          ["cause": .string($0.name), "text": .string($0.text), "question": .string($0.question)]
        }),
      "otherFailures": .array(
        otherFailures.map { ["only": .integer(Int64($0.number)), "codes": .string($0.text)] }),
      "cause": .optional(cause), "call": .optional(call), "shown": shown.json, "lab": failure?.json ?? .null,
      "check": check?.json ?? .null,
      "steps": .array(
        (steps?.rows ?? []).map { ["source": .optional($0.source), "lab": .optional($0.lab)] }),
      "changes": .array(changes.map(\.json)),
      "scenario": .optional(scenario), "output": .optional(output),
    ]
  }
}

extension Failure {
  fileprivate var json: JSONValue {
    func number(_ value: Int?) -> JSONValue { value.map { .integer(Int64($0)) } ?? .null }
    return [
      "aadsts": number(aadsts), "b2c": number(b2c), "keychainStatus": number(keychainStatus),
      "place": .optional(place?.rawValue),
      "sdkCode": number(sdkCode), "symbol": .optional(symbol), "domain": .optional(domain),
      "oauthError": .optional(oauthError),
      "suberror": .optional(suberror),
    ]
  }
}

extension Reproduction.Change {
  fileprivate var json: JSONValue {
    [
      "kind": .string(kindName), "text": .string(text), "place": .optional(place),
      "failsThen": failsThen?.json ?? .null,
      "then": .array(
        next.map { ["kind": .string($0.kindName), "text": .string($0.text), "place": .optional($0.place)] }),
    ]
  }
}
