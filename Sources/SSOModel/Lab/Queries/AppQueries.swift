import SSOCore
import SSODevice
import SSOKeychain
import SSOProvider
import SSOStore

/// The apps of the device and the external clients, as rows.
///
/// Throws `LabError` for an unknown name, and `StoreError`.
package struct AppQueries {
  let reader: LabReader

  /// The number of an app's accounts with separate rows.
  ///
  /// The rest are only counted.
  private static let namedAccounts = 3

  /// Returns the rows of the Apps screen, sorted by name.
  package func rows() throws -> [AppRow] {
    let queries = AppQueries(reader: reader.remembering)
    return try
      (reader.installed.flatMap { try queries.rows(of: $0) }
      + reader.externalClients().map { try queries.row(of: $0) })
      .sorted { ($0.displayName, $0.bundleID) < ($1.displayName, $1.bundleID) }
  }

  /// Returns the row of an app, or one row for each account if it lists several, because each call is for one
  /// account.
  func rows(of app: InstalledApp) throws -> [AppRow] {
    let sdk = reader.sdk(of: app)
    let accounts = try listed(sdk)
    let count = try count(accounts, sdk)
    let familyID = try reader.directory.registration(clientID: app.clientID)?.familyID
    let isStandIn = app.platform ?? reader.device.platform == .windows
    let others = isStandIn ? [] : appsOfSameGroup(of: app).map(\.displayName)
    let warnings = try warnings(about: app)
    func row(_ account: SDKAccount?, named name: String?, count: Int) throws -> AppRow {
      let tokens = try account.map { try sdk.tokens(of: $0) } ?? HeldTokens()
      return AppRow(
        bundleID: app.bundleID, displayName: app.displayName, vendor: app.vendor, teamID: app.teamID,
        sdk: app.sdk.rawValue, sdkVersion: app.sdkVersion, clientID: app.clientID,
        redirectURI: app.redirectURI, account: name,
        accounts: account.map { [$0.username.isEmpty ? "unknown user" : $0.username] } ?? [],
        accountCount: count, accessToken: TokenStatus(tokens.accessToken, at: reader.now),
        refreshToken: try refreshToken(of: app, tokens), target: tokens.target, familyID: familyID,
        accessGroup: app.sharedAccessGroup, sharesGroupWith: others, broker: sdk.brokerUse,
        next: try Predictor(reader: reader).prediction(app, account: name), warnings: warnings,
        project: app.project.flatMap { $0.isOfThisUser ? $0 : nil }, storage: app.builtDefaults.storage.party,
        isStandIn: isStandIn)
    }
    guard count > 1 else { return [try row(accounts.first, named: nil, count: count)] }
    // Use the username, as users do, if it identifies only one of them.
    let usernames = accounts.map { normalized($0.username) }
    let named = try accounts.map { account in
      let isUnique = usernames.filter { $0 == normalized(account.username) }.count == 1
      let name = isUnique && account.username.contains("@") ? account.username : sdk.callName(of: account)
      return try row(account, named: name, count: 1)
    }
    return count > named.count ? named + [try row(nil, named: nil, count: count - named.count)] : named
  }

  /// Returns the app's accounts.
  ///
  /// If it may not read its access group, the array is empty and the call reports the error.
  private func listed(_ sdk: any IdentitySDK) throws -> [SDKAccount] {
    do {
      return Array(try sdk.accounts(limit: Self.namedAccounts).prefix(Self.namedAccounts))
    } catch is SDKError {
      return []
    }
  }

  /// Returns the state of the first refresh token that the app can use according to the sharing rule.
  private func refreshToken(of app: InstalledApp, _ tokens: HeldTokens) throws -> TokenStatus {
    let sharing = try SharingQueries(reader: reader).app(app)
    for token in tokens.refreshTokens {
      let (credential, secret) =
        switch token {
        case .unified(let item): (SharedCredential(item, in: sharing.accessGroup), item.secret)
        case .legacy(let item): (SharedCredential(item, in: sharing.accessGroup), item.refreshToken ?? "")
        }
      guard SharingRule(credential: credential, app: sharing).holds else { continue }
      return try reader.status(ofRefreshToken: secret)
    }
    return TokenStatus(.none)
  }

  /// Returns the number of accounts: counted if there are few, or else the number of credentials that each
  /// account has one of.
  private func count(_ accounts: [SDKAccount], _ sdk: any IdentitySDK) throws -> Int {
    guard accounts.count == Self.namedAccounts else { return accounts.count }
    guard let credential = sdk.countedCredential else { return try sdk.accounts(limit: .max).count }
    let stored = try reader.items.credentialCount(
      accessGroup: sdk.app.sharedAccessGroup, type: CredentialType.refreshToken.attributeType,
      generic: credential)
    return max(accounts.count, stored)
  }

  /// Returns the other apps whose SDK uses the same group, if both are entitled to it and run on the device.
  private func appsOfSameGroup(of app: InstalledApp) -> [InstalledApp] {
    guard reader.device.runs(app) else { return [] }
    return reader.installed.filter { other in
      other.bundleID != app.bundleID && other.sharedAccessGroup == app.sharedAccessGroup
        && other.isEntitled && app.isEntitled && reader.device.runs(other)
    }
  }

  /// Returns warnings about fields of another platform, and about the delivery of the app's responses.
  private func warnings(about app: InstalledApp) throws -> [String] {
    var warnings = [PlatformMix(app, on: reader.device)?.reason].compactMap(\.self)
    guard reader.device.brokerCall(for: app) == .url else { return warnings }
    for scheme in Set(app.urlSchemes.map { $0.lowercased() }).sorted() {
      let others = reader.device.handlers(of: scheme, installed: reader.installed)
        .filter { $0 != app.bundleID }
      guard !others.isEmpty else { continue }
      warnings.append("\(scheme): is also registered by \(others.joined(separator: ", ")) (claim B3)")
    }
    let forwarding = URLForwarding.check(of: app)
    if forwarding.verdict == .failed {
      warnings.append(
        "answers reach \(forwarding.expected), but are forwarded by \(forwarding.found) (claim D6)")
    }
    let key = InjectedFault.key(of: app, on: reader.device)
    if let fault = try reader.documents.read(InjectedFault.self, .injectedFault, key) {
      warnings.append("next brokered call has an injected fault: \(fault.rawValue)")
    }
    return warnings
  }
}

// MARK: - External clients

extension AppQueries {
  /// Returns the row of an external client.
  ///
  /// The program decides on its next call; the row shows what its tokens allow.
  func row(of client: ExternalClient) throws -> AppRow {
    let app = client.asApp
    let sdk = reader.sdk(of: app)
    let accounts = try sdk.accounts(limit: 3)
    let tokens = try accounts.first.map { try sdk.tokens(of: $0) } ?? HeldTokens()
    let own = accounts.isEmpty ? try tokenForItself(client) : nil
    let access =
      own.map { TokenStatus($0, at: reader.now) } ?? TokenStatus(tokens.accessToken, at: reader.now)
    let refresh = try refreshToken(of: app, tokens)
    return AppRow(
      bundleID: app.bundleID, displayName: client.displayName, vendor: client.publisher, teamID: app.teamID,
      sdk: client.program.isEmpty ? "unknown" : client.program, sdkVersion: client.programVersion,
      clientID: client.clientID, redirectURI: client.redirectURI, accounts: accounts.map(\.username),
      accountCount: accounts.count, accessToken: access, refreshToken: refresh,
      target: tokens.target ?? own?.target,
      familyID: try reader.directory.registration(clientID: client.clientID)?.familyID,
      accessGroup: app.sharedAccessGroup, sharesGroupWith: [], broker: "not used: external client",
      next: Prediction(access, refresh, signsInItself: own != nil), kind: .real)
  }

  /// Returns the token with the latest expiration of all tokens that the client got with its own secret or key.
  private func tokenForItself(_ client: ExternalClient) throws -> CredentialItem? {
    let query = KeychainQuery(
      accessGroups: [ExternalClient.accessGroup(clientID: client.clientID)], itemClass: .genericPassword,
      type: CredentialType.accessToken.attributeType)
    return try reader.credentials.items(matching: query).compactMap { CredentialItem(data: $0.data) }
      .filter(\.homeAccountID.isEmpty).max { $0.expiresOn ?? Instant(0) < $1.expiresOn ?? Instant(0) }
  }
}

extension Prediction {
  /// Creates a prediction from the tokens of an external client.
  fileprivate init(_ access: TokenStatus, _ refresh: TokenStatus, signsInItself: Bool) {
    if access.state.isUsable {
      self.init(.cache, "cache, no network")
    } else if refresh.state.isUsable {
      self.init(.appRefreshToken, "refresh token")
    } else if signsInItself {
      self.init(.ownSecret, "its own secret or key")
    } else {
      self.init(.prompt, "no token of it is valid")
    }
  }
}

/// A row of the Apps screen: an app, or an app and one of its accounts if several are signed in.
package struct AppRow: Codable, Hashable, Sendable, Identifiable {
  package var id: String { account.map { bundleID + " " + $0 } ?? bundleID }
  package var bundleID: String
  package var displayName: String
  package var vendor: String
  package var teamID: String
  package var sdk: String
  package var sdkVersion: String
  package var clientID: String
  package var redirectURI: String
  /// The account as a call specifies it, or `nil` if the call does not specify one.
  package var account: String?
  /// The account's username, as `allAccounts` lists it (msal-cache.md §10).
  ///
  /// Empty for accounts that are only counted.
  package var accounts: [String]
  package var accountCount: Int
  package var accessToken: TokenStatus
  package var refreshToken: TokenStatus
  /// The scopes of the displayed access token.
  package var target: String?
  package var familyID: String?
  package var accessGroup: String
  /// The display names of other apps that read the same group.
  package var sharesGroupWith: [String]
  package var broker: String
  package var next: Prediction
  /// The possible problems with the app's fields and responses.
  ///
  /// They are fields of another platform, a scheme that another app registers too (claim B3), a delegate that does not forward (claim
  /// D6), and an injected fault.
  package var warnings: [String] = []
  package var kind = AppKind.simulated
  /// The real project from which the app was imported, if its files belong to this user.
  package var project: ProjectSource?
  /// The storage of the app's tokens.
  package var storage = Party.keychain
  /// Whether the lab does not simulate the cache and the silent calls of the app's platform (``Device/simulationCheck``).
  package var isStandIn = false

  /// The SDK and its version for display.
  package var libraryText: String { "\(isStandIn ? "MSAL.NET" : sdk) \(sdkVersion)" }
}

/// The kind of an app: simulated by the lab, or a real program that signs in at `ssoterm serve`.
package enum AppKind: String, Codable, Hashable, Sendable { case simulated, real }
