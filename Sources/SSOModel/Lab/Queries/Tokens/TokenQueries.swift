import Essentials

/// The credentials of the device.
///
/// Throws `LabError` for an unknown name, and `StoreError`.
package struct TokenQueries {
  let reader: LabReader

  /// Returns the tree of claim C3.
  ///
  /// A credential is listed under every redirect URI whose app can use it. The credentials of a client
  /// without an app have no redirect URI.
  package func tree(_ filter: TokenFilter = TokenFilter()) throws -> TokenTree {
    let rows = try rows(filter)
    return TokenTree(
      clients: try Dictionary(grouping: rows) { $0.clientID.lowercased() }.values
        .compactMap { group in
          guard let first = group.first else { return nil }
          return TokenTree.Client(
            clientID: first.clientID,
            name: try reader.directory.registration(clientID: first.clientID)?.displayName,
            redirects: try redirects(of: first.clientID, group, filter))
        }
        .sorted { $0.clientID < $1.clientID })
  }

  /// Returns a credential with its claims.
  ///
  /// `id` is a ``TokenRow/id``.
  ///
  /// - Throws: `StoreError`.
  package func detail(_ id: String, unmasked: Bool = false) throws -> TokenDetail? {
    guard id.hasPrefix("t"), let rowID = Int64(id.dropFirst()), let item = try reader.items.item(row: rowID)
    else { return nil }
    let readers = try SharingQueries(reader: reader).appsByGroup()
    if item.isLegacy {
      return try LegacyTokens(reader: reader).detail(item, readers: readers, unmasked: unmasked)
    }
    guard let token = CredentialItem(data: item.data) else { return nil }
    return TokenDetail(
      row: try row(of: token, item, readers: readers, unmasked: unmasked), token: token, unmasked: unmasked)
  }

  /// Returns the credentials in keychain order.
  package func rows(_ filter: TokenFilter = TokenFilter(), unmasked: Bool = false) throws -> [TokenRow] {
    let readers = try SharingQueries(reader: reader).appsByGroup()
    var rows: [TokenRow] = []
    for query in try queries(filter) {
      for item in try reader.credentials.items(matching: query) {
        guard let token = item.credential else { continue }
        let row = try row(of: token, item, readers: readers, unmasked: unmasked)
        if filter.matches(row) { rows.append(row) }
      }
    }
    rows += try LegacyTokens(reader: reader).rows(filter, readers: readers, unmasked: unmasked)
    return rows.sorted {
      ($0.clientID, $0.homeAccountID, $0.type, $0.id) < ($1.clientID, $1.homeAccountID, $1.type, $1.id)
    }
  }

  /// Returns the queries that find everything for the filter: by the key for one account, or else one for
  /// each credential type.
  private func queries(_ filter: TokenFilter) throws -> [KeychainQuery] {
    let groups = try reader.accessGroups()
    guard let name = filter.account else {
      return CredentialType.allCases.map {
        KeychainQuery(accessGroups: groups, type: $0.attributeType, limit: filter.limit)
      }
    }
    guard name.contains("@") else {
      // Search every host, because an imported cache may be from another cloud.
      let start = CacheKey.account(name, "")
      return try groups.flatMap { group in
        try reader.items.accounts(accessGroup: group, beginningWith: start)
          .map { KeychainQuery(accessGroups: [group], account: $0) }
      }
    }
    let query = KeychainQuery(
      accessGroups: groups, generic: Data(name.lowercased().utf8), type: AccountType.mssts.attributeType)
    return Set(try reader.credentials.items(matching: query).map(\.key.account)).sorted().map {
      KeychainQuery(accessGroups: groups, account: $0)
    }
  }

  func row(
    of token: CredentialItem, _ item: KeychainItem, readers: [String: [SharingApp]], unmasked: Bool
  ) throws -> TokenRow {
    let isRefresh = token.type == .refreshToken || token.type == .familyRefreshToken
    let standing =
      isRefresh ? try reader.standing(ofRefreshToken: token.secret) : try reader.standing(of: token)
    let users = readers.users(of: SharedCredential(token, in: item.key.accessGroup))
    let environment = token.environment
    let username = try username(of: token.homeAccountID, environment, group: item.key.accessGroup)
    return TokenRow(
      id: "t\(item.rowID)",
      type: token.familyID != nil && isRefresh ? "FamilyRefreshToken" : token.type.jsonName,
      clientID: token.clientID, redirectURIs: users.map(\.redirectURI), apps: users.map(\.displayName),
      homeAccountID: token.homeAccountID, username: username, environment: environment, realm: token.realm,
      target: token.target, familyID: token.familyID, accessGroup: item.key.accessGroup,
      state: standing.state,
      expiresOn: isRefresh ? nil : token.expiry, cachedAt: token.cachedAt,
      secondsLeft: standing.secondsLeft,
      secret: unmasked ? token.secret : masked(token.secret), keychain: item.key,
      changesIn: standing.changesIn)
  }

  func username(of homeAccountID: String, _ environment: String, group: String) throws -> String? {
    let query = KeychainQuery(
      accessGroups: [group], account: CacheKey.account(homeAccountID, environment),
      type: AccountType.mssts.attributeType, limit: 1)
    return try reader.credentials.items(matching: query).first.flatMap {
      AccountItem(data: $0.data)?.username
    }
  }

  private func redirects(
    of clientID: String, _ rows: [TokenRow], _ filter: TokenFilter
  ) throws -> [TokenTree.Redirect] {
    // The copy for a family has no app itself, so it is listed with the apps that can use it.
    let isFamily = clientID.hasPrefix("foci-")
    let apps = try reader.allApps().filter { app in
      isFamily
        ? rows.contains { $0.redirectURIs.contains(app.redirectURI) }
        : app.clientID.lowercased() == clientID.lowercased()
    }
    if apps.isEmpty { return [TokenTree.Redirect(redirectURI: nil, app: nil, tokens: rows)] }
    return apps.filter { filter.redirectURI == nil || $0.redirectURI == filter.redirectURI }.map { app in
      TokenTree.Redirect(
        redirectURI: app.redirectURI, app: app.displayName,
        tokens: rows.filter { $0.redirectURIs.contains(app.redirectURI) })
    }
  }
}
