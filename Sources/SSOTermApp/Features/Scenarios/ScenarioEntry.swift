/// A scenario that can be found, as the list shows it.
struct ScenarioEntry: Equatable, Sendable {
  var name: String
  var title = ""
  var note = ""
  var claims: [String] = []
  var steps: [String] = []
  /// Why its file cannot be read; nil if it can.
  var problem: String?

  init(_ name: String, _ file: Result<ScenarioFile, ScenarioError>) {
    self.name = name
    switch file {
    case .success(let file):
      (title, note, claims, steps) = (file.title, file.note, file.claims, file.steps.map(\.title))
    case .failure(let error): problem = error.what
    }
  }
}

extension ScenarioEntry: Searchable {
  static let searchColumns = ["scenario", "claim", "title"]
  var searchValues: [String] { [name, claims.joined(separator: " "), title] }
}

/// The columns of the list of scenarios.
enum ScenarioColumn: String, ListColumn {
  case name = "SCENARIO"
  case claims = "CLAIMS"
  case steps = "STEPS"
  case result = "RESULT"

  struct Row {
    var entry: ScenarioEntry
    var report: ScenarioReport?
  }

  var layout: TableColumn {
    switch self {
    case .name: TableColumn(rawValue, width: .flexible(min: 14, wanted: 26, weight: 1))
    case .claims: TableColumn(rawValue, width: .fixed(8), priority: 1)
    case .steps: TableColumn(rawValue, width: .fixed(5), align: .right, priority: 2)
    case .result: TableColumn(rawValue, width: .fixed(8))
    }
  }

  func cell(of row: Row, in shared: SharedState) -> TableCell {
    switch self {
    case .name: TableCell(row.entry.name)
    case .claims: TableCell(row.entry.claims.joined(separator: " "), .dim)
    case .steps: TableCell("\(row.entry.steps.count)", .dim)
    case .result:
      if row.entry.problem != nil {
        TableCell("✗ file", .bad)
      } else if let report = row.report {
        TableCell(report.countText, report.passed ? .good : .bad)
      } else {
        TableCell("-", .dim)
      }
    }
  }

  func sortKey(of row: Row) -> SortKey {
    switch self {
    case .name: .text(row.entry.name)
    case .claims: .text(row.entry.claims.joined(separator: " "))
    case .steps: .number(row.entry.steps.count)
    case .result: .number(row.report.map { $0.passed ? 2 : 0 } ?? 1)
    }
  }
}

extension ScenarioReport {
  /// `✓ 4/4`.
  var countText: String { "\(passed ? "✓" : "✗") \(steps.count { $0.passed })/\(steps.count)" }
}
