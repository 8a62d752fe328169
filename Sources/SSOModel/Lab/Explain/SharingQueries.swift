/// Queries that apply the sharing rule to the apps of a lab.
struct SharingQueries {
  let reader: LabReader

  func installedApps() throws -> [SharingApp] { try reader.installed.map(app) }

  func app(_ app: InstalledApp) throws -> SharingApp {
    let registration = try reader.directory.registration(clientID: app.clientID)
    return SharingApp(
      app, registeredFamilyID: registration?.familyID, triedFamilyID: try reader.sdk(of: app).triedFamilyID(),
      surroundings: SharingApp.Surroundings(
        device: reader.device, apps: reader.installed, redirectURIs: registration?.redirectURIs ?? []))
  }

  /// Returns the apps, including external clients, by the full access group that their SDK uses.
  func appsByGroup() throws -> [String: [SharingApp]] {
    try Dictionary(grouping: reader.allApps().map(app), by: \.accessGroup)
  }

  /// Returns the reason that an app cannot use another app's sign-in, after its call found nothing or could
  /// not read its access group.
  ///
  /// The reason concerns the first app that is signed in to the account. Returns `nil` if the call itself has
  /// the reason: the app was signed in before, or it can use another app's sign-in. `account` is a username
  /// or home account ID, or `nil` for any account.
  func missingSignIn(for app: InstalledApp, account: String?) throws -> SharedSignIn? {
    guard try !signInStates(of: account, in: app).contains(where: { $0 != .unknown }) else { return nil }
    let sharing = try self.app(app)
    let others = try reader.installed.filter {
      try $0.bundleID != app.bundleID && reader.device.runs($0) && isSignedIn($0, account: account)
    }
    // An app's list may contain another app's sign-in, and an imported cache belongs to no app.
    let own = try others.filter { try signInStates(of: account, in: $0).contains(.signedIn) }
    var missing: SharedSignIn?
    for other in own.isEmpty ? others : own {
      let shared = SharedSignIn(with: try self.app(other), for: sharing)
      if shared.holds { return nil }
      missing = missing ?? shared
    }
    return missing
  }

  /// Returns the check that decided against a call, for the prediction, `why`, and the call's outcome.
  ///
  /// If the call failed for lack of another app's sign-in, the conditions of sharing are added to the trace.
  func cause(
    of error: SDKError, of app: InstalledApp, account: String?, _ trace: TraceRecorder
  ) throws -> Check {
    let missing = error.mayLackSharing ? try missingSignIn(for: app, account: account) : nil
    if let missing {
      trace.add(
        .system, .app, actor: app.bundleID, "why no SSO with \(missing.other.displayName)",
        result: missing.firstFailure?.reason ?? "", checks: missing.checks)
    }
    return missing?.firstFailure ?? error.failedCheck ?? trace.decisiveFailure ?? error.asCheck
  }

  /// Returns the states of the app's own sign-ins to an account, where the app looks.
  private func signInStates(
    of account: String?, in app: InstalledApp
  ) throws -> [AccountMetadata.SignInState] {
    do {
      return try reader.sdk(of: app).signInStates(of: account)
    } catch is KeychainError {
      return []
    }
  }

  /// Returns whether the app lists an account, or any account if the name is `nil`.
  ///
  /// An app that cannot read its cache lists none.
  private func isSignedIn(_ app: InstalledApp, account name: String?) throws -> Bool {
    do {
      let sdk = reader.sdk(of: app)
      return try name.map { try sdk.listedAccount($0) != nil } ?? !sdk.accounts(limit: 1).isEmpty
    } catch is SDKError {
      return false
    }
  }
}

extension [String: [SharingApp]] {
  /// Returns the apps that can use a credential, from apps by access group.
  func users(of credential: SharedCredential) -> [InstalledApp] {
    (self[credential.accessGroup] ?? []).filter { SharingRule(credential: credential, app: $0).holds }.map(
      \.app)
  }
}

extension TraceRecorder {
  /// The last check that failed with or after the server's last response.
  ///
  /// If a call went on to contact the server, checks that failed earlier did not decide it.
  var decisiveFailure: Check? {
    let start = hops.lastIndex { $0.to == .provider && $0.from != .person } ?? 0
    return hops[start...].flatMap(\.checks).last { $0.verdict == .failed }
  }
}

extension SDKError {
  /// The error itself as a check, for an error that no check of the model caused.
  fileprivate var asCheck: Check {
    isCancellation
      ? Check(
        "the person completes the sign-in", expected: "completed", found: "cancelled", false,
        source: "errors.md §4", failure: "the sign-in was cancelled")
      : Check(
        "the call gets a token", expected: "a token", found: summary, false, source: "errors.md §4",
        failure: summary.hasSuffix(".") ? String(summary.dropLast()) : summary)
  }
}
