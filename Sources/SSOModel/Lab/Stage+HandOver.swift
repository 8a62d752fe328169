import SSOCore
import SSODevice
import SSOProvider

/// What one app tells another of its account, in words of its own: the pasteboard, a URL, a shared file. The SDKs have
/// no part in that; they only look the identifiers up (claims F3 to F6).
struct HandedIdentity: Hashable {
  /// `username` of MSAL, `userId` of ADAL.
  var displayable: String
  /// `identifier` of MSAL, `homeAccountId` of ADAL 2.7 and later; older ones have none.
  var unique: String?
}

extension Stage {
  /// An app starts with what another knows: it looks the account up, asks the person if there are several, and then
  /// calls silently. If there is none, nothing happens.
  func handOver(from giverName: String?, to name: String, correlationID: String) throws -> Outcome {
    let app = try app(name)
    let giver = try giverName.map { try self.app($0) }
    let handed = try giver.map { try identities(in: $0) } ?? []
    trace.add(
      giver == nil ? .person : .app, .app, actor: giver?.bundleID ?? app.bundleID,
      giver == nil ? "open \(app.displayName)" : "hand over to \(app.displayName)",
      result: handed.isEmpty ? "no identifier" : "\(handed.count) known",
      sent: handed.flatMap { identity in
        giver.map { Self.fields(of: identity, sdk: $0) } ?? []
      })
    let found =
      try app.sdk == .adal ? lookUp(adal: handed, in: app) : lookUp(msal: handed, in: app, giver: giver)
    guard let first = found.first else {
      return Outcome(
        .failed, "\(app.displayName) finds no account: nothing happens silently.",
        failedCheck: trace.hops.flatMap(\.checks).last { $0.verdict == .failed },
        next: "Sign in with a person: ssoterm signin \(app.bundleID)")
    }
    guard found.count > 1 else { return try useHanded(first, in: app, correlationID) }
    switch try ask(.chooseAccount(try picker(of: app, found))) {
    case .account(let id):
      guard let chosen = found.first(where: { $0.id == id }) else { break }
      trace.add(.person, .app, actor: app.bundleID, "choose an account", result: chosen.displayable)
      return try useHanded(chosen, in: app, correlationID)
    case .useAnotherAccount:
      return try run(
        .signIn(app: name, account: nil, scopes: [], prompt: .selectAccount), correlationID: correlationID)
    default: break
    }
    return Outcome(.cancelled, "Cancelled by the person in the account picker.", prompted: true)
  }

  // MARK: The giver

  private func identities(in app: InstalledApp) throws -> [HandedIdentity] {
    guard app.sdk == .adal else {
      return try quietClient(app).accounts(limit: 50).map {
        HandedIdentity(displayable: $0.username, unique: $0.identifier.isEmpty ? nil : $0.identifier)
      }
    }
    return try quietADALClient(app).users().filter { !$0.userID.isEmpty }.map {
      HandedIdentity(displayable: $0.userID, unique: app.adalVersion.isUnified ? $0.homeAccountID : nil)
    }
  }

  /// The names the giver's SDK has for them (claim F3).
  private static func fields(of identity: HandedIdentity, sdk app: InstalledApp) -> [NameValue] {
    let names = app.sdk == .adal ? ("userId", "homeAccountId") : ("username", "identifier")
    return [NameValue(names.0, identity.displayable), NameValue(names.1, identity.unique ?? "none")]
  }

  // MARK: The taker

  /// ADAL asks no question before the call: `userId` is the displayable ID (claim F4). Nothing handed over: nothing
  /// to ask for.
  private func lookUp(adal handed: [HandedIdentity], in app: InstalledApp) throws -> [HandedIdentity] {
    trace.add(
      .app, .app, actor: app.bundleID, "userId", result: handed.isEmpty ? "none" : "taken from the other app",
      checks: [
        Check(
          "an account is found", expected: "a userId", found: handed.isEmpty ? "none" : words(handed),
          !handed.isEmpty, source: "claim F4")
      ])
    return handed
  }

  /// `accountForIdentifier`, and if there is none `accountForUsername` (claim F5); nothing handed over: `allAccounts`.
  private func lookUp(
    msal handed: [HandedIdentity], in app: InstalledApp, giver: InstalledApp?
  ) throws -> [HandedIdentity] {
    let client = client(app)
    var found: [HandedIdentity] = []
    func note(_ call: String, _ argument: String?, _ accounts: [MSALAccount]) {
      for account in accounts {
        let identity = HandedIdentity(
          displayable: account.username, unique: account.identifier.isEmpty ? nil : account.identifier)
        if !found.contains(where: { $0.id == identity.id }) { found.append(identity) }
      }
      trace.add(
        .app, .sdk, actor: app.bundleID, call, result: accounts.isEmpty ? "nil" : words(found),
        sent: argument.map { [NameValue(call == "accountForIdentifier" ? "identifier" : "username", $0)] }
          ?? [],
        checks: [
          Check(
            "\(call) finds an account", expected: argument ?? "any account",
            found: accounts.isEmpty ? "none" : accounts.map(\.username).joined(separator: ", "),
            verdict: accounts.isEmpty ? .failed : .passed, source: "claim F5")
        ])
    }
    for identity in handed {
      var account: MSALAccount?
      if let unique = identity.unique {
        account = try client.account(unique)
        note("accountForIdentifier", unique, account.map { [$0] } ?? [])
      }
      if account == nil {
        note(
          "accountForUsername", identity.displayable,
          try client.account(identity.displayable).map { [$0] } ?? [])
      }
    }
    if giver == nil { note("allAccounts", nil, try client.accounts(limit: 50)) }
    return found
  }

  private func useHanded(_ identity: HandedIdentity, in app: InstalledApp, _ correlationID: String) throws
    -> Outcome
  {
    try run(
      .acquireSilently(
        app: app.bundleID, account: app.sdk == .adal ? identity.displayable : identity.id, scopes: [],
        forceRefresh: false), correlationID: correlationID)
  }

  private func words(_ identities: [HandedIdentity]) -> String {
    identities.map(\.displayable).joined(separator: ", ")
  }

  /// The app's own picker (claim F6): no broker is asked.
  private func picker(of app: InstalledApp, _ found: [HandedIdentity]) throws -> AccountPicker {
    let directory = Directory(documents: transaction)
    let candidates = try found.map { identity in
      let person = try directory.person(username: identity.displayable)
      return PickerCandidate(
        homeAccountID: identity.id, displayName: person?.displayName ?? "", username: identity.displayable,
        tenantName: try person.flatMap { try directory.tenant(byNameOrID: $0.homeTenantID)?.displayName }
          ?? "",
        state: .ready,
        remark: identity.unique == nil ? "known by its username only" : "known by its identifier",
        isHinted: false)
    }
    return AccountPicker(
      appName: app.displayName, bundleID: app.bundleID, clientID: app.clientID, redirectURI: app.redirectURI,
      sdk: "\(app.sdk.rawValue) \(app.sdkVersion)", scopes: app.scopes, prompt: nil, loginHint: nil,
      callerCheck: CallerCheck(reportedBundleID: app.bundleID, redirectURI: app.redirectURI).check,
      candidates: candidates, presentation: .overlay,
      reason: "\(app.displayName) found \(found.count) accounts and asks which one to use.")
  }
}

extension HandedIdentity {
  /// What finds it again: the unique identifier, preferred to the displayable one.
  var id: String { unique ?? displayable }
}
