/// An interactive call by a person (docs/behaviour/interactive-call.md §1, docs/behaviour/adal.md §8).
struct AcquireInteractively: IntentAction {
  var app: String
  var account: String?
  var scopes: [String]
  var prompt: PromptBehavior
  var options: CallOptions

  func run(in transaction: IntentTransaction) throws -> Outcome {
    let app = try transaction.app(app)
    transaction.trace.add(.person, .app, actor: app.bundleID, "sign in")
    return try AppCall(app, in: transaction).outcome(for: account) { sdk in
      try sdk.checkApplication()
      return try sdk.acquireInteractively(
        SDKRequest(
          account: try account.flatMap { try sdk.knownAccount($0) }, loginHint: account, scopes: scopes,
          prompt: prompt, options: options, correlationID: transaction.correlationID))
    }
  }
}
