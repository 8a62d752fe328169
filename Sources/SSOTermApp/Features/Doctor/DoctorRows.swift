/// A line of the left panel: a project, its apps and registrations below it, and at the end the files that cannot be
/// read.
enum SubjectRow: Equatable, Sendable {
  case project(String, findings: [DoctorCheck])
  case subject(DoctorSubject, findings: [DoctorCheck])
  /// The relationship between the apps: which of them share a sign-in.
  case sharing(DiagnosedSharing)
  case unread(count: Int)

  static func lines(of diagnosis: Diagnosis) -> [SubjectRow] {
    let subjects = diagnosis.subjects
    let projects = subjects.map(\.project).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let rows = projects.flatMap { project in
      let own = subjects.filter { $0.project == project }.map { subject in
        SubjectRow.subject(subject, findings: diagnosis.checks(of: subject).filter(\.hasFailed))
      }
      return [.project(project, findings: own.flatMap(\.findings))] + own
    }
    return rows + (diagnosis.sharing.map { [.sharing($0)] } ?? [])
      + (diagnosis.unread.isEmpty ? [] : [.unread(count: diagnosis.unread.count)])
  }

  var id: String {
    switch self {
    case .project(let path, _): path
    case .subject(let subject, _): "\(subject.origin) \(subject.name)"
    case .sharing: "sharing"
    case .unread: "unread"
    }
  }

  var name: String {
    switch self {
    case .project(let path, _): fileName(path)
    case .subject(let subject, _): subject.name
    case .sharing: "sharing a sign-in"
    case .unread: "not read"
    }
  }

  var text: String {
    if case .subject(let subject, _) = self { "\(subject.name) \(subject.summary)" } else { name }
  }

  var findings: [DoctorCheck] {
    switch self {
    case .project(_, let findings), .subject(_, let findings): findings
    case .sharing, .unread: []
    }
  }

  /// Whether the line is an app or a registration with findings.
  var isWrong: Bool {
    if case .subject = self { !findings.isEmpty } else { false }
  }

  var bundleID: String? {
    if case .subject(let subject, _) = self { subject.bundleID } else { nil }
  }

  /// Returns the rows of the right panel: findings by severity, then what was not seen, then passed checks.
  func rows(in diagnosis: Diagnosis) -> [FindingRow] {
    let checks: [DoctorCheck]
    var notSeen: [FindingRow] = []
    switch self {
    case .project(let path, _):
      checks = diagnosis.subjects.filter { $0.project == path }.flatMap { diagnosis.checks(of: $0) }
      notSeen = diagnosis.notes(of: path).map { .notSeen($0.words) }
    case .subject(let subject, _):
      checks = diagnosis.checks(of: subject)
      notSeen = subject.notSeen.map { [.notSeen($0)] } ?? []
    case .sharing(let sharing):
      return sharing.pairs.map { .pair($0) } + sharing.visibility.map { .visibility($0, sharing.names) }
    case .unread: return diagnosis.unread.map { .unread($0) }
    }
    let found = DoctorCheck.Severity.allCases.flatMap { severity in
      checks.filter { $0.hasFailed && $0.severity == severity }
    }
    let passed = checks.filter { $0.check.verdict == .passed }
    return found.map { .check($0) } + notSeen + passed.map { .check($0) }
  }
}

/// A line of the right panel.
enum FindingRow: Equatable, Sendable {
  case check(DoctorCheck)
  /// The explanation of whether two apps share a sign-in.
  case pair(Checklist)
  /// A cell of the matrix: what one app can use of another app's sign-in, with names by bundle ID.
  case visibility(Visibility, [String: String])
  case unread(UnreadFile)
  /// Something that a built app does not show.
  case notSeen(String)

  var id: String {
    switch self {
    case .check(let check): "\(check.subject) \(check.rule.rawValue) \(check.check.name) \(check.place.path)"
    case .pair(let pair): pair.title
    case .visibility(let cell, _): "\(cell.signedIn) \(cell.looking)"
    case .unread(let file): file.path
    case .notSeen(let what): "not seen \(what)"
    }
  }

  var text: String {
    switch self {
    case .check(let check): "\(check.rule.title) \(check.check.name) \(check.rule.rawValue) \(check.place)"
    case .pair(let pair): "\(pair.title) \(pair.answer)"
    case .visibility(let cell, let names): cell.sentence(names)
    case .unread(let file): file.path
    case .notSeen(let what): what
    }
  }

  /// Whether Enter opens the row in full.
  var canOpen: Bool {
    switch self {
    case .check, .pair, .visibility: true
    case .unread, .notSeen: false
    }
  }
}

extension DiagnosedSharing {
  fileprivate var names: [String: String] {
    Dictionary(apps.map { ($0.bundleID, $0.displayName) }, uniquingKeysWith: { first, _ in first })
  }
}

extension Visibility {
  /// Returns a sentence such as `In the keychain Mail finds nothing of Calendar's sign-in`.
  func sentence(_ names: [String: String]) -> String {
    "In the keychain \(names[looking] ?? looking) finds \(extent.rawValue) of \(names[signedIn] ?? signedIn)'s sign-in"
  }
}

extension DoctorCheck.Severity {
  package var glyph: String {
    switch self {
    case .fails: "✗"
    case .worksInSomeCases: "~"
    case .notFilledIn: "·"
    }
  }

  package var plural: String {
    switch self {
    case .fails: "fail"
    case .worksInSomeCases: "work in some cases"
    case .notFilledIn: rawValue
    }
  }
}
