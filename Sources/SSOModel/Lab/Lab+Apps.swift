import SSOCore
import SSODevice
import SSOKeychain
import SSOProvider
import SSOReference
import SSOStore

extension Lab {
  /// The rows of the Apps screen, in order of names.
  package func apps() throws -> [AppRow] {
    try view { stage in
      try stage.installed.map { try stage.row(of: $0) } + stage.realClients().map { try stage.row(of: $0) }
    }
    .sorted { ($0.displayName, $0.bundleID) < ($1.displayName, $1.bundleID) }
  }

  /// What the next silent call of an app (bundle ID) for one account would do; nil: the call names none.
  /// - Parameter account: a username or home account ID.
  package func prediction(app bundleID: String, account: String?) throws -> Prediction {
    try view { stage in
      let app = try stage.app(bundleID)
      return try account.map { try stage.prediction(app, accountNamed: $0) } ?? stage.row(of: app).next
    }
  }

  /// A bundle ID from a bundle ID, a display name, or an unambiguous part of one.
  /// - Throws: `LabError`, with the nearest name.
  package func app(named name: String) throws -> String { try view { try $0.app(name).bundleID } }
}

extension Stage {
  /// How many accounts of an app are looked at for its row; the rest are only counted as "and more".
  private static let rowAccounts = 3

  func row(of app: InstalledApp) throws -> AppRow {
    if app.sdk == .adal { return try adalRow(of: app) }
    let client = quietClient(app)
    let accounts: [MSALAccount]
    var refusal: MSALError?
    do {
      accounts = try client.accounts(limit: Self.rowAccounts)
    } catch let error as MSALError {
      accounts = []
      refusal = error
    }
    let first = accounts.first
    let tokens = try first.map { try standings(of: $0, client) }
    return AppRow(
      bundleID: app.bundleID, displayName: app.displayName, vendor: app.vendor, teamID: app.teamID,
      sdk: app.sdk.rawValue, sdkVersion: app.sdkVersion, clientID: app.clientID, redirectURI: app.redirectURI,
      accounts: accounts.map(\.username), accountCount: try accountCount(accounts, app),
      accessToken: tokens?.access ?? TokenStanding(.none),
      refreshToken: tokens?.refresh ?? TokenStanding(.none),
      target: tokens?.target, familyID: try familyID(of: app), accessGroup: app.sharedAccessGroup,
      sharesGroupWith: groupMates(of: app).map(\.displayName),
      broker: client.brokerWords(),
      next: try prediction(app, accounts: accounts, refusal: refusal),
      warnings: try warnings(about: app))
  }

  /// All of them if they are few; else the refresh tokens of the client, which is one each.
  private func accountCount(_ accounts: [MSALAccount], _ app: InstalledApp) throws -> Int {
    guard accounts.count == Self.rowAccounts else { return accounts.count }
    let stored = try deviceItems.credentialCount(
      accessGroup: app.sharedAccessGroup, type: CredentialType.refreshToken.attributeType,
      generic: CacheKey.credentialID(.refreshToken, clientID: app.clientID))
    return max(accounts.count, stored)
  }

  private func familyID(of app: InstalledApp) throws -> String? {
    try Directory(documents: transaction).registration(clientID: app.clientID)?.familyID
  }

  func standings(
    of account: MSALAccount, _ client: MSALClient
  ) throws -> (access: TokenStanding, refresh: TokenStanding, target: String?) {
    guard let typed = try? Authority(client.app.authority) else {
      return (TokenStanding(.none), TokenStanding(.none), nil)
    }
    let metadata = try client.cache.accountMetadata(clientID: client.app.clientID)
    let authority = SilentFlow.resolve(typed, account: account, metadata: metadata)
    let environments = EnvironmentAliases.publicCloud.candidates(for: authority.host)
    let tokens = try client.cache.accessTokens(
      homeAccountID: account.identifier, environments: environments, realm: authority.realm,
      clientID: client.app.clientID)
    let best = tokens.max { ($0.expiresOn?.milliseconds ?? 0) < ($1.expiresOn?.milliseconds ?? 0) }
    let own = try client.cache.refreshToken(
      homeAccountID: account.identifier, environments: environments, clientID: client.app.clientID)
    let app = try SharingQueries(stage: self).app(client.app)
    let shared = try app.triedFamilyID.flatMap {
      try client.cache.familyRefreshToken(
        homeAccountID: account.identifier, environments: environments, familyID: $0)
    }.flatMap {
      SharingRule(credential: SharedCredential($0, in: app.accessGroup), app: app).holds ? $0 : nil
    }
    return (
      best.map { standing(of: $0) } ?? TokenStanding(.none),
      try (own ?? shared).map { try refreshStanding(of: $0) } ?? TokenStanding(.none), best?.target
    )
  }
}

extension MSALClient {
  /// Whether the broker would be used, and if not the first reason.
  func brokerWords() -> String {
    guard let failed = brokerDecision().first(where: { $0.verdict == .failed })
    else { return "used" }
    return "not used: \(failed.name): \(failed.found)"
  }
}
