import SSOCore
import SSODevice
import SSOInterop
import SSOKeychain
import SSOStore

/// The import of a token cache that was read from a file.
///
/// Its items go to a group of their client: the group of an installed app with that client ID, else `imported`.
package struct ImportCache: Intent {
  package static let verb = "importCache"
  var name: String
  var file: CacheFile

  package init(name: String, _ file: CacheFile) {
    self.name = name
    self.file = file
  }

  package var displayText: String { "import \(name)" }

  /// The access group of an imported cache that does not belong to an installed app.
  static func accessGroup(_ name: String) -> String { "imported.\(name)" }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    let clients = Set(file.credentials.map { $0.clientID.lowercased() })
    let owner = transaction.installed.first { clients.contains($0.clientID.lowercased()) }
    let group = owner?.sharedAccessGroup ?? Self.accessGroup(name)
    try transaction.store.expectManyRows()
    let counts = try file.writeImported(
      into: transaction.credentials, accessGroup: group, now: transaction.now)
    if let kept = file.keptDocument { try transaction.store.put(kept, .appDefaults, "import/" + name) }
    transaction.trace.add(
      .person, transaction.device.platform.storage, "import \(name)",
      result: "accounts \(counts.accounts), refresh tokens \(counts.refreshTokens)",
      sent: [NameValue("group", group)])
    return Outcome(
      .succeeded,
      "Imported \(name): \(counted(counts.accounts, "account")), \(counts.accessTokens) access, \(counts.refreshTokens) refresh and \(counts.idTokens) ID tokens into \(group); \(file.problems.count) entries not imported."
    )
  }
}
