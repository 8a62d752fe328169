/// The names of the accounts in the lab, for suggestions.
///
/// Throws `LabError` for a name that matches no account or several, and `StoreError`.
package struct KnownAccounts {
  let reader: LabReader

  /// The maximum number of names to compare.
  private static let compared = 200

  /// Returns the usernames of some users in the lab's directory.
  package func usernames() throws -> [String] {
    try reader.directory.people().prefix(Self.compared).map(\.username)
  }

  /// Returns the account for a call, or `nil` if the call specifies none.
  ///
  /// The account may be unknown to the app, in which case its SDK reports that.
  ///
  /// - Throws: `LabError` if no app, broker, or directory has this account.
  func account(named name: String?, in sdk: any IdentitySDK) throws -> SDKAccount? {
    let known = try sdk.account(named: name)
    guard let name, known == nil, try !contains(name) else { return known }
    throw try LabError(
      .unknownAccount, "There is no account \(name).", why: "No app, no broker and no directory knows it.",
      next: next(afterUnknown: name))
  }

  /// Returns whether an app, the broker, or the directory has the account.
  private func contains(_ name: String) throws -> Bool {
    if try reader.directory.person(username: name) != nil { return true }
    if try reader.brokerAccounts().contains(where: { $0.homeAccountID == name || $0.username == name }) {
      return true
    }
    return try reader.installed.contains {
      try $0.isEntitled && reader.cachedAccount(name, of: $0) != nil
    }
  }

  /// Returns the username of a home account ID, according to an app or the broker, or any other name
  /// unchanged.
  func username(_ name: String) -> String {
    reader.installed.lazy.compactMap { app in
      try? reader.cachedAccount(name, of: app)?.username
    }.first ?? (try? reader.brokerAccounts())?.first { $0.homeAccountID == name }?.username ?? name
  }

  /// Resolves an optional name as the function below does.
  ///
  /// - Throws: `LabError` if several accounts match.
  package func name(_ typed: String?) throws -> String? { try typed.map { try name($0) } }

  /// Returns the username that contains the typed text, if exactly one account or user matches.
  ///
  /// A complete name, an ID, and a text without a match are returned unchanged. If there are very many names,
  /// no match is attempted.
  ///
  /// - Throws: `LabError` if several accounts match.
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

  /// Returns the advice after a name without a match.
  func next(afterUnknown name: String?) throws -> Advice {
    let known =
      try AccountQueries(reader: reader).rows(limit: Self.compared).map(\.username) + usernames()
    if let name, known.contains(name) { return "Sign in first: \(.signIn, "APP", with: [.account: name])" }
    let near = name.flatMap { nearestName(to: $0, among: known) }
    return near.map { "Did you mean \($0)?" } ?? "List them: \(.accounts)"
  }
}
