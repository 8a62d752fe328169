import Essentials

/// The keychain attributes of a legacy item (docs/behaviour/adal.md §1).
///
/// Always composed, never parsed.
package struct LegacyKey: Hashable, Sendable {
  /// `kSecAttrGeneric` of every legacy item, as text.
  package static let library = "MSOpenTech.ADAL.1"
  /// Stands for "any resource", written as it is: the mark of a multi-resource refresh token.
  package static let anyResource = "CC3513A0-0E69-4B4D-97FC-DFB6C91EE132"

  /// base64url of the user ID, lower case; empty for the unknown user of AD FS.
  package var account: String
  /// `MSOpenTech.ADAL.1|<authority>|<resource>|<client ID>`.
  package var service: String

  /// - Parameters:
  ///   - authority: a full URL.
  ///   - resource: nil or blank for a multi-resource refresh token.
  ///   - clientID: or `foci-1` for the copy that serves a family.
  ///   - userID: a username; nil or empty where it is not known.
  ///   - appIdentifier: only in apps that Intune keeps apart.
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

  /// The client ID of the copy for a family: `foci-1`.
  package static func familyClientID(_ familyID: String) -> String { "foci-" + familyID }

  /// The attribute `account`: the username in lower case, base64url.
  package static func account(_ userID: String?) -> String { encoded(normalized(userID)) }

  private static func encoded(_ text: String) -> String { Base64URL.encode(text.utf8) }
}

extension LegacyKey {
  package static var generic: Data { Data(library.utf8) }

  /// The item to store under this key.
  ///
  /// Type is not set.
  package func item(in accessGroup: String, data: Data, at moment: Instant) -> KeychainItem {
    KeychainItem(
      key: KeychainKey(accessGroup: accessGroup, account: account, service: service), generic: Self.generic,
      data: data, createdAt: moment, modifiedAt: moment)
  }

  /// Finds exactly this item.
  package func query(in accessGroup: String) -> KeychainQuery {
    KeychainQuery(
      accessGroups: [accessGroup], account: account, service: service, generic: Self.generic)
  }
}

extension KeychainItem {
  /// Written in ADAL's format: it is the generic attribute that says so.
  package var isLegacy: Bool { key.itemClass == .genericPassword && generic == LegacyKey.generic }
}
