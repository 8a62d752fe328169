import ArgumentParser
import SSOCore
import SSODevice
import SSOLab
import SSOTermApp
import SafeText

/// `ssoterm why APP [OTHER]`, `why --account U`, `why --token ID`, `why --trace ID`, `why --matrix`.
struct WhyCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "why",
    "Explain an app's next silent call, what two apps share, an account, a token, or an outcome.",
    examples: [
      "ssoterm why mytestapp2", "ssoterm why mytestapp1 mytestapp2", "ssoterm why --matrix",
      "ssoterm why --trace 3",
    ],
    after:
      "Prints one sentence, the command that would change the answer, and the conditions that failed, with the expected "
      + "and the found value; the deciding condition is marked. --all also shows the conditions that hold. The exit code is "
      + "0 if the answer is yes (silent, shared, signed in, usable, succeeded), and 1 otherwise."
  )

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "One app or two, as bundle IDs or unambiguous parts of them.", completion: .app)
  var apps: [String] = []

  @Option(
    help:
      "Explain where this account is signed in, and why not elsewhere; with an app, explain its next silent call for it."
  )
  var account: String?

  @Option(
    help: "Explain which apps can use this credential and why others cannot. Takes an ID from ssoterm tokens."
  )
  var token: String?

  @Option(help: "Explain why this trace ended as it did.")
  var trace: Int64?

  @Flag(help: "Show, for every pair of apps, what each can use of the other's sign-in, or why it cannot.")
  var matrix = false

  @Flag(help: "Also show the conditions that hold.")
  var all = false

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLabToRead(options)
    if matrix {
      guard apps.isEmpty, account == nil, token == nil, trace == nil else { throw severalQuestions }
      let cells = try lab.read { try $0.why.visibility() }
      return try console.show(["cells": .array(cells.map(\.json))]) {
        matrixText(cells, try lab.read { $0.installed }, console.ink)
      }
    }
    let checklist = try checklist(lab)
    try console.show(checklist.json) { checklist.lines(console.ink, all: all).joined(separator: "\n") }
    return checklist.holds ? .done : .finding
  }

  func checklist(_ lab: Lab) throws -> Checklist {
    switch (apps.count, account, trace, token) {
    case (1, let account, nil, nil):
      return try lab.read { reader in
        try reader.why.app(apps[0], account: account.map { try reader.names.name($0) })
      }
    case (2, nil, nil, nil):
      return try lab.read { try $0.why.app(apps[0], with: apps[1]) }
    case (0, let account?, nil, nil): return try lab.read { try $0.why.account($0.names.name(account)) }
    case (0, nil, nil, let id?):
      if let checklist = try lab.read({ try $0.why.credential(id) }) { return checklist }
      throw CommandFailure(
        status: .nothingMatched, kind: "unknownCredential", what: "There is no credential \(id).",
        why: "", next: "ssoterm tokens")
    case (0, nil, let id?, nil):
      if let checklist = try lab.read({ try $0.why.trace(id) }) { return checklist }
      throw CommandFailure(
        status: .nothingMatched, kind: "unknownTrace", what: "There is no trace \(id).",
        why: "", next: "ssoterm trace list")
    default:
      throw severalQuestions
    }
  }

  private var severalQuestions: CommandFailure {
    let words = matrix ? ["--matrix"] : apps.isEmpty ? ["mytestapp1"] : Array(apps.prefix(2))
    return CommandFailure(
      usage: "why takes one app (and --account), two apps, --account, --token, --trace or --matrix.",
      why: "each answers another question", next: TypedLine.text(of: ["why"] + words))
  }
}

extension Checklist {
  /// Returns the lines of the explanation.
  ///
  /// If `all` is true, they include the conditions that hold or were not evaluated.
  func lines(_ ink: TextInk, all: Bool = true) -> [String] {
    var lines = [ink.sentence(title, .strong), ink.sentence(answer)]
    if let remedy {
      let command = (["ssoterm"] + remedy.commandWords).map(shellWord).joined(separator: " ")
      lines.append(ink.draw("To fix it: ", .faint) + ink.draw(command))
    }
    var isFirst = true
    for section in sections {
      let checks = section.checks.filter { all || $0.verdict == .failed }
      guard !checks.isEmpty else { continue }
      lines += ["", ink.draw(section.title, .strong)]
      for check in checks {
        let marks = check.verdict == .failed && isFirst
        if marks { isFirst = false }
        lines.append(checkLine(check, ink, indent: 2, mark: marks ? "<- decides" : ""))
      }
    }
    let (held, _, unneeded) = counts
    if !all, held + unneeded > 0 {
      lines += ["", ink.draw("\(foldedText()); --all shows \(held + unneeded == 1 ? "it" : "them")", .faint)]
    }
    return lines
  }

  var json: JSONValue {
    [
      "title": .string(title), "answer": .string(answer), "holds": .bool(holds),
      "firstFailure": firstFailure?.json ?? .null,
      "fix": remedy.map { .strings(["ssoterm"] + $0.commandWords) } ?? .null,
      "sections": .array(
        sections.map { ["title": .string($0.title), "checks": .array($0.checks.map(\.json))] }),
    ]
  }
}

/// Returns the matrix of docs/behaviour/adal.md §4 for the apps of the device.
///
/// It has a row for each app with a sign-in and a column for each app that uses it. Apps that cannot run on the device are
/// named first. Below the matrix, each pair is listed with its result, or with the reason that there is nothing to use.
func matrixText(_ cells: [Visibility], _ apps: [InstalledApp], _ ink: TextInk) -> String {
  var table = TextTable(["SIGNED IN WITH \\ USED BY"] + apps.map(\.displayName))
  for writer in apps {
    let row = apps.map { reader -> InkedText in
      let cell = cells.first { $0.signedIn == writer.bundleID && $0.looking == reader.bundleID }
      guard let cell else { return InkedText("-", .faint) }
      let needsSignIn = cell.extent == .nothing && !cell.isOnlyThroughBroker
      return InkedText(cell.sign, needsSignIn ? .warning : .plain)
    }
    table.append(
      [InkedText("\(writer.displayName) (\(writer.sdk.rawValue) \(writer.sdkVersion))", .strong)] + row)
  }
  let names = Dictionary(apps.map { ($0.bundleID, $0.displayName) }, uniquingKeysWith: { first, _ in first })
  let reasons = cells.map { cell in
    let pair = "\(names[cell.signedIn] ?? cell.signedIn) -> \(names[cell.looking] ?? cell.looking): "
    guard let failed = cell.checks.first(where: { $0.verdict == .failed }) else {
      return pair + cell.displayText
    }
    return pair + (cell.isOnlyThroughBroker ? "through the broker; in the cache " : "")
      + "nothing: \(failed.reasonInFull) (\(failed.source))"
  }
  let notes = (platformLines(cells) + [Visibility.assumption]).map { ink.sentence($0, .faint) }
  return (notes + ["", table.text(ink), ""] + reasons.map { ink.sentence($0) }).joined(separator: "\n")
}

/// Returns a line for each app that the device does not run, with the command that changes the device.
private func platformLines(_ cells: [Visibility]) -> [String] {
  let checks = cells.flatMap(\.checks).filter { $0.remedy?.kind == .device }
  return checks.reduce(into: []) { lines, check in
    let command = (["ssoterm"] + (check.remedy?.commandWords ?? [])).map(shellWord).joined(separator: " ")
    let line = "\(check.reason). To change the device: \(command)"
    if !lines.contains(line) { lines.append(line) }
  }
}

extension Visibility {
  var json: JSONValue {
    [
      "signedIn": .string(signedIn), "looking": .string(looking), "sees": .string(extent.rawValue),
      "throughBroker": .bool(isThroughBroker),
      "words": .string(displayText), "checks": .array(checks.map(\.json)),
    ]
  }
}
