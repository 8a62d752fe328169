/// Takes a record out of the lab.
///
/// What an app left in the keychain stays, as it does on iOS.
struct RemoveRecord: IntentAction {
  var kind: RecordKind
  /// The record's name or a part of it.
  var name: String

  func run(in transaction: IntentTransaction) throws -> Outcome {
    let stored = try RecordQueries(reader: transaction.reader).stored(kind, named: name)
    guard kind != .device else { throw RecordKind.deviceIsFixed }
    if kind == .tenant {
      let people = try transaction.directory.people().filter { $0.homeTenantID == stored.key }
      guard people.isEmpty else {
        throw LabError(
          .badInput, "The tenant \(try stored.row().title) is the home tenant of users.",
          why: "Its users: \(people.map(\.username).joined(separator: ", ")).",
          next: "First: \(.remove, "person", people[0].username)")
      }
    }
    let effects = try ChangeEffects(before: transaction)
    try transaction.store.delete(kind.documentKind, stored.key)
    if kind == .app {
      try AppDefaults(documents: transaction.store, key: stored.key).clear()
      try transaction.store.setProcess(nil, of: stored.name, device: transaction.device.id)
    }
    transaction.trace.add(.person, kind.owner, "remove \(kind.rawValue) \(stored.name)", result: "done")
    return Outcome(
      .succeeded, "The \(kind.rawValue) \(try stored.row().title) is removed.",
      next: "To undo it: \(.undo)", effects: try effects.lines(after: transaction))
  }
}

extension RecordKind {
  static let deviceIsFixed = LabError(
    .badInput, "The lab's device cannot be deleted.", why: "Its keychain, apps and broker belong to it.",
    next: "Change it: \(.set, "device", "NAME", "FIELD=VALUE")")
}
