/// Asks the sharing rule about the apps of a lab.
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

  /// By the full access group that their SDK uses: the apps to which the rule can apply there, external clients included.
  func appsByGroup() throws -> [String: [SharingApp]] {
    try Dictionary(grouping: reader.allApps().map(app), by: \.accessGroup)
  }

  /// Why a call that found nothing of an account, or may not read its access group, has no part in another app's sign-in: of
  /// the first app that is signed in to the account.
  ///
  /// Nil where the call itself says why: the app was signed in before, or another app's sign-in does serve it.
  ///
  /// `account` is a username or home account ID; nil means any.
  func missingSignIn(for app: InstalledApp, account: String?) throws -> SharedSignIn? {
    guard try !signInStates(of: account, in: app).contains(where: { $0 != .unknown }) else { return nil }
    let sharing = try self.app(app)
    let others = try reader.installed.filter {
      try $0.bundleID != app.bundleID && reader.device.runs($0) && isSignedIn($0, account: account)
    }
    // What an app lists may be another app's sign-in; an imported cache is no app's.
    let own = try others.filter { try signInStates(of: account, in: $0).contains(.signedIn) }
    var missing: SharedSignIn?
    for other in own.isEmpty ? others : own {
      let shared = SharedSignIn(with: try self.app(other), for: sharing)
      if shared.holds { return nil }
      missing = missing ?? shared
    }
    return missing
  }

  /// Returns the check that decided against a call: that of the prediction, of `why`, and of the call's outcome.
  ///
  /// If that is for another app's sign-in, in which it has no part, the conditions of that come into the trace.
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

  /// What the app's own client left of sign-ins to an account where the app looks.
  private func signInStates(
    of account: String?, in app: InstalledApp
  ) throws -> [AccountMetadata.SignInState] {
    do {
      return try reader.sdk(of: app).signInStates(of: account)
    } catch is KeychainError {
      return []
    }
  }

  /// Whether the app lists an account (nil: any); one that cannot read its cache lists none.
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
  /// Of apps by their access group: those that can use a credential.
  func users(of credential: SharedCredential) -> [InstalledApp] {
    (self[credential.accessGroup] ?? []).filter { SharingRule(credential: credential, app: $0).holds }.map(
      \.app)
  }
}

extension TraceRecorder {
  /// The last check that failed, of what came with the server's last answer and after it: a call that went on to ask the
  /// server was not decided by what failed before.
  var decisiveFailure: Check? {
    let start = hops.lastIndex { $0.to == .provider && $0.from != .person } ?? 0
    return hops[start...].flatMap(\.checks).last { $0.verdict == .failed }
  }
}

extension SDKError {
  /// The refusal itself, where no check of the model led to it.
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
