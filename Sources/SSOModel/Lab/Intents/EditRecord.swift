import Essentials

/// Changes fields of one record of the lab, and says at once what that does to the apps.
struct EditRecord: IntentAction {
  var kind: RecordKind
  /// The record's name or a part of it.
  var name: String
  var changes: [FieldChange]

  func run(in transaction: IntentTransaction) throws -> Outcome {
    let stored = try RecordQueries(reader: transaction.reader).stored(kind, named: name)
    var body = stored.body
    for change in changes { body = try change.applied(to: body, of: kind, named: stored.name) }
    let effects = try ChangeEffects(before: transaction)
    try transaction.store.put(body, kind.documentKind, stored.key)
    try transaction.revokeTokens(after: (stored.body, body), of: kind)
    let words = changes.map(\.words).joined(separator: ", ")
    transaction.trace.add(
      .person, kind.owner, "set \(kind.rawValue) \(stored.name)",
      result: "done", sent: changes.map(\.sent))
    let lines = try effects.lines(after: transaction)
    return Outcome(
      .succeeded, "\(try stored.row().title): \(words)." + (lines.isEmpty ? " Nothing else changes." : ""),
      next: lines.isEmpty ? nil : "\(.why, "APP"); to undo it: \(.undo)", effects: lines)
  }
}

extension FieldChange {
  /// - Throws: `LabError` naming the field, what was expected and what was found.
  func applied(to body: Data, of kind: RecordKind, named name: String) throws -> Data {
    let show: Advice = "\(.show, kind.rawValue, name)"
    let described = kind.fields.first { $0.name == field }
    let open = kind.fields.filter { !$0.isIdentity }.map(\.name)
    guard let described, !described.isIdentity else {
      if described != nil {
        throw LabError(
          .badInput, "\(field) is the key of the \(kind.rawValue) and cannot be changed.",
          why: "Other records refer to it.", next: "Fields: \(open.joined(separator: ", "))")
      }
      throw LabError(
        .badInput, "\(kind.article.capitalized) \(kind.rawValue) has no \(field).",
        why: "It has \(open.joined(separator: ", ")).",
        next: nearestName(to: field, among: open).map { "Did you mean \($0)?" } ?? "See them: \(show)")
    }
    if let changed = try kind.applying(self, to: body) { return changed }
    throw LabError(
      .badInput,
      "\(field) cannot be \(operation == .set ? "" : operation.rawValue)“\(shownValue)”.",
      why: described.expected, next: show)
  }

  var sent: NameValue { NameValue(field + operation.rawValue, shownValue) }
  private var shownValue: String { RecordKind.secretFields.contains(field) ? masked(value) : value }
}

extension RecordKind {
  /// Who has the record, in a trace.
  var owner: Party { self == .app || self == .device ? .app : .provider }
  package var article: String { self == .app || self == .identity ? "an" : "a" }
}
