/// A line of the right panel: a field to change, or an action on the record.
enum FieldRow: Equatable, Sendable {
  case field(RecordRow.Field)
  case action(RecordAction)

  var id: String {
    switch self {
    case .field(let field): field.name
    case .action(let action): action.words
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
  var words: String
  var way: Way

  static func perform(_ words: String, _ intent: any Intent) -> RecordAction {
    RecordAction(words: words, way: .perform(AnyIntent(intent)))
  }
}

extension LabRow {
  /// The actions that Enter can run besides editing, in the order of the list.
  var actions: [RecordAction] {
    switch self {
    case .kind(.policy, _):
      let demands = Policy.Requirement.allCases.map {
        Candidate($0.rawValue, Policy(name: "", requires: $0).words)
      }
      return [
        RecordAction(
          words: "set a policy…", way: .choose(Choice(LabChoice.newPolicy, title: "Requirement", demands)))
      ]
    case .kind(.device, _): return []
    case .kind(let kind, _):
      return [
        RecordAction(
          words: "add \(kind.article) \(kind.rawValue)…", way: .type(FieldEdit(adding: kind)))
      ]
    case .record(let row):
      switch row.kind {
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
    .perform("remove the \(kind.rawValue)", RemoveRecord(kind, record: name))
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
        : .perform("install the broker, as the person", InstallBroker()),
      .perform(
        "push the broker to all apps by MDM", InstallBroker(managed: BrokerManagement())),
      .perform("report it as compliant, by MDM", SetCompliance(true)),
      .perform("report it as not compliant, by MDM", SetCompliance(false)),
    ]
  }

  fileprivate var appActions: [RecordAction] {
    let disturbances =
      [Candidate("nothing", "The next brokered call has no injected fault.")]
      + InjectedFault.allCases.map { Candidate($0.rawValue, $0.words) }
    return [
      RecordAction(
        words: "inject a fault into its next brokered call…",
        way: .choose(Choice(LabChoice.injectedFault(app: name), title: "Fault", disturbances))),
      .perform("end its process", EndApp(app: name)),
      .perform("delete it and install it again", ReinstallApp(app: name)),
    ]
  }
}
