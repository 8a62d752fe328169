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

  static let cookieName = "ESTSAUTH"
  /// The seconds without use after which the session expires.
  ///
  /// It is Entra's default for a session that is not persistent, as with `ESTSAUTH`: 24 hours, extended by
  /// another 24 with each use ("Configurable token lifetimes", session tokens).
  static let lifetime = 86_400

  /// Returns the current or future ID of the session.
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
  package mutating func leaveOutSession() { removeAll { $0.name == SSOSession.cookieName } }
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

  /// Returns the session of the browser's cookie, or `nil` if it has ended or is unknown.
  package func session(of cookies: [NameValue]) throws -> SSOSession? {
    if let primary = cookies[Self.primaryRefreshTokenCookie],
      let record = try documents.refreshToken(secret: primary),
      record.kind == .primary, record.revokedAt == nil, now < record.expiresAt,
      try !Directory(documents: documents).lacksDevice(of: record)
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

  /// Extends the lifetime of the session, which signed a user in without a password.
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

  /// Returns `session_state` of a response and `sid` of a sign-out, or `nil` if the browser has no session.
  func id(of cookies: [NameValue]) throws -> String? {
    guard let secret = cookies[SSOSession.cookieName] else { return nil }
    return try kept(of: cookies)?.id(secret)
  }

  /// Records that an app to notify of a sign-out signed in with this session.
  ///
  /// - Returns: The session's ID, or `nil` if the browser has no session.
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

  func end(cookies: [NameValue]) throws {
    guard let secret = cookies[SSOSession.cookieName] else { return }
    let key = sha256Hex(secret)
    if try documents.document(.ssoSession, key) != nil { try documents.delete(.ssoSession, key) }
  }
}

/// `GET` and `POST /{tenant}/oauth2/v2.0/logout` (OpenID Connect RP-Initiated Logout §2).
///
/// It ends the browser session, and redirects to the app if the URI is registered for the app.
struct EndSessionEndpoint {
  let provider: ProviderResources

  func respond(_ tenant: AuthorityTenant, _ context: inout RequestContext) throws -> ProviderResponse {
    do { try context.require(checkTenantExists(tenant)) } catch { return context.errorPage(error) }
    let request = context.request
    let frames = try frontChannelAddresses(context.cookies)
    try provider.sessions.end(cookies: context.cookies)
    let cookies = [NameValue(SSOSession.cookieName, "")]
    let back = request.field("post_logout_redirect_uri")
    let named = request.field("client_id")
    let hinted = try audience(ofHint: request.field("id_token_hint"))
    let client =
      try (named ?? hinted).map { try provider.directory.registration(clientID: $0) }
      ?? owner(of: back)
    if let back, let client {
      let registered = client.allRedirectURIs + client.logoutURIs
      let checks = [
        Check(
          "ID token hint is the client's", expected: client.clientID, found: hinted ?? "none",
          hinted.map { $0.lowercased() == client.clientID.lowercased() } ?? true,
          source: "RP-Initiated Logout §2", failure: "the ID token hint is not the client's"),
        Check(
          "post-logout URI registered", expected: registered.joined(separator: " or "), found: back,
          isRegistered(back, in: registered), source: "RP-Initiated Logout §3",
          failure: "the post-logout URI is not registered"),
      ]
      context.checks += checks
      if checks.allSatisfy({ $0.verdict == .passed }) {
        let fields = request.field("state").map { [NameValue("state", $0)] } ?? []
        let address = appending(fields, to: back)
        return frames.isEmpty
          ? ProviderResponse(to: address, cookies: cookies) : signedOut(frames, next: address, cookies)
      }
    }
    return signedOut(frames, next: nil, cookies)
  }

  private func signedOut(_ frames: [String], next: String?, _ cookies: [NameValue]) -> ProviderResponse {
    var page = NoticePage(title: "Signed out", message: "You signed out of this browser.")
    page.frames = frames.isEmpty ? nil : frames
    page.next = next
    return ProviderResponse(.notice(page), cookies: cookies)
  }

  /// Returns the URLs that notify the apps of the session about the sign-out: `frontChannelLogoutURI?sid=…`.
  ///
  /// OpenID Connect Front-Channel Logout §3 also has `iss`, but Entra sends only `sid`
  /// (nginxinc/nginx-openid-connect #117).
  private func frontChannelAddresses(_ cookies: [NameValue]) throws -> [String] {
    guard let session = try provider.sessions.kept(of: cookies), let id = session.id else { return [] }
    return try (session.clients ?? []).compactMap {
      guard let uri = try provider.directory.registration(clientID: $0)?.frontChannelLogoutURI,
        isFrontChannelLogout(uri)
      else { return nil }
      return appending([NameValue("sid", id)], to: uri)
    }
  }

  /// Returns the client that registered this URI, for requests without a client ID, such as MSAL's on iOS
  /// (docs/behaviour/msal-cache.md §11).
  private func owner(of address: String?) throws -> ClientRegistration? {
    guard let address else { return nil }
    return try provider.directory.registrations().first {
      isRegistered(address, in: $0.allRedirectURIs + $0.logoutURIs)
    }
  }

  /// Returns the audience of an ID token, which may have expired.
  private func audience(ofHint hint: String?) throws -> String? {
    guard let hint else { return nil }
    return try? JSONWebToken(verifying: hint, keys: provider.keys.published()).claims["aud"]?.string
  }
}
