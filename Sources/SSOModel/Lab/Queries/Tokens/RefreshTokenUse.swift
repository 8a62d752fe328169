import Essentials
import SSOCore
import SSODevice
import SSOKeychain
import SSOStore

/// The use of refresh tokens by the apps of one client and access group: the signed-in accounts and their
/// tokens.
///
/// The key of an account's refresh token is composed of the account and the client or its family, so one
/// look-up finds it. For a list of all accounts, all tokens are read at once instead.
final class RefreshTokenUse {
  /// A refresh token's place in the keychain and its state.
  struct Held {
    var service: String
    var status: TokenStatus
  }

  let apps: [InstalledApp]
  let accessGroup: String
  /// The client's own credential ID, then its family's.
  private let credentialIDs: [String]
  /// Whether the family's refresh token can be used.
  ///
  /// The SDK finds it even if the provider does not accept it from the client.
  private let usesFamily: Bool
  private let states: [String: AccountMetadata.SignInState]
  /// Whether the client lists each account in its cache, as MSAL for Android does.
  private let listsEachAccount: Bool
  /// All tokens by the hash of their account attribute, if they were read at once.
  private var all: [Int: Held]?
  private let reader: LabReader
  /// The aliases of the last requested environment.
  private var aliases: (of: String, hosts: [String]) = ("", [])

  fileprivate init(_ apps: [InstalledApp], on reader: LabReader) throws {
    let (app, cache) = (apps[0], reader.cache(of: apps[0]))
    self.apps = apps
    self.reader = reader
    accessGroup = app.sharedAccessGroup
    var ids = [CacheKey.credentialID(.refreshToken, clientID: app.clientID)]
    let family = try cache.familyID(clientID: app.clientID)
    if let family { ids.append(CacheKey.credentialID(.refreshToken, clientID: "", familyID: family)) }
    credentialIDs = ids
    listsEachAccount = !cache.keepsMetadata
    usesFamily = try SharingQueries(reader: reader).app(app).registeredFamilyID == family
    var states: [String: AccountMetadata.SignInState] = [:]
    for entry in try cache.accountMetadata(clientID: app.clientID)?.entries.values ?? [:].values {
      states[normalized(entry.homeAccountID)] = entry.signInState
    }
    self.states = states
  }

  /// Returns whether the client lists the account (docs/behaviour/msal-cache.md §10(3), §10(4)).
  func isSignedIn(_ homeAccountID: String, environment: String, holdsToken: Bool) throws -> Bool {
    switch states.isEmpty ? .unknown : states[normalized(homeAccountID)] ?? .unknown {
    case .signedIn: true
    case .signedOut: false
    case .unknown:
      try holdsToken
        || listsEachAccount
          && reader.holdsAccount(homeAccountID, hosts: hosts(of: environment), in: [accessGroup])
    }
  }

  /// Returns whether the provider accepts the token from the client.
  func serves(_ token: Held) -> Bool { usesFamily || token.service.hasPrefix(credentialIDs[0]) }

  /// Returns the refresh token that the client redeems for an account, for any alias of its cloud.
  func token(homeAccountID: String, environment: String) throws -> Held? {
    for host in hosts(of: environment) {
      let account = CacheKey.account(homeAccountID, host)
      if let found = try all.map({ $0[account.hashValue] }) ?? lookUp(account) { return found }
    }
    return nil
  }

  /// Returns all aliases of an environment.
  ///
  /// It is cached, because a list requests the same environment repeatedly.
  func hosts(of environment: String) -> [String] {
    if aliases.of != environment {
      aliases = (environment, EnvironmentAliases.publicCloud.candidates(for: environment))
    }
    return aliases.hosts
  }

  /// Reads all tokens, for a list of all accounts.
  func readAll() throws {
    var all: [Int: Held] = [:]
    let known = try reader.documentKeys(.refreshToken)
    for id in credentialIDs.reversed() {
      all.reserveCapacity(all.count + (try count(id)))
      try reader.items.scanItems(
        type: CredentialType.refreshToken.attributeType, accessGroup: accessGroup,
        generic: id
      ) { item in
        all[item.key.account.hashValue] = try held(item, known: known)
        return true
      }
    }
    self.all = all
  }

  /// Returns the hashes of the account attributes that have a refresh token.
  ///
  /// Nothing is unsealed.
  func holders() throws -> Set<Int> {
    var holders: Set<Int> = []
    for id in credentialIDs {
      holders.reserveCapacity(holders.count + (try count(id)))
      try reader.items.scanAccounts(
        accessGroup: accessGroup, type: CredentialType.refreshToken.attributeType,
        generic: id
      ) { holders.insert($0.hashValue) }
    }
    return holders
  }

  private func count(_ id: String) throws -> Int {
    try reader.items.credentialCount(
      accessGroup: accessGroup, type: CredentialType.refreshToken.attributeType,
      generic: id)
  }

  private func lookUp(_ account: String) throws -> Held? {
    for id in credentialIDs {
      let query = KeychainQuery(
        accessGroups: [accessGroup], account: account, service: id + "-",
        type: CredentialType.refreshToken.attributeType)
      if let item = try reader.credentials.items(matching: query).first { return try held(item, known: nil) }
    }
    return nil
  }

  private static let secret = EntityText([CredentialField.secret.rawValue])

  private func held(_ item: KeychainItem, known: Set<String>?) throws -> Held? {
    guard let secret = Self.secret.read(item.data)?[0], !secret.isEmpty, secret != "<tombstone>" else {
      return nil
    }
    if let known, secret != CredentialItem.invalidSecret,
      known.isEmpty || !known.contains(sha256Hex(secret))
    {
      return Held(service: item.key.service, status: TokenStatus(.unknown))
    }
    return Held(service: item.key.service, status: try reader.status(ofRefreshToken: secret))
  }
}

extension RefreshTokenUse {
  /// Returns the uses of the device's MSAL apps by client and access group.
  ///
  /// Apps that are not entitled to their group are excluded.
  static func all(in reader: LabReader) throws -> [RefreshTokenUse] {
    // On a locked device, no app can read the items to list.
    guard !reader.device.locksKeychain else { return [] }
    var groups: [[InstalledApp]] = []
    for app in try reader.appsWithCache() where CacheGeneration(app) == .unified && app.isEntitled {
      if let place = groups.firstIndex(where: {
        $0[0].sharedAccessGroup == app.sharedAccessGroup
          && normalized($0[0].clientID) == normalized(app.clientID)
      }) {
        groups[place].append(app)
      } else {
        groups.append([app])
      }
    }
    return try groups.map { try RefreshTokenUse($0, on: reader) }
  }
}
