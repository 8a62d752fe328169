import SSOCore
import SSODevice
import SSOReference

/// A request for the signed-in account, by an app for a single account (docs/behaviour/msal-cache.md §5).
package struct GetCurrentAccount: AppIntent {
  package static let verb = "currentAccount"
  package var app: String

  package init(app: String) { self.app = app }

  package var displayText: String { "current account of \(app)" }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    let app = try transaction.app(app)
    transaction.trace.add(.person, .app, actor: app.bundleID, "current account")
    if let check = transaction.device.simulationCheck { return Outcome(notMade: check) }
    let sdk = transaction.runtime.sdk(of: app)
    do {
      try sdk.checkApplication()
      let result = try sdk.currentAccount()
      let before = result.previous?.username ?? "none"
      let now = result.current.map { "\($0.username) is signed in" } ?? "no account is signed in"
      return Outcome(
        .succeeded, "\(app.displayName): \(now); before: \(before).",
        next: result.hasChanged && result.previous != nil
          ? "The account has changed: the app must delete its data of \(before)." : nil,
        username: result.current?.username, homeAccountID: result.current?.identifier)
    } catch let error as SDKError {
      return transaction.failure(error, of: app)
    } catch SDKCallError.unsupported(let why) {
      throw LabError(
        .badInput, "\(app.displayName) cannot ask for the current account.", why: why,
        next: "\(.accounts)")
    }
  }
}
