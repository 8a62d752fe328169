/// The values of one token response that go into the legacy cache (docs/behaviour/adal.md §3).
package struct LegacySave: Hashable, Sendable {
  /// The authority as stored: the preferred-cache host and the tenant of the request (adal.md §1).
  package var authority: String
  /// The client ID, with its case preserved.
  package var clientID: String
  /// The `resource` of the response, or `nil` if it has none (AD FS).
  package var resource: String?
  /// The resource of the request, which applies if the response has no `resource`.
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
