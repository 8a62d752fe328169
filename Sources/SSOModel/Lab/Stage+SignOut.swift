import SSOCore
import SSODevice
import SSOReference
import SSOStore

/// One app's sign-out (fact sheet §3.6), and who is signed in for an app that is written for one account (§1.6).
extension Stage {
  func signOut(
    _ app: InstalledApp, _ name: String?, _ options: SignOutOptions, _ correlationID: String
  ) throws -> Outcome {
    trace.add(.person, .app, actor: app.bundleID, "sign out")
    let client = client(app)
    do {
      try client.checkApplication()
      let accounts = try name.map { try client.account($0).map { [$0] } ?? [] } ?? client.accounts(limit: 2)
      guard let account = accounts.first, accounts.count == 1 else {
        throw try accounts.isEmpty
          ? LabError(
            .unknownAccount, "\(app.displayName) knows no account \(name ?? "to sign out").",
            why: "allAccounts of this app is empty or has no such account.",
            next: nextAfterUnknown(account: name)
          )
          : LabError(
            .unknownAccount, "\(app.displayName) has several accounts.", why: "One must be named.",
            next: "ssoterm signout \(app.bundleID) --account \(accounts[0].username)")
      }
      let count = try client.signOut(account, options, correlationID: correlationID)
      let isGlobal = try signOutOfSharedDevice(account, client)
      let how = options.words.isEmpty ? "" : " (\(options.words.joined(separator: ", ")))"
      return Outcome(
        .succeeded,
        "\(app.displayName) signed out \(account.username)\(how): \(count) credentials removed."
          + (isGlobal ? " The shared device has forgotten the account." : ""),
        username: account.username, homeAccountID: account.identifier, prompted: !prompts.isEmpty)
    } catch let error as MSALError {
      return failed(error, in: app)
    }
  }

  /// On a shared device a sign-out is everybody's: its broker lets the account go, and each app learns of it by asking for
  /// the current account (our choice, see `currentAccount`).
  private func signOutOfSharedDevice(_ account: MSALAccount, _ client: MSALClient) throws -> Bool {
    guard device.isShared, !client.brokerDecision().contains(where: { $0.verdict == .failed })
    else { return false }
    var isGone = false
    for held in try brokerAccounts() where held.homeAccountID == account.identifier {
      try forget(held)
      isGone = true
    }
    return isGone
  }

  /// The broker lets an account go.
  func forget(_ held: BrokerAccount) throws {
    try transaction.delete(.brokerAccount, device.id + "/" + held.homeAccountID)
    trace.add(.system, .broker, "remove account \(held.username)", result: "done")
  }

  func currentAccount(_ app: InstalledApp) throws -> Outcome {
    guard app.sdk == .msal else {
      throw LabError(
        .badInput, "\(app.displayName) cannot ask for the current account.",
        why: "getCurrentAccount is MSAL's; the app was built with ADAL \(app.sdkVersion).",
        next: "ssoterm accounts")
    }
    trace.add(.person, .app, actor: app.bundleID, "current account")
    let client = client(app)
    do {
      try client.checkApplication()
      let result = try client.currentAccount()
      let before = result.previous?.username ?? "nobody"
      let now = result.current.map { "\($0.username) is signed in" } ?? "nobody is signed in"
      return Outcome(
        .succeeded, "\(app.displayName): \(now); before: \(before).",
        next: result.hasChanged && result.previous != nil
          ? "The person has changed: the app must clear what it kept of \(before)." : nil,
        username: result.current?.username, homeAccountID: result.current?.identifier)
    } catch let error as MSALError {
      return failed(error, in: app)
    }
  }

  func failed(_ error: MSALError, in app: InstalledApp) -> Outcome {
    trace.add(.sdk, .app, actor: app.bundleID, "error", result: error.printed)
    return Outcome(
      error, prompted: !prompts.isEmpty, failedCheck: error.failedCheck ?? lastFailedCheck)
  }
}
