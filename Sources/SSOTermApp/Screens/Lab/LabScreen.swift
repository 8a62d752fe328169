import SSOLab
import SSOReference
import TerminalUI

extension KeyContext { static let records = KeyContext("records") }

extension Place {
  static let records = Place(.records)
  static func record(_ id: RecordID) -> Place { Place(.records, .record(id)) }
}

/// The lab's records, and the fields of the selected record.
struct LabScreen: Screen {
  static let context = KeyContext.records
  static let title = "Lab"
  static let hasTwoLists = true
  static let rowsAroundList = 1
  static let keys: [KeyCommand] = .ofScreen(first: LabRowAction.keys, canChange: false)

  var records = RowList()
  var fields = RowList()
  private(set) var rows: [LabRow] = []
  /// The columns of the longest title and of the longest name of a record.
  private(set) var (titleWidth, nameWidth) = (0, 0)
  static let guidWidth = 36
  /// The columns of the longest name that is shorter than a GUID.
  private(set) var shortNameWidth = 0
  /// The columns that the fields of each app need beside each other with their values.
  ///
  /// The lists of other records, such as the redirect URIs of a registration, may be as long as they like.
  private var fieldsWidth = 0
  private(set) var fieldRows: [FieldRow] = []

  subscript(panel: Int) -> RowList {
    get { panel == 1 ? fields : records }
    set { if panel == 1 { fields = newValue } else { records = newValue } }
  }

  var selected: LabRow? { records.selectedRow.map { rows[$0] } }
  var selectedField: FieldRow? {
    fields.selectedRow.flatMap { fieldRows.indices.contains($0) ? fieldRows[$0] : nil }
  }

  func loads(_ shared: SharedState) -> [Load] { [.records] }

  /// Returns the screen's name, or only the record's if it was opened from the list.
  func breadcrumb(_ place: Place, after before: Place?, _ lab: LabFacts) -> String {
    guard before?.screen == Self.context, case .record(let id)? = place.subject else {
      return "\(place.tab + 1) \(Self.title)"
    }
    return rows.lazy.compactMap(\.record).first { $0.kind == id.kind && $0.name == id.name }?.title ?? id.name
  }

  mutating func enter(_ place: Place, isBack: Bool, _ shared: inout SharedState) {
    guard case .record(let id) = place.subject else { return }
    records.select(id: LabRow.id(id.kind, id.name))
    showFields()
    selectFirstOpenField()
    shared.panel = 1
  }

  mutating func receive(_ loaded: Loaded, _ shared: inout SharedState) -> [Command] {
    guard case .records(let read) = loaded else { return [] }
    rows = LabRow.lines(of: read)
    titleWidth = read.lazy.map { columnWidth($0.title) }.max() ?? 0
    let names = read.map { columnWidth($0.name) }
    nameWidth = names.max() ?? 0
    shortNameWidth = names.filter { $0 < Self.guidWidth }.max() ?? 0
    fieldsWidth = read.lazy.filter { $0.kind == .app }.map(FieldForm.width).max() ?? 0
    records.replace(
      ids: rows.map(\.id),
      texts: rows.map { row in
        switch row {
        case .kind(let kind, _): kind.plural
        case .record(let record): "\(record.title) \(record.name) \(record.kind.noun)"
        case .unused(let kinds): kinds.map(\.plural).joined(separator: " ")
        }
      })
    if records.state.selection == 0, records.count > 1 { records.state.selection = 1 }
    let isFresh = shared.panel == 1 && fields.count == 0
    showFields()
    if isFresh { selectFirstOpenField() }
    return []
  }

  mutating func selectionMoved(_ shared: inout SharedState) -> [Command] {
    filterMoved(shared)
    return []
  }

  mutating func filterMoved(_ shared: SharedState) {
    if shared.panel == 0 { showFields() }
  }

  /// Shows the fields of the selected record.
  ///
  /// The same field stays selected from record to record.
  private mutating func showFields() {
    fieldRows = (selected?.record?.fields ?? []).map { .field($0) }
    fieldRows += (selected?.actions ?? []).map { .action($0) }
    fields.replace(ids: fieldRows.map(\.id), texts: fieldRows.map(\.id))
  }

  /// Selects the first field that can be changed, because the key of the record comes first and cannot be changed.
  private mutating func selectFirstOpenField() {
    let first = fields.matches.indices.first { place in
      if case .field(let field) = fieldRows[fields.matches[place]] { field.canChange } else { true }
    }
    if let first { fields.state.selection = first }
  }

  func reasonCannotOpen(_ shared: SharedState) -> String? {
    if shared.panel == 0 {
      return selected == nil ? "no record" : fieldRows.isEmpty ? "nothing to do with all of them" : nil
    }
    if shared.lab.isReadOnly { return LabFacts.readOnly }
    guard let row = selectedField else { return "select a field first" }
    if case .field(let field) = row, !field.canChange {
      return "\(field.name) is the key of the record and cannot be changed"
    }
    return nil
  }

  mutating func open(_ shared: inout SharedState) -> [Command] {
    if shared.panel == 0 {
      (shared.panel, shared.scroll) = (1, 0)
      return []
    }
    return selectedField.map { run($0, &shared) } ?? []
  }

  /// Handles Enter on a field or an action.
  private func run(_ row: FieldRow, _ shared: inout SharedState) -> [Command] {
    switch row {
    case .action(let action):
      switch action.way {
      case .perform(let intent): return shared.begin("Changing", .perform(intent, []))
      case .choose(let choice): shared.open(choice)
      case .type(let edit): shared.open(edit)
      }
    case .field(let field):
      selected?.record?.edit(field, &shared)
    }
    return []
  }

  func selection(_ shared: SharedState) -> Selection {
    var selection = Selection()
    if let record = selected?.record, record.kind == .app {
      selection.why = .app(record.name)
    } else {
      selection.obstacleToWhy = "select an app first"
    }
    selection.copies[.cell] = shared.panel == 0 ? selected?.record?.name : selectedField?.copied
    selection.sentence = selected?.sentence ?? "no record"
    return selection
  }
}

extension FieldRow {
  /// The value of a field as it is displayed, with secrets masked.
  fileprivate var copied: String? {
    if case .field(let field) = self { field.value } else { nil }
  }
}

/// The actions that change records from any screen.
enum RecordCommand: FeatureAction {
  var keyGroup: KeyGroup { .explain }
  /// Opens the record of the selection.
  case change
  /// Only in the palette: sets a field.
  case set(RecordKind)

  var changesLab: Bool { self != .change }

  func obstacle(in model: AppModel) -> String? {
    self == .change && model.selection.record == nil
      ? "this row is not a record of the lab; 6 lists the records" : nil
  }

  func run(on model: inout AppModel) -> [Command] {
    if self == .change { return model.selection.record.map { model.open(.record($0)) } ?? [] }
    model.shared.sayArgumentIsMissing()
    return []
  }

  func run(with argument: String, on model: inout AppModel) -> [Command]? {
    guard case .set(let kind) = self, let setting = Setting(argument) else { return nil }
    guard !setting.change.isSecret else {
      model.shared.say("\(setting.change.field) is a secret: change it on 6 Lab, where it is masked.", .bad)
      return []
    }
    return model.shared.begin(
      "Changing", .perform(EditRecord(kind, record: setting.record, [setting.change])))
  }

  func commandWords(_ argument: String, in model: AppModel) -> [String]? {
    guard case .set(let kind) = self, let setting = Setting(argument), !setting.change.isSecret else {
      return nil
    }
    let change = setting.change
    let words = change.field + change.operation.rawValue + change.value
    return Advice.Action(.set, [kind.rawValue, setting.record, words]).commandWords
  }
}

extension KeyCommand {
  static let change = KeyCommand(
    RecordCommand.change, [.character("C")], "C", "change", name: "change",
    "Opens the record of what is selected, to change a field: an app's configuration, a user, a registration."
  )

  static let setRecord = RecordKind.allCases.map { kind in
    KeyCommand(
      RecordCommand.set(kind), name: "\(kind.rawValue) set", .setting,
      "Changes a field (FIELD=VALUE, += and -= for lists) and shows what changes for the apps.")
  }
}

extension LabScreen {
  func panels(in layout: Layout) -> Layout.Panels {
    let width = layout.size.width
    // From 120 columns on, the list has room for complete IDs, unless there are lines for them below the titles. From
    // 140, the fields have room for a form of two columns. The list gets the rest, but no more than its names and IDs
    // need.
    let withIDs = hasLinesForIDs(width: Self.foldedList, layout) ? Self.foldedList : Self.listWithIDs
    let most =
      switch width {
      case ..<120: width * 9 / 20
      case ..<140: max(withIDs, width - fieldsWidth - 2)
      case ..<Self.withTitles where layout.size.height >= Self.tall,
        _ where layout.size.height >= Self.taller:
        // One column shows all fields of an app.
        max(withIDs, width - fieldsWidth - 2)
      default: max(min(Self.listWithIDs, width - Self.narrowForm), width - Self.wideForm)
      }
    let wanted = max(40, titleWidth + nameWidth + 8)
    // The rest of a very wide window, beside one column of an app's fields, is better used for whole titles.
    let spare = width >= Self.withTitles ? width - Self.narrowForm : 0
    return layout.pair(left: min(max(most, spare), wanted), top: layout.body.height * 2 / 5)
  }

  /// The columns of a window from which the titles in the list are complete beside their GUIDs.
  private static let withTitles = 160
  /// The columns of the list in which a GUID is complete beside a title, and below it.
  private static let (listWithIDs, foldedList) = (52, 44)
  /// The columns in which an app's fields have two columns: with long values on separate lines, and without.
  private static let (narrowForm, wideForm) = (98, 120)
  /// The lines of a window in which an app's fields need only one column.
  private static let tall = 40
  /// The lines of a window in which one column has an app's fields under their headings, and its actions.
  private static let taller = 44

  func draw(_ shared: SharedState, into grid: inout Grid, _ panels: Layout.Panels) {
    let inner = grid.panel(panels.first, "Lab \(recordCountText)", focused: shared.panel == 0)
    if records.count == 0 {
      grid.emptyState(of: records, "record", ["Reading the lab…"], in: inner)
    } else {
      drawRecords(shared, into: &grid, inner)
    }
    drawFields(shared, into: &grid, panels.second)
  }

  func countText(inPanel panel: Int) -> String { panel == 0 ? recordCountText : fields.countText }

  /// The number of records: `14`, or `3 of 14` under a filter.
  ///
  /// Headings are not counted.
  private var recordCountText: String {
    let all = rows.count { $0.record != nil }
    return records.isFiltered ? "\(records.matches.count { rows[$0].record != nil }) of \(all)" : "\(all)"
  }

  private func drawFields(_ shared: SharedState, into grid: inout Grid, _ rect: Rect) {
    guard let row = selected else {
      _ = grid.panel(rect, "Fields", focused: shared.panel == 1)
      return
    }
    let inner = grid.panel(
      rect, row.title, trailing: row.record?.kind.noun ?? "", focused: shared.panel == 1)
    guard row.record != nil || !fieldRows.isEmpty else {
      return grid.emptyState([row.sentence], in: inner)
    }
    guard fields.count > 0 else {
      return grid.emptyState(of: fields, "field", [], in: inner)
    }
    FieldForm(
      fields.matches.map { fieldRows[$0] }, of: row.record?.kind, sections: !fields.isFiltered, in: inner
    ).draw(fields.state, isFocused: shared.panel == 1, list: 1, into: &grid)
  }
}
