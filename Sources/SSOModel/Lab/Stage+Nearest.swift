import SSOCore
import SSODevice
import SSOProvider

extension Lab {
  /// Some of the people whom the lab's directory knows.
  package func usernames() throws -> [String] { try view { try $0.usernames() } }
}

/// The name that was meant, where one fits nothing.
extension Stage {
  /// As many names as are worth comparing.
  private static let compared = 200

  func usernames() throws -> [String] {
    try Directory(documents: transaction).people().prefix(Self.compared).map(\.username)
  }

  /// Whether an app, the broker or the directory knows the account. An account may well be unknown to one app:
  /// that is for its SDK to say.
  func isKnown(account name: String) throws -> Bool {
    if try Directory(documents: transaction).person(username: name) != nil { return true }
    if try brokerAccounts().contains(where: { $0.homeAccountID == name || $0.username == name }) {
      return true
    }
    return try installed.contains {
      guard $0.entitledGroups.contains($0.sharedAccessGroup) else { return false }
      return try quietClient($0).anyAccount(name) != nil
    }
  }

  func nextAfterUnknown(account name: String?) throws -> String {
    let known = try accountRows(limit: Self.compared).map(\.username) + usernames()
    if let name, known.contains(name) { return "Sign in first: ssoterm signin APP --account \(name)" }
    let near = name.flatMap { nearestName(to: $0, among: known) }
    return near.map { "Did you mean \($0)?" } ?? "List them: ssoterm accounts"
  }

  /// After a scope was refused: the registered one that was meant.
  func nearestScope(_ failed: Check?, of app: InstalledApp) -> String? {
    guard let failed, failed.name == "scopes registered" else { return nil }
    let registration = try? Directory(documents: transaction).registration(clientID: app.clientID)
    let allowed = registration?.allowedScopes ?? []
    let known = Set(allowed.map { $0.lowercased() })
    let asked = failed.found.split(separator: " ").map(String.init)
    for scope in asked where !known.contains(scope.lowercased()) {
      if let near = nearestName(to: scope, among: allowed) { return "Did you mean --scope \(near)?" }
    }
    return nil
  }
}
