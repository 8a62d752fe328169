import SSOLab
import TerminalUI

/// Changing the lab's records by hand.
extension AppModel {
  package var selectedLabRow: LabRow? { records.selectedRow.map { labRows[$0] } }
  package var selectedField: FieldRow? {
    fields.selectedRow.flatMap { fieldRows.indices.contains($0) ? fieldRows[$0] : nil }
  }

  mutating func showRecords(_ rows: [RecordRow]) {
    labRows = LabRow.lines(of: rows)
    records.replace(
      ids: labRows.map(\.id),
      texts: labRows.map { row in
        row.record.map { "\($0.title) \($0.name) \(row.kind.rawValue)" } ?? row.kind.plural
      })
    if records.state.selection == 0, records.count > 1 { records.state.selection = 1 }
    let isFresh = panel == 1 && fields.count == 0
    showFields()
    if isFresh { selectFirstOpenField() }
  }

  /// The fields of the selected record; the same field stays selected from record to record.
  mutating func showFields() {
    fieldRows = (selectedLabRow?.record?.fields ?? []).map { .field($0) }
    fieldRows += (selectedLabRow?.deeds ?? []).map { .deed($0) }
    fields.replace(ids: fieldRows.map(\.id), texts: fieldRows.map(\.id))
  }

  /// The record that `C` would open.
  var recordInSight: (kind: RecordKind, name: String)? {
    switch place {
    case .apps: selectedApp.map { $0.kind == .real ? (.registration, $0.clientID) : (.app, $0.bundleID) }
    case .accounts: selectedAccount.map { (.person, $0.username) }
    case .tokens: selectedToken.map { (.registration, $0.clientID) }
    case .keychain, .traces, .trace, .records, .provider, .story: nil
    }
  }

  /// `C`: the Lab screen with the record of what is selected.
  mutating func changeSelection() -> [Command] {
    guard let record = recordInSight else { return [] }
    stack.append(.records)
    enter()
    records.select(id: LabRow.id(record.kind, record.name))
    showFields()
    selectFirstOpenField()
    panel = 1
    return loads(for: .records).map(Command.load)
  }

  /// What names the record comes first, and stays as it is.
  private mutating func selectFirstOpenField() {
    let first = fields.matches.indices.first { place in
      if case .field(let field) = fieldRows[fields.matches[place]] { field.canChange } else { true }
    }
    if let first { fields.state.selection = first }
  }

  var obstacleToChangeField: String? {
    if isReadOnly { return "the store is open for reading only (--readonly)" }
    guard let row = selectedField else { return "select a field first" }
    if case .field(let field) = row, !field.canChange {
      return "\(field.name) is what all else refers to"
    }
    return nil
  }

  /// Enter on a field or a deed.
  mutating func changeField() -> [Command] {
    guard let selectedLabRow, let row = selectedField else { return [] }
    switch row {
    case .deed(let deed):
      switch deed.way {
      case .perform(let intent): return begin("Changing", .perform(intent, []))
      case .choose(let choice): dialogs.append(.choice(choice))
      case .type(let edit): dialogs.append(.edit(edit))
      }
    case .field(let field):
      guard let record = selectedLabRow.record else { return [] }
      let edit = FieldEdit(record, field)
      if let choices = field.choices {
        let options =
          choices.map { Candidate($0) }
          + (field.isOptional ? [Candidate(FieldEdit.unset, "as if it were not there")] : [])
        dialogs.append(
          .choice(
            Choice(
              .field(edit), title: "\(record.title): \(field.name)", options,
              present: field.value ?? FieldEdit.unset)))
      } else {
        dialogs.append(.edit(edit))
      }
    }
    return []
  }

  /// Enter in the field.
  mutating func keepField() -> [Command] {
    guard case .edit(let edit) = dialogs.last else { return [] }
    dialogs.removeLast()
    return set(edit, to: edit.field.text)
  }

  mutating func set(_ edit: FieldEdit, to value: String) -> [Command] {
    guard value != edit.before ?? "" || edit.isSecret else {
      notice = Notice(text: "\(edit.name) stays as it was.", kind: .plain)
      return []
    }
    return edit.intent(value).map { begin("Changing", .perform($0, [])) } ?? []
  }

  /// What a change did to the apps: at once, and to be undone with a key.
  mutating func showEffects(of outcome: Outcome) {
    guard let effects = outcome.effects, !effects.isEmpty else { return }
    dialogs.append(.effects(Effects(summary: outcome.summary, lines: effects)))
  }

  mutating func undoEffects() -> [Command] {
    dialogs.removeLast()
    return begin("Undoing", .undo)
  }
}

/// A field of a record under edit.
struct FieldEdit: Equatable, Sendable {
  var kind: RecordKind
  /// What names the record.
  var record: String
  var title: String
  var name: String
  /// nil: it is not set, or it is a secret.
  var before: String?
  var isNew = false
  var isSecret = false
  var isOptional = false
  var hasParts = false
  var field: TextField

  static let unset = "(not set)"

  init(_ record: RecordRow, _ field: RecordRow.Field) {
    kind = record.kind
    self.record = record.name
    title = record.title
    name = field.name
    isSecret = field.isSecret
    before = isSecret ? nil : field.value
    isOptional = field.isOptional
    hasParts = field.hasParts
    self.field = TextField(before ?? "")
  }

  /// The name of a record that is to be added.
  init(adding kind: RecordKind) {
    self.kind = kind
    record = ""
    title = "Add \(kind == .app ? "an" : "a") \(kind.rawValue)"
    name = kind.nameOfNew
    isNew = true
    field = TextField()
  }

  func intent(_ value: String) -> Intent? {
    if isNew { return .add(kind, record: value, []) }
    return (try? FieldChange("\(name)=\(value == Self.unset ? "" : value)")).map {
      .edit(kind, record: record, [$0])
    }
  }
}

/// What a change did, a line for each app.
struct Effects: Equatable, Sendable {
  var summary: String
  var lines: [String]
}
