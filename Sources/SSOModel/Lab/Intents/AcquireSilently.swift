/// A silent call (docs/behaviour/silent-call.md §1, docs/behaviour/adal.md §8).
struct AcquireSilently: IntentAction {
  var app: String
  /// nil: the app's only account.
  var account: String?
  var scopes: [String] = []
  var forceRefresh = false
  var options = CallOptions()

  func run(in transaction: IntentTransaction) throws -> Outcome {
    let app = try transaction.app(app)
    transaction.trace.add(.person, .app, actor: app.bundleID, "silent")
    return try AppCall(app, in: transaction).outcome(for: account) { sdk in
      try sdk.checkApplication()
      return try sdk.acquireSilently(
        SDKRequest(
          account: try transaction.reader.names.account(named: account, in: sdk), scopes: scopes,
          forceRefresh: forceRefresh,
          options: options, correlationID: transaction.correlationID))
    }
  }
}
