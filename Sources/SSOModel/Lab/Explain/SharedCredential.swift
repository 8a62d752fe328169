/// A credential as the input of the sharing rule: an existing keychain item, or an item that a sign-in would
/// create.
struct SharedCredential {
  enum Format: String {
    case unified = "unified items"
    case legacy = "legacy items"
  }

  enum Kind {
    case accessToken, refreshToken, other
  }

  var format: Format
  var kind: Kind
  /// The full access group, including the team prefix.
  var accessGroup: String
  /// The client ID as in the credential: `foci-1` in ADAL's copy for a family.
  var clientID: String
  /// The family that may use the credential, or `nil` for only its own client.
  var familyID: String?
  /// The authority of the credential: a host (unified), or the authority's URL (legacy).
  ///
  /// It is in lowercase.
  var authority: String
  /// `uid.utid`, or `nil` if it is unknown.
  var homeAccountID: String?
  /// The app whose sign-in creates the credential, or `nil` if it already is in the keychain.
  var writer: SharingApp?
}

extension SharedCredential {
  init(_ token: CredentialItem, in accessGroup: String) {
    self.init(
      format: .unified,
      kind: token.type.isRefreshToken ? .refreshToken : token.type.isAccessToken ? .accessToken : .other,
      accessGroup: accessGroup, clientID: token.clientID, familyID: token.familyID,
      authority: normalized(token.environment), homeAccountID: token.homeAccountID)
  }

  init(_ item: LegacyItem, in accessGroup: String) {
    self.init(
      format: .legacy, kind: item.kind == .refreshToken ? .refreshToken : .accessToken,
      accessGroup: accessGroup, clientID: item.clientID, familyID: item.isFamilyCopy ? item.familyID : nil,
      authority: normalized(item.authority), homeAccountID: item.homeAccountID)
  }

  /// Creates a value from a keychain item, or returns `nil` if the item is not a credential.
  init?(_ item: KeychainItem) {
    if item.isLegacy, let legacy = try? LegacyItem(data: item.data) {
      self.init(legacy, in: item.key.accessGroup)
    } else if let token = item.credential {
      self.init(token, in: item.key.accessGroup)
    } else {
      return nil
    }
  }

  /// Returns the credentials that a sign-in with an app creates, in each format that its SDK writes.
  ///
  /// Family refresh tokens come last.
  static func left(by writer: SharingApp) -> [SharedCredential] {
    func left(_ format: Format, _ kind: Kind, familyID: String? = nil) -> SharedCredential {
      SharedCredential(
        format: format, kind: kind, accessGroup: writer.accessGroup, clientID: writer.app.clientID,
        familyID: familyID,
        authority: format == .unified
          ? writer.app.adalAuthority.environment : writer.app.adalAuthority.stored.lowercased(),
        writer: writer)
    }
    let formats: [Format] =
      switch writer.generation {
      case .legacyOnly: [.legacy]
      case .both: [.legacy, .unified]
      case .unified: [.unified]
      }
    // ADAL writes access tokens only in its own format.
    var found = [left(formats[0], .accessToken)] + formats.map { left($0, .refreshToken) }
    if let family = writer.registeredFamilyID, !writer.app.adalAuthority.isADFS {
      found += formats.map { left($0, .refreshToken, familyID: family) }
    }
    return found
  }
}
