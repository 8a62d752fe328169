import SSOScenarios
import TerminalUI

/// A scenario that can be found, or an item of a checklist, as the list shows it.
struct ScenarioEntry: Equatable, Sendable {
  var name: String
  /// The name or path that the scenario is loaded by.
  ///
  /// A checklist may specify a path.
  var source = ""
  var title = ""
  var note = ""
  var claims: [String] = []
  var steps: [String] = []
  /// The reason that the file cannot be read, or `nil` if it can.
  var problem: String?
  /// Whether a person performs the item and decides on it.
  ///
  /// Its name then says what to do, and its title what to expect.
  var isManual = false

  init(_ name: String, _ file: Result<ScenarioFile, ScenarioError>) {
    self.name = name
    source = name
    switch file {
    case .success(let file):
      (title, note, claims, steps) = (file.title, file.note, file.claims, file.steps.map(\.title))
    case .failure(let error): problem = error.what
    }
  }

  init(_ item: ChecklistFile.Item) {
    switch item {
    case .scenario(let file):
      self.init(file.name, .success(file))
      if file.path.contains("/") { source = file.path }
    case .manual(let text, let expect): self.init(manual: text, expect: expect)
    }
  }

  private init(manual text: String, expect: String) {
    (name, title, isManual) = (text, expect, true)
  }
}

extension [ScenarioEntry] {
  /// The scenarios to begin with, in this order.
  private static let starters = ["contoso-suite", "two-vendors", "contoso-suite-broken-team"]

  /// The entries with those to begin with at the top.
  var startersFirst: [ScenarioEntry] {
    Self.starters.compactMap { name in first { $0.name == name } }
      + filter { !Self.starters.contains($0.name) }
  }
}

extension ScenarioEntry: Searchable {
  static let searchColumns = ["scenario", "claim", "title"]
  var searchValues: [String] { [name, claims.joined(separator: " "), title] }
}

/// The columns of the list of scenarios.
enum ScenarioColumn: String, ListColumn {
  case title = "TITLE"
  case name = "SCENARIO"
  case claims = "CLAIMS"
  case steps = "STEPS"
  case result = "RESULT"

  struct Row {
    var entry: ScenarioEntry
    var result: TrialResult?
    /// The evidence that the user added by hand.
    var added: [TrialResult.Evidence] = []
  }

  var layout: TableColumn {
    switch self {
    case .title: TableColumn(rawValue, width: .flexible(min: 24, wanted: 46, weight: 3))
    case .name: TableColumn(rawValue, width: .flexible(min: 14, wanted: 26, weight: 1), priority: 1)
    case .claims: TableColumn(rawValue, width: .flexible(min: 8, wanted: 14, weight: 1), priority: 3)
    case .steps: TableColumn(rawValue, width: .fixed(6), align: .right, priority: 2)
    case .result: TableColumn(rawValue, width: .fixed(9))
    }
  }

  func cell(of row: Row, in shared: SharedState) -> TableCell {
    switch self {
    // What a person does in a checklist is its name; the title says what to expect.
    case .title: TableCell(row.entry.title.isEmpty || row.entry.isManual ? row.entry.name : row.entry.title)
    case .name: TableCell(row.entry.isManual ? "" : row.entry.name, .dim)
    case .claims: TableCell(row.entry.claims.joined(separator: " "), .dim)
    case .steps: TableCell(row.entry.isManual ? "manual" : "\(row.entry.steps.count)", .dim)
    case .result:
      if row.entry.problem != nil {
        TableCell("✗ file", .bad)
      } else if let result = row.result {
        TableCell(result.text, result.style)
      } else {
        TableCell(row.entry.isManual ? "?" : "-", .dim)
      }
    }
  }

  func sortKey(of row: Row) -> SortKey {
    switch self {
    case .title: .text(row.entry.title)
    case .name: .text(row.entry.name)
    case .claims: .text(row.entry.claims.joined(separator: " "))
    case .steps: .number(row.entry.steps.count)
    case .result: .number(row.result.map { $0.verdict == .failed ? 0 : 2 } ?? 1)
    }
  }
}

extension TrialResult {
  /// Whether the verdict comes from the scenario's run, and not from the user.
  var isOfRun: Bool {
    report.map { verdict != .skipped && $0.passed == (verdict == .passed) } ?? false
  }

  /// The text of the verdict: `✓ 4/4`, or `✓ passed` if the user decided.
  var text: String {
    guard let report, isOfRun else {
      return "\(verdict.glyph) \(verdict.rawValue)"
    }
    return "\(verdict.glyph) \(report.steps.count { $0.passed })/\(report.steps.count)"
  }

  var style: Style {
    switch verdict {
    case .passed: .good
    case .failed: .bad
    case .skipped: .dim
    }
  }
}
