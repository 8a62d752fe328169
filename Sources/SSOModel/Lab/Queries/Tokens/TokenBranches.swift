import Essentials
import SSODevice
import SSOKeychain
import SSOProvider
import SSOStore

/// The tree of credentials in a store with very many.
///
/// Branches are counted first, and read when they are opened.
///
/// Throws `StoreError`.
package struct TokenBranches {
  let reader: LabReader

  private var tokens: TokenQueries { TokenQueries(reader: reader) }

  /// Passes the credentials that a branch's app can use to `body`, sorted by account, until it returns
  /// `false`.
  ///
  /// Nothing is unsealed.
  package func each(
    clientID: String, redirectURI: String?, _ body: (TokenSummary) throws -> Bool
  ) throws {
    let usernames = try reader.items.usernames()
    for place in try tokenPlaces(clientID: clientID, redirectURI: redirectURI) {
      var goesOn = true
      try reader.items.scanKeys(accessGroup: place.accessGroup) { row, account, service in
        guard let (type, target) = place.credential(service) else { return true }
        goesOn = try body(
          TokenSummary(
            row: row, type: type, account: usernames[account.hashValue] ?? account, target: target))
        return goesOn
      }
      guard goesOn else { return }
    }
    for token in try legacyRows() where token.belongs(to: clientID, redirectURI) {
      guard let row = Int64(token.id.dropFirst()) else { continue }
      let summary = TokenSummary(
        row: row, type: token.type, account: token.username ?? "", target: token.target ?? "")
      guard try body(summary) else { return }
    }
  }

  /// Returns the credentials with these row numbers of the store.
  package func rows(_ numbers: [Int64]) throws -> [Int64: TokenRow] {
    let readers = try SharingQueries(reader: reader).appsByGroup()
    var found: [Int64: TokenRow] = [:]
    for item in try reader.items.items(rows: numbers) {
      if item.isLegacy, let legacy = try? LegacyItem(data: item.data) {
        found[item.rowID] = try LegacyTokens(reader: reader).row(
          of: legacy, item, readers: readers, unmasked: false)
      }
      guard let token = item.credential else { continue }
      found[item.rowID] = try tokens.row(of: token, item, readers: readers, unmasked: false)
    }
    return found
  }

  /// Returns the credentials in ADAL's format.
  ///
  /// They are few in comparison, so they are read completely.
  private func legacyRows() throws -> [TokenRow] {
    try LegacyTokens(reader: reader).rows(
      TokenFilter(), readers: SharingQueries(reader: reader).appsByGroup(), unmasked: false)
  }

  package func credentialCount() throws -> Int { try reader.items.credentialCount() }

  /// Returns the branches sorted by client ID, counted without reading a credential.
  package func all() throws -> [TokenBranch] {
    let counts = try reader.items.credentialCounts()
    let directory = reader.directory
    let legacy = try legacyRows()
    var branches: [TokenBranch] = []
    for client in try tokenClients(counts, legacy) {
      let name = try directory.registration(clientID: client.id)?.displayName
      let apps = try reader.allApps().filter { normalized($0.clientID) == normalized(client.id) }
      for app in apps.map(Optional.some) + (apps.isEmpty ? [nil] : []) {
        let places = try places(of: client, app, counts)
        branches.append(
          TokenBranch(
            clientID: client.id, clientName: name, redirectURI: app?.redirectURI, app: app?.displayName,
            count: places.reduce(0) { $0 + $1.count(counts) }
              + legacy.count { $0.belongs(to: client.id, app?.redirectURI) }))
      }
    }
    return branches
  }

  /// Returns the groups in which the client has credentials that the app with this redirect URI can use.
  private func tokenPlaces(clientID: String, redirectURI: String?) throws -> [TokenPlace] {
    let counts = try reader.items.credentialCounts()
    let clients = try tokenClients(counts, legacyRows())
    guard let client = clients.first(where: { normalized($0.id) == normalized(clientID) }) else { return [] }
    let app = try redirectURI.flatMap { redirectURI in
      try reader.allApps().first {
        normalized($0.clientID) == normalized(clientID) && $0.redirectURI == redirectURI
      }
    }
    return try places(of: client, app, counts)
  }

  private func places(
    of client: TokenClient, _ app: InstalledApp?, _ counts: [CredentialCount]
  ) throws -> [TokenPlace] {
    let app = try app.map { try SharingQueries(reader: reader).app($0) }
    let groups = app.map { [$0.accessGroup] } ?? Set(counts.map(\.accessGroup)).sorted()
    return groups.map { TokenPlace(accessGroup: $0, client, for: app) }.filter { $0.count(counts) > 0 }
  }

  /// Returns the clients in the credentials, and the clients of installed apps in a family that has
  /// credentials.
  ///
  /// A key is composed and never split (docs/behaviour/msal-cache.md §1), so one credential of each kind is
  /// opened, unless its kind belongs to a known client. The key of a family refresh token does not contain
  /// the client that got it. If its clients are not registered, all family tokens are assigned to the first
  /// one.
  private func tokenClients(_ counts: [CredentialCount], _ legacy: [TokenRow]) throws -> [TokenClient] {
    let directory = reader.directory
    var clients: [String: TokenClient] = [:]
    var places: [TokenPlace] = []
    for count in counts {
      let generic = String(decoding: count.generic, as: UTF8.self)
      if places.contains(where: { $0.accessGroup == count.accessGroup && $0.credential(generic) != nil }) {
        continue
      }
      let query = KeychainQuery(
        accessGroups: [count.accessGroup], generic: count.generic, type: count.type, limit: 1)
      guard
        let token = try reader.credentials.items(matching: query).first.flatMap({
          CredentialItem(data: $0.data)
        })
      else { continue }
      let members = try token.familyID.map(familyMembers) ?? []
      for id in members.isEmpty ? [token.clientID] : members {
        var client = clients[normalized(id)] ?? TokenClient(id: id)
        client.familyID =
          try client.familyID ?? directory.registration(clientID: id)?.familyID ?? token.familyID
        clients[normalized(id)] = client
        places.append(TokenPlace(accessGroup: count.accessGroup, client))
      }
    }
    // The copy for a family is listed with the apps that can use it.
    for token in legacy where token.redirectURIs.isEmpty || !token.clientID.hasPrefix("foci-") {
      let id = normalized(token.clientID)
      if clients[id] == nil { clients[id] = TokenClient(id: token.clientID) }
    }
    return clients.values.sorted { $0.id < $1.id }
  }

  private func familyMembers(_ family: String) throws -> [String] {
    let directory = reader.directory
    return try reader.allApps().map(\.clientID).filter {
      try directory.registration(clientID: $0)?.familyID == family
    }
  }
}

/// A client that has credentials, and the family whose refresh tokens it may use.
private struct TokenClient {
  var id: String
  var familyID: String?
}

/// An access group with credentials of one client, and the prefixes of their keys.
private struct TokenPlace {
  var accessGroup: String
  /// The prefixes of the service attribute with their type: the client's own, then its family's.
  var beginnings: [(text: String, type: String)]

  /// Creates a place with the credentials that `app` can use, or all of the client's if it is `nil`.
  init(accessGroup: String, _ client: TokenClient, for app: SharingApp? = nil) {
    self.accessGroup = accessGroup
    func serves(_ type: CredentialType, familyID: String? = nil) -> Bool {
      guard let app else { return true }
      var token = CredentialItem(
        type: type, [.clientID: client.id, .environment: app.app.adalAuthority.environment])
      token[.familyID] = familyID
      return SharingRule(credential: SharedCredential(token, in: accessGroup), app: app).holds
    }
    beginnings = CredentialType.allCases.filter { serves($0) }.map {
      ("\($0.keyName)-\(normalized(client.id))-", $0.jsonName)
    }
    let type = CredentialType.refreshToken
    guard let familyID = client.familyID, serves(type, familyID: familyID) else { return }
    beginnings.append(
      (
        CacheKey.credentialID(type, clientID: "", familyID: familyID),
        CredentialType.familyRefreshToken.jsonName
      )
    )
  }

  /// Returns the type and the rest of a key, or `nil` if it is not a credential of this client.
  func credential(_ service: String) -> (type: String, rest: String)? {
    guard let beginning = beginnings.first(where: { service.hasPrefix($0.text) }) else { return nil }
    let rest = service.dropFirst(beginning.text.count)
    return (beginning.type, rest == "-" ? "" : String(rest))
  }

  func count(_ counts: [CredentialCount]) -> Int {
    counts.reduce(0) { sum, count in
      guard count.accessGroup == accessGroup,
        credential(String(decoding: count.generic, as: UTF8.self)) != nil
      else { return sum }
      return sum + count.count
    }
  }
}

extension TokenRow {
  /// Returns whether the token belongs to this heading of the tree.
  fileprivate func belongs(to clientID: String, _ redirectURI: String?) -> Bool {
    redirectURI.map(redirectURIs.contains) ?? (normalized(self.clientID) == normalized(clientID))
  }
}
