import SSOCore
import SSODevice
import SSOKeychain
import SSOProvider
import SSOReference

/// A credential as the input of the sharing rule: an existing keychain item, or an item that a sign-in would
/// create.
struct SharedCredential {
  enum Format: String {
    case unified = "unified items"
    case legacy = "legacy items"
  }

  enum Kind {
    case accessToken, refreshToken, other
  }

  var format: Format
  var kind: Kind
  /// The full access group, including the team prefix.
  var accessGroup: String
  /// The client ID as in the credential: `foci-1` in ADAL's copy for a family.
  var clientID: String
  /// The family that may use the credential, or `nil` for only its own client.
  var familyID: String?
  /// The authority of the credential: a host (unified), or the authority's URL (legacy).
  ///
  /// It is in lowercase.
  var authority: String
  /// `uid.utid`, or `nil` if it is unknown.
  var homeAccountID: String?
  /// The app whose sign-in creates the credential, or `nil` if it already is in the keychain.
  var writer: SharingApp?
}

extension SharedCredential {
  init(_ token: CredentialItem, in accessGroup: String) {
    self.init(
      format: .unified,
      kind: token.type.isRefreshToken ? .refreshToken : token.type.isAccessToken ? .accessToken : .other,
      accessGroup: accessGroup, clientID: token.clientID, familyID: token.familyID,
      authority: normalized(token.environment), homeAccountID: token.homeAccountID)
  }

  init(_ item: LegacyItem, in accessGroup: String) {
    self.init(
      format: .legacy, kind: item.kind == .refreshToken ? .refreshToken : .accessToken,
      accessGroup: accessGroup, clientID: item.clientID, familyID: item.isFamilyCopy ? item.familyID : nil,
      authority: normalized(item.authority), homeAccountID: item.homeAccountID)
  }

  /// Creates a value from a keychain item, or returns `nil` if the item is not a credential.
  init?(_ item: KeychainItem) {
    if item.isLegacy, let legacy = try? LegacyItem(data: item.data) {
      self.init(legacy, in: item.key.accessGroup)
    } else if let token = item.credential {
      self.init(token, in: item.key.accessGroup)
    } else {
      return nil
    }
  }

  /// Returns the credentials that a sign-in with an app creates, in each format that its SDK writes.
  ///
  /// Family refresh tokens come last.
  static func left(by writer: SharingApp) -> [SharedCredential] {
    func left(_ format: Format, _ kind: Kind, familyID: String? = nil) -> SharedCredential {
      SharedCredential(
        format: format, kind: kind, accessGroup: writer.accessGroup, clientID: writer.app.clientID,
        familyID: familyID,
        authority: format == .unified
          ? writer.app.adalAuthority.environment : writer.app.adalAuthority.stored.lowercased(),
        writer: writer)
    }
    let formats: [Format] =
      switch writer.generation {
      case .legacyOnly: [.legacy]
      case .both: [.legacy, .unified]
      case .unified: [.unified]
      }
    // ADAL writes access tokens only in its own format.
    var found = [left(formats[0], .accessToken)] + formats.map { left($0, .refreshToken) }
    if let family = writer.registeredFamilyID, !writer.app.adalAuthority.isADFS {
      found += formats.map { left($0, .refreshToken, familyID: family) }
    }
    return found
  }
}

/// An app as the input of the sharing rule: its entitlements, client, library, and authority.
///
/// It is created once for a list, because each credential is compared with it.
struct SharingApp {
  let app: InstalledApp
  /// The client ID, normalized as in cache keys.
  let clientID: String
  let entitledGroups: [String]
  /// The full access group that its SDK is configured to use.
  let accessGroup: String
  let generation: CacheGeneration
  /// The family that the client is registered in, according to the provider.
  let registeredFamilyID: String?
  /// The family whose refresh token the SDK looks for, or `nil` if it does not look for one.
  let triedFamilyID: String?
  /// The hosts for which it finds unified items, or `nil` for any, because an external client's own cache is
  /// not in the lab.
  let environments: [String]?
  let surroundings: Surroundings

  /// The device, its apps, and the registered redirect URIs: the context for deciding which of two apps has
  /// the wrong value.
  struct Surroundings {
    var device: Device?
    /// All apps of the device.
    var apps: [InstalledApp] = []
    /// The redirect URIs in the registration of the app's client.
    var redirectURIs: [String] = []
  }

  init(
    _ app: InstalledApp, registeredFamilyID: String?, triedFamilyID: String?,
    surroundings: Surroundings = Surroundings()
  ) {
    self.app = app
    self.surroundings = surroundings
    clientID = normalized(app.clientID)
    entitledGroups = app.entitledGroups
    accessGroup = app.sharedAccessGroup
    generation = CacheGeneration(app)
    self.registeredFamilyID = registeredFamilyID.flatMap { $0.isEmpty ? nil : $0 }
    self.triedFamilyID = triedFamilyID
    environments = app.teamID == ExternalClient.teamID ? nil : app.adalAuthority.environments
  }

  var runsOnDevice: Bool { surroundings.device?.runs(app) ?? true }

  /// The failed check of an app that cannot run on the device, or `nil` for other apps.
  var platformCheck: Check? { surroundings.device?.platformCheck(of: app) }

  /// The access group without the team prefix.
  var bareGroup: String { Self.bare(accessGroup, teamID: app.teamID) }

  static func bare(_ group: String, teamID: String) -> String {
    guard group.hasPrefix(teamID) else { return group }
    let rest = group.dropFirst(teamID.count)
    return String(rest.first == "." ? rest.dropFirst() : rest)
  }

  /// Returns the authorities for which the app looks for a legacy item (docs/behaviour/adal.md §5, §6).
  ///
  /// - Parameter homeAccountID: The home account ID of the item, if it has one. MSAL then uses the home
  ///   tenant if it is configured for any tenant.
  /// - Returns: The URLs, with the preferred cache host first.
  func legacyAuthorities(homeAccountID: String?) -> [String] {
    guard generation == .unified else { return app.adalAuthority.candidates }
    guard let typed = app.msalAuthority else { return [] }
    let account = SDKAccount(identifier: homeAccountID ?? "", username: "", environment: "")
    let resolved = SilentFlow.resolve(typed, account: account, metadata: nil)
    return LegacyLookup.authorities(hosts: app.adalAuthority.environments, tenant: resolved.tenant)
  }
}

/// The formats that an SDK writes and reads (docs/behaviour/adal.md §4).
enum CacheGeneration: String, Hashable, CaseIterable {
  case legacyOnly = "ADAL up to 2.6.6"
  case both = "ADAL 2.7 and later"
  case unified = "MSAL"

  /// Creates the generation of an app.
  ///
  /// AD FS does not use the unified format.
  init(_ app: InstalledApp) {
    self =
      app.sdk == .msal
      ? .unified
      : app.adalVersion.isUnified && app.builtDefaults.hasSharedCache && !app.adalAuthority.isADFS
        ? .both : .legacyOnly
  }

  var reads: String {
    switch self {
    case .legacyOnly: "legacy items"
    case .both: "legacy items, then unified refresh tokens"
    case .unified: "unified items, then legacy refresh tokens"
    }
  }
}

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
    try Dictionary(grouping: reader.appsWithCache().map(app), by: \.accessGroup)
  }

  /// Returns the reason that an app cannot use another app's sign-in, after its call found nothing or could
  /// not read its access group.
  ///
  /// The reason concerns the first app that is signed in to the account. Returns `nil` if the call itself has
  /// the reason: the app was signed in before, or it can use another app's sign-in. `account` is a username
  /// or home account ID, or `nil` for any account.
  func missingSignIn(for app: InstalledApp, account: String?) throws -> SharedSignIn? {
    guard try !signInStates(of: account, in: app).contains(where: { $0 != .unknown }) else { return nil }
    // If the app's own cache has the account, it has lost the token, and no other app could lend one.
    if app.sdk == .msal, !app.builtDefaults.hasSharedCache, try hasOwnAccount(app, account) { return nil }
    let sharing = try self.app(app)
    let others = try reader.installed.filter {
      try $0.bundleID != app.bundleID && reader.device.runs($0) && isSignedIn($0, account: account)
    }
    // An app's list may contain another app's sign-in, and an imported cache does not belong to an app.
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

  /// Returns whether the app's cache has an account, or any account if the name is `nil`.
  private func hasOwnAccount(_ app: InstalledApp, _ name: String?) throws -> Bool {
    try name.map { try reader.cachedAccount($0, of: app) != nil }
      ?? !reader.sdk(of: app).accounts(limit: 1).isEmpty
  }

  /// Returns whether the app lists an account, or any account if the name is `nil`.
  ///
  /// An app that cannot read its cache does not list any.
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
  /// The error itself as a check, for an error that was not caused by a check of the model.
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
