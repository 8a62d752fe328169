import Essentials

/// The kinds of small record a lab is made of, besides keychain items.
///
/// The raw value is a column of the store: never reuse one.
package enum DocumentKind: String, CaseIterable, Sendable {
  /// One document: clock, seed, current device, name of the lab.
  case lab
  /// What a person wrote on a step of a trace.
  case traceNote
  // The client side.
  case device, app, browserSession, brokerAccount, appDefaults, brokerApplication, injectedFault, pasteboard
  // The server side.
  case tenant, person, clientRegistration, consentGrant, authorizationCode, refreshToken, ssoSession,
    signingKey, fault
  case policy, deviceRegistration, managedDevice, appEnrollment, managedIdentity
  case group, appRole, revocation
  // The socket: who asked, and how it proves itself.
  case externalClient, certificateAuthority, server, pendingSignIn
}

/// The small records of a lab, to be read: one JSON document per kind and key, by key or as a whole kind in the order of keys.
///
/// Bytes are sealed by the store, so a document may hold a secret.
///
/// Throws `StoreError`: `damaged` for a document that does not decode. A store in memory throws `DecodingError` for such a one.
package protocol DocumentReader: AnyObject {
  func document(_ kind: DocumentKind, _ key: String) throws -> Data?
  func documents(_ kind: DocumentKind, keyPrefix: String) throws -> [(key: String, body: Data)]
  /// At most `limit` documents: those whose keys follow `key`, in their order.
  func documents(_ kind: DocumentKind, after key: String, limit: Int) throws -> [(key: String, body: Data)]
  /// The document as a value. A store may keep what it decoded for the next time.
  func read<T: Decodable & Sendable>(_ type: T.Type, _ kind: DocumentKind, _ key: String) throws -> T?
  func readAll<T: Decodable & Sendable>(_ type: T.Type, _ kind: DocumentKind, keyPrefix: String) throws -> [T]
}

/// The small records of a lab, to be read and written.
///
/// Throws `StoreError`.
package protocol DocumentStore: DocumentReader {
  func put(_ body: Data, _ kind: DocumentKind, _ key: String) throws
  func delete(_ kind: DocumentKind, _ key: String) throws
}

extension DocumentReader {
  /// One document, decoded; nil if there is none.
  /// - Throws: what the store throws, and `DecodingError` for a document of another shape.
  package func read<T: Decodable & Sendable>(
    _ type: T.Type, _ kind: DocumentKind, _ key: String
  ) throws -> T? {
    try document(kind, key).map { try decodeJSON(T.self, from: $0) }
  }
  /// All of a kind whose keys begin so, in order of keys.
  /// - Throws: what the store throws, and `DecodingError`.
  package func readAll<T: Decodable & Sendable>(
    _ type: T.Type, _ kind: DocumentKind, keyPrefix: String
  ) throws -> [T] {
    try documents(kind, keyPrefix: keyPrefix).map { try decodeJSON(T.self, from: $0.body) }
  }
  package func readAll<T: Decodable & Sendable>(_ type: T.Type, _ kind: DocumentKind) throws -> [T] {
    try readAll(type, kind, keyPrefix: "")
  }
}

extension DocumentStore {
  /// Adds or replaces a document.
  /// - Throws: what the store throws.
  package func write(_ value: some Encodable, _ kind: DocumentKind, _ key: String) throws {
    try put(encodeJSON(value), kind, key)
  }
}
