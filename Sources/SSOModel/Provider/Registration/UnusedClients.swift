/// Clients that registered themselves and have not been given tokens yet: any program may register some.
struct UnusedClients {
  let documents: any DocumentStore
  let now: Instant

  /// Seconds after which one is forgotten.
  private static let lifetime = 3600
  private static let prefix = "unused/"

  private func key(_ clientID: String) -> String { Self.prefix + clientID.lowercased() }

  func add(_ clientID: String) throws { try documents.write(now, .authorizationCode, key(clientID)) }

  /// The client was given tokens for a person: its registration stays.
  func remove(_ clientID: String) throws {
    let key = key(clientID)
    if try documents.document(.authorizationCode, key) != nil {
      try documents.delete(.authorizationCode, key)
    }
  }

  /// Removes the registrations of those that are older than an hour.
  /// - Returns: how many are left.
  func sweep() throws -> Int {
    let all = try documents.documents(.authorizationCode, keyPrefix: Self.prefix)
    let old = try all.filter {
      try decodeJSON(Instant.self, from: $0.body).seconds(until: now) >= Self.lifetime
    }
    for (key, _) in old {
      let clientID = String(key.dropFirst(Self.prefix.count))
      try documents.delete(.authorizationCode, key)
      try documents.delete(.clientRegistration, clientID)
      try documents.delete(.externalClient, clientID)
    }
    return all.count - old.count
  }
}
