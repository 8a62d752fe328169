import ArgumentParser
import SSOCore
import SSOScenarios
import SSOTermApp

/// `ssoterm checklist FILE.yaml`: runs scenarios automatically, with manual steps for the user in between.
struct ChecklistCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "checklist",
    "Work through a checklist: run its scenarios, prompt for its manual steps, and write the reports.",
    examples: [
      "ssoterm checklist release.yaml",
      "ssoterm checklist release.yaml --build \"Mail 5.2\" --report junit report.xml",
    ],
    after:
      "A checklist is a YAML file: `checklist: TITLE` and `items:`, each `scenario: NAME` or `manual: TEXT` with `expect: "
      + "TEXT`. On a terminal, the screens open on it: r and A run items, p, f, and S record a verdict, and x writes the "
      + "reports. With --report, --only, or --plain, it prompts line by line; without a terminal, manual steps are "
      + "skipped. The exit code is 1 if an item failed.")

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions
  @OptionGroup var screen: ScreenOptions

  @Option(help: "The build under test, for the reports.")
  var build: String?

  @Option(help: "The name of the tester, for the reports (default: USER).")
  var person: String?

  @Option(help: ArgumentHelp("Only the item with this number.", valueName: "number"))
  var only: Int?

  @OptionGroup var report: ReportOption

  @Argument(help: "The checklist file.", completion: .file(extensions: ["yaml", "yml"]))
  var file: String

  func perform(on console: Console) throws -> ExitStatus {
    let (reports, more) = try report.parsed()
    if let word = more.first {
      throw CommandFailure(
        usage: "“\(word)” is not expected here.", why: "--report takes a kind and a file",
        next: "ssoterm checklist \(file) --report junit report.xml")
    }
    let checklist = try ScenarioLibrary.ofProgram.checklist(file)
    if console.canShowScreens, reports.isEmpty, only == nil {
      let lab = try console.openLab(options)
      let shown = ChecklistToTry(checklist, build: build, person: person)
      return try console.startTerminal(
        lab: lab, title: storeName(lab), start: .path("scenarios"), screen: screen,
        checklist: shown)
    }
    var run = TrialRun(
      title: checklist.title, startedAt: StandardStreams.now(),
      items: checklist.items.map { TrialRun.Item($0) })
    run.environment = TrialRun.environment(build: build, person: person)
    let numbers = try numbers(of: checklist)
    let dialogue = console.json ? nil : console.dialogue()
    for number in numbers {
      let result = try result(of: checklist.items[number], number + 1, dialogue)
      run.items[number].result = result
      if !console.json, !console.quiet { console.print(line(run.items[number], number + 1, console.ink)) }
    }
    for report in reports { try report.kind.write(run, to: report.path) }
    if console.json { try console.show(run.json) { "" } }
    return run.count(.failed) == 0 ? .done : .finding
  }

  private func numbers(of checklist: ChecklistFile) throws -> Range<Int> {
    guard let only else { return 0..<checklist.items.count }
    guard (1...checklist.items.count).contains(only) else {
      throw CommandFailure(
        usage: "There is no item \(only).",
        why: "\(file) has \(counted(checklist.items.count, "item"))",
        next: "ssoterm checklist \(file) --only 1")
    }
    return only - 1..<only
  }

  private func result(
    of item: ChecklistFile.Item, _ number: Int, _ dialogue: PlainDialogue?
  ) throws -> TrialResult {
    switch item {
    case .scenario(let file): return try tryScenario(file)
    case .manual(let text, let expect):
      guard let dialogue else {
        return TrialResult(.skipped, remark: "no terminal to ask at", at: StandardStreams.now())
      }
      return dialogue.assess(text, expect: expect, number)
    }
  }

  private func line(_ item: TrialRun.Item, _ number: Int, _ ink: TextInk) -> String {
    guard let result = item.result else { return "" }
    let tone: Tone =
      switch result.verdict {
      case .passed: .good
      case .failed: .bad
      case .skipped: .faint
      }
    let steps = result.report.map {
      "  \($0.steps.count { $0.passed }) of \(counted($0.steps.count, "step")) passed"
    }
    let found = (result.report?.steps ?? []).flatMap { step in
      step.mismatches.map { "    \(step.index) \(step.title): expected \($0.expected), found \($0.found)" }
    }
    let remark = result.remark.isEmpty ? "" : "  " + result.remark
    return
      ([ink.draw(result.verdict.glyph, tone) + ink.draw(" \(number) \(item.name)\(steps ?? "")\(remark)")]
      + found.map { ink.draw($0) }).joined(separator: "\n")
  }
}

extension PlainDialogue {
  /// Lets the user perform a manual step and enter the verdict.
  func assess(_ text: String, expect: String, _ number: Int) -> TrialResult {
    line("\(number). \(text)")
    if !expect.isEmpty { line("Expected: \(expect)") }
    while true {
      guard let word = ask("p passed, f failed, s skip:")?.lowercased() else {
        return TrialResult(.skipped, remark: "the input ended", at: StandardStreams.now())
      }
      let verdict = TrialResult.Verdict.allCases.first { !word.isEmpty && $0.rawValue.hasPrefix(word) }
      guard let verdict else { continue }
      let remark = ask("Remark (optional):") ?? ""
      let evidence = evidence()
      return TrialResult(verdict, remark: remark, at: StandardStreams.now(), evidence: evidence)
    }
  }

  /// Prompts for files as evidence, one after the other.
  private func evidence() -> [TrialResult.Evidence] {
    var all: [TrialResult.Evidence] = []
    while let path = ask("A file as evidence (optional):"), !path.isEmpty {
      do throws(UnreadableEvidence) { all.append(try TrialResult.Evidence(fileAt: path)) } catch {
        line("✗ \(error.path) cannot be read: \(error.why).")
      }
    }
    return all
  }
}

extension TrialRun {
  var json: JSONValue {
    [
      "title": .string(title), "startedAt": .moment(startedAt),
      "environment": .object(Dictionary(environment.map { ($0.name, .string($0.value)) }) { $1 }),
      "items": .array(
        items.map { item in
          [
            "name": .string(item.name), "title": .string(item.title), "claims": .strings(item.claims),
            "verdict": .optional(item.result?.verdict.rawValue), "remark": .optional(item.result?.remark),
            "at": .moment(item.result?.at), "milliseconds": .optional(item.result?.milliseconds),
            "steps": .array((item.result?.report?.steps ?? []).map(\.json)),
            "evidence": .array(
              (item.result?.evidence ?? []).map { ["name": .string($0.name), "text": .string($0.text)] }),
          ]
        }),
    ]
  }
}
