/// A type that merges account items of several realms and access groups and the broker's accounts into one
/// row for each user.
struct AccountJoiner {
  private let reader: LabReader
  private let uses: [RefreshTokenUse]
  let adalUsers: LegacyUsers
  private var tenants: TenantNames
  /// The indexes in `rows` by the hash of the items' account attribute.
  private var places: [Int: Int] = [:]
  private(set) var rows: [AccountRow] = []
  private(set) var itemCount = 0

  init(on reader: LabReader, _ uses: [RefreshTokenUse], adalUsers: LegacyUsers) {
    self.reader = reader
    self.adalUsers = adalUsers
    self.uses = uses
    tenants = TenantNames(on: reader)
  }

  private static let texts = EntityText(
    [
      AccountField.homeAccountID, .environment, .username, .name, .realm,
    ].map(\.rawValue))

  mutating func add(_ item: KeychainItem) throws {
    itemCount += 1
    guard let texts = Self.texts.read(item.data) else { return }
    let home = texts[0] ?? ""
    let place: Int
    let hash = item.key.account.hashValue
    if let known = places[hash] {
      place = known
    } else {
      place = rows.count
      places[hash] = place
      rows.append(try row(home, environment: texts[1] ?? "", username: texts[2] ?? "", name: texts[3]))
    }
    let realm = texts[4] ?? ""
    // MSAL Python writes the tenant of the authority, which may be a name for many tenants.
    if !Authority.tenantless.contains(realm), realm != rows[place].homeTenantID,
      !rows[place].guestRealms.contains(realm)
    {
      rows[place].guestRealms.append(realm)
    }
    if !rows[place].places.contains(item.key.accessGroup) {
      rows[place].places.append(item.key.accessGroup)
      rows[place].refreshToken = try rows[place].refreshToken.better(imported(item.key))
    }
  }

  /// Returns the state of the refresh token of an imported account, whose group no app of the device uses.
  private func imported(_ account: KeychainKey) throws -> TokenStanding {
    guard account.accessGroup.hasPrefix(ImportCache.accessGroup("")) else { return TokenStanding(.none) }
    let query = KeychainQuery(
      accessGroups: [account.accessGroup], account: account.account,
      type: CredentialType.refreshToken.attributeType)
    return try reader.credentials.items(matching: query).compactMap { CredentialItem(data: $0.data) }
      .reduce(TokenStanding(.none)) { try $0.better(reader.standing(ofRefreshToken: $1.secret)) }
  }

  /// Adds accounts that exist only in ADAL's format.
  mutating func add(_ legacy: [AccountRow]) { rows += legacy }

  mutating func add(_ held: BrokerAccount) throws {
    if let place = rows.firstIndex(where: { $0.homeAccountID == held.homeAccountID }) {
      rows[place].places.append("broker")
      return
    }
    let tenant = held.homeAccountID.homeTenantID
    rows.append(
      AccountRow(
        homeAccountID: held.homeAccountID, username: held.username, displayName: held.displayName,
        environment: "broker", homeTenantID: tenant, homeTenantName: try tenants.name(tenant),
        guestRealms: [], apps: adalUsers.apps(of: held.username, held.homeAccountID), sharingApps: [],
        refreshToken: TokenStanding(until: held.expiresOn, at: reader.now),
        places: ["broker"]))
  }

  private mutating func row(
    _ home: String, environment: String, username: String, name: String?
  ) throws -> AccountRow {
    var row = AccountRow(
      homeAccountID: home, username: username, displayName: name, environment: environment,
      homeTenantID: home.homeTenantID, homeTenantName: try tenants.name(home.homeTenantID), guestRealms: [],
      apps: [], sharingApps: [], refreshToken: TokenStanding(.none), places: [])
    var users: [String: [String]] = [:]
    for use in uses {
      let token = try use.token(homeAccountID: home, environment: environment)
      let names = use.apps.map(\.displayName)
      if use.isSignedIn(home, holdsToken: token != nil) { row.apps += names }
      guard let token, use.serves(token) else { continue }
      users[use.accessGroup + " " + token.service, default: []] += names
      row.refreshToken = row.refreshToken.better(token.standing)
    }
    if !adalUsers.isEmpty {
      row.apps += adalUsers.apps(of: username, home).filter { !row.apps.contains($0) }
    }
    row.sharingApps = users.values.filter { $0.count > 1 }.flatMap { $0 }.sorted()
    return row
  }
}

extension String {
  /// The tenant of a home account ID, `uid.utid`.
  var homeTenantID: String {
    guard let dot = utf8.lastIndex(of: UInt8(ascii: ".")), dot != utf8.indices.last else {
      return split(separator: ".").last.map(String.init) ?? ""
    }
    return String(self[utf8.index(after: dot)...])
  }
}

extension TokenStanding {
  /// Returns the more useful of two states, because a silent call uses what works.
  fileprivate func better(_ other: TokenStanding) -> TokenStanding {
    let order: [TokenState] = [.none, .invalid, .revoked, .expired, .unknown, .expiring, .valid]
    func rank(_ state: TokenState) -> Int { order.firstIndex(of: state) ?? 0 }
    return rank(other.state) > rank(state) ? other : self
  }
}
