extension Remedy {
  var recordKind: RecordKind {
    switch kind {
    case .app: .app
    case .device: .device
    case .person: .person
    case .registration: .registration
    }
  }

  /// The words to type after `ssoterm`.
  package var commandWords: [String] {
    Advice.Action(.set, [kind.rawValue, record, change]).commandWords
  }
}

extension FieldChange {
  /// Returns the complete text of the field after the change.
  func text(after present: String?) -> String {
    guard operation != .set, let present, !present.isEmpty else { return operation == .remove ? "" : value }
    let parts = present.split(separator: ",").map { $0.trimmingSpaces }
    let own = value.split(separator: ",").map { $0.trimmingSpaces }
    let kept = parts.filter { !own.contains($0) }
    return (operation == .add ? kept + own : kept).joined(separator: ", ")
  }
}

extension Substring {
  fileprivate var trimmingSpaces: Substring { drop { $0 == " " } }
}

/// A proposal for the field of a failed condition, which opens it with the value that makes the condition hold.
enum FieldProposal {
  static func open(_ change: FieldChange, _ record: RecordRow, _ shared: inout SharedState) {
    guard let field = record.fields.first(where: { $0.name == change.field }), field.canChange else {
      return shared.say("\(record.title) has no field \(change.field) to change.", .bad)
    }
    record.edit(field, proposing: change.text(after: field.isSecret ? nil : field.value), &shared)
  }
}
