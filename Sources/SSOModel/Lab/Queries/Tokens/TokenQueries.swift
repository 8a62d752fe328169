import Essentials
import SSOCore
import SSODevice
import SSOKeychain
import SSOProvider
import SSOStore

/// The credentials of the device.
///
/// Throws `LabError` for an unknown name, and `StoreError`.
package struct TokenQueries {
  let reader: LabReader

  /// Returns the tree of claim C3.
  ///
  /// A credential is listed under every redirect URI whose app can use it. The credentials of a client
  /// without an app do not have a redirect URI.
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
        .sorted { $0.clientID < $1.clientID },
      primaryTokens: try primaryTokens(filter))
  }

  /// Returns the broker's primary refresh tokens, which do not belong to a client or a redirect URI.
  private func primaryTokens(_ filter: TokenFilter) throws -> [PrimaryTokenRow] {
    guard filter.clientID == nil, filter.redirectURI == nil else { return [] }
    return try reader.brokerAccounts().lastUsedFirst.filter {
      [nil, $0.homeAccountID, $0.username].contains(filter.account)
    }.map {
      PrimaryTokenRow(
        homeAccountID: $0.homeAccountID, username: $0.username, expiresOn: $0.expiresOn,
        status: try reader.status(of: $0))
    }
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
    let status =
      isRefresh ? try reader.status(ofRefreshToken: token.secret) : try reader.status(of: token)
    let users = readers.users(of: SharedCredential(token, in: item.key.accessGroup))
    let environment = token.environment
    let username = try username(of: token.homeAccountID, environment, group: item.key.accessGroup)
    return TokenRow(
      id: "t\(item.rowID)",
      type: token.familyID != nil && isRefresh ? "FamilyRefreshToken" : token.type.jsonName,
      clientID: token.clientID, redirectURIs: users.map(\.redirectURI), apps: users.map(\.displayName),
      homeAccountID: token.homeAccountID, username: username, environment: environment, realm: token.realm,
      target: token.target, familyID: token.familyID, accessGroup: item.key.accessGroup,
      state: status.state,
      expiresOn: isRefresh ? nil : token.expiry, cachedAt: token.cachedAt,
      secondsLeft: status.secondsLeft,
      secret: unmasked ? token.secret : masked(token.secret), keychain: item.key,
      changesIn: status.changesIn)
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

/// A credential (Tokens screen, `tokens --json`).
package struct TokenRow: Codable, Hashable, Sendable, Identifiable {
  /// A short and stable ID: `t` and the row of the store.
  package var id: String
  /// The type, such as `AccessToken`, `RefreshToken`, `FamilyRefreshToken` (a refresh token with a family
  /// ID), or `IdToken`.
  package var type: String
  package var clientID: String
  package var redirectURIs: [String]
  /// The display names of the apps that can use the credential.
  package var apps: [String]
  package var homeAccountID: String
  package var username: String?
  package var environment: String
  package var realm: String?
  /// The scopes of an access token.
  package var target: String?
  package var familyID: String?
  package var accessGroup: String
  package var state: TokenState
  package var expiresOn: Instant?
  package var cachedAt: Instant?
  /// The seconds until expiration, negative if expired, or `nil` if the expiration is unknown.
  package var secondsLeft: Int?
  /// The secret, masked unless the query requested otherwise.
  package var secret: String
  package var keychain: KeychainKey
  /// The seconds until the state changes because time passes, or `nil` if it never does.
  package var changesIn: Int?
}

/// The tree of claim C3: client ID, redirect URI, credentials.
package struct TokenTree: Codable, Hashable, Sendable {
  package struct Client: Codable, Hashable, Sendable {
    package var clientID: String
    package var name: String?
    package var redirects: [Redirect]
  }
  package struct Redirect: Codable, Hashable, Sendable {
    /// The redirect URI, or `nil` for the credentials of a client without an installed app (imported caches).
    package var redirectURI: String?
    package var app: String?
    package var tokens: [TokenRow]
  }
  package var clients: [Client]
  /// The primary refresh tokens of the broker, the most recently used first.
  package var primaryTokens: [PrimaryTokenRow] = []
}

/// A primary refresh token, which only the broker can use.
package struct PrimaryTokenRow: Codable, Hashable, Sendable {
  package var homeAccountID: String
  package var username: String
  package var expiresOn: Instant
  package var status: TokenStatus
}

/// A filter for credentials.
///
/// All specified conditions must hold.
package struct TokenFilter: Hashable, Sendable {
  package var clientID: String?
  package var redirectURI: String?
  /// A username or home account ID.
  package var account: String?
  /// The seconds within which the credentials must expire, or `nil` for all credentials.
  package var expiringWithinSeconds: Int?
  /// The maximum number of rows.
  package var limit: Int?

  package init(
    clientID: String? = nil, redirectURI: String? = nil, account: String? = nil,
    expiringWithinSeconds: Int? = nil, limit: Int? = nil
  ) {
    self.clientID = clientID
    self.redirectURI = redirectURI
    self.account = account
    self.expiringWithinSeconds = expiringWithinSeconds
    self.limit = limit
  }
}

extension TokenFilter {
  func matches(_ row: TokenRow) -> Bool {
    if let clientID, row.clientID.lowercased() != clientID.lowercased() { return false }
    if let redirectURI, !row.redirectURIs.contains(redirectURI) { return false }
    if let account, row.username?.lowercased() != account.lowercased(), row.homeAccountID != account {
      return false
    }
    if let expiringWithinSeconds {
      guard let left = row.secondsLeft, left <= expiringWithinSeconds else { return false }
    }
    return true
  }
}

/// A branch of the tree in a store with very many credentials: a client with one redirect URI, and the number
/// of credentials that its app can use.
///
/// The credentials themselves are read when the branch is opened.
package struct TokenBranch: Hashable, Sendable {
  package var clientID: String
  /// The client's name in the directory.
  package var clientName: String?
  /// The redirect URI, or `nil` if no installed app belongs to the client (imported caches).
  package var redirectURI: String?
  package var app: String?
  package var count: Int
}

/// The attributes of a credential that a very long list needs.
package struct TokenSummary: Hashable, Sendable {
  /// The row of the store.
  package var row: Int64
  /// The type, as in ``TokenRow/type``.
  package var type: String
  /// The username, or the account attribute if no account item contains it.
  package var account: String
  /// The realm and scopes, as in the credential's key.
  package var target: String
}
