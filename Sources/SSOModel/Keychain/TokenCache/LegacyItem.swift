public import Foundation

/// A token as ADAL keeps it: a view over an archived `ADTokenCacheStoreItem` that keeps what it does not know
/// (fact sheet §2.2). Its kind follows from what is there; it is not stored.
public struct LegacyItem: Hashable, Sendable {
  public enum Kind: Sendable {
    /// An access token alone.
    case accessToken
    /// A refresh token alone: for any resource of its client, or of its family.
    case refreshToken
    /// Both in one item: the refresh token is for this resource only (AD FS).
    case singleResourceToken
  }

  public var object: ArchivedObject

  public init(object: ArchivedObject) { self.object = object }

  /// An item with every key that the generation encodes, nil ones too.
  /// - Parameter isUnified: from ADAL 2.7 on, whose items are IdentityCore's.
  public init(isUnified: Bool, _ values: [LegacyField: ArchivedValue]) {
    object = ArchivedObject(Self.className, [:])
    for field in LegacyField.allCases where field.isEncoded(isUnified: isUnified) {
      object.fields[field.rawValue] = values[field] ?? .nothing
    }
  }

  public subscript(field: LegacyField) -> ArchivedValue {
    get { object.fields[field.rawValue] ?? .nothing }
    set { object.fields[field.rawValue] = newValue }
  }

  /// `https://host/tenant`.
  public var authority: String { self[.authority].string ?? "" }
  /// The host of the authority.
  public var environment: String { URLParts(authority)?.host ?? "" }
  /// The tenant segment of the authority, often `common`.
  public var realm: String? {
    URLParts(authority)?.path.split(separator: "/").first.map(String.init)
  }
  /// Or `foci-1` on the copy for a family.
  public var clientID: String { self[.clientID].string ?? "" }
  /// Nil on a multi-resource refresh token.
  public var resource: String? { self[.resource].string }
  public var accessToken: String? { self[.accessToken].string }
  public var refreshToken: String? { self[.refreshToken].string }
  public var expiresOn: Instant? { self[.expiresOn].instant }
  public var cachedAt: Instant? { self[.cachedAt].instant }
  public var familyID: String? { self[.familyID].string.flatMap { $0.isEmpty ? nil : $0 } }
  /// `uid.utid`, since 2.7.
  public var homeAccountID: String? { self[.homeAccountID].string }
  public var user: LegacyUser? { self[.userInformation].object.map(LegacyUser.init(object:)) }
  /// How long the access token may be used if the provider is down; 2.6.6 had another name for it.
  public var extendedExpiresOn: Instant? {
    let server = self[.additionalServer].dictionary ?? [:]
    return (server[.string("extended_expires_on")] ?? server[.string("ext_expires_on")])?.instant
  }

  public var isFamilyCopy: Bool { clientID.hasPrefix("foci-") }
  /// Deleted as soon as it is read.
  public var isTombstone: Bool { refreshToken == "<tombstone>" }

  /// Nil if it has no token at all.
  public var kind: Kind? {
    let has = (access: accessToken?.isEmpty == false, refresh: refreshToken?.isEmpty == false)
    return switch has {
    case (true, true): .singleResourceToken
    case (true, false): .accessToken
    case (false, true): .refreshToken
    case (false, false): nil
    }
  }

  /// The token that the item is for.
  public var secret: String { accessToken ?? refreshToken ?? "" }
}

extension LegacyItem {
  static let className = "ADTokenCacheStoreItem"

  private static let classes = [
    ArchivedClass(
      name: className,
      fields: Dictionary(uniqueKeysWithValues: LegacyField.allCases.map { ($0.rawValue, $0.kind) })),
    ArchivedClass(name: LegacyUser.className, fields: LegacyUser.fields),
  ]

  /// From `kSecValueData`.
  public init(data: Data) throws(ArchiveError) {
    object = try KeyedArchiveReader.root(of: data, root: Self.className, classes: Self.classes)
  }

  /// As `kSecValueData`.
  public var data: Data { KeyedArchiveWriter.data(of: object) }
}
