extension Lab {
  /// What a removal takes from whom (claim C6): it is performed in a transaction that is rolled back, and the apps are compared.
  public func blastRadius(of intent: Intent) throws -> BlastRadius {
    do {
      return try store.write(nil) { transaction in
        let before = try Stage(transaction, realTime: clock())
        let rows = try before.installed.map { try before.row(of: $0) }
        let items = try transaction.itemCount(device: before.device.id)
        _ = try before.run(intent, correlationID: before.chance.upperUUID())
        let after = try Stage(transaction, realTime: clock())
        let left = try transaction.itemCount(device: before.device.id)
        let losses = try zip(rows, after.installed).map { old, app in loss(old, try after.row(of: app)) }
        throw RolledBack(BlastRadius(title: intent.words, losses: losses, itemCount: max(0, items - left)))
      }
    } catch let result as RolledBack {
      return result.radius
    }
  }

  private func loss(_ old: AppRow, _ new: AppRow) -> BlastRadius.Loss {
    let effect: String
    if old.accounts.isEmpty {
      effect = "had nobody signed in"
    } else if new.accounts.count < old.accounts.count {
      effect =
        "is signed out of \(old.accounts.filter { !new.accounts.contains($0) }.joined(separator: ", "))"
    } else if old.next.kind != new.next.kind {
      effect = "next silent call \(new.next.sentence)"
    } else {
      effect = "keeps its tokens"
    }
    return BlastRadius.Loss(
      app: old.displayName, effect: effect,
      losesSignIn: new.accounts.count < old.accounts.count
        || (new.next.kind == .prompt && old.next.kind != .prompt))
  }

  private struct RolledBack: Error {
    var radius: BlastRadius
    init(_ radius: BlastRadius) { self.radius = radius }
  }
}
