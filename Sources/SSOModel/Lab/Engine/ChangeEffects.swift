/// The effects of a configuration change on the apps: their next silent calls, compared with those before.
struct ChangeEffects {
  private let before: [AppRow]

  /// Records the state before the change.
  init(before transaction: IntentTransaction) throws {
    let apps = AppQueries(reader: transaction.reader)
    before = try transaction.installed.flatMap { try apps.rows(of: $0) }
  }

  /// Returns a line for each app whose next silent call, broker use, or sharing has changed.
  func lines(after transaction: IntentTransaction) throws -> [Advice] {
    let offset = transaction.state.clockOffset ?? 0
    let reader = try LabReader(transaction.store, realTime: transaction.now.adding(seconds: -offset))
    let apps = AppQueries(reader: reader)
    let after = try reader.installed.flatMap { try apps.rows(of: $0) }
    return before.compactMap { old -> Advice? in
      guard
        let new = after.first(where: { $0.id == old.id })
          ?? after.first(where: { $0.bundleID == old.bundleID })
      else { return nil }
      var parts: [String] = []
      if old.next.sentence != new.next.sentence {
        let whose = old.account == nil ? "" : "for \(old.accounts.joined()) "
        parts.append("next silent call \(whose)\(new.next.sentence) (before: \(old.next.sentence))")
      }
      if old.broker != new.broker { parts.append("broker \(new.broker) (before: \(old.broker))") }
      if old.sharesGroupWith != new.sharesGroupWith {
        parts.append("shares its group with \(otherApps(of: new)) (before: \(otherApps(of: old)))")
      }
      return parts.isEmpty ? nil : "\(old.displayName): \(parts.joined(separator: "; "))"
    }
  }

  private func otherApps(of row: AppRow) -> String {
    row.sharesGroupWith.isEmpty ? "no app" : row.sharesGroupWith.joined(separator: ", ")
  }
}

extension IntentTransaction {
  /// Makes a configuration change and reports its effects on the apps in the outcome.
  func reportingEffects(_ change: () throws -> Outcome) throws -> Outcome {
    let effects = try ChangeEffects(before: self)
    var outcome = try change()
    outcome.effects = try effects.lines(after: self)
    return outcome
  }
}
