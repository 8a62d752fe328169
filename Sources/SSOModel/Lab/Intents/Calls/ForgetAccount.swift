import SSOCore
import SSODevice
import SSOKeychain
import SSOProvider
import SSOReference

/// The removal of an account, as by `wipeAccount`, from every access group that some app's SDK uses, and from the broker (claim C6).
package struct ForgetAccount: Intent {
  package static let verb = "forget"
  /// A username or home account ID.
  package var account: String

  package init(account: String) { self.account = account }

  package var displayText: String { "forget \(account)" }
  package func displayText(_ names: KnownAccounts) -> String {
    Self(account: names.username(account)).displayText
  }
  package func removedAccounts(_ reader: LabReader) -> [String] { [account] }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    transaction.trace.add(.person, .system, "forget \(account)")
    var (found, count) = try wipeUnified(transaction)
    for held in try transaction.reader.brokerAccounts()
    where held.homeAccountID == account || held.username.lowercased() == account.lowercased()
      || held.homeAccountID == found?.identifier
    {
      try transaction.runtime.forget(held)
      found = found ?? SDKAccount(identifier: held.homeAccountID, username: held.username)
    }
    let username = found?.username ?? account
    let legacyCount = try wipeLegacy(username, transaction)
    if legacyCount > 0 {
      count += legacyCount
      found = found ?? SDKAccount(identifier: "", username: username)
    }
    guard let found else {
      throw try LabError(
        .unknownAccount, "There is no account “\(account)” on this device.",
        why: transaction.device.simulationCheck.map { "The broker does not hold it. \($0.reason)." }
          ?? "No app and no broker holds it.",
        next: KnownAccounts(reader: transaction.reader).next(afterUnknown: account))
    }
    return Outcome(
      .succeeded, "\(found.username) is removed from the device: \(counted(count, "item")) deleted.",
      username: found.username,
      homeAccountID: found.identifier.isEmpty ? nil : found.identifier,
      effects: transaction.device.simulationCheck.map { ["\($0.reason)"] })
  }

  /// Returns one app for each access group that an SDK uses and the lab simulates.
  private func groups(_ transaction: IntentTransaction) -> [InstalledApp] {
    var groups: Set<String> = []
    return transaction.reader.cachingApps.filter {
      $0.isEntitled && groups.insert($0.sharedAccessGroup).inserted
    }
  }

  private func wipeUnified(_ transaction: IntentTransaction) throws -> (SDKAccount?, count: Int) {
    func client(_ app: InstalledApp) -> MSALClient { MSALClient(transaction.runtime.context(of: app)) }
    var found: SDKAccount?
    var count = 0
    for app in groups(transaction) {
      let client = client(app)
      guard let account = try client.listing.anyAccount(account) else { continue }
      found = account
      count += try client.cache.wipe(
        homeAccountID: account.identifier,
        environments: EnvironmentAliases.publicCloud.candidates(for: account.environment))
      for mate in transaction.installed
      where mate.sharedAccessGroup == app.sharedAccessGroup && mate.isEntitled {
        try MSALClient(transaction.runtime.context(of: mate)).cache.markSignedOut(
          homeAccountID: account.identifier, clientID: mate.clientID)
      }
    }
    return (found, count)
  }

  private func wipeLegacy(_ username: String, _ transaction: IntentTransaction) throws -> Int {
    try groups(transaction).reduce(0) { count, app in
      try count
        + MSALClient(transaction.runtime.context(of: app)).legacyCache
        .wipe(userID: username, byAccountAlone: false)
    }
  }
}

/// The sign-out of a user everywhere, as an administrator performs it (`revokeSignInSessions` of Graph).
package struct RevokeSessions: Intent {
  package static let verb = "revoke"
  var account: String

  package init(account: String) { self.account = account }

  package var displayText: String { "sign out \(account) everywhere" }
  package func displayText(_ names: KnownAccounts) -> String {
    Self(account: names.username(account)).displayText
  }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    try transaction.reportingEffects {
      let person = try transaction.directory.knownPerson(account)
      try transaction.store.revoke(person.username, .signedOutEverywhere, at: transaction.now)
      transaction.trace.add(.system, .provider, "revoke the sessions of \(person.username)", result: "done")
      return Outcome(
        .succeeded,
        "\(person.username) is signed out everywhere: refresh tokens and browser sessions from before are refused.",
        next: "Access tokens of clients that sent cp1 end too: \(.tokens)", username: person.username)
    }
  }
}
