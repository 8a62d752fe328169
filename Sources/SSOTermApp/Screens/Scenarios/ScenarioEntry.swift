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
  /// Whether the user performs the item and decides the verdict.
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

  /// The title in the list, which for a checklist item is its name, because its title says what to expect.
  var listTitle: String { title.isEmpty || isManual ? name : title }

  private init(manual text: String, expect: String) {
    (name, title, isManual) = (text, expect, true)
  }
}

/// A group of scenarios under a heading of the list, in the list's order.
enum ScenarioGroup: String, CaseIterable, Sendable {
  case starters = "Start with these"
  case onePhone = "Apps on one phone"
  case broker = "With a broker"
  case spoofing = "Spoofing"
  case settings = "Settings"
  case webSessions = "Web sessions"
  case libraries = "Libraries"
  case ownApp = "Your own app"
  case others = "More"

  /// The names of the scenarios to begin with, in this order.
  static let starterNames = ["contoso-suite", "two-vendors", "contoso-suite-broken-team"]

  /// Creates the group of a scenario: the section of the first claim that it shows, unless its name says more.
  init(_ entry: ScenarioEntry) {
    self =
      if Self.starterNames.contains(entry.name) {
        .starters
      } else if entry.name.hasPrefix("own-app") {
        .ownApp
      } else {
        switch entry.claims.first?.first {
        case "A": .broker
        case "B": .spoofing
        case "C": .onePhone
        case "D": .settings
        case "E": .webSessions
        case "F": .libraries
        default: .others
        }
      }
  }
}

extension [ScenarioEntry] {
  /// The entries in the order of their groups.
  var inGroups: [ScenarioEntry] {
    ScenarioGroup.allCases.flatMap { group in
      let own = filter { ScenarioGroup($0) == group }
      return group == .starters
        ? ScenarioGroup.starterNames.compactMap { name in own.first { $0.name == name } } : own
    }
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
    case .title: TableColumn(rawValue, width: .flexible(min: 24, wanted: 40, weight: 3))
    case .name: TableColumn(rawValue, width: .flexible(min: 14, wanted: 22, weight: 1), priority: 2)
    case .claims: TableColumn(rawValue, width: .fixed(14), priority: 3)
    case .steps: TableColumn(rawValue, width: .fixed(6), align: .right, priority: 1)
    case .result: TableColumn(rawValue, width: .fixed(9))
    }
  }

  /// Returns the layout in a list, in which the other columns give way before a title is cut.
  func layout(of entries: [ScenarioEntry]) -> TableColumn {
    func widest(_ text: (ScenarioEntry) -> String) -> Int { entries.map { columnWidth(text($0)) }.max() ?? 0 }
    var column = layout
    switch self {
    case .title: column.width = .flexible(min: 24, wanted: widest(\.listTitle), weight: 3)
    case .name: column.width = .flexible(min: 14, wanted: widest(\.name), weight: 1)
    case .claims, .steps, .result: break
    }
    return column
  }

  /// Returns the columns of a panel in which no title and no name is cut.
  static func wantedWidth(of entries: [ScenarioEntry]) -> Int {
    allCases.reduce(2) { $0 + $1.layout(of: entries).width.wanted + 2 }
  }

  func cell(of row: Row, in shared: SharedState) -> TableCell {
    switch self {
    case .title: TableCell(row.entry.listTitle)
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
