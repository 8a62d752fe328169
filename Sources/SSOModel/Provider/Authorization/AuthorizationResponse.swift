import Essentials
import SSOCore
import SSOReference
import SafeText

/// The end of a sign-in: the redirect to the app (RFC 6749 §4.1.2), or a page if the sign-in was for another
/// device.
struct AuthorizationResponse {
  let provider: ProviderResources
  let flow: SignInFlow

  /// Redirects to the app with the result: `redirect_uri?code=…&client_info=…&state=…&session_state=…`.
  func completed(
    for person: DirectoryUser, _ situation: AccessSituation, cookies: [NameValue], _ context: RequestContext
  ) throws -> ProviderResponse {
    var situation = situation
    situation.sessionID = try provider.sessions.id(of: cookies + context.cookies)
    if let key = flow.deviceKey {
      return try completeDeviceAuthorization(key, approvedBy: person, situation, cookies: cookies)
    }
    let registration = try provider.directory.registration(clientID: flow.clientID)
    let sessionID = try registration?.frontChannelLogoutURI.flatMap { _ in
      try provider.sessions.add(
        flow.clientID.lowercased(), of: person.username, cookies: cookies + context.cookies)
    }
    let type = flow.responseType ?? .code
    let code = type.hasCode ? try newCode(for: person, situation, sessionID: sessionID) : nil
    var fields = code.map { [NameValue("code", $0)] } ?? []
    if let registration, type.hasTokens {
      let tokens = FrontChannelTokens(
        provider: provider, flow: flow, person: person, situation: situation, sessionID: sessionID)
      fields += try tokens.fields(for: registration, code: code, context)
    }
    if flow.wantsClientInfo ?? true {
      fields.append(NameValue("client_info", person.clientInfo.encoded))
    }
    if let state = flow.state { fields.append(NameValue("state", state)) }
    if let session = try provider.sessions.id(of: cookies + context.cookies) {
      fields.append(NameValue("session_state", session))
    }
    return respond(fields, cookies: cookies)
  }

  private func newCode(
    for person: DirectoryUser, _ situation: AccessSituation, sessionID: String?
  ) throws -> String {
    let secret = AuthorizationCode.prefix + Base64URL.encode(provider.random.bytes(32))
    var code = AuthorizationCode(
      clientID: flow.clientID, redirectURI: flow.redirectURI, codeChallenge: flow.codeChallenge,
      authoritySegment: flow.authoritySegment, username: person.username.lowercased(), scopes: flow.scopes,
      nonce: flow.nonce, issuedAt: provider.now,
      authenticatedAt: flow.maxAge != nil || flow.claims?.asksAuthTime == true ? flow.authenticatedAt : nil,
      situation: situation)
    code.sessionID = sessionID
    code.contexts = flow.claims?.contexts
    let key = "code/" + sha256Hex(secret)
    try provider.documents.write(code, .authorizationCode, key)
    try ExpiryPurge(documents: provider.documents, now: provider.now).purge(
      after: key, in: .authorizationCode)
    return secret
  }

  /// The field of each response to a request for an administrator's consent (MicrosoftDocs/azure-docs#114009).
  private static let adminConsent = NameValue("admin_consent", "True")

  /// Redirects to the app after an administrator's consent: `redirect_uri?admin_consent=True&tenant=…&scope=…&state=…`, in
  /// version 1 without the scopes (Microsoft Learn, "Admin consent on the Microsoft identity platform" and "OAuth 2.0 client
  /// credentials flow on the Microsoft identity platform").
  func consented(tenantID: String) -> ProviderResponse {
    var fields = [Self.adminConsent, NameValue("tenant", tenantID)]
    if flow.isVersionOne != true {
      fields.append(NameValue("scope", flow.scopes.all.joined(separator: " ")))
    }
    if let state = flow.state { fields.append(NameValue("state", state)) }
    return respond(fields, cookies: [])
  }

  /// Redirects to the app with `error`, `error_description`, `error_subcode` and `state` (RFC 6749 §4.1.2.1).
  func withError(_ error: OAuthError, _ context: inout RequestContext) throws -> ProviderResponse {
    let error = error.asAnsweredAt(flow.path)
    context.refusal = error
    if let key = flow.deviceKey { return try completeDeviceAuthorization(key, approvedBy: nil) }
    let body = OAuthErrorBody(
      error, traceID: provider.random.uuid(), correlationID: context.correlationID, now: provider.now)
    var fields = [
      NameValue("error", error.code.text), NameValue("error_description", body.description),
    ]
    if error.isOfFederation { fields.append(NameValue("client-request-id", context.correlationID)) }
    if let page = error.page(at: context.request.origin) { fields.append(NameValue("error_uri", page)) }
    if let suberror = error.suberror { fields.append(NameValue("error_subcode", suberror)) }
    if flow.isAdminConsent == true { fields.append(Self.adminConsent) }
    if let state = flow.state { fields.append(NameValue("state", state)) }
    var response = respond(fields, cookies: [])
    if provider.isServed { response.http.headers.append(NameValue("x-ms-request-id", body.traceID)) }
    return response
  }

  /// Saves the user's decision about another device, whose next poll receives the result.
  private func completeDeviceAuthorization(
    _ key: String, approvedBy person: DirectoryUser?, _ situation: AccessSituation? = nil,
    cookies: [NameValue] = []
  ) throws -> ProviderResponse {
    let name = try provider.directory.registration(clientID: flow.clientID)?.displayName ?? flow.clientID
    if var authorization = try provider.deviceAuthorizations.authorization(key: key) {
      authorization.state = person == nil ? .declined : .approved
      authorization.username = person?.username.lowercased()
      authorization.authenticatedAt = flow.authenticatedAt
      authorization.hasSecondFactor = situation?.hasSecondFactor
      authorization.hasExternalControl = situation?.hasExternalControl
      try provider.deviceAuthorizations.save(authorization, key: key)
      try provider.deviceAuthorizations.unlink(userCode: authorization.userCode)
    }
    let notice =
      person == nil
      ? NoticePage(
        title: "Sign-in declined", message: "\(name) was not signed in. You may close this window.",
        isRefusal: true)
      : NoticePage(
        title: "Signed in",
        message:
          "You have signed in to the \(name) application on your device. You may now close this window.")
    return ProviderResponse(.notice(notice), cookies: cookies)
  }

  private func respond(_ fields: [NameValue], cookies: [NameValue]) -> ProviderResponse {
    switch flow.responseMode {
    case "form_post":
      var response = HTTPResponse.page(200, cookies: cookies)
      response.body = Data(formPost(to: flow.redirectURI, fields).utf8)
      return ProviderResponse(response, setCookies: cookies)
    case "fragment":
      return ProviderResponse(to: address + "#" + FormEncoding.encode(fields), cookies: cookies)
    default: return ProviderResponse(to: appending(fields, to: address), cookies: cookies)
    }
  }

  /// The redirect URI as Entra puts it in front of a query or a fragment: with a slash if it has no path (Microsoft Learn,
  /// "Redirect URI (reply URL) best practices and limitations").
  private var address: String {
    let uri = flow.redirectURI
    guard let parts = URLParts(uri), ["http", "https"].contains(parts.scheme), parts.path.isEmpty,
      !flow.path.isPolicy, !flow.path.isFederation
    else { return uri }
    return parts.origin + "/" + uri.dropFirst(parts.origin.count)
  }

  /// Returns a page that posts itself to the app's listener (OAuth 2.0 Form Post Response Mode), or through
  /// its button if scripts are disabled.
  private func formPost(to url: String, _ fields: [NameValue]) -> String {
    let inputs = fields.map {
      "<input type=\"hidden\" name=\"\(Escaping.html.signs(in: $0.name))\" value=\"\(Escaping.html.signs(in: $0.value))\">"
    }
    return """
      <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Back to the app</title></head>\
      <body onload="document.forms[0].submit()"><p>You are sent back to the app. If nothing happens:</p>\
      <form method="post" action="\(Escaping.html.signs(in: url))">\(inputs.joined())<button>Continue</button></form></body></html>
      """
  }
}

/// An authorization code (RFC 6749 §4.1.2).
///
/// It is stored after its redemption so that a second redemption is detected.
struct AuthorizationCode: Codable, Hashable {
  var clientID: String
  var redirectURI: String
  /// The PKCE code challenge, or `nil` if a confidential client did not send one.
  var codeChallenge: String?
  var authoritySegment: String
  var username: String
  var scopes: RequestedScopes
  var nonce: String?
  var issuedAt: Instant
  var redeemedAt: Instant?
  /// The time of the sign-in, if the ID token must contain it.
  var authenticatedAt: Instant?
  /// `sid`: the browser session of the sign-in.
  var sessionID: String?
  /// The circumstances of the sign-in.
  var situation: AccessSituation?
  /// The authentication contexts that the sign-in was asked for.
  var contexts: [String: [String]]?

  /// The prefix of every code.
  static let prefix = "0.C"
  /// The lifetime in seconds: ten minutes.
  static let lifetime = 600
}

/// The tokens that the authorization endpoint itself issues (OpenID Connect Core §3.2.2.5, §3.3.2.5).
///
/// The sign-in has already checked the user, scopes, policies and consent. A refresh token is never included.
struct FrontChannelTokens {
  let provider: ProviderResources
  let flow: SignInFlow
  let person: DirectoryUser
  let situation: AccessSituation
  let sessionID: String?

  /// Returns the fields of the response, in Entra's order.
  func fields(
    for client: ClientRegistration, code: String?, _ context: RequestContext
  ) throws -> [NameValue] {
    let tenant = try AuthorityTenant(flow.authoritySegment, in: provider.directory)
    let tenantID = tenant.issuingTenantID(for: person) ?? person.homeTenantID
    let claims = try flow.claims ?? RequestedClaims(nil)
    let request = TokenRequest(
      http: context.request, tenant: tenant, client: client, authenticationClass: "0", scopes: flow.scopes,
      claims: claims)
    let scopeRequest = try ScopeRequest(flow.scopes, for: client, at: tenant, in: provider.directory)
    guard let target = scopeRequest.resource else { throw checkResourceIsKnown(scopeRequest).refusal }
    try provider.noteTokens(for: client.clientID, of: person, tenantID: tenantID)
    let asksTime = flow.maxAge != nil || claims.asksAuthTime
    var issue = TokenIssueRequest(
      person: person, tenantID: tenantID, client: client, authenticationClass: "0", scopes: flow.scopes,
      nonce: flow.nonce, deviceID: situation.deviceID, claims: claims, grantID: nil,
      authenticatedAt: asksTime ? flow.authenticatedAt : nil, wantsClientInfo: false, situation: situation,
      sessionID: sessionID, target: target, isVersionOne: flow.isVersionOne ?? false)
    issue.isInAddress = flow.responseMode != "form_post"
    issue.consented = try provider.consents.scopes(
      of: person, at: tenant, tenantID: tenantID, for: client, on: target)
    var issuer = TokenIssuer(provider, for: request)
    issuer.now = try provider.issueTime(for: person, tenantID: tenantID, clientID: client.clientID)
    return try issuer.issueAtAuthorization(issue, flow.responseType ?? .code, code: code)
  }
}

extension TokenIssuer {
  fileprivate func issueAtAuthorization(
    _ request: TokenIssueRequest, _ type: ResponseType, code: String?
  ) throws -> [NameValue] {
    var fields: [NameValue] = []
    var access: [String: JSONValue]?
    var hashes: [String: JSONValue] = [:]
    hashes["c_hash"] = code.map { .string(leftHash(of: $0)) }
    if type.hasAccessToken {
      access = try accessClaims(request)
      let token = try signed(access ?? [:])
      hashes["at_hash"] = .string(leftHash(of: token))
      fields += [
        NameValue("access_token", token), NameValue("token_type", "Bearer"),
        NameValue("expires_in", String(request.lifetime)),
        NameValue(
          "scope",
          request.scopes.granted(
            declining: request.client.declinedScopes, with: request.consented, on: request.target)),
      ]
    }
    if type.hasIDToken {
      let claims = try idTokenClaims(request, beside: access).merging(hashes) { $1 }
      fields.append(NameValue("id_token", try signed(claims)))
    }
    return fields
  }
}

/// Returns the left half of the SHA-256 in base64url, which an RS256 ID token contains for an accompanying
/// code or token (OpenID Connect Core §3.3.2.11).
private func leftHash(of text: String) -> String { Base64URL.encode(sha256(text.utf8).prefix(16)) }
