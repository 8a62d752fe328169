extension Lab {
  /// Accounts of the current device across apps and broker, by username.
  public func accounts(limit: Int? = nil) throws -> [AccountRow] {
    try view { try $0.accountRows(limit: limit) }
  }
}

extension Stage {
  private static let scanAbove = 2000

  func accountRows(limit: Int?) throws -> [AccountRow] {
    var rows: [String: AccountRow] = [:]
    var order: [String] = []
    let clients = try allApps().filter { $0.sdk == .msal }.map { quietClient($0) }
    let count = try transaction.itemCount(device: device.id, type: AccountType.mssts.attributeType)
    // One look-up for each app and account is exact; beyond a few thousand one scan for each app is quicker.
    let holders = count > Self.scanAbove ? try clients.map { try RefreshTokenHolders($0, on: self) } : nil
    let directory = Directory(documents: transaction)
    let query = KeychainQuery(
      accessGroups: try accessGroups(), type: AccountType.mssts.attributeType, limit: limit)
    for item in try credentials.items(matching: query) {
      guard let account = AccountItem(data: item.data) else { continue }
      let id = account.homeAccountID + " " + account.environment
      if rows[id] == nil {
        rows[id] =
          try holders.map { try row(of: account, item.key.account, $0, directory) }
          ?? row(of: account, clients, directory)
        order.append(id)
      }
      if account.realm != rows[id]?.homeTenantID { rows[id]?.guestRealms.append(account.realm) }
      if rows[id]?.places.contains(item.key.accessGroup) == false {
        rows[id]?.places.append(item.key.accessGroup)
      }
    }
    try addLegacyAccounts(to: &rows, &order)
    for held in try brokerAccounts() {
      if let id = order.first(where: { rows[$0]?.homeAccountID == held.homeAccountID }) {
        rows[id]?.places.append("broker")
      } else {
        rows[held.homeAccountID] = try row(of: held, directory)
        order.append(held.homeAccountID)
      }
    }
    return order.compactMap { rows[$0] }.sorted {
      ($0.username, $0.homeAccountID) < ($1.username, $1.homeAccountID)
    }
  }

  private func row(of account: AccountItem, _ clients: [MSALClient], _ directory: Directory) throws
    -> AccountRow
  {
    let home = account.homeAccountID.split(separator: ".").last.map(String.init) ?? ""
    var signedIn: [String] = []
    var sharing: [String] = []
    var standing = TokenStanding(.none)
    for client in clients where client.app.entitledGroups.contains(client.app.sharedAccessGroup) {
      let environments = EnvironmentAliases.publicCloud.candidates(for: account.environment)
      let listed = try client.cache.listedAccounts(
        clientID: client.app.clientID, homeAccountID: account.homeAccountID, environments: environments,
        withIDTokens: false)
      if !listed.isEmpty { signedIn.append(client.app.displayName) }
      let token = try client.cache.refreshToken(
        homeAccountID: account.homeAccountID, environments: environments, clientID: client.app.clientID)
      guard let token else { continue }
      sharing.append(client.app.displayName)
      standing = try refreshStanding(of: token)
    }
    return AccountRow(
      homeAccountID: account.homeAccountID, username: account.username, displayName: account.name,
      environment: account.environment, homeTenantID: home,
      homeTenantName: try directory.tenant(byNameOrID: home)?.displayName, guestRealms: [], apps: signedIn,
      sharingApps: sharing.count > 1 ? sharing : [], refreshToken: standing, places: [])
  }

  /// The same row from the scans; what the provider says of each refresh token is left to the inspector.
  private func row(
    of account: AccountItem, _ attribute: String, _ holders: [RefreshTokenHolders], _ directory: Directory
  ) throws -> AccountRow {
    let home = account.homeAccountID.split(separator: ".").last.map(String.init) ?? ""
    let sharing = holders.filter { $0.accounts.contains(attribute) }
    let signedIn = holders.filter {
      switch $0.states[account.homeAccountID] ?? .unknown {
      case .signedIn: true
      case .signedOut: false
      case .unknown: $0.accounts.contains(attribute)
      }
    }
    return AccountRow(
      homeAccountID: account.homeAccountID, username: account.username, displayName: account.name,
      environment: account.environment, homeTenantID: home, homeTenantName: nil, guestRealms: [],
      apps: signedIn.map(\.app), sharingApps: sharing.count > 1 ? sharing.map(\.app) : [],
      refreshToken: TokenStanding(sharing.isEmpty ? .none : .valid), places: [])
  }

  private func row(of held: BrokerAccount, _ directory: Directory) throws -> AccountRow {
    let home = held.homeAccountID.split(separator: ".").last.map(String.init) ?? ""
    return AccountRow(
      homeAccountID: held.homeAccountID, username: held.username, displayName: held.displayName,
      environment: "broker", homeTenantID: home,
      homeTenantName: try directory.tenant(byNameOrID: home)?.displayName, guestRealms: [], apps: [],
      sharingApps: [], refreshToken: TokenStanding(until: held.expiresOn, at: now), places: ["broker"])
  }
}

/// Who has a refresh token that one app can use: found by attributes alone, nothing is unsealed.
private struct RefreshTokenHolders {
  var app: String
  /// Keychain account attributes, `<home account ID>-<environment>`.
  var accounts: Set<String> = []
  var states: [String: AccountMetadata.SignInState] = [:]

  init(_ client: MSALClient, on stage: Stage) throws {
    app = client.app.displayName
    let group = client.app.sharedAccessGroup
    guard client.app.entitledGroups.contains(group) else { return }
    states =
      try client.cache.accountMetadata(clientID: client.app.clientID)?.entries.mapValues(\.signInState) ?? [:]
    var generics = [CacheKey.credentialID(.refreshToken, clientID: client.app.clientID)]
    if let family = try client.cache.familyID(clientID: client.app.clientID) {
      generics.append(CacheKey.credentialID(.refreshToken, clientID: "", familyID: family))
    }
    for generic in generics {
      accounts.formUnion(
        try stage.transaction.itemAccounts(
          device: stage.device.id, accessGroup: group, type: CredentialType.refreshToken.attributeType,
          generic: generic))
    }
  }
}
