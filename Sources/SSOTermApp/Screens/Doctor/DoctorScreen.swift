import SSOCore
import SSODevice
import SSODoctor
import SSOLab
import TerminalUI

extension KeyContext { static let doctor = KeyContext("doctor") }

extension Place {
  static func doctor(_ source: ProjectSource) -> Place { Place(.doctor, .project(source)) }

  /// The input for checking real apps, or `nil` on another screen.
  var project: ProjectSource? {
    if case .project(let source) = subject { source } else { nil }
  }
}

/// The results of the doctor, with the comparison of the apps, which needs a lab.
struct CheckedProject: Equatable, Sendable {
  var diagnosis: Diagnosis
  /// The comparison, or `nil` if there are fewer than two apps of one platform.
  let sharing: DiagnosedSharing?
  /// The lines of a file that fix a check, with the lines around them, for each check that can be fixed automatically.
  private let differences: [DoctorCheck: [String]]

  /// Compares the apps; `clientID` is for apps whose files do not contain one.
  init(_ diagnosis: Diagnosis, clientID: String?) {
    self.diagnosis = diagnosis
    sharing = try? DiagnosedSharing(of: diagnosis, clientID: clientID)
    differences = diagnosis.findings.reduce(into: [:]) { $0[$1] = Repair($1)?.difference }
  }

  func difference(of row: FindingRow) -> [String]? {
    if case .check(let check) = row { differences[check] } else { nil }
  }
}

/// Real apps and registrations with the results for their files: `ssoterm doctor` on the screen.
///
/// It belongs to Apps. The files are read again when one of them changes.
struct DoctorScreen: Screen {
  static let context = KeyContext.doctor
  static let tab = KeyContext.apps
  static let title = "Doctor"
  static let hasTwoLists = true
  static let rowsAroundList = 1

  private var source: ProjectSource?
  /// The result, or `nil` while the files are read for the first time.
  private(set) var result: Result<CheckedProject, UnreadableProject>?
  private var subjects = RowList()
  private var checks = RowList()
  private(set) var subjectRows: [SubjectRow] = []
  private(set) var checkRows: [FindingRow] = []

  subscript(panel: Int) -> RowList {
    get { panel == 1 ? checks : subjects }
    set { if panel == 1 { checks = newValue } else { subjects = newValue } }
  }

  var checked: CheckedProject? { try? result?.get() }
  var diagnosis: Diagnosis? { checked?.diagnosis }
  /// The totals for all files, such as `12 checks, 3 findings`, or `nil` before the files have been read.
  var headerText: String? {
    diagnosis.map { "\(counted($0.checks.count, "check")), \(counted($0.findings.count, "finding"))" }
  }
  var selectedSubject: SubjectRow? { subjects.selectedRow.map { subjectRows[$0] } }
  var selectedRow: FindingRow? {
    checks.selectedRow.flatMap { checkRows.indices.contains($0) ? checkRows[$0] : nil }
  }
  var selectedCheck: DoctorCheck? {
    if case .check(let check) = selectedRow { check } else { nil }
  }

  func loads(_ shared: SharedState) -> [Load] { shared.place.project.map { [.doctor($0)] } ?? [] }

  mutating func enter(_ place: Place, isBack: Bool, _ shared: inout SharedState) {
    guard place.project != source else { return }
    self = DoctorScreen()
    source = place.project
  }

  mutating func receive(_ loaded: Loaded, _ shared: inout SharedState) -> [Command] {
    guard case .doctor(let read, let result) = loaded, read == shared.place.project else { return [] }
    let isFirst = diagnosis == nil
    self.result = result
    subjectRows = checked.map(SubjectRow.lines) ?? []
    subjects.replace(ids: subjectRows.map(\.id), texts: subjectRows.map(\.text))
    // Select the first line with findings. A project itself has no checks.
    if isFirst, let worst = subjectRows.firstIndex(where: { $0.isWrong }) { subjects.state.selection = worst }
    showChecks()
    return []
  }

  mutating func selectionMoved(_ shared: inout SharedState) -> [Command] {
    filterMoved(shared)
    return []
  }

  mutating func filterMoved(_ shared: SharedState) {
    if shared.panel == 0 { showChecks() }
  }

  private mutating func showChecks() {
    checkRows = diagnosis.flatMap { diagnosis in selectedSubject?.rows(in: diagnosis) } ?? []
    checks.replace(ids: checkRows.map(\.id), texts: checkRows.map(\.text))
  }

  func reasonCannotOpen(_ shared: SharedState) -> String? {
    if shared.panel == 0 { return selectedSubject == nil ? "nothing was found to check" : nil }
    return selectedRow?.canOpen == true ? nil : "select a check first"
  }

  mutating func open(_ shared: inout SharedState) -> [Command] {
    if shared.panel == 0 {
      (shared.panel, shared.scroll) = (1, 0)
    } else if let row = selectedRow {
      shared.open(Finding(row, checked?.difference(of: row)))
    }
    return []
  }

  func breadcrumb(_ place: Place, after before: Place?, _ lab: LabFacts) -> String {
    "Doctor " + (place.project?.paths.map(fileName).joined(separator: ", ") ?? "")
  }

  func selection(_ shared: SharedState) -> Selection {
    var selection = Selection()
    let app = selectedSubject?.bundleID.flatMap { id in shared.lab.apps.first { $0.bundleID == id } }
    if let app {
      selection.why = .app(app.bundleID)
      selection.record = RecordID(kind: .app, name: app.bundleID)
    } else {
      selection.obstacleToWhy = "this is not an app of the lab; ssoterm app import makes it one"
    }
    let check = selectedCheck
    selection.explained = check?.refusal.map { "\($0.code) \($0.text)" } ?? ""
    selection.copies[.fix] = check?.fix
    selection.copies[.cell] =
      (shared.panel == 1 ? check?.place.description : nil) ?? selectedSubject?.name
    selection.sentence = diagnosis.map { "\(counted($0.findings.count, "finding"))" } ?? "the files are read"
    return selection
  }
}

extension DoctorScreen {
  static let keys: [KeyCommand] = .ofScreen(
    own: [
      .editPlace, .reproduce,
      KeyCommand(
        DoctorAction.check, [.character("r")], "r", "check again", name: "judge",
        "Reads and checks the files again. This happens automatically when one of them changes."),
    ], copy: .copyFix, reload: .reloadByF5)
}

extension KeyCommand {
  static let editPlace = KeyCommand(
    DoctorAction.edit, [.character("e")], "e", "edit", name: "edit",
    "Opens the file of the selected check in your editor (VISUAL or EDITOR), at its line.")
  static let copyFix = KeyCommand(
    DoctorAction.copyFix, [.character("y")], "y", "copy the lines", name: "copy fix",
    "Copies the lines to write instead.")
}

/// The actions on real projects.
///
/// This program never writes to their files.
enum DoctorAction: FeatureAction {
  /// Only in the palette: opens a path.
  case open
  case check, edit, copyFix

  var heading: String { self == .open ? KeyGroup.everywhere.title : keyGroup.title }

  func obstacle(in model: AppModel) -> String? {
    switch self {
    case .open: nil
    case .check: model.place.project == nil ? "no project is open" : nil
    case .edit:
      switch check(in: model) {
      case nil: "select a check first"
      case let check?:
        SampleProject(check.place.path) == nil ? nil : "a sample is part of the program and cannot be edited"
      }
    case .copyFix: check(in: model)?.fix == nil ? "there are no lines to write for it" : nil
    }
  }

  func run(on model: inout AppModel) -> [Command] {
    switch self {
    case .open:
      model.shared.sayArgumentIsMissing()
      return []
    case .check: return model.reload()
    case .edit:
      // Check the files at once, even if the system does not watch folders.
      return check(in: model).map { [.edit($0.place)] + model.reload() } ?? []
    case .copyFix:
      return check(in: model)?.fix.map { [.copy(Copy(text: $0, label: CopyItem.fix.displayText))] } ?? []
    }
  }

  func run(with argument: String, on model: inout AppModel) -> [Command]? {
    guard self == .open else { return nil }
    return model.open(.doctor(ProjectSource(paths: [Self.inHome(argument)])))
  }

  func commandWords(_ argument: String, in model: AppModel) -> [String]? {
    switch self {
    case .open: argument.isEmpty ? nil : ["doctor", Self.inHome(argument), "--open"]
    case .check: model.place.project.map { ["doctor"] + $0.paths }
    case .edit, .copyFix: nil
    }
  }

  /// Returns the check of the dialog, or else the selected one, which is the first finding until another is selected.
  private func check(in model: AppModel) -> DoctorCheck? {
    model.topDialog(Finding.self)?.check ?? model.screens.doctor.selectedCheck
  }

  /// Expands the home folder in a path, because no shell has done so.
  private static func inHome(_ path: String) -> String {
    guard path.hasPrefix("~/"), let home = StandardStreams.variable("HOME") else { return path }
    return home + path.dropFirst()
  }
}

extension KeyContext { static let finding = KeyContext("finding") }

/// A row of the Doctor screen in full.
///
/// The text for a check contains the rule, the reason that it matters, the number of public reports, the text that the
/// SDK prints, and the lines to write. The text for two apps contains every condition for sharing a sign-in.
struct Finding: TextDialog {
  private let row: FindingRow
  private let difference: [String]?
  var scroll = 0

  init(_ row: FindingRow, _ difference: [String]?) { (self.row, self.difference) = (row, difference) }

  var check: DoctorCheck? { if case .check(let check) = row { check } else { nil } }

  static let keys: [KeyContext: [KeyCommand]] = [
    .finding: [
      .close([.escape, .enter, .character("q")], "back", name: "close", "Goes back to the checks."),
      .editPlace, .reproduce, .copyFix,
    ]
  ]

  var context: KeyContext { .finding }
  /// The lines to write are wider than prose.
  var mostWidth: Int { longestLine }

  var title: String { check?.subject ?? "Sharing a sign-in" }
  var remark: String { check?.rule.name ?? "" }

  func lines(width: Int) -> [PanelLine] {
    guard let check else { return row.detailLines(width: width, nil) }
    var lines = check.summaryLines(width: width, difference)
    lines += [PanelLine("")] + wholeField("File", check.place.description, width: width)
    lines += fieldLines("Rule", check.rule.title, width: width)
    if check.hasFailed { lines += fieldLines("Effect", check.severity.rawValue, width: width) }
    lines += [PanelLine("")] + fieldLines("Why", check.rule.why, width: width)
    if let reports = check.rule.reports {
      lines += fieldLines("Seen", "in \(counted(reports, "public report"))", width: width)
    }
    if let refusal = check.refusal {
      lines += [PanelLine(""), PanelLine("As the SDK or the provider says it", .dim)]
      lines += wrapped(refusal.text, width).map { PanelLine($0) }
    }
    for code in check.explanations { lines += [PanelLine("")] + code.lines(width: width) }
    return lines
  }
}
