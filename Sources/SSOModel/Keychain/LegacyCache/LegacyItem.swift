import Essentials

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

  /// The kind of token, or `nil` if the item has no token.
  package var kind: Kind? {
    let has = (access: accessToken?.isEmpty == false, refresh: refreshToken?.isEmpty == false)
    return switch has {
    case (true, true): .singleResourceToken
    case (true, false): .accessToken
    case (false, true): .refreshToken
    case (false, false): nil
    }
  }

  /// The access token or, if there is none, the refresh token.
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
