import SSOCore
import SSODevice
import SSOProvider
import SSOReference

/// The start of an app with an account that another app knows: the app looks up the account, asks the user if there are
/// several, and then makes a silent call.
///
/// The two apps agree on that themselves (pasteboard, URL, shared file); the SDKs only look up the identifiers (claims
/// F3 to F6). Without an account, nothing happens.
package struct TransferAccount: AppIntent {
  package static let verb = "handOver"
  /// The app that knows the account, or `nil` if no other app transfers one.
  var giver: String?
  package var app: String

  package init(from giver: String?, to app: String) {
    self.giver = giver
    self.app = app
  }

  package var displayText: String {
    giver.map { "transfer the account from \($0) to \(app)" } ?? "open \(app)"
  }
  package mutating func resolve(in lab: LabReader) throws {
    app = try lab.app(app).bundleID
    giver = try giver.map { try lab.app($0).bundleID }
  }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    let taker = try transaction.app(app)
    if let check = transaction.device.simulationCheck { return Outcome(notMade: check) }
    let giver = try giver.map { try transaction.app($0) }
    let transferred = try giver.map { try accounts(of: $0, transaction.reader) } ?? []
    transaction.trace.add(
      giver == nil ? .person : .app, .app, actor: giver?.bundleID ?? taker.bundleID,
      giver == nil ? "open \(taker.displayName)" : "transfer the account to \(taker.displayName)",
      result: transferred.isEmpty ? "no identifier" : "\(transferred.count) known",
      sent: giver.map { fields(of: transferred, transaction.reader.sdk(of: $0)) } ?? [])
    let sdk = transaction.runtime.sdk(of: taker)
    let found = try sdk.find(transferred, isTransfer: giver != nil)
    guard let first = found.first else {
      return Outcome(
        .failed, "\(taker.displayName) does not find the account: no silent call is made.",
        failedCheck: transaction.lastFailedCheck,
        next: "\(.signIn, taker.bundleID)")
    }
    func use(_ account: SDKAccount) throws -> Outcome {
      try AcquireSilently(app: taker.bundleID, account: sdk.callName(of: account)).run(in: transaction)
    }
    guard found.count > 1 else { return try use(first) }
    switch try transaction.ask(.chooseAccount(try picker(of: taker, found, transaction.directory))) {
    case .account(let id):
      guard let chosen = found.first(where: { $0.id == id }) else { break }
      transaction.trace.add(
        .person, .app, actor: taker.bundleID, "choose an account", result: chosen.username)
      return try use(chosen)
    case .useAnotherAccount:
      return try SignIn(app: app, prompt: .selectAccount).run(in: transaction)
    default: break
    }
    return Outcome(.cancelled, "Cancelled by the user in the account picker.", prompted: true)
  }

  private func accounts(of app: InstalledApp, _ reader: LabReader) throws -> [SDKAccount] {
    try reader.sdk(of: app).accounts(limit: 50).filter { !$0.id.isEmpty }
  }

  /// Returns the accounts as fields, named as in the SDK of the app that transfers them (claim F3).
  private func fields(of accounts: [SDKAccount], _ sdk: any IdentitySDK) -> [NameValue] {
    let names = sdk.accountFields
    return accounts.flatMap {
      [
        NameValue(names.displayable, $0.username),
        NameValue(names.unique, $0.identifier.isEmpty ? "none" : $0.identifier),
      ]
    }
  }

  /// Returns the app's own picker, which does not involve the broker (claim F6).
  private func picker(
    of app: InstalledApp, _ found: [SDKAccount], _ directory: Directory
  ) throws -> AccountPicker {
    let candidates = try found.map { account in
      let person = try directory.person(username: account.username)
      return PickerCandidate(
        homeAccountID: account.id, displayName: person?.displayName ?? "", username: account.username,
        tenantName: try person.flatMap { try directory.tenant(byNameOrID: $0.homeTenantID)?.displayName }
          ?? "",
        state: .ready,
        remark: account.identifier.isEmpty ? "known by its username only" : "known by its identifier",
        isHinted: false,
        shownBecause: "\(app.displayName) finds it in its token cache")
    }
    return AccountPicker(
      appName: app.displayName, bundleID: app.bundleID, clientID: app.clientID, redirectURI: app.redirectURI,
      sdk: "\(app.sdk.rawValue) \(app.sdkVersion)", scopes: app.scopes, prompt: nil, loginHint: nil,
      callerCheck: CallerCheck(of: app).check,
      candidates: candidates, presentation: .overlay,
      reason: "\(app.displayName) found \(found.count) accounts and asks which one to use.")
  }
}
