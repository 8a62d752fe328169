import Essentials

/// Whom tokens are for, and what for.
struct TokenIssueRequest {
  var person: Person
  /// Tenant that issues: the home one, or one where the person is a guest.
  var tenantID: String
  var client: ClientRegistration
  /// `azpacr`: how the client proved itself.
  var authenticationClass: String
  var scopes: RequestedScopes
  var nonce: String?
  var deviceID: String?
  var claims: RequestedClaims
  var grantID: String?
  var authenticatedAt: Instant?
  var wantsClientInfo: Bool
  var situation: AccessSituation?
  /// Of a browser app: when its refresh tokens end.
  var singlePageEnd: Instant?
  /// `sid`: the browser's session that the sign-in was made in.
  var sessionID: String?
  /// The tokens go into the fragment of a redirect URI: there is less room for groups.
  var isInAddress = false
  /// What the access token is for.
  var target: ProtectedResource
  /// Version 1 of the endpoint: the ID token and the response have other fields.
  ///
  /// The access token is as the resource wants it.
  var isVersionOne: Bool
}

extension TokenIssueRequest {
  /// The client can be challenged, and the API evaluates continuously.
  var isLongLived: Bool { claims.canBeChallenged && target.evaluatesContinuously }

  /// Of the access token, in seconds.
  var lifetime: Int { isLongLived ? TokenIssuer.continuousLifetime : TokenIssuer.lifetime }
}

/// Makes tokens as Entra's version 2.0 endpoint does; those of version 1 have other claims.
package struct TokenIssuer {
  let issuerOrigin: String
  var now: Instant
  let random: RandomSource
  let keys: SigningKeys
  let refreshTokens: RefreshTokens
  let appRoles: AppRoles
  /// What a fault makes wrong in every token.
  let flaw: Fault.Kind.TokenFlaw?
  /// Set for a user flow of Azure AD B2C.
  var policy: String?
  /// The tokens are those of an AD FS.
  let isFederation: Bool

  /// Takes the origin, the user flow and the kind of authority from the request.
  init(_ provider: ProviderResources, for request: TokenRequest) {
    self.init(
      provider, origin: Self.origin(for: request.http), policy: request.tenant.policy,
      isFederation: request.tenant.isFederation)
  }

  /// Without a policy and a federation: for tokens of an app or a machine at an organisation's own tenant.
  ///
  /// `origin` is the beginning of `iss`.
  init(
    _ provider: ProviderResources, origin: String, policy: String? = nil, isFederation: Bool = false
  ) {
    issuerOrigin = origin
    now = provider.now
    random = provider.random
    keys = provider.keys
    refreshTokens = provider.refreshTokens
    appRoles = AppRoles(provider.directory)
    flaw = provider.tokenFlaw
    self.policy = policy
    self.isFederation = isFederation
  }

  /// The origin in `iss`: the preferred one for every alias, otherwise the one that was asked.
  static func origin(for request: HTTPRequest) -> String {
    let host = URLParts(request.origin)?.authority ?? ""
    return PublicCloud.aliases.contains(host.lowercased())
      ? "https://" + PublicCloud.preferredNetwork : request.origin
  }

  /// Lifetime of an access token in seconds; of an ID token too.
  package static let lifetime = 3600
  static let extendedLifetime = 7200
  /// Of an access token that its API can end at any time: 28 hours (docs/behaviour/graph.md §4).
  static let continuousLifetime = 28 * 3600

  func issue(_ request: TokenIssueRequest) throws -> TokenResponse {
    var response = TokenResponse(
      accessToken: try signed(accessClaims(request)),
      scope: request.isVersionOne
        ? request.client.permissions : request.scopes.granted(declining: request.client.declinedScopes),
      expiresIn: request.lifetime)
    // Without it a client takes the refresh token for one of this resource only: those of AD FS are (docs/behaviour/adal.md §3).
    response.resource = request.isVersionOne && !isFederation ? request.target.identifier : nil
    response.expiresOn = request.isVersionOne ? now.seconds + request.lifetime : nil
    response.extExpiresIn = max(Self.extendedLifetime, request.lifetime)
    response.refreshIn = request.client.refreshIn ?? (request.isLongLived ? request.lifetime / 2 : nil)
    if request.wantsClientInfo { response.clientInfo = clientInfo(request.person)?.encoded }
    if request.scopes.contains("openid") {
      var claims = request.isVersionOne ? idClaimsOfVersionOne(request) : idClaims(request)
      try addMemberships(&claims, request, toAppOf: request.client.clientID)
      response.idToken = try signed(claims)
    }
    if request.scopes.contains("offline_access") {
      response.refreshToken = try refreshTokens.issue(
        refreshTokenKind(request), for: request.person, client: request.client,
        deviceID: request.deviceID, scopes: request.scopes, grantID: request.grantID,
        situation: request.situation, end: request.singlePageEnd, random: random)
    }
    response.familyID = refreshTokenKind(request) == .family ? request.client.familyID : nil
    return response
  }

  private func refreshTokenKind(_ request: TokenIssueRequest) -> RefreshTokenRecord.Kind {
    if request.singlePageEnd != nil { return .singlePage }
    return request.client.familyID == nil || isFederation ? .app : .family
  }

  /// A token for an app that acts for no person: neither refresh token nor ID token.
  func issueForApp(
    _ client: ClientRegistration, authenticationClass: String, tenantID: String,
    target: ProtectedResource, isVersionOne: Bool
  ) throws -> TokenResponse {
    let object = Self.servicePrincipal(of: client.clientID, in: tenantID)
    var claims = stamps(tenantID: tenantID, objectID: object)
    claims["sub"] = .string(object)
    if target.tokenVersion == 1 { stampVersionOne(&claims, tenantID: tenantID) }
    stamp(&claims, clientID: client.clientID, authenticationClass: authenticationClass, target)
    claims["app_displayname"] = .string(client.displayName)
    claims["idtyp"] = "app"
    claims["uti"] = .string(Base64URL.encode(random.bytes(16)))
    try addRoles(&claims, of: [client.clientID], toAppOf: target.appID)
    var response = TokenResponse(
      accessToken: try signed(claims), scope: "", expiresIn: Self.lifetime)
    response.extExpiresIn = Self.extendedLifetime
    if isVersionOne, !isFederation {
      (response.resource, response.expiresOn) = (target.identifier, now.seconds + Self.lifetime)
    }
    return response
  }

  func signed(_ claims: [String: JSONValue]) throws -> String {
    let compact = try keys.sign(JSONWebToken(claims: ofAuthority(claims)))
    // The last digit may carry no bit of the signature: another one is turned.
    guard flaw == .signature, let dot = compact.lastIndex(of: ".") else { return compact }
    let first = compact.index(after: dot)
    return compact[..<first] + (compact[first] == "A" ? "B" : "A") + compact[first...].dropFirst()
  }

  func accessClaims(_ request: TokenIssueRequest) throws -> [String: JSONValue] {
    let target = request.target
    var claims = target.tokenVersion == 1 ? commonClaimsOfVersionOne(request) : commonClaims(request)
    if request.isLongLived {
      claims["exp"] = claims["iat"]?.integer.map { .integer($0 + Int64(request.lifetime)) }
    }
    stamp(
      &claims, clientID: request.client.clientID, authenticationClass: request.authenticationClass, target)
    claims["scp"] = .string(
      request.isVersionOne ? request.client.permissions : request.scopes.permissions)
    claims["name"] = .string(request.person.displayName)
    if target.tokenVersion != 1 { claims["preferred_username"] = .string(request.person.username) }
    let capabilities = request.claims.clientCapabilities
    if !capabilities.isEmpty { claims["xms_cc"] = .array(capabilities.map(JSONValue.string)) }
    claims["deviceid"] = request.situation?.deviceID.map(JSONValue.string)
    claims["uti"] = .string(Base64URL.encode(random.bytes(16)))
    try addMemberships(&claims, request, toAppOf: target.appID)
    return claims
  }

  /// Whom and what an access token is for.
  ///
  /// Version 2.0 knows the app as `azp`, version 1.0 as `appid` (Microsoft Learn, "Access token claims reference").
  func stamp(
    _ claims: inout [String: JSONValue], clientID: String, authenticationClass: String,
    _ target: ProtectedResource
  ) {
    claims["aud"] = .string(target.audience)
    let names = target.tokenVersion == 1 ? (id: "appid", proof: "appidacr") : (id: "azp", proof: "azpacr")
    claims[names.id] = .string(clientID)
    claims[names.proof] = .string(authenticationClass)
  }

  /// Name, user name and object ID come with the scope `profile` (Microsoft Learn, "ID token claims reference").
  func idClaims(_ request: TokenIssueRequest) -> [String: JSONValue] {
    let person = request.person
    var claims = commonClaims(request)
    claims["aud"] = .string(request.client.clientID)
    if request.scopes.contains("profile") {
      claims["name"] = .string(person.displayName)
      claims["preferred_username"] = .string(person.username)
      claims["given_name"] = person.givenName.map(JSONValue.string)
      claims["family_name"] = person.familyName.map(JSONValue.string)
    } else {
      claims["oid"] = nil
    }
    if request.tenantID != person.homeTenantID {
      claims["idp"] = .string(issuerOfVersionOne(tenantID: person.homeTenantID))
    }
    if request.scopes.contains("email") { claims["email"] = .string(request.person.username) }
    claims["auth_time"] = request.authenticatedAt.map { .integer(Int64($0.seconds)) }
    claims["nonce"] = request.nonce.map(JSONValue.string)
    claims["sid"] = request.sessionID.map(JSONValue.string)
    return claims
  }

  func commonClaims(_ request: TokenIssueRequest) -> [String: JSONValue] {
    let objectID = request.person.objectID(in: request.tenantID) ?? request.person.objectID
    var claims = stamps(tenantID: request.tenantID, objectID: objectID)
    claims["sub"] = .string(Self.subject(objectID, request.client.clientID))
    return claims
  }

  func stamps(
    tenantID: String, objectID: String, lifetime: Int = Self.lifetime
  ) -> [String: JSONValue] {
    let start = flaw == .expired ? now.adding(seconds: -lifetime - 60) : now
    let origin = flaw == .issuer ? "https://issuer.invalid" : issuerOrigin
    return [
      "iss": .string(Self.issuer(at: origin, tenantID: tenantID, policy: policy)), "tid": .string(tenantID),
      "oid": .string(objectID),
      "iat": .integer(Int64(start.seconds)), "nbf": .integer(Int64(start.seconds)),
      "exp": .integer(Int64(start.seconds + lifetime)), "ver": "2.0",
    ]
  }

  /// Object ID of an app in a tenant.
  static func servicePrincipal(of clientID: String, in tenantID: String) -> String {
    guid(of: "service principal \(clientID) in \(tenantID)".lowercased())
  }

  /// `sub` is pairwise: the same person has another one for every client.
  static func subject(_ objectID: String, _ clientID: String) -> String {
    Base64URL.encode(sha256((objectID + "/" + clientID).lowercased().utf8))
  }
}
