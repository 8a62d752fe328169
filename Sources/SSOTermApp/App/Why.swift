import SSOCore
import SSOLab
import SSOScenarios
import TerminalUI

/// What a "why?" is about.
enum WhySubject: Hashable, Sendable {
  case app(String)
  /// Why two apps share a sign-in, or do not.
  case apps(String, String)
  case account(String)
  case token(String)
  case trace(Int64)
}

/// The decision as a list of conditions, the first that fails marked and selected.
struct Why: Equatable, Sendable {
  /// A heading, or a check of its section.
  struct Row: Equatable, Sendable {
    var section: Int
    var check: Int?
  }

  var subject: WhySubject
  var checklist: Checklist
  var rows: [Row]
  var list = RowList()

  init(_ subject: WhySubject, _ checklist: Checklist) {
    self.subject = subject
    self.checklist = checklist
    rows = checklist.sections.indices.flatMap { section in
      [Row(section: section)]
        + checklist.sections[section].checks.indices.map { Row(section: section, check: $0) }
    }
    list.replace(ids: rows.indices.map { "\($0)" }, texts: rows.map { _ in "" })
    list.select(id: "\(firstFailure ?? min(1, max(0, rows.count - 1)))")
  }

  func check(_ row: Row) -> Check? { row.check.map { checklist.sections[row.section].checks[$0] } }

  /// The row of the first condition that fails.
  var firstFailure: Int? { rows.firstIndex { check($0)?.verdict == .failed } }
  var selectedRow: Row? { list.selectedRow.map { rows[$0] } }
  var selected: Check? { selectedRow.flatMap(check) }
}

extension AppModel {
  /// What `w` is about: the marked two apps, or what is selected; nil if nothing is.
  var whySubject: WhySubject? {
    if case .sights(let sights) = dialogs.last {
      return sights.selected.map { .apps($0.looking, $0.signedIn) }
    }
    switch place {
    case .apps:
      let apps = targetApps
      return apps.count == 2
        ? .apps(apps[0].bundleID, apps[1].bundleID) : apps.first.map { .app($0.bundleID) }
    case .accounts: return selectedAccount.map { .account($0.identifier) }
    case .tokens: return selectedToken.map { .token($0.id) }
    case .keychain: return panel == 1 ? deletable.first.map { .token($0) } : nil
    case .traces, .trace: return traceInSight.map { .trace($0) }
    case .story: return selectedReport?.traceID.map { .trace($0) }
    case .records:
      guard let record = selectedLabRow?.record, record.kind == .app else { return nil }
      return .app(record.name)
    case .provider: return nil
    }
  }

  var obstacleToWhy: String? {
    if whySubject == nil {
      return switch place {
      case .apps: "select an app first"
      case .accounts: "select an account first"
      case .tokens: "select a token first"
      case .keychain: "Tab, then select a token"
      case .traces, .trace: "no trace yet"
      case .story: "the step left no trace"
      case .records: "select an app first"
      case .provider: "nothing here is decided"
      }
    }
    guard place == .apps else { return nil }
    if marked.count > 2 { return "two apps at most; Esc unmarks" }
    let isReal = targetApps.contains { $0.kind == .real }
    return isReal ? "a real client decides in its own program; its traces say what it asked" : nil
  }

  var selectedCheck: Check? {
    if case .why(let why) = dialogs.last { why.selected } else { nil }
  }

  var obstacleToSecondApp: String? {
    guard case .why(let why) = dialogs.last, case .app(let first) = why.subject else {
      return "only where it is about one app"
    }
    return appRows.contains { $0.bundleID != first && $0.kind == .simulated } ? nil : "there is no other app"
  }

  /// `with another app`: the others to compare with, as a list to choose from.
  mutating func chooseSecondApp() {
    guard case .why(let why) = dialogs.last, case .app(let first) = why.subject else { return }
    let others = appRows.filter { $0.bundleID != first && $0.kind == .simulated }
    dialogs.append(
      .choice(
        Choice(
          .secondApp(of: first), title: "Why share with, or not",
          others.map { Candidate($0.bundleID, $0.displayName) })))
  }
}
