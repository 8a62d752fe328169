/// The clients that registered themselves but have no tokens yet.
///
/// Any program can register some.
struct UnusedClients {
  let documents: any DocumentStore
  let now: Instant

  /// The seconds after which an unused client is removed.
  private static let lifetime = 3600
  private static let prefix = "unused/"

  private func key(_ clientID: String) -> String { Self.prefix + clientID.lowercased() }

  func add(_ clientID: String) throws { try documents.write(now, .authorizationCode, key(clientID)) }

  /// Marks a client as used, because it received tokens for a user.
  ///
  /// Its registration stays.
  func remove(_ clientID: String) throws {
    let key = key(clientID)
    if try documents.document(.authorizationCode, key) != nil {
      try documents.delete(.authorizationCode, key)
    }
  }

  /// Removes the registrations of unused clients that are older than an hour.
  ///
  /// - Returns: The number of unused clients that remain.
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
