import SSOCore
import SSODevice
import SSOKeychain
import SSOProvider

extension Stage {
  /// Every program that is not simulated and that has asked for something, in order of client IDs.
  func realClients() throws -> [RealClient] { try transaction.readAll(RealClient.self, .realClient) }

  /// The apps of the device, and every real client.
  func allApps() throws -> [InstalledApp] { try installed + realClients().map(\.asApp) }

  /// A real client on the Apps screen. What its next call does is decided in that program; said here is what the
  /// tokens it was given allow.
  func row(of client: RealClient) throws -> AppRow {
    let app = client.asApp
    let cache = quietClient(app)
    let accounts = try cache.accounts(limit: 3)
    let tokens = try accounts.first.map { try standings(of: $0, cache) }
    let own = accounts.isEmpty ? try tokenForItself(client) : nil
    let access = tokens?.access ?? own.map { standing(of: $0) } ?? TokenStanding(.none)
    let refresh = tokens?.refresh ?? TokenStanding(.none)
    return AppRow(
      bundleID: app.bundleID, displayName: client.displayName, vendor: client.publisher, teamID: app.teamID,
      sdk: client.program.isEmpty ? "unknown" : client.program, sdkVersion: client.programVersion,
      clientID: client.clientID, redirectURI: client.redirectURI, accounts: accounts.map(\.username),
      accountCount: accounts.count, accessToken: access, refreshToken: refresh,
      target: tokens?.target ?? own?.target,
      familyID: try Directory(documents: transaction).registration(clientID: client.clientID)?.familyID,
      accessGroup: app.sharedAccessGroup, sharesGroupWith: [], broker: "not used: real client",
      next: prediction(access, refresh, signsInItself: own != nil), kind: .real)
  }

  /// The one that ends last of those that it got by its own secret or key.
  private func tokenForItself(_ client: RealClient) throws -> CredentialItem? {
    let query = KeychainQuery(
      accessGroups: [RealClient.accessGroup(clientID: client.clientID)], itemClass: .genericPassword,
      type: CredentialType.accessToken.attributeType)
    return try credentials.items(matching: query).compactMap { CredentialItem(data: $0.data) }
      .filter(\.homeAccountID.isEmpty).max { $0.expiresOn ?? Instant(0) < $1.expiresOn ?? Instant(0) }
  }

  private func prediction(
    _ access: TokenStanding, _ refresh: TokenStanding, signsInItself: Bool
  ) -> Prediction {
    let isAlive: Set<TokenState> = [.valid, .expiring]
    if isAlive.contains(access.state) {
      return Prediction(kind: .cache, sentence: "can use its own cache, no network", checks: [])
    }
    if isAlive.contains(refresh.state) {
      return Prediction(
        kind: .appRefreshToken, sentence: "can redeem its refresh token, no person", checks: [])
    }
    if signsInItself {
      return Prediction(
        kind: .ownSecret, sentence: "can ask again with its own secret or key, no person", checks: [])
    }
    return Prediction(kind: .prompt, sentence: "would prompt: no token of it is valid", checks: [])
  }
}
