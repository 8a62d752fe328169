import Essentials

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
