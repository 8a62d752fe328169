/// An app is deleted and installed again: NSUserDefaults is empty, cookies of its own web view are gone, the keychain is as it
/// was (docs/behaviour/keychain.md §1).
struct ReinstallApp: IntentAction {
  var app: String

  func run(in transaction: IntentTransaction) throws -> Outcome {
    let app = try transaction.app(app)
    try transaction.runtime.defaults(of: app).clear()
    try transaction.store.setProcess(nil, of: app.bundleID, device: transaction.device.id)
    try transaction.store.delete(.browserSession, transaction.device.id + "/" + app.bundleID)
    let query = KeychainQuery(accessGroups: app.entitledGroups)
    let left = try transaction.credentials.items(matching: query).count
    transaction.trace.add(
      .person, .system, actor: app.bundleID, "delete and install \(app.displayName)",
      result: "defaults deleted, \(left) keychain items remain")
    return Outcome(
      .succeeded,
      "\(app.displayName) is reinstalled: its defaults are deleted, its \(left) keychain items remain."
    )
  }
}
