extension Lab {
  /// Accounts of the current device across apps and broker, by username.
  public func accounts(limit: Int? = nil) throws -> [AccountRow] {
    try view { try $0.accountRows(limit: limit) }
  }
}

extension Stage {
  func accountRows(limit: Int?) throws -> [AccountRow] {
    var rows: [String: AccountRow] = [:]
    var order: [String] = []
    let clients = installed.map { quietClient($0) }
    let directory = Directory(documents: transaction)
    let query = KeychainQuery(
      accessGroups: try accessGroups(), type: AccountType.mssts.attributeType, limit: limit)
    for item in try credentials.items(matching: query) {
      guard let account = AccountItem(data: item.data) else { continue }
      let id = account.homeAccountID + " " + account.environment
      if rows[id] == nil {
        rows[id] = try row(of: account, clients, directory)
        order.append(id)
      }
      if account.realm != rows[id]?.homeTenantID { rows[id]?.guestRealms.append(account.realm) }
      if rows[id]?.places.contains(item.key.accessGroup) == false {
        rows[id]?.places.append(item.key.accessGroup)
      }
    }
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

  private func row(of held: BrokerAccount, _ directory: Directory) throws -> AccountRow {
    let home = held.homeAccountID.split(separator: ".").last.map(String.init) ?? ""
    return AccountRow(
      homeAccountID: held.homeAccountID, username: held.username, displayName: held.displayName,
      environment: "broker", homeTenantID: home,
      homeTenantName: try directory.tenant(byNameOrID: home)?.displayName, guestRealms: [], apps: [],
      sharingApps: [], refreshToken: standing(until: held.expiresOn), places: ["broker"])
  }
}
