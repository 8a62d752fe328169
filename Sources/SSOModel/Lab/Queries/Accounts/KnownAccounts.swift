/// The names of accounts that the lab knows, to suggest the one that was meant.
///
/// Throws `LabError` for a name that fits no account or several, and `StoreError`.
package struct KnownAccounts {
  let reader: LabReader

  /// As many names as are worth comparing.
  private static let compared = 200

  /// Some of the people in the lab's directory.
  package func usernames() throws -> [String] {
    try reader.directory.people().prefix(Self.compared).map(\.username)
  }

  /// The account of a call; nil: the call names none.
  ///
  /// It may be unknown to the app, which its SDK then says.
  /// - Throws: `LabError` if no app, no broker and no directory knows it.
  func account(named name: String?, in sdk: any IdentitySDK) throws -> SDKAccount? {
    let known = try sdk.account(named: name)
    guard let name, known == nil, try !contains(name) else { return known }
    throw try LabError(
      .unknownAccount, "There is no account \(name).", why: "No app, no broker and no directory knows it.",
      next: next(afterUnknown: name))
  }

  /// Whether an app, the broker or the directory knows the account.
  private func contains(_ name: String) throws -> Bool {
    if try reader.directory.person(username: name) != nil { return true }
    if try reader.brokerAccounts().contains(where: { $0.homeAccountID == name || $0.username == name }) {
      return true
    }
    return try reader.installed.contains {
      try $0.isEntitled && reader.cachedAccount(name, of: $0) != nil
    }
  }

  /// The username of a home account ID, as an app or the broker knows it; any other name stays as it is.
  func username(_ name: String) -> String {
    reader.installed.lazy.compactMap { app in
      try? reader.cachedAccount(name, of: app)?.username
    }.first ?? (try? reader.brokerAccounts())?.first { $0.homeAccountID == name }?.username ?? name
  }

  /// As the call below; nil: the call names no account.
  /// - Throws: `LabError` if several fit.
  package func name(_ typed: String?) throws -> String? { try typed.map { try name($0) } }

  /// The username that a part of one means, if it is that of one account or person only.
  ///
  /// A whole name, an ID, and what fits nothing stay as they are; of very many names none is guessed.
  /// - Throws: `LabError` if several fit.
  package func name(_ typed: String) throws -> String {
    guard !typed.isEmpty, !typed.contains("@"), !typed.contains(".") else { return typed }
    let accounts = try AccountQueries(reader: reader).rows(limit: Self.compared).map(\.username)
    let people = try usernames()
    guard max(accounts.count, people.count) < Self.compared else { return typed }
    let fitting = Set(accounts + people).filter { $0.lowercased().contains(typed.lowercased()) }.sorted()
    guard fitting.count > 1 else { return fitting.first ?? typed }
    throw LabError(
      .unknownAccount, "Several accounts match “\(typed)”.",
      why: "They are \(fitting.prefix(5).joined(separator: ", ")).", next: "Name one: \(fitting[0])")
  }

  /// What to do after a name that fits nothing.
  func next(afterUnknown name: String?) throws -> Advice {
    let known =
      try AccountQueries(reader: reader).rows(limit: Self.compared).map(\.username) + usernames()
    if let name, known.contains(name) { return "Sign in first: \(.signIn, "APP", with: [.account: name])" }
    let near = name.flatMap { nearestName(to: $0, among: known) }
    return near.map { "Did you mean \($0)?" } ?? "List them: \(.accounts)"
  }
}

extension KnownAccounts {
  /// The intent's words, with the names of an account and a registration that it names by their IDs.
  func words(of intent: Intent) throws -> String {
    switch intent {
    case .forget(let account): return Intent.forget(account: username(account)).words
    case .revokeSessions(let account): return Intent.revokeSessions(account: username(account)).words
    case .edit(.registration, let id, let changes):
      let name = try reader.directory.registration(clientID: id)?.displayName ?? id
      return Intent.edit(.registration, record: name, changes).words
    default: return intent.words
    }
  }
}
