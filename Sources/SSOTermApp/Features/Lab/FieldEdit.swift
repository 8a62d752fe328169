/// A field of a record that is being edited.
struct FieldEdit: Equatable, Sendable {
  var kind: RecordKind
  /// The name that identifies the record.
  var record: String
  var title: String
  var name: String
  /// The value before the change, or `nil` if it is not set or is a secret.
  var before: String?
  var isNew = false
  var isSecret = false
  var isSet = false
  var isOptional = false
  var hasParts = false
  var input: TextField

  static let unset = "(not set)"

  init(_ record: RecordRow, _ field: RecordRow.Field) {
    kind = record.kind
    self.record = record.name
    title = record.title
    name = field.name
    isSecret = field.isSecret
    before = isSecret ? nil : field.value
    isSet = field.value?.isEmpty == false
    isOptional = field.isOptional
    hasParts = field.hasParts
    input = TextField(before ?? "")
  }

  /// Creates an edit for the name of a record that is to be added.
  init(adding kind: RecordKind) {
    self.kind = kind
    record = ""
    title = "Add \(kind == .app ? "an" : "a") \(kind.rawValue)"
    name = kind.nameOfNew
    isNew = true
    input = TextField()
  }

  func intent(_ value: String) -> (any Intent)? {
    if isNew { return AddRecord(kind, record: value, []) }
    return (try? FieldChange("\(name)=\(value == Self.unset ? "" : value)")).map {
      EditRecord(kind, record: record, [$0])
    }
  }
}

extension RecordRow {
  /// Opens the field for editing, in a list if its values are a closed set, or else in a line to type into.
  ///
  /// `proposed` is the initial value, in place of the current one.
  func edit(_ field: Field, proposing proposed: String? = nil, _ shared: inout SharedState) {
    var edit = FieldEdit(self, field)
    guard let choices = field.choices else {
      if let proposed { edit.input = TextField(proposed) }
      return shared.open(edit)
    }
    let unset = field.isOptional ? [Candidate(FieldEdit.unset, "as if it were not there")] : []
    shared.open(
      Choice(
        LabChoice.field(edit), title: "\(title): \(field.name)", choices.map { Candidate($0) } + unset,
        present: proposed ?? field.value ?? FieldEdit.unset))
  }
}

extension KeyContext { static let fieldEdit = KeyContext("fieldEdit") }

/// The dialog, with the current value and the new value.
extension FieldEdit: DialogComponent {
  static let keys: [KeyContext: [KeyCommand]] = [
    .fieldEdit: [
      KeyCommand(
        FieldAction.keep, [.enter], "Enter", "change", name: "change field",
        "Changes the field and shows what changes for the apps."),
      .close([.escape], "cancel", name: "leave field", "Closes the field without a change."),
    ]
  ]

  var context: KeyContext { .fieldEdit }
  mutating func type(_ key: KeyPress) -> Bool { input.handle(key) }
  mutating func paste(_ text: String) { input.insert(text) }

  func draw(in model: AppModel, into grid: inout Grid, _ layout: Layout) {
    let width = min(76, layout.size.width)
    let text = hints(width: width - 4, undoKey: model.shared.keys.fill("{undo}"))
    let area = layout.body.centred(width: width, height: min(layout.body.height, text.count + 4))
    let inner = grid.window(area, "\(title): \(name)", trailing: kind.rawValue)
    let now =
      isNew ? "there is none" : isSecret && isSet ? "a secret, which is not shown" : before ?? "not set"
    grid.lines([field("Now", now, width: inner.width - 2)], in: inner)
    let row = inner.rows(1, 1)
    grid.put("New", at: row.x + 1, row.y, style: .accent)
    input.draw(
      into: &grid, at: Rect(x: row.x + 12, y: row.y, width: row.width - 13, height: 1), masked: isSecret,
      focused: true)
    grid.lines(text, in: inner.rows(2, inner.height - 2))
  }

  private func hints(width: Int, undoKey: String) -> [PanelLine] {
    var sentences: [String] = []
    if hasParts { sentences.append("Separate several values with commas.") }
    if isOptional { sentences.append("An empty value removes the field.") }
    if isNew { sentences.append("It is made with default values; its fields can be changed afterwards.") }
    sentences.append(
      "Enter \(isNew ? "adds" : "changes") it and shows what changes for the apps; \(undoKey) undoes it.")
    return [PanelLine("")] + wrapped(sentences.joined(separator: " "), width).map { PanelLine($0, .dim) }
  }

  /// Changes the field in the lab, unless the value is the same.
  func set(to value: String, _ shared: inout SharedState) -> [Command] {
    guard value != before ?? "" || isSecret else {
      shared.say("\(name) was not changed.")
      return []
    }
    return intent(value).map { shared.begin("Changing", .perform($0)) } ?? []
  }
}

enum FieldAction: FeatureAction {
  case keep

  func run(on model: inout AppModel) -> [Command] {
    guard let edit = model.topDialog(FieldEdit.self) else { return [] }
    model.dialogs.removeLast()
    return edit.set(to: edit.input.text, &model.shared)
  }
}

/// The purposes of the lists on the Lab screen.
enum LabChoice: ChoicePurpose {
  case field(FieldEdit)
  case newPolicy
  case injectedFault(app: String)

  func run(_ chosen: String, on model: inout AppModel) -> [Command] {
    switch self {
    case .field(let edit): return edit.set(to: chosen, &model.shared)
    case .newPolicy:
      guard let demand = Policy.Requirement(rawValue: chosen) else { return [] }
      return model.shared.begin(
        "Changing", .perform(SetPolicy(Policy(name: demand.rawValue, requires: demand))))
    case .injectedFault(let app):
      return model.shared.begin(
        "Changing", .perform(InjectFault(app: app, InjectedFault(rawValue: chosen))))
    }
  }
}
