import SSOCore
import SSODevice
import SSOReference

/// A sign-out from one app (docs/behaviour/adal.md §7, docs/behaviour/msal-cache.md §11).
///
/// Other apps of the group may lose the family refresh token.
package struct SignOut: AppIntent {
  package static let verb = "signOut"
  package var app: String
  /// A username or home account ID, or `nil` for the app's only account.
  package var account: String?
  package var options: SignOutOptions

  package init(app: String, account: String? = nil, options: SignOutOptions = SignOutOptions()) {
    self.app = app
    self.account = account
    self.options = options
  }

  package var displayText: String {
    (["sign out of \(app)" + (account.map { " as \($0)" } ?? "")] + options.words).joined(separator: ", ")
  }
  package func removedAccounts(_ reader: LabReader) -> [String] { [account].compactMap(\.self) }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    let app = try transaction.app(app)
    transaction.trace.add(.person, .app, actor: app.bundleID, "sign out")
    if let check = transaction.device.simulationCheck { return Outcome(notMade: check) }
    let sdk = transaction.runtime.sdk(of: app)
    do {
      let result = try sdk.signOut(account, options, correlationID: transaction.correlationID)
      let isGlobal = try signOutOfSharedDevice(result.account, sdk, transaction)
      let how = result.details.isEmpty ? "" : " (\(result.details.joined(separator: ", ")))"
      return Outcome(
        .succeeded,
        "\(app.displayName) signed out \(result.names)\(how): \(result.removed) removed."
          + (isGlobal ? " The account is removed from the shared device." : ""),
        username: result.account?.username,
        homeAccountID: result.account.flatMap { $0.identifier.isEmpty ? nil : $0.identifier },
        prompted: transaction.hasPrompted)
    } catch let error as SDKError {
      return transaction.failure(error, of: app)
    } catch let refusal as SDKCallError {
      throw try labError(refusal, app, transaction.reader)
    }
  }

  /// Signs out of all apps of a shared device: the broker removes the account, and each app is informed when it requests
  /// the current account (our choice, see ``MSALAccounts/current()``).
  private func signOutOfSharedDevice(
    _ account: SDKAccount?, _ sdk: any IdentitySDK, _ transaction: IntentTransaction
  ) throws -> Bool {
    guard let account, transaction.device.isShared,
      !sdk.brokerDecision().contains(where: { $0.verdict == .failed })
    else { return false }
    var isGone = false
    for held in try transaction.reader.brokerAccounts() where held.homeAccountID == account.identifier {
      try transaction.runtime.forget(held)
      isGone = true
    }
    return isGone
  }

  private func signOut(_ app: InstalledApp, of account: String?, wipesAccount: Bool) -> Advice {
    "\(.signOut, app.bundleID, with: [.account: account ?? "USER", .wipeAccount: wipesAccount ? "" : nil])"
  }

  private func labError(_ refusal: SDKCallError, _ app: InstalledApp, _ reader: LabReader) throws -> LabError
  {
    switch refusal {
    case .unknownAccount(let why):
      return LabError(
        .unknownAccount, "\(app.displayName) has no account \(account ?? "to sign out").", why: why,
        next: try KnownAccounts(reader: reader).next(afterUnknown: account, in: app.bundleID))
    case .severalAccounts(let names):
      return LabError(
        .unknownAccount, "\(app.displayName) has several accounts.", why: "One must be named.",
        next: signOut(app, of: names.first, wipesAccount: options.wipeAccount))
    case .unsupported(let why):
      return LabError(
        .badInput, "\(app.displayName) cannot sign out in this way.", why: why,
        next: signOut(app, of: nil, wipesAccount: true))
    }
  }
}
