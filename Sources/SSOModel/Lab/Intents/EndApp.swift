/// Ends an app's process: what its SDK held in memory is gone (docs/behaviour/msal-cache.md §9).
struct EndApp: IntentAction {
  var app: String

  func run(in transaction: IntentTransaction) throws -> Outcome {
    let app = try transaction.app(app)
    let ran = transaction.device.processes?[app.bundleID] != nil
    try transaction.store.setProcess(nil, of: app.bundleID, device: transaction.device.id)
    transaction.trace.add(
      .person, .system, actor: app.bundleID, "end the app",
      result: ran ? "its memory is cleared" : "it was not running")
    return Outcome(.succeeded, ran ? "\(app.displayName) is ended." : "\(app.displayName) was not running.")
  }
}
