import Foundation
import SSOCore
import SSODevice
import SSOStore

/// Editing one record, and saying at once what it breaks: the next silent call of every app, and what it would have been.
extension Stage {
  func edit(_ kind: RecordKind, _ name: String, _ changes: [FieldChange]) throws -> Outcome {
    let stored = try record(kind, named: name)
    var body = stored.body
    for change in changes { body = try Self.apply(change, to: body, of: kind, named: stored.name) }
    let before = try installed.map { try row(of: $0) }
    try transaction.put(body, kind.documentKind, stored.key)
    let words = changes.map(\.words).joined(separator: ", ")
    let title = try stored.row().title
    trace.add(
      .person, kind.owner, "set \(kind.rawValue) \(stored.name)",
      result: "done", sent: changes.map(\.sent))
    let effects = try effects(since: before)
    return Outcome(
      .succeeded, "\(title): \(words)." + (effects.isEmpty ? " Nothing else changes." : ""),
      next: effects.isEmpty ? nil : "ssoterm why APP; take it back: ssoterm undo", effects: effects)
  }

  /// A line for each app whose next silent call, broker use or sharing is not what it was.
  func effects(since before: [AppRow]) throws -> [String] {
    let fresh = try Stage(transaction, realTime: now.adding(seconds: -(state.clockOffset ?? 0)))
    return try before.compactMap { old in
      guard let app = fresh.installed.first(where: { $0.bundleID == old.bundleID }) else { return nil }
      let new = try fresh.row(of: app)
      var parts: [String] = []
      if old.next.sentence != new.next.sentence {
        parts.append("next silent call \(new.next.sentence) (before: \(old.next.sentence))")
      }
      if old.broker != new.broker { parts.append("broker \(new.broker) (before: \(old.broker))") }
      if old.sharesGroupWith != new.sharesGroupWith {
        let (mates, former) = (namesOfMates(new), namesOfMates(old))
        parts.append("shares its group with \(mates) (before: \(former))")
      }
      return parts.isEmpty ? nil : "\(old.displayName): " + parts.joined(separator: "; ")
    }
  }

  private func namesOfMates(_ row: AppRow) -> String {
    row.sharesGroupWith.isEmpty ? "no app" : row.sharesGroupWith.joined(separator: ", ")
  }

  /// - Throws: `LabError` naming the field, what was expected and what was found.
  static func apply(
    _ change: FieldChange, to body: Data, of kind: RecordKind, named name: String
  ) throws -> Data {
    let show = "ssoterm \(kind.rawValue) show \(name)"
    let field = kind.fields.first { $0.name == change.field }
    let open = kind.fields.filter { !$0.isIdentity }.map(\.name)
    guard let field, !field.isIdentity else {
      if field != nil {
        throw LabError(
          .badInput, "\(change.field) names the \(kind.rawValue) and stays as it is.",
          why: "Every other record refers to it.", next: "Fields: \(open.joined(separator: ", "))")
      }
      throw LabError(
        .badInput, "\(kind.article.capitalized) \(kind.rawValue) has no \(change.field).",
        why: "It has \(open.joined(separator: ", ")).",
        next: nearestName(to: change.field, among: open).map { "Did you mean \($0)?" } ?? "See them: \(show)")
    }
    if let changed = try kind.applying(change, to: body) { return changed }
    throw LabError(
      .badInput,
      "\(change.field) cannot be \(change.operation == .set ? "" : change.operation.rawValue)“\(change.shownValue)”.",
      why: field.form.expected, next: show)
  }
}

extension RecordKind {
  /// Who has the record, in a trace.
  var owner: Party { self == .app || self == .device ? .app : .provider }
}

extension Stage {
  /// A change of the set-up that is no edit of one record, and what it does to the apps.
  func sayingEffects(_ change: () throws -> Outcome) throws -> Outcome {
    let before = try installed.map { try row(of: $0) }
    var outcome = try change()
    outcome.effects = try effects(since: before)
    return outcome
  }
}

extension FieldChange {
  var sent: NameValue { NameValue(field + operation.rawValue, shownValue) }
  var shownValue: String { RecordKind.secretFields.contains(field) ? masked(value) : value }
}
