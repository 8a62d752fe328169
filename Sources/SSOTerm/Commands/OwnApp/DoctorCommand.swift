import ArgumentParser
import Essentials
import SSOCore
import SSODevice
import SSODoctor
import SSOLab
import SSOReference
import SSOScenarios
import SSOStore
import SSOTermApp
import SafeText
import TerminalUI

/// The output format of `doctor`.
enum DoctorFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json, sarif
}

/// `ssoterm doctor PATH…`: checks the files of real apps and registrations by the rules of their SDK.
struct DoctorCommand: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", _superCommandName: "ssoterm",
    abstract: "Find out from your app's files why it cannot sign in.",
    discussion: """
      PATH is the folder of a project (Xcode, Gradle, or a web app with MSAL.js), an .xcodeproj, a built .app, .ipa, or \
      .apk, an Info.plist, an entitlements file, a provisioning profile, or an app registration as JSON (az ad app show, \
      or the portal's manifest). In XcodeGen, Tuist, .NET MAUI, Flutter, React Native, Expo, Capacitor, and Cordova projects, \
      it reads the iOS and Android files, and says what it does not read. It checks several paths against each other: \
      apps against registrations, and apps against apps. It never runs the project, and changes its files only with --fix. \
      The exit code is 1 if a check fails or a file cannot be read, and 3 if there is nothing to check.

      To try it, use one of the sample projects in the program, each of which has a mistake: \
      \(SampleProject.all.map { "sample:\($0)" }.joined(separator: ", ")).

      Examples:
        ssoterm doctor ~/MyApp registration.json
        ssoterm doctor MyApp --format sarif > doctor.sarif
        ssoterm doctor MyApp --report junit doctor.xml
        ssoterm doctor ~/MyApp --open
        ssoterm doctor sample:no-callback
      """, version: programVersion)

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions
  @OptionGroup var screen: ScreenOptions

  @Option(name: .customLong("client-id"), help: "The client ID for apps whose files do not contain one.")
  var clientID: String?

  @Option(help: "text, json, or sarif: SARIF 2.1.0, which code hosts show in a review.")
  var format = DoctorFormat.text

  @OptionGroup var report: ReportOption

  @Flag(
    name: .customLong("into-lab"),
    help: "Also import the apps and registrations into the lab, as app import does.")
  var intoLab = false

  @Flag(help: "Keep running, and check again when a file changes. Press q to quit.")
  var watch = false

  @Flag(
    help: "Open the Doctor screen on a temporary store, or, with --into-lab, on the store itself."
  )
  var open = false

  @Flag(
    help:
      "Show each change that fixes a finding in a property list, entitlements, manifest, or JSON file, and make it if you agree."
  )
  var fix = false

  @Argument(help: "Projects, apps, and registrations.", completion: .file())
  var paths: [String] = []

  private static let example = "ssoterm doctor PATH"

  func perform(on console: Console) throws -> ExitStatus {
    let (files, more) = try report.parsed()
    guard !paths.isEmpty || !more.isEmpty else {
      throw CommandFailure(
        usage: "No project specified.", why: "doctor takes folders and files", next: "ssoterm doctor .")
    }
    let all = paths + more
    if open { return try show(all, on: console) }
    if fix {
      guard let terminal = ControllingTerminal() else {
        throw CommandFailure(
          status: .terminalUnusable, kind: "terminal",
          what: "--fix asks before each change, so it needs a terminal.",
          why: "it does not run on a terminal",
          next: "ssoterm doctor \(all.map(shellWord).joined(separator: " "))")
      }
      let dialogue = PlainDialogue(terminal, ink: console.ink)
      let repairs = DoctorFix(dialogue: dialogue, copies: stateFolder() + "/doctor") {
        try examine(all, clientID: clientID)
      }
      let diagnosis = try repairs.run()
      console.print(try text(diagnosis, console))
      return status(of: diagnosis)
    }
    guard watch else { return try checkOnce(all, files, on: console) }
    let watch = DoctorWatch(all, console) {
      try text(try examine(all, clientID: clientID), console)
    }
    guard let watch else {
      throw CommandFailure(
        usage: "\(all.joined(separator: ", ")) cannot be watched.", why: "the system watches no folder of it",
        next: "ssoterm doctor \(all.map(shellWord).joined(separator: " "))")
    }
    return try watch.run()
  }

  /// Opens the Doctor screen, which reads the files again automatically when they change.
  private func show(_ paths: [String], on console: Console) throws -> ExitStatus {
    guard console.canShowScreens else { throw CommandFailure.noTerminal }
    try console.refuseUnmask()
    let diagnosis = try examine(paths, clientID: clientID)
    if intoLab {
      _ = try console.importProject(diagnosis, paths, target: nil, clientID: clientID, options)
    }
    let source = ProjectSource(paths: paths.map(absolutePath), clientID: clientID)
    let lab = try intoLab ? console.openLab(options) : makeTemporaryLab(for: diagnosis, source: source)
    return try console.startTerminal(
      lab: lab, title: intoLab ? storeName(lab) : "doctor",
      start: .doctor(ProjectSource(paths: paths, clientID: clientID)), screen: screen)
  }

  /// Creates a lab in memory with only the apps that were read, so that the other screens show them too.
  private func makeTemporaryLab(for diagnosis: Diagnosis, source: ProjectSource) throws -> Lab {
    var scenario = try ScenarioLibrary.ofProgram.scenario(ScenarioLibrary.usual)
    (scenario.world.apps, scenario.name, scenario.clock) = ([], "doctor", nil)
    let lab = try Lab.temporary(scenario, clockRuns: true)
    // An app without a client ID is checked, but is not installed on any device.
    if let records = try? diagnosis.records(named: "doctor", target: nil, clientID: clientID, source: source)
    {
      _ = try runUnattended(ImportProject(records), on: lab)
    }
    return options.readonly ? lab.readOnly() : lab
  }

  private func checkOnce(
    _ paths: [String], _ files: [(kind: ReportFile, path: String)], on console: Console
  ) throws -> ExitStatus {
    let diagnosis = try examine(paths, clientID: clientID)
    for file in files { try file.kind.write(diagnosis.report(file.kind), to: file.path) }
    console.print(try text(diagnosis, console))
    if intoLab, !diagnosis.isEmpty {
      _ = try console.importProject(diagnosis, paths, target: nil, clientID: clientID, options)
    }
    return status(of: diagnosis)
  }

  private func status(of diagnosis: Diagnosis) -> ExitStatus {
    let isNothing = diagnosis.isEmpty && diagnosis.vendors.isEmpty
    return diagnosis.fails ? .finding : isNothing || diagnosis.isUnchecked ? .nothingMatched : .done
  }

  private func text(_ diagnosis: Diagnosis, _ console: Console) throws -> String {
    if format == .sarif { return diagnosis.sarif.text(.document) }
    let sharing = try? DiagnosedSharing(of: diagnosis, clientID: clientID)
    guard format == .text, !console.json else {
      return diagnosis.json.adding(["sharing": sharing?.json(in: diagnosis) ?? .null]).documentText
    }
    return ([diagnosis.text(console.ink)] + (sharing?.lines(in: diagnosis, console.ink) ?? []))
      .joined(separator: "\n")
  }
}

/// Reads and checks the projects, and converts the error for an unreadable path to a message for the terminal.
func examine(_ paths: [String], clientID: String?) throws -> Diagnosis {
  do throws(UnreadableProject) {
    return try Doctor.examine(paths, clientID: clientID)
  } catch {
    throw CommandFailure(
      status: .usage, kind: "badInput", what: error.what, why: error.why,
      next: nextStep(after: error.path))
  }
}

extension DiagnosedSharing {
  /// Returns the lines for the sharing matrix.
  ///
  /// These are the answer for each pair, with the deciding condition and the place of the value to change, and then the
  /// matrix.
  func lines(in diagnosis: Diagnosis, _ ink: TextInk) -> [String] {
    var lines = ["", ink.draw("Sharing a sign-in", .strong)]
    for (pair, failure) in zip(pairs, keychainFailures) {
      lines.append(
        ink.paragraph(
          InkedText(pair.holds ? "✓ " : "· ", pair.holds ? .good : .faint), [InkedText(pair.title)]))
      lines.append(ink.sentence(pair.answer, indent: 4))
      guard let failed = pair.firstFailure ?? failure else { continue }
      lines.append(checkLine(failed, ink, indent: 4))
      if let remedy = failed.remedy, let place = diagnosis.place(of: remedy) {
        lines.append(ink.draw("    \(place)") + ink.draw("  to change: \(remedy.change)", .faint))
      }
    }
    return lines + [
      "", ink.draw("What each can use of another's sign-in", .strong),
      matrixText(visibility, apps, ink),
    ]
  }

  func json(in diagnosis: Diagnosis) -> JSONValue {
    let pairs = zip(pairs, keychainFailures).map { pair, failure in
      let remedy = (pair.firstFailure ?? failure)?.remedy
      return pair.json.adding([
        "keychain": failure?.json ?? .null, "change": .optional(remedy?.change),
        "place": .optional(remedy.flatMap { diagnosis.place(of: $0) }?.description),
      ])
    }
    return ["pairs": .array(pairs), "matrix": .array(visibility.map(\.json))]
  }
}

extension Diagnosis {
  /// Returns the output of `ssoterm doctor`: each app and registration with its problems, and then the counts.
  func text(_ ink: TextInk) -> String {
    var lines: [String] = []
    for subject in subjects { lines += section(subject, ink) }
    for file in unread {
      lines.append(question("\(file.path) cannot be read: \(file.error)", ink))
    }
    lines += notes.lines.map { question($0, ink) }
    lines += uses.map { question("\($0.place): \($0.displayText)", ink) }
    guard !isEmpty || !checks.isEmpty else {
      let last =
        hasNoSDK ? "No app here uses MSAL or ADAL: nothing to check." : "Nothing could be checked."
      return (lines + [ink.draw(last)]).joined(separator: "\n")
    }
    // The only checks are of other vendors' libraries; without a finding, the verdict says so.
    if hasNoSDK, !findings.isEmpty { lines.append(ink.draw("No app here uses MSAL or ADAL.")) }
    return (lines + [counts(ink), verdict.line(ink)]).joined(separator: "\n")
  }

  /// Returns a paragraph about something that doctor could not decide.
  private func question(_ text: String, _ ink: TextInk, indent: String = "") -> String {
    ink.paragraph(InkedText(indent + "? ", .warning), [InkedText(text)])
  }

  private func section(_ subject: DoctorSubject, _ ink: TextInk) -> [String] {
    let own = checks(of: subject)
    let found = own.filter(\.hasFailed)
    let passed = own.count { $0.check.verdict == .passed }
    let head = ink.paragraph(
      InkedText(""), [InkedText(subject.name, .strong), InkedText("  " + subject.summary, .faint)])
    let notSeen = subject.notSeen.map { question($0, ink, indent: "  ") }
    let count = own.isEmpty ? "no separate checks" : "\(counted(passed, "check")) passed"
    // Do not print how many checks passed if all of them failed.
    let right = passed > 0 || own.isEmpty ? [ink.draw("  ✓ ", .good) + ink.draw(count)] : []
    return [head] + found.flatMap { $0.lines(ink) } + [notSeen].compactMap(\.self) + right + [""]
  }

  private func counts(_ ink: TextInk) -> String {
    let words = DoctorCheck.Severity.allCases.compactMap { severity in
      let count = findings.count { $0.severity == severity }
      return count == 0 ? nil : severity.text(ofCount: count)
    }
    let files = unread.isEmpty ? [] : ["\(counted(unread.count, "file")) not read"]
    if isUnchecked { return ink.draw("Nothing could be checked.", .warning) }
    let unchecked = subjects.filter { $0.notSeen != nil && checks(of: $0).isEmpty }.map(\.name)
    if (words + files).isEmpty, !unchecked.isEmpty {
      return ink.sentence("Nothing found; not checked: \(unchecked.joined(separator: ", ")).", .warning)
    }
    return (words + files).isEmpty
      ? ink.draw("Nothing found.", .good) : ink.draw((words + files).joined(separator: ", ") + ".", .strong)
  }
}

extension DoctorCheck.Severity {
  fileprivate var tone: Tone { self == .fails ? .bad : .warning }
}

extension DoctorCheck {
  func lines(_ ink: TextInk) -> [String] {
    func field(_ name: String, _ text: String) -> [String] {
      text.lines.enumerated().map { index, line in
        let label = index == 0 ? name : ""
        let head = InkedText("      " + label.padding(to: 10), .faint)
        // Do not break lines that are meant to be copied.
        return name == "write"
          ? ink.draw(head) + ink.draw(String(line)) : ink.paragraph(head, [InkedText(String(line))])
      }
    }
    var lines = [
      ink.paragraph(
        InkedText("  \(severity.glyph) ", severity.tone),
        [InkedText(title, .strong), InkedText("  \(rule.name)", .faint)]),
      ink.draw("      \(place)"),
    ]
    lines += field("expected", check.expected) + field("found", check.found)
    if let refusal { lines += field("prints", refusal.text) }
    if let code = explanations.first?.code { lines += field("explain", "ssoterm explain \(code)") }
    if let fix { lines += field("write", fix) }
    return lines
  }
}

/// `ssoterm doctor --watch`: checks again when a file of the projects changes, and prints the result if it is
/// different.
///
/// Press `q` or ^C to end it.
struct DoctorWatch {
  let console: Console
  let check: () throws -> String
  private let watch: FolderWatch
  private let keys = WatchKeys()

  /// - Returns: `nil` if no folder can be watched.
  init?(_ paths: [String], _ console: Console, check: @escaping () throws -> String) {
    guard let watch = FolderWatch(folders: ProjectFiles.watched(paths)) else { return nil }
    self.console = console
    self.check = check
    self.watch = watch
  }

  func run() throws -> ExitStatus {
    defer { keys.end() }
    var last: String?
    while console.troubles.output == nil {
      // Do not end because of a file that is still being written.
      let text: String
      do { text = try check() } catch let failure as CommandFailure { text = failure.text(console.ink) }
      if text != last {
        let head = console.ink.draw(StandardStreams.now().iso8601, .faint)
        console.print((last == nil ? [text] : ["", head, text]).joined(separator: "\n"))
      }
      last = text
      if let end = waitForChange() { return end }
    }
    return .done
  }

  /// - Returns: the exit status if the command ends, or `nil` if something has changed.
  private func waitForChange() -> ExitStatus? {
    var hasChanged = false
    while true {
      switch keys.wait(for: watch.descriptor, milliseconds: hasChanged ? FolderWatch.quiet : -1) {
      case .changed: watch.takeChanges()
      case .timeout: return nil
      case .end(let status): return status
      }
      hasChanged = true
    }
  }
}

/// Returns the line with a path that exists in place of a path that cannot be checked, or else the command that lists the files.
private func nextStep(after path: String) -> String {
  if path.hasPrefix("sample:") {
    let samples = SampleProject.all.map { "sample:" + $0 }
    let near = nearestName(to: path, among: samples) ?? samples[0]
    return TypedLine.replacing(path, with: near) ?? "ssoterm doctor \(near)"
  }
  return FileManager.default.fileExists(atPath: path)
    ? "ssoterm help doctor" : CommandFailure.next(missing: path)
}
