import Essentials
import KeyedArchive
import SSOCore

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
  package static let anyResource = "CC3513A0-0E69-4B4D-97FC-DFB6C91EE132"

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

  package var rawIDToken: String? { object.fields["rawIdToken"]?.string }

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
