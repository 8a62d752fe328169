/// A browser's session at the provider: who is signed in there.
///
/// The browser holds its secret in the cookie `ESTSAUTH`.
package struct SSOSession: Codable, Hashable {
  /// User names in lower case, last used first.
  package var usernames: [String]
  var createdAt: Instant
  /// When each last gave a password or the like; nil in a session of an older version.
  var authenticatedAt: [String: Instant]?
  /// User names in lower case, of those who gave a second factor here; nil: of none.
  var secondFactors: [String]?
  /// When it last signed a person in; nil in a session of an older version.
  var usedAt: Instant?
  /// `sid` of ID tokens (OpenID Connect Front-Channel Logout §3); nil until an app that wants it has signed in.
  var id: String?
  /// Client IDs of the apps that signed in here and are told of a sign-out.
  var clients: [String]?

  static let cookieName = "ESTSAUTH"
  /// Seconds without use after which it has expired.
  ///
  /// Entra's default for a session that is not persistent, which `ESTSAUTH` is: 24 hours, and each use gives it another 24
  /// ("Configurable token lifetimes", session tokens).
  static let lifetime = 86_400

  /// The ID that it has, or is going to have.
  func id(_ secret: String) -> String { id ?? guid(of: "session " + sha256Hex(secret)) }

  var lastUse: Instant { usedAt ?? authenticatedAt?.values.max() ?? createdAt }

  func hasExpired(at now: Instant) -> Bool { lastUse.seconds(until: now) >= Self.lifetime }

  func authenticated(_ username: String) -> Instant { authenticatedAt?[username.lowercased()] ?? createdAt }

  /// Whether this person is signed in here, and not longer ago than `maxAge` seconds; for 0 no person is, even in the
  /// same second (OpenID Connect Core §3.1.2.1: as `prompt=login`).
  func knows(_ username: String, maxAge: Int?, at now: Instant) -> Bool {
    guard usernames.contains(username.lowercased()) else { return false }
    return maxAge.map { $0 > 0 && authenticated(username).seconds(until: now) <= $0 } ?? true
  }

  /// Whether this sign-in may go on with that person, and no password.
  func allows(_ username: String, to flow: SignInFlow, at now: Instant) -> Bool {
    flow.prompt != "login" && knows(username, maxAge: flow.maxAge, at: now)
  }
}

extension [NameValue] {
  /// Cookies of a browser without a signed-in account.
  ///
  /// The session stays with the browser that has it.
  package mutating func leaveOutSession() { removeAll { $0.name == SSOSession.cookieName } }
}

/// The sessions, keyed by SHA-256 of the cookie's value.
///
/// Throws `StoreError`.
package struct SSOSessions {
  /// The header cookie by which a broker's web view shows a primary refresh token: single
  /// sign-on without a session.
  package static let primaryRefreshTokenCookie = PrimaryRefreshTokenCookie.name

  let documents: any DocumentStore
  let now: Instant

  package init(documents: any DocumentStore, now: Instant) {
    self.documents = documents
    self.now = now
  }

  /// The session that the browser's cookie names; nil if it has ended or is unknown.
  package func session(of cookies: [NameValue]) throws -> SSOSession? {
    if let primary = cookies[Self.primaryRefreshTokenCookie],
      let record = try documents.refreshToken(secret: primary),
      record.kind == .primary, record.revokedAt == nil, now < record.expiresAt
    {
      return SSOSession(usernames: [record.username], createdAt: record.issuedAt)
    }
    return try kept(of: cookies)
  }

  func kept(of cookies: [NameValue]) throws -> SSOSession? {
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

  /// It signed a person in without a password: its lifetime begins anew.
  func use(_ cookies: [NameValue]) throws {
    guard let secret = cookies[SSOSession.cookieName], let session = try kept(of: cookies) else { return }
    try keep(session, secret)
  }

  private func keep(_ session: SSOSession, _ secret: String) throws {
    var session = session
    session.usedAt = now
    let key = sha256Hex(secret)
    try documents.write(session, .ssoSession, key)
    try ExpiryPurge(documents: documents, now: now).purge(after: key, in: .ssoSession)
  }

  /// `session_state` of a response and `sid` of a sign-out; nil if the browser has no session.
  func id(of cookies: [NameValue]) throws -> String? {
    guard let secret = cookies[SSOSession.cookieName] else { return nil }
    return try kept(of: cookies)?.id(secret)
  }

  /// Notes that an app signed in here which is to be told of a sign-out.
  /// - Returns: the session's ID; nil if the browser has no session.
  func note(_ clientID: String, cookies: [NameValue]) throws -> String? {
    guard let secret = cookies[SSOSession.cookieName], var session = try kept(of: cookies) else { return nil }
    let id = session.id(secret)
    if session.id == nil || session.clients?.contains(clientID) != true {
      session.id = id
      session.clients = (session.clients ?? []) + [clientID]
      try keep(session, secret)
    }
    return id
  }

  /// Signs the person in to the browser's session, making one if need be.
  ///
  /// `isFresh` means with a password or another proof just now, and not picked from the session.
  /// - Returns: the cookie to set.
  func signIn(
    _ username: String, isFresh: Bool, hasSecondFactor: Bool, cookies: [NameValue], random: RandomSource
  ) throws -> NameValue {
    let known = try session(of: cookies)
    let fresh = Base64URL.encode(random.bytes(24))
    let kept = known == nil || isFresh ? nil : cookies[SSOSession.cookieName]
    // A program that knows the secret from before must not be signed in too (session fixation).
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
      // As a refresh token: later than a revocation in the same moment.
      let revoked = try documents.revocation(of: username)?.at.adding(milliseconds: 1)
      session.authenticatedAt = (session.authenticatedAt ?? [:])
        .merging([username.lowercased(): max(now, revoked ?? now)]) { $1 }
    }
    try keep(session, secret)
    return NameValue(SSOSession.cookieName, secret)
  }

  func end(cookies: [NameValue]) throws {
    guard let secret = cookies[SSOSession.cookieName] else { return }
    let key = sha256Hex(secret)
    if try documents.document(.ssoSession, key) != nil { try documents.delete(.ssoSession, key) }
  }
}
