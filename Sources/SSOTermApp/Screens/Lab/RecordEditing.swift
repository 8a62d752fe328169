import SSOCore
import SSODevice
import SSOLab
import SSOProvider
import TerminalUI

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
    title = "Add \(kind == .app ? "an" : "a") \(kind.noun)"
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
    let inner = grid.window(area, "\(title): \(name)", trailing: kind.noun)
    let now =
      isNew ? "does not exist yet" : isSecret && isSet ? "a secret, which is not shown" : before ?? "not set"
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
    if isOptional { sentences.append("Leave empty to clear.") }
    if isNew { sentences.append("It is made with default values; its fields can be changed afterwards.") }
    sentences.append(
      "Enter \(isNew ? "adds it" : "saves") and shows the effect; \(undoKey) undoes it.")
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

/// A line of the right panel: a field to change, or an action on the record.
enum FieldRow: Equatable, Sendable {
  case field(RecordRow.Field)
  case action(RecordAction)

  var id: String {
    switch self {
    case .field(let field): field.name
    case .action(let action): action.displayText
    }
  }
}

/// An action on a record other than changing a field.
struct RecordAction: Equatable, Sendable {
  enum Way: Equatable, Sendable {
    case perform(AnyIntent)
    /// An option must be chosen first.
    case choose(Choice)
    /// A name must be typed first.
    case type(FieldEdit)
  }
  var displayText: String
  var way: Way

  static func perform(_ words: String, _ intent: any Intent) -> RecordAction {
    RecordAction(displayText: words, way: .perform(AnyIntent(intent)))
  }
}

extension LabRow {
  /// The actions that Enter can run besides editing, in the order of the list.
  var actions: [RecordAction] {
    switch self {
    case .unused(let kinds): return kinds.flatMap { LabRow.kind($0, count: 0).actions }
    case .kind(.policy, _):
      let demands = Policy.Requirement.allCases.map {
        Candidate($0.rawValue, Policy(name: "", requires: $0).displayText)
      }
      return [
        RecordAction(
          displayText: "set a policy…",
          way: .choose(Choice(LabChoice.newPolicy, title: "Requirement", demands)))
      ]
    case .kind(let kind, _):
      return [
        RecordAction(
          displayText: "add \(kind.article) \(kind.noun)…", way: .type(FieldEdit(adding: kind)))
      ]
    case .record(let row):
      switch row.kind {
      case .device where row.isElsewhere:
        return [.perform("use this device", UseDevice(row.name)), row.removal]
      case .device: return row.deviceActions
      case .app: return row.appActions + [row.removal]
      case .policy: return [.perform("remove the policy", RemovePolicy(name: row.name))]
      case .person:
        return [
          .perform("sign out everywhere", RevokeSessions(account: row.name)), row.groupsOverage, row.removal,
        ].compactMap(\.self)
      case .tenant, .registration, .identity, .group, .role: return [row.removal]
      }
    }
  }
}

extension RecordRow {
  private func isSet(_ field: String) -> Bool { fields.contains { $0.name == field && $0.value != nil } }

  fileprivate var removal: RecordAction {
    .perform("remove the \(kind.noun)", RemoveRecord(kind, record: name))
  }

  /// The action that switches whether tokens say that the user is in too many groups to list them.
  fileprivate var groupsOverage: RecordAction? {
    let isOn = fields.contains { $0.name == "hasManyGroups" && $0.value == "yes" }
    guard let change = try? FieldChange("hasManyGroups=" + (isOn ? "" : "yes")) else { return nil }
    return .perform(
      isOn ? "list the groups in tokens again" : "have more groups than fit into a token",
      EditRecord(.person, record: name, [change]))
  }

  fileprivate var deviceActions: [RecordAction] {
    [
      isSet("brokerVersion")
        ? .perform("remove the broker", RemoveBroker())
        : .perform("install the broker, as the user", InstallBroker()),
      .perform(
        "push the broker to all apps by MDM", InstallBroker(managed: BrokerManagement())),
      .perform("report it as compliant, by MDM", SetCompliance(true)),
      .perform("report it as not compliant, by MDM", SetCompliance(false)),
      .perform("delete it from the directory", UnregisterDevice(name)),
    ]
  }

  fileprivate var appActions: [RecordAction] {
    let disturbances =
      [Candidate("nothing", "The next brokered call has no injected fault.")]
      + InjectedFault.allCases.map { Candidate($0.rawValue, $0.displayText) }
    return [
      RecordAction(
        displayText: "inject a fault into its next brokered call…",
        way: .choose(Choice(LabChoice.injectedFault(app: name), title: "Fault", disturbances))),
      .perform("end its process", EndApp(app: name)),
      .perform("delete it and install it again", ReinstallApp(app: name)),
    ]
  }
}

/// The actions of Enter on a row of the Lab screen's right panel.
enum LabRowAction: FeatureAction {
  case change
  /// Runs another action on the record.
  case run

  static let keys: [KeyCommand] = [
    KeyCommand(
      change, [.enter], "Enter", "change", name: "change field", "Changes the selected field of a record."),
    KeyCommand(
      run, [.enter], "Enter", "run", name: "run action",
      "Runs the action of the selected row: adds a record, removes it, reports the device as compliant."
    ),
  ]

  var changesLab: Bool { true }

  func obstacle(in model: AppModel) -> String? {
    guard model.place.screen == .records, model.panel == 1, let row = model.screens.lab.selectedField else {
      return "Tab, then select a \(self == .change ? "field" : "line in brackets")"
    }
    switch (self, row) {
    case (.change, .field), (.run, .action): return model.screens.lab.reasonCannotOpen(model.shared)
    case (.change, .action): return "no field"
    case (.run, .field): return "a field is changed"
    }
  }

  func run(on model: inout AppModel) -> [Command] { model.open() }
}

extension KeyContext { static let effects = KeyContext("effects") }

/// The effects of a change, with a line for each app.
struct Effects: TextWindow {
  var summary: String
  var lines: [String]

  static let keys: [KeyContext: [KeyCommand]] = [
    .effects: [
      .close(
        [.enter, .character("q")], "keep", name: "keep this",
        "Keeps the change; {undo} on the screen can still undo it.", keyText: "Enter"),
      KeyCommand(
        EffectsAction.undo, [.escape, .character("z")], "Esc", "undo", name: "undo this",
        "Undoes the change, as {undo} does."),
      .demoNext,
      .help,
    ]
  ]

  var context: KeyContext { .effects }
  var title: String { "Keep this change?" }
  var remark: String { counted(lines.count, "app") }

  func lines(width: Int) -> [PanelLine] {
    wrapped("✓ " + summary, width, indent: "  ").map { PanelLine($0, .good) } + [PanelLine("")]
      + lines.flatMap { wrapped("→ " + $0, width, indent: "  ") }.map { PanelLine($0, .accent) }
  }
}

enum EffectsAction: FeatureAction {
  case undo

  var changesLab: Bool { true }

  func run(on model: inout AppModel) -> [Command] {
    model.dialogs.removeLast()
    return model.shared.begin("Undoing", .undo)
  }
}

/// A record's name and a change of one of its fields, such as `mytestapp1 teamID=X`.
///
/// Both may contain spaces.
struct Setting: Equatable, Sendable {
  var record: String
  var change: FieldChange

  init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard let place = words.firstIndex(where: { $0.contains("=") }), place > 0,
      let change = try? FieldChange(words[place...].joined(separator: " "))
    else { return nil }
    record = words[..<place].joined(separator: " ")
    self.change = change
  }
}
