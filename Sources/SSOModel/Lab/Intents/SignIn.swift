import SSOCore
import SSODevice

/// An interactive sign-in by a person in an app (docs/behaviour/interactive-call.md §1, docs/behaviour/adal.md §8).
package struct SignIn: AppIntent {
  package static let verb = "signIn"
  package var app: String
  var account: String?
  var scopes: [String]
  var prompt: PromptBehavior
  var options: CallOptions

  package init(
    app: String, account: String? = nil, scopes: [String] = [], prompt: PromptBehavior = .whenRequired,
    options: CallOptions = CallOptions()
  ) {
    self.app = app
    self.account = account
    self.scopes = scopes
    self.prompt = prompt
    self.options = options
  }

  package var displayText: String { "sign in \(app)" + (account.map { " as \($0)" } ?? "") }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
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
