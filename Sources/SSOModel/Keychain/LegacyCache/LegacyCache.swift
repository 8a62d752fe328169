import Essentials
import KeyedArchive
import SSOCore

/// The legacy cache as one app sees it (docs/behaviour/adal.md).
///
/// Items are looked up by their exact keys, with one query for each authority.
///
/// Throws `KeychainError` and `StoreError`, as `Keychain` does, and `LegacyCacheError`.
package struct LegacyCache {
  package let keychain: Keychain
  package let accessGroup: String

  /// Creates the cache of a full access group.
  ///
  /// The group is `com.microsoft.adalcache` after the team ID, unless the developer specified another one.
  package init(keychain: Keychain, accessGroup: String) {
    self.keychain = keychain
    self.accessGroup = accessGroup
  }
}

package enum LegacyCacheError: Error, Hashable, Sendable {
  /// No user was specified, and there are several (adal.md §5).
  case multipleUsers([String])
}

extension LegacyCache {
  /// Returns the item with this key for the first authority that has one (adal.md §5).
  /// - Parameters:
  ///   - userID: `nil` for the only user, if there are not several; empty for the unknown user of AD FS.
  ///   - authorities: Full URLs, with the preferred cache first.
  ///   - resource: `nil` for a multi-resource refresh token.
  ///   - clientID: The app's client ID, or `foci-1` for the family's copy.
  /// - Returns: The item, or `nil` if it is not found under any authority.
  /// - Throws: `LegacyCacheError.multipleUsers` if no user is specified and several have an item.
  package func item(
    userID: String?, authorities: [String], resource: String?, clientID: String
  ) throws -> LegacyItem? {
    for authority in authorities {
      let key = LegacyKey(authority: authority, resource: resource, clientID: clientID, userID: userID)
      var query = key.query(in: accessGroup)
      if userID == nil { query.account = nil }
      let found = try read(query, what: resource == nil ? "legacy refresh token" : "legacy access token")
      guard found.count < 2 else {
        throw LegacyCacheError.multipleUsers(found.compactMap { $0.user?.userID }.sorted())
      }
      if let item = found.first { return item }
    }
    return nil
  }

  /// Returns every item, or every item of one user, by the generic attribute and the account.
  package func items(userID: String? = nil) throws -> [LegacyItem] {
    try read(
      KeychainQuery(
        accessGroups: [accessGroup], account: userID.map { LegacyKey.account($0) }, generic: LegacyKey.generic
      ),
      what: "legacy items")
  }

  /// Reads items, deleting tombstones and skipping items that cannot be unarchived (adal.md §2, §7).
  ///
  /// ADAL also writes a line to its log for each skipped item.
  private func read(_ query: KeychainQuery, what: String) throws -> [LegacyItem] {
    var found: [LegacyItem] = []
    for item in try keychain.items(matching: query, what: what) {
      guard let legacy = try? LegacyItem(data: item.data) else { continue }
      if legacy.isTombstone {
        try keychain.delete(matching: KeychainQuery(item), what: what)
      } else if legacy.kind != nil {
        found.append(legacy)
      }
    }
    return found
  }

  /// Adds or replaces an item under its composed key.
  package func write(_ item: LegacyItem) throws {
    try keychain.set(
      LegacyKey(item).item(in: accessGroup, data: item.data, at: keychain.now), what: item.displayText)
  }

  /// Deletes one item; it is not an error if the item does not exist.
  @discardableResult
  package func remove(_ item: LegacyItem) throws -> Int {
    let count = try keychain.delete(matching: LegacyKey(item).query(in: accessGroup), what: item.displayText)
    if count > 0, item.refreshToken != nil { try keychain.noteWipe(in: accessGroup) }
    return count
  }
}

extension LegacyKey {
  init(_ item: LegacyItem) {
    self.init(
      authority: item.authority, resource: item.resource, clientID: item.clientID, userID: item.user?.userID,
      appIdentifier: item[.applicationIdentifier].string)
  }
}

extension LegacyItem {
  /// The name of the item in lists and traces.
  package var displayText: String {
    switch kind {
    case .accessToken, nil: "legacy access token"
    case .refreshToken: isFamilyCopy ? "legacy family refresh token" : "legacy refresh token"
    case .singleResourceToken: "legacy single-resource token"
    }
  }
}

/// ADAL's removal calls (docs/behaviour/adal.md §7), each of which returns the number of deleted items.
extension LegacyCache {
  /// Removes the items of one user and one client (`removeAllForUserId:clientId:`).
  ///
  /// The family's copy has another client ID and is not removed.
  ///
  /// If `environments` is empty, the items of every host are removed.
  /// - Returns: The number of deleted items.
  /// - Throws: `KeychainError`, `StoreError`.
  package func removeAll(userID: String, clientID: String, environments: [String] = []) throws -> Int {
    try remove(
      try items(userID: userID).filter { item in
        normalized(item.clientID) == normalized(clientID)
          && (environments.isEmpty || environments.contains(item.environment.lowercased()))
      })
  }

  /// Removes the items of every user of one client (`removeAllForClientId:`).
  package func removeAll(clientID: String) throws -> Int {
    try remove(try items().filter { normalized($0.clientID) == normalized(clientID) })
  }

  /// Removes the items of one user for every client, by the account attribute (`wipeAllItemsForUserId:`).
  ///
  /// ADAL up to 2.6.6 ignores the generic attribute, so it deletes everything with that account.
  package func wipe(userID: String, byAccountAlone: Bool) throws -> Int {
    let count = try keychain.delete(
      matching: KeychainQuery(
        accessGroups: [accessGroup], account: LegacyKey.account(userID),
        generic: byAccountAlone ? nil : LegacyKey.generic),
      what: "legacy items")
    try keychain.noteWipe(in: accessGroup)
    return count
  }

  private func remove(_ items: [LegacyItem]) throws -> Int {
    try items.reduce(0) { try $0 + remove($1) }
  }
}

/// The values of one token response that go into the legacy cache (docs/behaviour/adal.md §3).
package struct LegacySave: Hashable, Sendable {
  /// The authority as stored: the preferred-cache host and the tenant of the request (adal.md §1).
  package var authority: String
  /// The client ID, with its case preserved.
  package var clientID: String
  /// The `resource` of the response, or `nil` if it does not contain one (AD FS).
  package var resource: String?
  /// The resource of the request, which applies if the response does not contain one.
  package var requestedResource: String
  package var accessToken: String
  package var tokenType: String
  package var refreshToken: String?
  package var expiresOn: Instant
  package var extendedExpiresOn: Instant?
  package var cachedAt: Instant
  package var idToken: String?
  /// The `foci` value of the response: `1`, or `nil`.
  package var familyID: String?
  package var homeAccountID: String?
  /// Whether the items are written by ADAL 2.7 or later.
  package var isUnified: Bool

  package init(
    authority: String, clientID: String, resource: String?, requestedResource: String, accessToken: String,
    tokenType: String, refreshToken: String?, expiresOn: Instant, cachedAt: Instant, idToken: String?,
    isUnified: Bool
  ) {
    self.authority = authority
    self.clientID = clientID
    self.resource = resource
    self.requestedResource = requestedResource
    self.accessToken = accessToken
    self.tokenType = tokenType
    self.refreshToken = refreshToken
    self.expiresOn = expiresOn
    self.cachedAt = cachedAt
    self.idToken = idToken
    self.isUnified = isUnified
  }

  /// Whether this is a multi-resource response, which has both `resource` and `refresh_token`.
  package var isMultiResource: Bool { resource?.isEmpty == false && refreshToken?.isEmpty == false }
}

extension LegacySave {
  /// The access token, the multi-resource refresh token, and the copy for the family, or one item with both tokens.
  package var items: [LegacyItem] {
    guard isMultiResource else {
      var item = accessTokenItem
      item[.refreshToken] = ArchivedValue(refreshToken)
      return [item]
    }
    var refresh = LegacyItem(isUnified: isUnified, common)
    refresh[.refreshToken] = ArchivedValue(refreshToken)
    refresh[.familyID] = ArchivedValue(familyID)
    guard let familyID, !familyID.isEmpty else { return [accessTokenItem, refresh] }
    var family = refresh
    family[.clientID] = .string(LegacyKey.familyClientID(familyID))
    return [accessTokenItem, refresh, family]
  }

  private var accessTokenItem: LegacyItem {
    var item = LegacyItem(isUnified: isUnified, common)
    item[.accessToken] = .string(accessToken)
    item[.resource] = .string(resource ?? requestedResource)
    item[.expiresOn] = .date(expiresOn)
    // Since 2.7, only the refresh token contains the family (adal.md §3(4)).
    if !isUnified { item[.familyID] = ArchivedValue(familyID) }
    if let extendedExpiresOn {
      let key = isUnified ? "extended_expires_on" : "ext_expires_on"
      item[.additionalServer] = .dictionary([.string(key): .date(extendedExpiresOn)])
    }
    return item
  }

  private var common: [LegacyField: ArchivedValue] {
    var values: [LegacyField: ArchivedValue] = [
      .authority: .string(authority), .clientID: .string(clientID),
      .accessTokenType: .string(tokenType.isEmpty ? "Bearer" : tokenType),
      .additionalServer: .dictionary([:]), .additionalClient: .dictionary([:], isMutable: true),
    ]
    if let user = idToken.flatMap(LegacyUser.init(idToken:)) {
      values[.userInformation] = .object(user.object)
    }
    if isUnified {
      values[.cachedAt] = .date(cachedAt)
      values[.homeAccountID] = ArchivedValue(homeAccountID)
    }
    return values
  }
}

extension ArchivedValue {
  init(_ text: String?) { self = text.map(ArchivedValue.string) ?? .nothing }
}

extension LegacyCache {
  /// Writes the items of a response, or only its refresh tokens if `withAccessToken` is false.
  /// - Throws: The first error of the keychain.
  package func save(_ response: LegacySave, withAccessToken: Bool = true) throws {
    for item in response.items where withAccessToken || item.accessToken == nil { try write(item) }
  }
}

/// A token as ADAL stores it.
///
/// It is a view of an archived `ADTokenCacheStoreItem` that preserves unknown keys (docs/behaviour/adal.md §2). Its
/// kind is not stored; it follows from the tokens that the item contains.
package struct LegacyItem: Hashable, Sendable {
  package enum Kind: Sendable {
    /// An access token only.
    case accessToken
    /// A refresh token only, for any resource of its client or of its family.
    case refreshToken
    /// Both in one item; the refresh token is only for this resource (AD FS).
    case singleResourceToken
  }

  package var object: ArchivedObject

  /// Creates an item with every key that the generation encodes, including keys without a value.
  ///
  /// `isUnified` means ADAL 2.7 or later, whose items use IdentityCore's class.
  package init(isUnified: Bool, _ values: [LegacyField: ArchivedValue]) {
    object = ArchivedObject(Self.className, [:])
    for field in LegacyField.allCases where field.isEncoded(isUnified: isUnified) {
      object.fields[field.rawValue] = values[field] ?? .nothing
    }
  }

  package subscript(field: LegacyField) -> ArchivedValue {
    get { object.fields[field.rawValue] ?? .nothing }
    set { object.fields[field.rawValue] = newValue }
  }

  /// The authority URL: `https://host/tenant`.
  package var authority: String { self[.authority].string ?? "" }
  /// The host of the authority.
  package var environment: String { URLParts(authority)?.authority ?? "" }
  /// The tenant segment of the authority, often `common`.
  package var realm: String? {
    URLParts(authority)?.path.split(separator: "/").first.map(String.init)
  }
  /// The client ID, or `foci-1` on the copy for a family.
  package var clientID: String { self[.clientID].string ?? "" }
  /// The resource, or `nil` on a multi-resource refresh token.
  package var resource: String? { self[.resource].string }
  package var accessToken: String? { self[.accessToken].string }
  package var refreshToken: String? { self[.refreshToken].string }
  package var expiresOn: Instant? { self[.expiresOn].instant }
  package var cachedAt: Instant? { self[.cachedAt].instant }
  package var familyID: String? { self[.familyID].string.flatMap { $0.isEmpty ? nil : $0 } }
  /// The home account ID (`uid.utid`), which exists since 2.7.
  package var homeAccountID: String? { self[.homeAccountID].string }
  package var user: LegacyUser? { self[.userInformation].object.map(LegacyUser.init(object:)) }
  /// The time until which the access token may be used if the provider is unavailable; 2.6.6 used another key for it.
  package var extendedExpiresOn: Instant? {
    let server = self[.additionalServer].dictionary ?? [:]
    return (server[.string("extended_expires_on")] ?? server[.string("ext_expires_on")])?.instant
  }

  package var isFamilyCopy: Bool { clientID.hasPrefix("foci-") }
  /// Whether the item is a tombstone, which is deleted as soon as it is read.
  package var isTombstone: Bool { refreshToken == "<tombstone>" }

  /// The kind of token, or `nil` if the item does not contain a token.
  package var kind: Kind? {
    let has = (access: accessToken?.isEmpty == false, refresh: refreshToken?.isEmpty == false)
    return switch has {
    case (true, true): .singleResourceToken
    case (true, false): .accessToken
    case (false, true): .refreshToken
    case (false, false): nil
    }
  }

  /// The access token, or the refresh token in an item without one.
  package var secret: String { accessToken ?? refreshToken ?? "" }
}

extension LegacyItem {
  static let className = "ADTokenCacheStoreItem"

  private static let classes = [
    ArchivedClass(
      name: className,
      fields: Dictionary(uniqueKeysWithValues: LegacyField.allCases.map { ($0.rawValue, $0.kind) })),
    ArchivedClass(name: LegacyUser.className, fields: LegacyUser.fields),
  ]

  /// Creates an item from `kSecValueData`.
  package init(data: Data) throws(ArchiveError) {
    object = try KeyedArchiveReader.root(of: data, root: Self.className, classes: Self.classes)
  }

  /// The value for `kSecValueData`.
  package var data: Data { KeyedArchiveWriter.data(of: object) }
}

/// The keys of an archived `ADTokenCacheStoreItem` (docs/behaviour/adal.md §2).
package enum LegacyField: String, CaseIterable, Sendable {
  case authority
  case clientID = "clientId"
  case resource
  case accessToken
  case accessTokenType
  case refreshToken
  case expiresOn
  case cachedAt
  case familyID = "familyId"
  case userInformation
  case additionalServer
  case additionalClient
  case homeAccountID = "homeAccountId"
  case enrollmentID = "enrollmentId"
  case applicationIdentifier
  case sessionKey

  var kind: ArchivedClass.Kind {
    switch self {
    case .expiresOn, .cachedAt: .date
    case .userInformation: .object(LegacyUser.className)
    case .additionalServer, .additionalClient: .dictionary
    case .sessionKey: .data
    default: .string
    }
  }

  /// Returns whether the keys that this generation encodes include this one.
  ///
  /// IdentityCore's class added `homeAccountId` and `cachedAt` in 2.7; `sessionKey` exists only in ADAL's own class.
  func isEncoded(isUnified: Bool) -> Bool {
    switch self {
    case .homeAccountID, .cachedAt: isUnified
    case .sessionKey: !isUnified
    default: true
    }
  }
}

/// The keychain attributes of a legacy item (docs/behaviour/adal.md §1).
///
/// It is always composed and never parsed.
package struct LegacyKey: Hashable, Sendable {
  /// The `kSecAttrGeneric` of every legacy item, as text.
  package static let library = "MSOpenTech.ADAL.1"
  /// The unencoded mark of a multi-resource refresh token, which stands for "any resource".
  static let anyResource = "CC3513A0-0E69-4B4D-97FC-DFB6C91EE132"

  /// The base64url encoding of the lowercase user ID, which is empty for the unknown user of AD FS.
  package var account: String
  /// `MSOpenTech.ADAL.1|<authority>|<resource>|<client ID>`.
  package var service: String

  /// - Parameters:
  ///   - authority: A full URL.
  ///   - resource: `nil` or blank for a multi-resource refresh token.
  ///   - clientID: The client ID, or `foci-1` for the copy that serves a family.
  ///   - userID: A username, or `nil` or empty if it is unknown.
  ///   - appIdentifier: Set only in apps that Intune keeps separate.
  package init(
    authority: String, resource: String?, clientID: String, userID: String?, appIdentifier: String? = nil
  ) {
    let resource = normalized(resource)
    let library = Self.library + (appIdentifier.map { "-" + Self.encoded($0) } ?? "")
    account = Self.account(userID)
    service = [
      library, Self.encoded(normalized(authority)),
      resource.isEmpty ? Self.anyResource : Self.encoded(resource),
      Self.encoded(normalized(clientID)),
    ].joined(separator: "|")
  }

  /// Returns the client ID of the copy for a family, such as `foci-1`.
  package static func familyClientID(_ familyID: String) -> String { "foci-" + familyID }

  /// Returns the attribute `account`: the base64url encoding of the lowercase username.
  package static func account(_ userID: String?) -> String { encoded(normalized(userID)) }

  private static func encoded(_ text: String) -> String { Base64URL.encode(text.utf8) }
}

extension LegacyKey {
  package static var generic: Data { Data(library.utf8) }

  /// Returns the item to store under this key.
  ///
  /// Its type is not set.
  package func item(in accessGroup: String, data: Data, at moment: Instant) -> KeychainItem {
    KeychainItem(
      key: KeychainKey(accessGroup: accessGroup, account: account, service: service), generic: Self.generic,
      data: data, createdAt: moment, modifiedAt: moment)
  }

  /// Returns a query for exactly this item.
  package func query(in accessGroup: String) -> KeychainQuery {
    KeychainQuery(
      accessGroups: [accessGroup], account: account, service: service, generic: Self.generic)
  }
}

extension KeychainItem {
  /// Whether the item is in ADAL's format, which the generic attribute determines.
  package var isLegacy: Bool { key.itemClass == .genericPassword && generic == LegacyKey.generic }
}

/// The user of a legacy item: a view of an archived `ADUserInformation` (docs/behaviour/adal.md §2, §6).
package struct LegacyUser: Hashable, Sendable {
  static let className = "ADUserInformation"
  static let fields: [String: ArchivedClass.Kind] = [
    "rawIdToken": .string, "allClaims": .dictionary, "userId": .string, "userIdDisplayable": .bool,
  ]

  package var object: ArchivedObject

  init(object: ArchivedObject) { self.object = object }

  /// Creates a user from an ID token, or returns `nil` if it cannot be read or does not identify a user.
  package init?(idToken: String) {
    guard let claims = Self.claims(of: idToken), let user = Self.userID(of: claims) else { return nil }
    object = ArchivedObject(
      Self.className,
      [
        "rawIdToken": .string(idToken), "userId": .string(user.id),
        "userIdDisplayable": .bool(user.isDisplayable),
        "allClaims": .dictionary(
          Dictionary(uniqueKeysWithValues: claims.map { (.string($0.key), ArchivedValue($0.value)) })),
      ])
  }

  var rawIDToken: String? { object.fields["rawIdToken"]?.string }

  /// The claims of the ID token, which IdentityCore reads from the token itself and not from `allClaims`.
  package var claims: [String: JSONValue] {
    rawIDToken.flatMap(Self.claims) ?? [:]
  }

  /// The displayable ID in lowercase, which is the keychain's account.
  package var userID: String { Self.userID(of: claims)?.id ?? normalized(object.fields["userId"]?.string) }

  /// `UniqueId`: the object ID, or the subject if the object ID is missing.
  package var uniqueID: String? { claims["oid"]?.string ?? claims["sub"]?.string }

  /// Returns the claims of an ID token, even if it consists of claims without header and signature (adal.md §2(7)).
  private static func claims(of idToken: String) -> [String: JSONValue]? {
    if let token = try? JSONWebToken(unverified: idToken) { return token.claims }
    guard idToken.utf8.count <= JSONWebToken.maximumLength, let bytes = Base64URL.decode(idToken) else {
      return nil
    }
    return JSONValue(bounded: bytes)?.object
  }

  /// Returns the first claim that is present, in an order that depends on the token's version (adal.md §2(5), §2(6)).
  private static func userID(of claims: [String: JSONValue]) -> (id: String, isDisplayable: Bool)? {
    func text(_ name: String) -> String { normalized(claims[name]?.string) }
    let names: [String]
    let displayable: Set<String>
    switch Double(text("ver")) {
    case 2: (names, displayable) = (["preferred_username", "sub"], ["preferred_username", "sub"])
    case let version where version == 1 || !text("upn").isEmpty || !text("unique_name").isEmpty:
      names = ["upn", "email", "sub", "oid", "unique_name", "altsecid"]
      displayable = ["upn", "email", "unique_name"]
    default: (names, displayable) = (["sub"], [])
    }
    return names.first { !text($0).isEmpty }.map { (text($0), displayable.contains($0)) }
  }
}

extension ArchivedValue {
  /// Creates the value that Foundation's JSON reader would pass to the archiver for a claim.
  init(_ json: JSONValue) {
    self =
      switch json {
      case .null: .null
      case .bool(let flag): .bool(flag)
      case .integer(let number): .integer(number)
      case .number(let number): .real(number)
      case .string(let text), .numeral(let text): .string(text)
      case .array(let elements): .array(elements.map(ArchivedValue.init))
      case .object(let members):
        .dictionary(
          Dictionary(uniqueKeysWithValues: members.map { (.string($0.key), ArchivedValue($0.value)) }))
      }
  }
}
