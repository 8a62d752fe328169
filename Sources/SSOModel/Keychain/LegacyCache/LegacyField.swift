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
