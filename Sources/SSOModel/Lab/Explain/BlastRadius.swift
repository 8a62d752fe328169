import SSOCore
import SSODevice
import SSOKeychain
import SSOStore

/// The accounts and tokens that each app would lose in a removal (claim C6), computed before the removal.
package struct BlastRadius: Codable, Hashable, Sendable {
  /// The loss of one app.
  package struct Loss: Codable, Hashable, Sendable {
    package var app: String
    /// The effect, such as "is signed out of ada@contoso.com", "next call needs sign-in: …", or "has no
    /// signed-in account".
    package var effect: String
    package var losesSignIn: Bool
    /// Whether the app's accounts, tokens, or next calls change at all.
    var isAffected = true

    /// The loss as a sentence about the change that comes: `ada@contoso.com will be signed out of My Test App 2`.
    package var displayText: String {
      effect.hasPrefix(Self.signedOut)
        ? "\(effect.dropFirst(Self.signedOut.count)) will be signed out of \(app)" : statement
    }

    /// The loss as a statement: `My Test App 1's next call needs sign-in`, `My Test App 2 has no signed-in account`.
    package var statement: String { app + (effect.hasPrefix(Self.nextCall) ? "'s " : " ") + effect }

    fileprivate static let nextCall = "next call "
    fileprivate static let signedOut = "is signed out of "
  }
  package var title: String
  /// The losses of all apps.
  package var losses: [Loss]
  /// The losses of the apps that the removal concerns.
  package var affected: [Loss] { losses.filter(\.isAffected) }
  /// The number of keychain items that would be removed.
  package var itemCount: Int
}

extension Lab {
  /// Computes the effects of a removal (claim C6) by performing it in a transaction that is rolled back, and
  /// comparing the apps.
  package func blastRadius(of intent: any Intent) throws -> BlastRadius {
    do {
      return try store.write(nil) { store in
        // A sign-out that includes the browser shows the system alert and no other prompt.
        let transaction = try IntentTransaction(store, realTime: clock(), answers: [.accept])
        let before = SignInSurvey(reader: transaction.reader)
        let names = try intent.removedAccounts(transaction.reader).map(transaction.reader.names.username)
        let title = try intent.displayText(transaction.reader.names)
        let rows = try transaction.installed.map { try before.signIns(in: $0, besides: names) }
        let items = try before.itemCount()
        _ = try transaction.run(intent)
        let reader = try LabReader(store, realTime: clock())
        let after = SignInSurvey(reader: reader)
        let left = try after.itemCount()
        let losses = try zip(rows, reader.installed).map { old, app in
          try old.loss(after: after.signIns(in: app, besides: Array(old.next.keys)))
        }
        throw RolledBack(BlastRadius(title: title, losses: losses, itemCount: max(0, items - left)))
      }
    } catch let result as RolledBack {
      return result.radius
    }
  }

  private struct RolledBack: Error {
    var radius: BlastRadius
    init(_ radius: BlastRadius) { self.radius = radius }
  }
}

/// The sign-ins of all apps at one moment.
private struct SignInSurvey {
  let reader: LabReader

  func signIns(in app: InstalledApp, besides touched: [String]) throws -> SignIns {
    let rows = try AppQueries(reader: reader).rows(of: app)
    let accounts = rows.flatMap(\.accounts)
    var next: [String: Prediction] = [:]
    for name in Set(accounts + touched) {
      next[name] =
        try rows.first { $0.accounts == [name] }?.next
        ?? Predictor(reader: reader).prediction(app, account: name)
    }
    return SignIns(
      app: app.displayName, accounts: accounts, next: next,
      holdsRefreshToken: rows.contains { $0.refreshToken.state != .none })
  }

  /// Returns the number of items, except the records of who deleted something last, because a removal may
  /// add one.
  func itemCount() throws -> Int { try reader.items.itemCount() - wipeNotes() }

  private func wipeNotes() throws -> Int {
    try reader.accessGroups().reduce(0) { count, group in
      let key = WipeInfo.key(in: group)
      return try count
        + reader.credentials.items(
          matching: KeychainQuery(accessGroups: [group], account: key.account, generic: WipeInfo.generic)
        ).count
    }
  }
}

/// The accounts that are signed in to an app, and the predicted silent call for each.
private struct SignIns {
  var app: String
  /// The usernames that the app lists.
  var accounts: [String]
  var next: [String: Prediction]
  var holdsRefreshToken: Bool

  func loss(after: SignIns) -> BlastRadius.Loss {
    let gone = accounts.filter { !after.accounts.contains($0) }
    let broken = next.keys.sorted().filter {
      next[$0]?.kind.isSilent == true && after.next[$0]?.kind.isSilent != true
    }
    let changed = next.keys.sorted().first { next[$0]?.kind != after.next[$0]?.kind }
    let losesRefreshToken = holdsRefreshToken && !after.holdsRefreshToken
    let losesSignIn = !gone.isEmpty || !broken.isEmpty
    let effect: String
    if accounts.isEmpty {
      effect = "has no signed-in account"
    } else if !gone.isEmpty {
      effect = BlastRadius.Loss.signedOut + gone.joined(separator: ", ")
    } else if let name = broken.first ?? changed, let call = after.next[name] {
      effect = BlastRadius.Loss.nextCall + "\(accounts.count > 1 ? "for \(name) " : "")\(call.predicate)"
    } else if losesRefreshToken {
      effect = "loses the refresh token; its next call is not affected"
    } else {
      effect = BlastRadius.Loss.nextCall + "is not affected"
    }
    return BlastRadius.Loss(
      app: app, effect: effect, losesSignIn: losesSignIn,
      isAffected: losesSignIn || !accounts.isEmpty && (changed != nil || losesRefreshToken))
  }
}
