import SSOCore

/// `GET` and `POST /{tenant}/oauth2/v2.0/logout` (OpenID Connect RP-Initiated Logout §2).
///
/// It ends the browser session, or signs the account of `logout_hint` out of it, and redirects to the app if the URI is registered for the app.
struct EndSessionEndpoint {
  let provider: ProviderResources

  func respond(_ tenant: AuthorityTenant, _ context: inout RequestContext) throws -> ProviderResponse {
    do {
      try context.require([checkSize(context.request.sizeOfFields), checkTenantExists(tenant)])
    } catch {
      return context.errorPage(error)
    }
    let request = context.request
    let account = try accountToSignOut(request, context.cookies)
    let frames = try frontChannelAddresses(of: account, context.cookies)
    if let account {
      try provider.sessions.signOut(account, cookies: context.cookies)
    } else {
      try provider.sessions.end(cookies: context.cookies)
    }
    let cookies = account == nil ? [NameValue(SSOSession.cookieName, "")] : []
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

  /// Returns the account that the request names, if others stay signed in to the browser.
  ///
  /// The hint is the value of the claim `login_hint`. Without one, Entra asks which account to sign out; SSOTerm signs all of
  /// them out.
  private func accountToSignOut(_ request: HTTPRequest, _ cookies: [NameValue]) throws -> String? {
    guard let hint = request.field("logout_hint").flatMap(LoginHint.init),
      let username = try provider.directory.person(of: hint)?.username.lowercased(),
      let session = try provider.sessions.storedSession(of: cookies),
      session.usernames.contains(username), session.usernames.count > 1
    else { return nil }
    return username
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
  private func frontChannelAddresses(of account: String?, _ cookies: [NameValue]) throws -> [String] {
    guard let session = try provider.sessions.storedSession(of: cookies), let id = session.id else {
      return []
    }
    let clients = (session.clients ?? []).filter { client in
      account.map { session.usernamesOfClients?[client]?.contains($0) ?? true } ?? true
    }
    return try clients.compactMap {
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
