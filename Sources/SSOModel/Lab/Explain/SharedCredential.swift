/// What the sharing rule looks at of a credential: of one that is in the keychain, or of one that a sign-in leaves there.
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
  /// The full group, team prefix included.
  var accessGroup: String
  /// As it is written in the credential; `foci-1` on ADAL's copy for a family.
  var clientID: String
  /// The family that may use it; nil: its own client only.
  var familyID: String?
  /// Under which authority it is filed: a host (unified), or the authority's URL (legacy).
  ///
  /// In lower case.
  var authority: String
  /// `uid.utid`, if it is known.
  var homeAccountID: String?
  /// The app whose sign-in leaves it; nil: it is in the keychain already.
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

  /// Nil for an item that is no credential.
  init?(_ item: KeychainItem) {
    if item.isLegacy, let legacy = try? LegacyItem(data: item.data) {
      self.init(legacy, in: item.key.accessGroup)
    } else if let token = item.credential {
      self.init(token, in: item.key.accessGroup)
    } else {
      return nil
    }
  }

  /// What a sign-in with an app leaves: each format that its SDK writes, the family's refresh tokens last.
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
    // ADAL writes access tokens in its own format only.
    var found = [left(formats[0], .accessToken)] + formats.map { left($0, .refreshToken) }
    if let family = writer.registeredFamilyID, !writer.app.adalAuthority.isADFS {
      found += formats.map { left($0, .refreshToken, familyID: family) }
    }
    return found
  }
}
