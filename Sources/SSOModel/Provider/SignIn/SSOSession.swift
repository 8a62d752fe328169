import SSOCore

/// A browser's session at the provider, with its signed-in users.
///
/// The browser stores its secret in the cookie `ESTSAUTH`.
package struct SSOSession: Codable, Hashable {
  /// The usernames in lowercase, most recently used first.
  package var usernames: [String]
  var createdAt: Instant
  /// The times at which each user last entered a password or another credential, or `nil` in a session of an
  /// older version.
  var authenticatedAt: [String: Instant]?
  /// The usernames, in lowercase, of the users who completed MFA in this session, or `nil` if no user did.
  var secondFactors: [String]?
  /// The time of the last sign-in, or `nil` in a session of an older version.
  var usedAt: Instant?
  /// `sid` of ID tokens (OpenID Connect Front-Channel Logout §3), or `nil` until an app that uses it has
  /// signed in.
  var id: String?
  /// The client IDs of the apps to notify of a sign-out.
  var clients: [String]?
  /// The usernames, in lowercase, with which each of these apps signed in, or `nil` in a session of an older version.
  var usernamesOfClients: [String: [String]]?

  static let cookieName = "ESTSAUTH"
  /// The seconds without use after which the session expires.
  ///
  /// It is Entra's default for a session that is not persistent, as with `ESTSAUTH`: 24 hours, extended by
  /// another 24 with each use ("Configurable token lifetimes", session tokens).
  static let lifetime = 86_400

  /// Returns the `sid` of the session, which is recorded when an app first uses it.
  func id(_ secret: String) -> String { id ?? guid(of: "session " + sha256Hex(secret)) }

  var lastUse: Instant { usedAt ?? authenticatedAt?.values.max() ?? createdAt }

  func hasExpired(at now: Instant) -> Bool { lastUse.seconds(until: now) >= Self.lifetime }

  func authenticated(_ username: String) -> Instant { authenticatedAt?[username.lowercased()] ?? createdAt }

  /// Returns whether the user is signed in to this session and, if `maxAge` is not `nil`, signed in at most
  /// `maxAge` seconds ago.
  ///
  /// If `maxAge` is 0, always returns `false`, as for `prompt=login` (OpenID Connect Core §3.1.2.1).
  func knows(_ username: String, maxAge: Int?, at now: Instant) -> Bool {
    guard usernames.contains(username.lowercased()) else { return false }
    return maxAge.map { $0 > 0 && authenticated(username).seconds(until: now) <= $0 } ?? true
  }
}

extension [NameValue] {
  /// Removes the session cookie from the cookies to send.
  ///
  /// The session itself stays with its browser.
  package mutating func removeSessionCookie() { removeAll { $0.name == SSOSession.cookieName } }
}

/// The sessions, keyed by the SHA-256 of the cookie's value.
///
/// Throws `StoreError`.
package struct SSOSessions {
  /// The cookie with which a broker's web view sends a primary refresh token for single sign-on without a
  /// session.
  package static let primaryRefreshTokenCookie = PrimaryRefreshTokenCookie.name

  let documents: any DocumentStore
  let now: Instant

  package init(documents: any DocumentStore, now: Instant) {
    self.documents = documents
    self.now = now
  }

  /// Returns the stored session of the browser, or a session of the user whose primary refresh token a broker sent,
  /// which is not stored.
  ///
  /// Returns `nil` if there is neither.
  package func session(of cookies: [NameValue]) throws -> SSOSession? {
    if let primary = cookies[Self.primaryRefreshTokenCookie],
      let record = try documents.refreshToken(secret: primary),
      record.kind == .primary, record.revokedAt == nil, now < record.expiresAt,
      try !Directory(documents: documents).isDeviceDeleted(of: record)
    {
      return SSOSession(usernames: [record.username], createdAt: record.issuedAt)
    }
    return try storedSession(of: cookies)
  }

  func storedSession(of cookies: [NameValue]) throws -> SSOSession? {
    guard let secret = cookies[SSOSession.cookieName], !secret.isEmpty else { return nil }
    let session = try documents.read(SSOSession.self, .ssoSession, sha256Hex(secret))
    guard var session, !session.hasExpired(at: now) else { return nil }
    session.usernames = try session.usernames.filter { [session] username in
      guard let revocation = try documents.revocation(of: username), revocation.endsRefreshTokens else {
        return true
      }
      return revocation.at < session.authenticated(username)
    }
    return session.usernames.isEmpty ? nil : session
  }

  /// Extends the lifetime of the session, which signed a user in without a password.
  func use(_ cookies: [NameValue]) throws {
    guard let secret = cookies[SSOSession.cookieName], let session = try storedSession(of: cookies) else {
      return
    }
    try keep(session, secret)
  }

  private func keep(_ session: SSOSession, _ secret: String) throws {
    var session = session
    session.usedAt = now
    let key = sha256Hex(secret)
    try documents.write(session, .ssoSession, key)
    try ExpiryPurge(documents: documents, now: now).purge(after: key, in: .ssoSession)
  }

  /// Returns the session's ID, which is sent as `session_state` and as `sid`, or `nil` if the browser has no session.
  func id(of cookies: [NameValue]) throws -> String? {
    guard let secret = cookies[SSOSession.cookieName] else { return nil }
    return try storedSession(of: cookies)?.id(secret)
  }

  /// Adds an app to the apps to notify when this session ends.
  ///
  /// - Returns: The session's ID, or `nil` if the browser has no session.
  func add(_ clientID: String, of username: String, cookies: [NameValue]) throws -> String? {
    guard let secret = cookies[SSOSession.cookieName], var session = try storedSession(of: cookies) else {
      return nil
    }
    let id = session.id(secret)
    let username = username.lowercased()
    let known = session.usernamesOfClients?[clientID] ?? []
    if session.id == nil || !known.contains(username) {
      session.id = id
      session.clients = (session.clients ?? []).filter { $0 != clientID } + [clientID]
      session.usernamesOfClients = (session.usernamesOfClients ?? [:])
        .merging([clientID: known + [username]]) { $1 }
      try keep(session, secret)
    }
    return id
  }

  /// Signs a user in to the browser's session, creating the session if necessary.
  ///
  /// `isFresh` means that the user just entered a password or another credential instead of selecting an
  /// account of the session.
  ///
  /// - Returns: The cookie to set.
  func signIn(
    _ username: String, isFresh: Bool, hasSecondFactor: Bool, cookies: [NameValue], random: RandomSource
  ) throws -> NameValue {
    let known = try session(of: cookies)
    let fresh = Base64URL.encode(random.bytes(24))
    let kept = known == nil || isFresh ? nil : cookies[SSOSession.cookieName]
    // A program that knows an earlier secret must not become signed in (session fixation).
    if kept == nil { try end(cookies: cookies) }
    let secret = kept ?? fresh
    var session = known ?? SSOSession(usernames: [], createdAt: now)
    session.usernames.removeAll { $0 == username.lowercased() }
    session.usernames.insert(username.lowercased(), at: 0)
    if hasSecondFactor {
      session.secondFactors =
        (session.secondFactors ?? []).filter { $0 != username.lowercased() } + [username.lowercased()]
    }
    if isFresh {
      // As with refresh tokens, date it after a revocation at the same moment.
      let revoked = try documents.revocation(of: username)?.at.adding(milliseconds: 1)
      session.authenticatedAt = (session.authenticatedAt ?? [:])
        .merging([username.lowercased(): max(now, revoked ?? now)]) { $1 }
    }
    try keep(session, secret)
    return NameValue(SSOSession.cookieName, secret)
  }

  /// Signs one of several accounts out.
  func signOut(_ username: String, cookies: [NameValue]) throws {
    guard let secret = cookies[SSOSession.cookieName], var session = try storedSession(of: cookies) else {
      return
    }
    let username = username.lowercased()
    session.usernames.removeAll { $0 == username }
    session.secondFactors?.removeAll { $0 == username }
    session.authenticatedAt?[username] = nil
    session.usernamesOfClients = session.usernamesOfClients?.mapValues { $0.filter { $0 != username } }
    session.clients = session.clients?.filter { session.usernamesOfClients?[$0]?.isEmpty != true }
    try keep(session, secret)
  }

  func end(cookies: [NameValue]) throws {
    guard let secret = cookies[SSOSession.cookieName] else { return }
    let key = sha256Hex(secret)
    if try documents.document(.ssoSession, key) != nil { try documents.delete(.ssoSession, key) }
  }
}
