/// What a person once agreed to let an app do, per tenant: `{"scopes":["user.read"]}`, canonical and sorted.
struct ConsentGrant: Codable, Hashable {
  var scopes: [String]
}

/// The consent grants, keyed `tenant/object/client`.
struct ConsentGrants {
  let documents: any DocumentStore

  private func key(_ person: Person, _ tenantID: String, _ clientID: String) -> String {
    [tenantID, person.objectID(in: tenantID) ?? person.objectID, clientID].joined(separator: "/").lowercased()
  }

  /// Scopes asked that the person has not agreed to yet, in the order asked.
  func missing(
    _ scopes: RequestedScopes, of person: Person, tenantID: String, for registration: ClientRegistration
  ) throws -> [String] {
    guard !registration.isPreauthorized else { return [] }
    let key = key(person, tenantID, registration.clientID)
    let granted = Set(try documents.read(ConsentGrant.self, .consentGrant, key)?.scopes ?? [])
    return scopes.all.filter { !granted.contains(RequestedScopes.canonical($0)) }
  }

  /// Agrees to all of them, besides what was agreed to before.
  func grant(
    _ scopes: RequestedScopes, of person: Person, tenantID: String, to registration: ClientRegistration
  ) throws {
    let key = key(person, tenantID, registration.clientID)
    let before = try documents.read(ConsentGrant.self, .consentGrant, key)?.scopes ?? []
    let after = Set(before).union(scopes.all.map(RequestedScopes.canonical))
    try documents.write(ConsentGrant(scopes: after.sorted()), .consentGrant, key)
  }
}
