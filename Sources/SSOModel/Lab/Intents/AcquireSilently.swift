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
          account: try account(sdk, transaction.reader), scopes: scopes, forceRefresh: forceRefresh,
          options: options, correlationID: transaction.correlationID))
    }
  }

  /// An account may be unknown to one app, which its SDK then says; but some app, the broker or the directory must know it.
  private func account(_ sdk: any IdentitySDK, _ reader: LabReader) throws -> SDKAccount? {
    guard let account else { return try sdk.onlyAccount() }
    let known = try sdk.knownAccount(account)
    let names = KnownAccounts(reader: reader)
    guard try known != nil || names.contains(account) else {
      throw try LabError(
        .unknownAccount, "There is no account \(account).",
        why: "No app, no broker and no directory knows it.", next: names.next(afterUnknown: account))
    }
    return known
  }
}
