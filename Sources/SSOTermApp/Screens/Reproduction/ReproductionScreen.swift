import SSOCore
import SSODevice
import SSODoctor
import SSOLab
import SSOReproduce
import TerminalUI

extension KeyContext { static let reproduction = KeyContext("reproduction") }

extension Place {
  fileprivate var reproduction: ReproductionSource? {
    if case .reproduction(let source) = subject { source } else { nil }
  }
}

/// The failure to reproduce: a call that was read from a log or a recording, or a finding of the doctor.
enum ReproductionSource: Hashable, Sendable {
  case trace(Int64)
  /// The sources of `ssoterm reproduce --open`, which were read before the screens.
  case read(ReadEvidence)
  /// The finding with the ID of its row.
  case finding(String, ProjectSource)

  /// Returns the facts of the failure, or `nil` if it no longer exists, or if it is a call of the lab.
  func evidence(in lab: Lab) throws -> Evidence? {
    var reader = EvidenceReader()
    switch self {
    case .read(let read): return read.evidence
    case .trace(let id):
      guard let trace = try lab.read({ try $0.traces.trace(id) }), trace.isOfSource else { return nil }
      reader.read(trace)
    case .finding(let id, let project):
      let diagnosis = try Doctor.examine(project.paths, clientID: project.clientID)
      guard let finding = diagnosis.findings.first(where: { FindingRow.check($0).id == id }) else {
        return nil
      }
      reader.read(finding)
      reader.take(diagnosis)
    }
    return reader.finish()
  }
}

/// The facts of sources that were read, which are equal if the sources are.
package struct ReadEvidence: Hashable, Sendable {
  /// The names of the sources, or an empty list for those of the screen.
  let sources: [String]
  let evidence: Evidence

  package init(_ evidence: Evidence, of sources: [String] = []) {
    (self.evidence, self.sources) = (evidence, sources)
  }

  package static func == (one: ReadEvidence, other: ReadEvidence) -> Bool { one.sources == other.sources }

  package func hash(into hasher: inout Hasher) { hasher.combine(sources) }
}

/// A failure of a log or of real files beside the lab's: the assumptions, the changes that fix it, and the steps of
/// both.
///
/// When an assumption is changed, the call runs again. It belongs to Trace.
struct ReproductionScreen: Screen {
  static let context = KeyContext.reproduction
  static let tab = KeyContext.traces
  static let title = "Reproduce"
  static let hasTwoLists = true
  static let rowsAroundList = 1

  @Boxed private(set) var source: ReproductionSource?
  /// The facts of the source, or `nil` if it has not been read.
  @Boxed private var evidence: ReadEvidence?
  /// The values that the user has set in place of assumptions.
  private(set) var chosen: [EvidenceFact.Name: String] = [:]
  @Boxed private(set) var result: Reproduction?
  /// Whether the causes are being tried.
  private(set) var isSearching = false
  private(set) var rows: [ReproductionRow] = []
  private var facts = RowList()
  private var steps = RowList()

  subscript(panel: Int) -> RowList {
    get { panel == 1 ? steps : facts }
    set { if panel == 1 { steps = newValue } else { facts = newValue } }
  }

  var selectedRow: ReproductionRow? { facts.selectedRow.map { rows[$0] } }
  var stepRows: [StepComparison.Row] { result?.steps?.rows ?? [] }
  var selectedStep: StepComparison.Row? { steps.selectedRow.map { stepRows[$0] } }
  /// The lab's step in the selected row.
  var selectedHop: Hop? { selectedStep?.labStep.flatMap { result?.trace?.hops[$0] } }

  func loads(_ shared: SharedState) -> [Load] {
    result == nil && isSearching ? source.map { [.reproduction($0, evidence, chosen)] } ?? [] : []
  }

  mutating func enter(_ place: Place, isBack: Bool, _ shared: inout SharedState) {
    guard place.reproduction != source || !isBack else { return }
    self = ReproductionScreen()
    source = place.reproduction
    isSearching = true
  }

  /// Reads the source again, and tries the causes with the same choices.
  mutating func searchAgain() -> [Command] {
    evidence = nil
    return search()
  }

  private mutating func search() -> [Command] {
    isSearching = true
    return source.map { [.load(.reproduction($0, evidence, chosen))] } ?? []
  }

  /// Opens the screen with sources that were read.
  static func start(_ read: ReadEvidence, in model: inout AppModel) -> [Command] {
    [.load(.status), .load(.apps)] + model.open(Place(.reproduction, .reproduction(.read(read))))
  }

  /// Handles files that can no longer be read.
  mutating func abandon() { isSearching = false }

  /// Replaces an assumed value, and runs the call again.
  mutating func choose(_ value: String, as name: EvidenceFact.Name) -> [Command] {
    chosen[name] = value == Evidence.searched ? nil : value
    return search()
  }

  mutating func receive(_ loaded: Loaded, _ shared: inout SharedState) -> [Command] {
    guard case .reproduction(let source, let evidence, let chosen, let result) = loaded,
      source == self.source,
      chosen == self.chosen
    else { return [] }
    (self.evidence, self.result, isSearching) = (evidence, result, false)
    rows = result.map(ReproductionRow.rows) ?? []
    facts.replace(ids: rows.map(\.id), texts: rows.map { "\($0.section) \($0.name) \($0.value)" })
    steps.replace(
      ids: stepRows.indices.map { "\($0)" }, texts: stepRows.map { "\($0.source ?? "") \($0.lab ?? "")" })
    if let step = result?.failedStep, let row = stepRows.firstIndex(where: { $0.labStep == step }) {
      steps.select(id: "\(row)")
    }
    return []
  }

  func reasonCannotOpen(_ shared: SharedState) -> String? {
    guard shared.panel == 0 else { return reasonCannotOpenLab }
    return switch selectedRow {
    case nil: "nothing was read"
    case .assumption(let assumption)?:
      assumption.canChange ? nil : "a file or another option of ssoterm reproduce decides it"
    case .fact?: "a source shows it"
    case .outcome?, .change?: reasonCannotOpenLab
    }
  }

  var reasonCannotOpenLab: String? { result?.scenario == nil ? "no call of the lab fails so" : nil }

  /// Changes the selected assumption, or opens the lab at the failing step, without or with the selected change.
  mutating func open(_ shared: inout SharedState) -> [Command] {
    guard shared.panel == 0 else { return openLab(isMended: false) }
    switch selectedRow {
    case .assumption(let assumption)?:
      shared.open(Choice(of: assumption, present: result?.cause))
      return []
    case .change?: return openLab(isMended: true)
    case .outcome?: return openLab(isMended: false)
    case .fact?, nil: return []
    }
  }

  func openLab(isMended: Bool) -> [Command] {
    result?.scenario.map { [.finish(.demo(.reproduction($0, isMended: isMended)))] } ?? []
  }

  func breadcrumb(_ place: Place, after before: Place?, _ lab: LabFacts) -> String { "Reproduce" }

  func selection(_ shared: SharedState) -> Selection {
    var selection = Selection()
    selection.obstacleToWhy = shared.keys.fill("open the lab with {open lab} first")
    selection.explained = (result?.failure ?? result?.shown)?.displayText ?? ""
    selection.copies[.cell] = shared.panel == 1 ? selectedStep?.lab : selectedRow?.value
    selection.sentence =
      result.map { ReproductionRow.outcome($0.outcomeText, $0.verdict, []).value } ?? Self.waiting
    return selection
  }

  static let waiting = "the causes are tried in the lab"
}

/// A row of the first panel: the lab's outcome, an assumption, a change that fixes the call, or a fact of a source.
enum ReproductionRow: Equatable, Sendable {
  /// The result of the lab's call, its verdict, and the lines of its details.
  case outcome(String, Reproduction.Verdict, [String])
  case assumption(Assumption)
  /// A change, the kind of thing that is changed, and the lines of its details.
  case change(String, kind: String, [String])
  case fact(EvidenceFact)

  static func rows(_ result: Reproduction) -> [ReproductionRow] {
    [.outcome(result.outcomeText, result.verdict, result.outcomeDetails)]
      + result.assumptions.map { .assumption($0) }
      + result.changes.prefix(1).map { .change($0.text, kind: $0.kindName, $0.details) }
      + result.facts.map { .fact($0) }
  }

  var id: String { section + " " + name }

  var section: String {
    switch self {
    case .outcome: "lab"
    case .assumption: "assumed"
    case .change: "mended by"
    case .fact: "read"
    }
  }

  var name: String {
    switch self {
    case .outcome: "outcome"
    case .assumption(let assumption): assumption.name.rawValue
    case .change(_, let kind, _): kind
    case .fact(let fact): fact.name.rawValue
    }
  }

  var value: String {
    switch self {
    case .outcome(let text, _, _), .change(let text, _, _): text
    case .assumption(let assumption): assumption.value
    case .fact(let fact): fact.value
    }
  }

  /// The place of a fact, or the reason for an assumption.
  var origin: String {
    switch self {
    case .outcome, .change: ""
    case .assumption(let assumption): assumption.why
    case .fact(let fact): fact.place
    }
  }
}

extension Reproduction {
  /// The lab's call with its failure, or the reason that there is none.
  fileprivate var outcomeText: String {
    guard let call, let failure else { return difference ?? "nothing was read that can be reproduced" }
    return "\(call): \(failure.displayText)"
  }

  fileprivate var outcomeDetails: [String] {
    var lines: [String] = []
    if !shown.isEmpty { lines.append("The source shows: \(shown.displayText)") }
    if call != nil, let difference { lines.append("Only the nearest: \(difference).") }
    if let assumedCaller { lines.append("With an assumed caller: \(assumedCaller).") }
    if let check { lines.append("✗ \(check.displayText)") }
    if alternatives.count > 1 { lines += alternatives.map { "? \($0.question)" } }
    return lines
  }
}

extension Reproduction.Change {
  fileprivate var details: [String] {
    guard let failsThen else { return [place, "✓ Proved: the call gets a token."].compactMap(\.self) }
    return [place, "And then the call fails with \(failsThen.displayText):"].compactMap(\.self)
      + next.flatMap { [$0.text] + $0.details }
  }
}

// MARK: - Keys

extension ReproductionScreen {
  static let keys: [KeyCommand] = .ofScreen(
    own: [
      KeyCommand(
        ReproductionAction.assume, [.character("e")], "e", "assume", name: "assume",
        "Changes the selected assumption; the call then runs again at once."),
      KeyCommand(
        ReproductionAction.openLab, [.character("L")], "L", "open lab", name: "open lab",
        "Opens the lab at the failing step; leaving it returns here."),
      KeyCommand(
        ReproductionAction.write, [.character("x")], "x", "write", name: "write scenario",
        "Writes the scenario, which expects the failure and contains the change that fixes it, to a file in the working "
          + "directory."),
      KeyCommand(
        ReproductionAction.again, [.character("r")], "r", "", name: "try again", "Tries the causes again."),
    ], canChange: false)
}

extension KeyCommand {
  static let reproduce = KeyCommand(
    ReproductionAction.reproduce, [.character("R")], "R", "reproduce", name: "reproduce",
    "Makes a lab in which the same call fails, and finds what fixes it: for a call of a log that failed, or a finding "
      + "of the doctor.")
}

enum ReproductionAction: FeatureAction {
  case reproduce, assume, openLab, write, again

  var keyGroup: KeyGroup { self == .reproduce ? .explain : .act }

  func obstacle(in model: AppModel) -> String? {
    let screen = model.screens.reproduction
    switch self {
    case .reproduce:
      do throws(UnavailableReason) { _ = try Self.source(in: model) } catch { return error.text }
      return nil
    case .assume:
      guard model.panel == 0, case .assumption? = screen.selectedRow else {
        return "select an assumption first"
      }
      return screen.reasonCannotOpen(model.shared)
    case .openLab, .write: return screen.reasonCannotOpenLab
    case .again: return screen.source == nil ? "there is nothing to try" : nil
    }
  }

  func run(on model: inout AppModel) -> [Command] {
    switch self {
    case .reproduce:
      guard let source = try? Self.source(in: model) else { return [] }
      if model.topDialog(Finding.self) != nil { model.dialogs.removeLast() }
      return model.open(Place(.reproduction, .reproduction(source)))
    case .assume: return model.open()
    case .openLab: return model.screens.reproduction.openLab(isMended: false)
    case .write: return model.screens.reproduction.result?.scenario.map { [.writeScenario($0)] } ?? []
    case .again: return model.screens.reproduction.searchAgain()
    }
  }

  func commandWords(_ argument: String, in model: AppModel) -> [String]? {
    guard self == .reproduce, case .finding(_, let project)? = try? Self.source(in: model) else { return nil }
    return ["reproduce"] + project.paths
  }

  /// Returns the failure in the selected row.
  private static func source(in model: AppModel) throws(UnavailableReason) -> ReproductionSource {
    if model.place.screen == .doctor {
      guard let check = model.topDialog(Finding.self)?.check ?? model.screens.doctor.selectedCheck,
        check.hasFailed, let project = model.place.project
      else { throw UnavailableReason(text: "select a finding first") }
      return .finding(FindingRow.check(check).id, project)
    }
    guard let id = model.selection.trace else { throw UnavailableReason(text: "no trace yet") }
    let trace = model.selection.openTrace
    if let trace, !trace.isOfSource {
      throw UnavailableReason(text: model.shared.keys.fill("it is a call of this lab; {why} explains it"))
    }
    let verdict = trace?.summary.verdict ?? model.screens.traces.selected?.verdict
    guard verdict != Outcome.Verdict.succeeded.rawValue else {
      throw UnavailableReason(text: "the call did not fail")
    }
    return .trace(id)
  }
}

/// A choice of the value that is assumed.
struct AssumptionChoice: ChoicePurpose {
  let assumption: Assumption

  func takes(_ text: String) -> Bool { assumption.takes(text) }

  func run(_ chosen: String, on model: inout AppModel) -> [Command] {
    model.screens.reproduction.choose(chosen, as: assumption.name)
  }
}

extension Choice {
  /// Creates a choice, or a field with the current value if there is nothing to choose from.
  fileprivate init(of assumption: Assumption, present cause: String?) {
    let options = assumption.choices.map { Candidate($0.value, $0.detail) }
    self.init(
      AssumptionChoice(assumption: assumption), title: "Assume another \(assumption.name.rawValue)", options,
      present: assumption.name == .cause ? cause : assumption.value)
    if options.isEmpty { list.filter(by: assumption.value) }
  }
}
