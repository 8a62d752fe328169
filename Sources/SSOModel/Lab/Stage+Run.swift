import SSOCore
import SSODevice
import SSOKeychain
import SSOReference

extension Stage {
  /// Runs one intent to its outcome. What an SDK refuses becomes an outcome; names that fit nothing throw.
  func run(_ intent: Intent, correlationID: String) throws -> Outcome {
    if let outcome = try runADAL(intent, correlationID: correlationID) { return outcome }
    switch intent {
    case .signIn(let name, let account, let scopes, let prompt, let options):
      let app = try app(name)
      trace.add(.person, .app, actor: app.bundleID, "sign in")
      return try outcome(of: app, account: account) { client in
        try client.checkApplication()
        let known = try account.flatMap { try client.knownAccount($0) }
        let signedOut = try known.map {
          try client.cache.isSignedOut(homeAccountID: $0.identifier, clientID: app.clientID)
        }
        // A signed-out account is asked for its password, unless the app asks for consent (§3.6).
        let login = signedOut == true && prompt != .consent
        let asked = login ? "login" : prompt == .whenRequired ? nil : prompt.rawValue
        return try client.acquireInteractively(
          InteractiveRequest(
            account: known, loginHint: account, scopes: scopes.isEmpty ? app.scopes : scopes, prompt: asked,
            claims: options.claims, authority: options.authority, correlationID: correlationID))
      }
    case .acquireSilently(let name, let account, let scopes, let forceRefresh, let options):
      let app = try app(name)
      trace.add(.person, .app, actor: app.bundleID, "silent")
      return try outcome(of: app, account: account) { client in
        try client.checkApplication()
        return try client.acquireSilently(
          SilentRequest(
            account: try silentAccount(account, client), scopes: scopes.isEmpty ? app.scopes : scopes,
            forceRefresh: forceRefresh, claims: options.claims, authority: options.authority,
            correlationID: correlationID))
      }
    case .signOut(let name, let account, let options):
      return try signOut(app(name), account, options, correlationID)
    case .currentAccount(let name): return try currentAccount(app(name))
    case .forget(let account): return try forget(account)
    case .expire(let ids): return try change(ids, .expire)
    case .invalidate(let ids): return try change(ids, .invalidate)
    case .delete(let ids): return try change(ids, .delete)
    case .moveClock(let seconds): return try moveClock(seconds)
    case .importCache(let name, let file): return try importCache(name, file)
    case .answerSignIn(let id, _): return try answerSignIn(id)
    case .addFault(let fault): return try addFault(fault)
    case .clearFaults: return try clearFaults()
    case .clearFault(let fault): return try clearFault(fault)
    case .installBroker(let version, let managed):
      return try sayingEffects { try installBroker(version, managed) }
    case .removeBroker: return try sayingEffects { try removeBroker() }
    case .disturb(let name, let disturbance): return try disturb(app(name), disturbance)
    case .reinstall(let name): return try reinstall(app(name))
    case .setPolicy(let policy): return try sayingEffects { try setPolicy(policy) }
    case .removePolicy(let name): return try sayingEffects { try removePolicy(name) }
    case .setCompliance(let isCompliant): return try sayingEffects { try setCompliance(isCompliant) }
    case .enroll(let name, let account): return try enroll(app(name), account)
    case .openURL(let url, let name): return try openURL(url, from: app(name))
    case .edit(let kind, let record, let changes): return try edit(kind, record, changes)
    case .handOver(let giver, let name):
      return try handOver(from: giver, to: name, correlationID: correlationID)
    case .endApp(let name): return try end(app(name))
    case .add(let kind, let name, let changes): return try add(kind, name, changes)
    case .remove(let kind, let name): return try remove(kind, name)
    }
  }

  /// The account of a silent call: the one named, else the app's only one.
  private func silentAccount(_ name: String?, _ client: MSALClient) throws -> MSALAccount? {
    if let name {
      let account = try client.knownAccount(name)
      if try account == nil && !isKnown(account: name) {
        throw try LabError(
          .unknownAccount, "There is no account \(name).",
          why: "No app, no broker and no directory knows it.",
          next: nextAfterUnknown(account: name))
      }
      return account
    }
    let accounts = try client.accounts(limit: 2)
    guard accounts.count < 2 else { throw MSALError.ambiguousAccount(accounts) }
    return accounts.first
  }

  private func outcome(
    of app: InstalledApp, account: String?, _ call: (MSALClient) throws -> MSALResult
  ) throws -> Outcome {
    let client = client(app)
    do {
      let result = try call(client)
      trace.add(
        .sdk, .app, actor: app.bundleID, "result", result: "access token",
        sent: [NameValue("account", result.username), NameValue("access_token", masked(result.accessToken))])
      return succeeded(result)
    } catch let waiting as WaitingForBroker {
      return waits(app, waiting)
    } catch let error as MSALError {
      trace.add(.sdk, .app, actor: app.bundleID, "error", result: error.printed)
      let missing = error.mayLackSharing ? try missingSharing(for: app, account: account) : nil
      // Checks of a step that failed for good come last; openURL's collision check is only a warning.
      let check = missing ?? error.failedCheck ?? lastFailedCheck
      var outcome = Outcome(error, prompted: !prompts.isEmpty, failedCheck: check)
      outcome.next = nearestScope(check, of: app) ?? outcome.next
      return outcome
    }
  }

  func succeeded(_ result: MSALResult) -> Outcome {
    guard result.isAwaited else {
      return Outcome.nobodyWaited(
        username: result.username, homeAccountID: result.homeAccountID, expiresOn: result.expiresOn,
        scopes: result.scopes, prompted: !prompts.isEmpty)
    }
    let how =
      switch result.source {
      case .cache where result.isExtendedLifetime:
        "from the cache: the server is unavailable, and the token's extended lifetime has not ended"
      case .cache where result.isFallback: "from the cache: the server is unavailable"
      case .cache where trace.hops.contains { $0.to == .provider }: "from the cache, after instance discovery"
      case .cache: "from the cache, no network"
      case .appRefreshToken, .familyRefreshToken, .legacyRefreshToken, .legacyFamilyRefreshToken:
        "with the \(result.source.rawValue)"
      case .webSession: "in a web session"
      case .broker: "through the broker"
      }
    return Outcome(
      .succeeded, "Token for \(result.username) \(how).", username: result.username,
      homeAccountID: result.homeAccountID, expiresOn: result.expiresOn, grantedScopes: result.scopes,
      source: result.source.rawValue, prompted: !prompts.isEmpty, accessToken: result.accessToken)
  }

  /// The first condition of sharing that fails, of another app that has the account (claim C2): for a call that found nothing.
  func missingSharing(for app: InstalledApp, account: String?) throws -> Check? {
    guard let missing = try SharingQueries(stage: self).missingSignIn(for: app, account: account) else {
      return nil
    }
    trace.add(
      .system, .app, actor: app.bundleID, "why no SSO with \(missing.other.displayName)",
      result: missing.firstFailure?.name ?? "", checks: missing.checks)
    return missing.firstFailure
  }
}
