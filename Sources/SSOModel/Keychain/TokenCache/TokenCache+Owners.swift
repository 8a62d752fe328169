import Essentials

extension TokenCache {
  /// Returns the owners of the first refresh tokens of the client and of its family, up to `limit` of each.
  package func refreshTokenOwners(clientID: String, limit: Int) throws -> [(id: String, environment: String)]
  {
    var ids = [CacheKey.credentialID(.refreshToken, clientID: clientID)]
    if let family = try familyID(clientID: clientID) {
      ids.append(CacheKey.credentialID(.refreshToken, clientID: "", familyID: family))
    }
    var owners: [(id: String, environment: String)] = []
    for id in ids {
      let query = KeychainQuery(
        accessGroups: [accessGroup], generic: Data(id.utf8), type: CredentialType.refreshToken.attributeType,
        limit: limit)
      owners += try read(query, what: "refreshtoken").map { ($0.homeAccountID, $0.environment) }
    }
    return owners
  }
}
