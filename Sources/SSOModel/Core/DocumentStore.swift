import Essentials

/// The kinds of small records that a lab consists of, in addition to keychain items.
///
/// The store writes the raw value to a column, so never reuse one.
package enum DocumentKind: String, CaseIterable, Sendable {
  /// The lab's clock, seed, current device, and name, in a single document.
  case lab
  /// A note that a user wrote on a step of a trace.
  case traceNote
  // The client side.
  case device, app, browserSession, brokerAccount, appDefaults, brokerApplication, injectedFault, pasteboard
  // The server side.
  case tenant, person, clientRegistration, consentGrant, authorizationCode, refreshToken, ssoSession,
    signingKey, fault
  case policy, deviceRegistration, deletedDevice, managedDevice, appEnrollment, managedIdentity
  case group, appRole, revocation
  // The socket: the external clients, and how the server proves its identity.
  case externalClient, certificateAuthority, server, pendingSignIn, nextAnswer
}

/// Read access to the small records of a lab: one JSON document per kind and key.
///
/// Documents are read by key, or an entire kind is read in key order.
///
/// The store seals the bytes, so a document may contain a secret.
///
/// Throws `StoreError`, with `damaged` for a document that cannot be decoded. An in-memory store throws `DecodingError`
/// for such a document.
package protocol DocumentReader: AnyObject {
  func document(_ kind: DocumentKind, _ key: String) throws -> Data?
  func documents(_ kind: DocumentKind, keyPrefix: String) throws -> [(key: String, body: Data)]
  /// Returns at most `limit` documents whose keys come after `key`, in key order.
  func documents(_ kind: DocumentKind, after key: String, limit: Int) throws -> [(key: String, body: Data)]
  /// Returns the decoded document, or `nil` if it does not exist.
  ///
  /// A store may cache the decoded value.
  func read<T: Decodable & Sendable>(_ type: T.Type, _ kind: DocumentKind, _ key: String) throws -> T?
  func readAll<T: Decodable & Sendable>(_ type: T.Type, _ kind: DocumentKind, keyPrefix: String) throws -> [T]
}

/// Read and write access to the small records of a lab.
///
/// Throws `StoreError`.
package protocol DocumentStore: DocumentReader {
  func put(_ body: Data, _ kind: DocumentKind, _ key: String) throws
  func delete(_ kind: DocumentKind, _ key: String) throws
}

extension DocumentReader {
  /// Returns one decoded document, or `nil` if it does not exist.
  /// - Throws: The errors of the store, and `DecodingError` if the document does not have the shape of `T`.
  package func read<T: Decodable & Sendable>(
    _ type: T.Type, _ kind: DocumentKind, _ key: String
  ) throws -> T? {
    try document(kind, key).map { try decodeJSON(T.self, from: $0) }
  }
  /// Returns all decoded documents of a kind whose keys begin with `keyPrefix`, in key order.
  /// - Throws: The errors of the store, and `DecodingError`.
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
  /// - Throws: The errors of the store.
  package func write(_ value: some Encodable, _ kind: DocumentKind, _ key: String) throws {
    try put(encodeJSON(value), kind, key)
  }
}
