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
    records.replace(
      ids: rows.map(\.id),
      texts: rows.map { row in
        row.record.map { "\($0.title) \($0.name) \(row.kind.rawValue)" } ?? row.kind.plural
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
    selection.sentence = selected.map { $0.record?.title ?? $0.kind.sentence } ?? "no record"
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
    "Opens the record of what is selected, to change a field: an app's configuration, a person, a registration."
  )

  static let setRecord = RecordKind.allCases.map { kind in
    KeyCommand(
      RecordCommand.set(kind), name: "\(kind.rawValue) set", .setting,
      "Changes a field (FIELD=VALUE, += and -= for lists) and shows what changes for the apps.")
  }
}
