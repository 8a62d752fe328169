import SSOCore
import SSODevice

/// A silent call (docs/behaviour/silent-call.md §1, docs/behaviour/adal.md §8).
package struct AcquireSilently: AppIntent {
  package static let verb = "silent"
  package var app: String
  /// A username or home account ID, or `nil` for the app's only account.
  package var account: String?
  package var scopes: [String]
  package var forceRefresh: Bool
  var options: CallOptions

  package init(
    app: String, account: String? = nil, scopes: [String] = [], forceRefresh: Bool = false,
    options: CallOptions = CallOptions()
  ) {
    self.app = app
    self.account = account
    self.scopes = scopes
    self.forceRefresh = forceRefresh
    self.options = options
  }

  package var displayText: String { "silent \(app)" + (account.map { " as \($0)" } ?? "") }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    let app = try transaction.app(app)
    transaction.trace.add(.person, .app, actor: app.bundleID, "silent")
    return try AppCall(app, in: transaction).outcome(for: account, isSilent: true) { sdk in
      try sdk.checkApplication()
      return try sdk.acquireSilently(
        SDKRequest(
          account: try transaction.reader.names.account(named: account, in: sdk), scopes: scopes,
          forceRefresh: forceRefresh,
          options: options, correlationID: transaction.correlationID))
    }
  }
}
