import SSOCore
import SSODevice
import SSOReference

/// A silent call (docs/behaviour/silent-call.md §1, docs/behaviour/adal.md §8).
package struct AcquireSilently: AppIntent {
  package static let verb = "silent"
  package var app: String
  /// A username or home account ID, or `nil` for the app's only account.
  package var account: String?
  /// The name with which the app calls `accountForUsername` to find the account, or `nil` if it has the account.
  var username: String?
  package var scopes: [String]
  package var forceRefresh: Bool
  var options: CallOptions

  package init(
    app: String, account: String? = nil, username: String? = nil, scopes: [String] = [],
    forceRefresh: Bool = false,
    options: CallOptions = CallOptions()
  ) {
    self.app = app
    self.account = account
    self.username = username
    self.scopes = scopes
    self.forceRefresh = forceRefresh
    self.options = options
  }

  package var displayText: String {
    "silent \(app)" + (account.map { " as \($0)" } ?? username.map { " as the account of “\($0)”" } ?? "")
  }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    let app = try transaction.app(app)
    transaction.trace.add(.person, .app, actor: app.bundleID, "silent")
    let call = AppCall(app, in: transaction)
    if let username, !call.sdk.looksUpUsernames {
      throw LabError(
        .badInput, "\(app.displayName) cannot look up “\(username)”.",
        why: "Only MSAL for Apple's systems has accountForUsername in the lab.",
        next: "\(.silent, app.bundleID)")
    }
    return try call.outcome(for: account ?? username, isSilent: true) { sdk in
      try sdk.checkApplication()
      if let username {
        let found = try sdk.account(username: username)
        do {
          return try sdk.acquireSilently(
            SDKRequest(
              account: found, scopes: scopes, forceRefresh: forceRefresh, options: options,
              correlationID: transaction.correlationID))
        } catch var error as SDKError where found == nil {
          // The lookup decided it, and not the call without an account.
          error.failedCheck = transaction.trace.hops.last { $0.action == "accountForUsername" }?.checks.first
          throw error
        }
      }
      var request = SDKRequest(
        account: try transaction.reader.names.account(named: account, in: sdk), scopes: scopes,
        forceRefresh: forceRefresh, options: options, correlationID: transaction.correlationID)
      request.isAccountNamed = account != nil
      return try sdk.acquireSilently(request)
    }
  }
}
