extension KeyContext { static let doctor = KeyContext("doctor") }

extension Place {
  static func doctor(_ source: ProjectSource) -> Place { Place(.doctor, .project(source)) }

  /// The input for checking real apps, or `nil` on another screen.
  var project: ProjectSource? {
    if case .project(let source) = subject { source } else { nil }
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
  private(set) var result: Result<Diagnosis, UnreadableProject>?
  private var subjects = RowList()
  private var checks = RowList()
  private(set) var subjectRows: [SubjectRow] = []
  private(set) var checkRows: [FindingRow] = []

  subscript(panel: Int) -> RowList {
    get { panel == 1 ? checks : subjects }
    set { if panel == 1 { checks = newValue } else { subjects = newValue } }
  }

  var diagnosis: Diagnosis? { try? result?.get() }
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
    subjectRows = diagnosis.map(SubjectRow.lines) ?? []
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
    if shared.panel == 0 { return selectedSubject == nil ? "nothing was found to judge" : nil }
    return selectedRow?.canOpen == true ? nil : "select a check first"
  }

  mutating func open(_ shared: inout SharedState) -> [Command] {
    if shared.panel == 0 {
      (shared.panel, shared.scroll) = (1, 0)
    } else if let row = selectedRow {
      shared.open(Finding(row))
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
    let check = shared.panel == 1 ? selectedCheck : nil
    selection.explained = check?.refusal.map { "\($0.code) \($0.text)" } ?? ""
    selection.copies[.fix] = check?.fix
    selection.copies[.cell] = check?.place.description ?? selectedSubject?.name
    selection.sentence = diagnosis.map { "\(counted($0.findings.count, "finding"))" } ?? "the files are read"
    return selection
  }
}
