/// `wipeAccount` in every access group in which some app's SDK works, and in the broker.
struct ForgetAccount: IntentAction {
  /// Username or home account ID.
  var account: String

  func run(in transaction: IntentTransaction) throws -> Outcome {
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
        .unknownAccount, "There is no account \(account) on this device.",
        why: "No app and no broker holds it.",
        next: KnownAccounts(reader: transaction.reader).next(afterUnknown: account))
    }
    return Outcome(
      .succeeded, "\(found.username) is removed from the device: \(count) items deleted.",
      username: found.username,
      homeAccountID: found.identifier.isEmpty ? nil : found.identifier)
  }

  /// One app for each access group that its SDK uses.
  private func groups(_ transaction: IntentTransaction) -> [InstalledApp] {
    var groups: Set<String> = []
    return transaction.installed.filter { $0.isEntitled && groups.insert($0.sharedAccessGroup).inserted }
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
