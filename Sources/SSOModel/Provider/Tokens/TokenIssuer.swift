import Essentials
import SSOCore

/// A request to issue tokens: the user, the client, and the resource.
struct TokenIssueRequest {
  var person: DirectoryUser
  /// The issuing tenant: the home tenant, or a tenant in which the user is a guest.
  var tenantID: String
  var client: ClientRegistration
  /// `azpacr`: the kind of client authentication.
  var authenticationClass: String
  var scopes: RequestedScopes
  /// The scopes of the API to which the user has consented.
  var consented: [String] = []
  var nonce: String?
  var deviceID: String?
  var claims: RequestedClaims
  var grantID: String?
  var authenticatedAt: Instant?
  var wantsClientInfo: Bool
  var situation: AccessSituation?
  /// The expiration of the refresh tokens of a single-page app.
  var singlePageEnd: Instant?
  /// `sid`: the browser session of the sign-in.
  var sessionID: String?
  /// The redirect URI of the sign-in, if it had one.
  var redirectURI: String?
  /// Whether the tokens are returned in the fragment of a redirect URI, which has less room for groups.
  var isInAddress = false
  /// The key that the access token is bound to, or `nil` for a bearer token.
  var confirmation: Confirmation?
  /// The resource of the access token.
  var target: ProtectedResource
  /// Whether the request used version 1 of the endpoint, whose ID token and response have other fields.
  ///
  /// The format of the access token depends on the resource.
  var isVersionOne: Bool
}

extension TokenIssueRequest {
  /// Whether the client can be challenged and the API evaluates access continuously.
  var isLongLived: Bool { claims.canBeChallenged && target.evaluatesContinuously }

  /// The lifetime of the access token, in seconds.
  var lifetime: Int { isLongLived ? TokenIssuer.continuousLifetime : TokenIssuer.lifetime }
}

/// An issuer of tokens with the claims of Entra's version 2.0 endpoint, or of version 1 where requested.
package struct TokenIssuer {
  let issuerOrigin: String
  var now: Instant
  let random: RandomSource
  let keys: SigningKeys
  let refreshTokens: RefreshTokens
  let appRoles: AppRoles
  /// The flaw of every token, set by a fault.
  let flaw: Fault.Kind.TokenFlaw?
  /// The user flow of Azure AD B2C, if there is one.
  var policy: String?
  /// Whether an AD FS issues the tokens.
  let isFederation: Bool
  /// Whether an external tenant issues the tokens.
  private var isExternal = false

  /// Creates an issuer with the origin, the user flow, and the kind of authority of the request.
  init(_ provider: ProviderResources, for request: TokenRequest) {
    self.init(
      provider, origin: Self.origin(for: request.http), policy: request.tenant.policy,
      isFederation: request.tenant.isFederation)
    isExternal = request.tenant.tenant?.isExternal == true && flaw != .issuer
  }

  /// Creates an issuer.
  ///
  /// Without policy and federation, it issues tokens for an app or a machine in an organisation's tenant.
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

  /// Returns the origin in `iss`: the preferred host for every alias, or else the host of the request.
  static func origin(for request: HTTPRequest) -> String {
    let host = URLParts(request.origin)?.authority ?? ""
    return PublicCloud.aliases.contains(host.lowercased())
      ? "https://" + PublicCloud.preferredNetwork : request.origin
  }

  /// The lifetime of an access token or ID token, in seconds.
  package static let lifetime = 3600
  /// The lifetime of a personal account's ID token, in seconds: 24 hours (docs/behaviour/provider.md §14).
  static let lifetimeOfPersonalID = 24 * 3600
  /// The lifetime of an access token whose API evaluates access continuously: 28 hours
  /// (docs/behaviour/graph.md §4).
  static let continuousLifetime = 28 * 3600

  func issue(_ request: TokenIssueRequest) throws -> TokenResponse {
    let isTicket = isForPersonalTicket(request)
    let accessClaims = try accessClaims(request)
    let access = try signed(accessClaims, atOnce: isTicket)
    var response = TokenResponse(
      accessToken: isTicket ? PersonalTicket.sealed(access) : access,
      scope: request.isVersionOne
        ? request.client.permissions(on: request.target)
        : request.scopes.granted(
          declining: request.client.declinedScopes, with: request.consented, on: request.target),
      expiresIn: request.lifetime)
    response.tokenType = request.confirmation == nil ? "Bearer" : Confirmation.tokenType
    // Without `resource`, clients treat the refresh token as limited to this resource, as those of AD FS are
    // (docs/behaviour/adal.md §3).
    response.resource = request.isVersionOne && !isFederation ? request.target.identifier : nil
    response.expiresOn = request.isVersionOne ? now.seconds + request.lifetime : nil
    response.extExpiresIn = max(request.client.extExpiresIn ?? 0, request.lifetime)
    response.refreshIn = request.client.refreshIn ?? (request.isLongLived ? request.lifetime / 2 : nil)
    if request.wantsClientInfo { response.clientInfo = clientInfo(request.person)?.encoded }
    if request.scopes.contains("openid") {
      response.idToken = try signed(idTokenClaims(request, beside: accessClaims))
    }
    if request.scopes.contains("offline_access") {
      response.refreshToken = try refreshTokens.issue(
        refreshTokenKind(request), for: request.person, client: request.client,
        deviceID: request.deviceID, scopes: request.scopes, grantID: request.grantID,
        situation: request.situation,
        end: request.singlePageEnd
          ?? policy.map { _ in now.adding(seconds: RefreshTokenRecord.lifetimeOfUserFlow) },
        userFlow: policy, redirectURI: request.redirectURI, random: random)
      response.refreshTokenExpiresIn = request.singlePageEnd.map { now.seconds(until: $0) }
    }
    response.familyID = refreshTokenKind(request) == .family ? request.client.familyID : nil
    return response
  }

  private func refreshTokenKind(_ request: TokenIssueRequest) -> RefreshTokenRecord.Kind {
    if request.singlePageEnd != nil { return .singlePage }
    return request.client.familyID == nil || isFederation ? .app : .family
  }

  /// Issues an app-only access token.
  ///
  /// The response does not contain a refresh token or an ID token.
  func issueForApp(
    _ client: ClientRegistration, authenticationClass: String, tenantID: String,
    target: ProtectedResource, isVersionOne: Bool, confirmation: Confirmation?
  ) throws -> TokenResponse {
    let object = Self.servicePrincipal(of: client.clientID, in: tenantID)
    var claims = stamps(tenantID: tenantID, objectID: object)
    claims["sub"] = .string(object)
    if target.tokenVersion == 1 {
      stampVersionOne(&claims, tenantID: tenantID)
      claims["idp"] = .string(issuerOfVersionOne(tenantID: tenantID))
    }
    stamp(&claims, clientID: client.clientID, authenticationClass: authenticationClass, target)
    // For other APIs, `idtyp` is an optional claim (Microsoft Learn, "Optional claims reference").
    if ProtectedResource.isFirstParty(target.appID) {
      claims["app_displayname"] = .string(client.displayName)
      claims["idtyp"] = "app"
    }
    claims["cnf"] = confirmation?.claim
    mark(&claims, tenantID: tenantID, appID: target.appID, objectID: object)
    if target.appID == ProtectedResource.graphAppID { claims["wids"] = [RoleTemplate.app.json] }
    try addRoles(&claims, of: [client.clientID], toAppOf: target.appID)
    try addOptionalClaims(&claims, toTokenFor: target)
    var response = TokenResponse(
      accessToken: try signed(claims), scope: "", expiresIn: Self.lifetime)
    response.extExpiresIn = Self.lifetime
    response.tokenType = confirmation == nil ? "Bearer" : Confirmation.tokenType
    if isVersionOne, !isFederation {
      (response.resource, response.expiresOn) = (target.identifier, now.seconds + Self.lifetime)
    }
    return response
  }

  /// Returns whether the access token has the form of the service for personal accounts.
  private func isForPersonalTicket(_ request: TokenIssueRequest) -> Bool {
    request.person.isPersonal && request.tenantID == request.person.homeTenantID && policy == nil
      && !isFederation && ProtectedResource.isFirstParty(request.target.appID)
  }

  /// `atOnce` is whether the result is needed before the response is complete.
  func signed(_ claims: [String: JSONValue], atOnce: Bool = false) throws -> String {
    var token = JSONWebToken(claims: ofAuthority(claims))
    // Only Microsoft Graph can verify its tokens (AzureAD/azure-activedirectory-identitymodel-extensions-for-dotnet#609
    // and #853).
    if let mark = claims["uti"]?.string, ProtectedResource.isAudienceOfGraph(claims["aud"]?.string ?? "") {
      token.header["nonce"] = .string(Base64URL.encode(sha256("nonce/\(mark)".utf8)))
    }
    let compact = try keys.sign(token, atOnce: atOnce || flaw == .signature)
    // The last base64url character may hold only padding bits, so change the first one.
    guard flaw == .signature, let dot = compact.lastIndex(of: ".") else { return compact }
    let first = compact.index(after: dot)
    return compact[..<first] + (compact[first] == "A" ? "B" : "A") + compact[first...].dropFirst()
  }

  func accessClaims(_ request: TokenIssueRequest) throws -> [String: JSONValue] {
    let target = request.target
    var claims = target.tokenVersion == 1 ? commonClaimsOfVersionOne(request) : commonClaims(request)
    // Only access tokens of version 1.0 have it (Microsoft Learn, "Access token claims reference"). 0 would mean that the
    // sign-in does not meet ISO/IEC 29115.
    if target.tokenVersion == 1 { claims["acr"] = "1" }
    claims["acrs"] = request.claims.contexts(of: .accessToken)
    if request.isLongLived { extend(&claims, to: request.lifetime) }
    stamp(
      &claims, clientID: request.client.clientID, authenticationClass: request.authenticationClass, target)
    // It is pairwise to the recipient of the token, which is the API (Microsoft Learn, "Access token claims reference").
    if !isFederation, let objectID = claims["oid"]?.string {
      claims["sub"] = .string(Self.subject(objectID, target.appID))
    }
    claims["scp"] = .string(
      request.isVersionOne
        ? request.client.permissions(on: target)
        : request.scopes.permissions(on: target, with: request.consented))
    claims["name"] = .string(request.person.displayName)
    if target.tokenVersion != 1 { claims["preferred_username"] = .string(request.person.username) }
    // An API of an app must ask for it (Microsoft Learn, "Optional claims reference": `xms_cc`).
    if ProtectedResource.isFirstParty(target.appID) { claims["xms_cc"] = request.claims.capabilities }
    claims["deviceid"] = request.situation?.deviceID.map(JSONValue.string)
    claims["cnf"] = request.confirmation?.claim
    if request.situation?.hasSecondFactor == true { claims[Self.markName] = .string(Self.secondFactorMark) }
    if target.tokenVersion != 1 { claims["idp"] = identityProvider(request) }
    mark(&claims, tenantID: request.tenantID, appID: target.appID, objectID: request.person.objectID)
    if target.appID == ProtectedResource.graphAppID { addClaimsOfGraph(&claims, request) }
    try addMemberships(&claims, request, toAppOf: target.appID)
    try addOptionalClaims(&claims, request, of: .accessToken)
    return claims
  }

  /// The claim of access tokens that only Entra reads (Microsoft Learn, "Access token claims reference": `aio`), in which
  /// the lab notes for a call on behalf of the user that the sign-in had a second factor.
  private static let (markName, secondFactorMark) = ("aio", "bWZh")

  /// Returns whether the claims of an access token are of a sign-in with a second factor.
  static func hasSecondFactor(_ claims: [String: JSONValue]) -> Bool {
    claims[markName]?.string == secondFactorMark
  }

  /// Adds the claims for an access token's audience and client.
  ///
  /// The client is `azp` in version 2.0 and `appid` in version 1.0 (Microsoft Learn, "Access token claims
  /// reference").
  func stamp(
    _ claims: inout [String: JSONValue], clientID: String, authenticationClass: String,
    _ target: ProtectedResource
  ) {
    claims["aud"] = .string(target.audience)
    let names = target.tokenVersion == 1 ? (id: "appid", proof: "appidacr") : (id: "azp", proof: "azpacr")
    claims[names.id] = .string(clientID)
    claims[names.proof] = .string(authenticationClass)
  }

  /// Returns the claims of the ID token of a response.
  ///
  /// It shares `uti` and `rh` with the access token, as recorded responses show. Personal accounts' ID tokens have neither.
  ///
  /// `access` has the claims of the access token, or is `nil` for a response without one.
  func idTokenClaims(
    _ request: TokenIssueRequest, beside access: [String: JSONValue]?
  ) throws -> [String: JSONValue] {
    var claims = request.isVersionOne ? idClaimsOfVersionOne(request) : idClaims(request)
    if let access {
      for name in Self.markNames { claims[name] = access[name] }
    } else {
      mark(
        &claims, tenantID: request.tenantID, appID: request.client.clientID,
        objectID: request.person.objectID)
    }
    if request.tenantID == Tenant.personalID {
      for name in Self.markNames { claims[name] = nil }
      if isOfEntra { extend(&claims, to: Self.lifetimeOfPersonalID) }
    }
    try addMemberships(&claims, request, toAppOf: request.client.clientID)
    try addOptionalClaims(&claims, request, of: .idToken)
    return claims
  }

  /// `idp`: the issuer of a guest's home tenant, or `nil` for a member.
  func identityProvider(_ request: TokenIssueRequest) -> JSONValue? {
    let home = request.person.homeTenantID
    return request.tenantID == home ? nil : .string(issuerOfVersionOne(tenantID: home))
  }

  /// Returns the claims of an ID token of version 2.0.
  ///
  /// The scope `profile` adds name, username, and object ID (Microsoft Learn, "ID token claims reference"); the parts of the
  /// name are optional claims in version 2.0 (Microsoft Learn, "Optional claims reference"), and a user flow's own.
  func idClaims(_ request: TokenIssueRequest) -> [String: JSONValue] {
    let person = request.person
    var claims = commonClaims(request)
    claims["aud"] = .string(request.client.clientID)
    if request.scopes.contains("profile") {
      claims["name"] = .string(person.displayName)
      claims["preferred_username"] = .string(person.username)
      if policy != nil {
        claims["given_name"] = person.givenName.map(JSONValue.string)
        claims["family_name"] = person.familyName.map(JSONValue.string)
      }
    } else {
      claims["oid"] = nil
    }
    claims["idp"] = identityProvider(request)
    // A guest's is present by default (Microsoft Learn, "ID token claims reference").
    if request.scopes.contains("email") || request.tenantID != person.homeTenantID {
      claims["email"] = .string(request.person.username)
    }
    claims["acrs"] = request.claims.contexts(of: .idToken)
    claims["auth_time"] = request.authenticatedAt.map { .integer(Int64($0.seconds)) }
    claims["nonce"] = request.nonce.map(JSONValue.string)
    claims["sid"] = request.sessionID.map(JSONValue.string)
    return claims
  }

  /// Whether the tokens are Entra's own, and not those of Azure AD B2C or AD FS.
  var isOfEntra: Bool { policy == nil && !isFederation }

  /// Replaces the lifetime of a token by a longer one, in seconds.
  private func extend(_ claims: inout [String: JSONValue], to lifetime: Int) {
    claims["exp"] = claims["exp"]?.integer.map { .integer($0 + Int64(lifetime - Self.lifetime)) }
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
    let issued = flaw == .expired ? now.adding(seconds: -lifetime - 60) : now
    let start = isOfEntra ? issued.adding(seconds: -TokenResponse.backdating) : issued
    let origin = flaw == .issuer ? "https://issuer.invalid" : issuerOrigin
    return [
      "iss": .string(
        Self.issuer(at: origin, tenantID: tenantID, policy: policy, isExternal: isExternal)),
      "tid": .string(tenantID),
      "oid": .string(objectID),
      "iat": .integer(Int64(start.seconds)), "nbf": .integer(Int64(start.seconds)),
      "exp": .integer(Int64(issued.seconds + lifetime)), "ver": "2.0",
    ]
  }

  /// Returns the object ID of an app in a tenant.
  static func servicePrincipal(of clientID: String, in tenantID: String) -> String {
    guid(of: "service principal \(clientID) in \(tenantID)".lowercased())
  }

  /// Returns the pairwise `sub`: the same user has a different one for every app that receives tokens.
  static func subject(_ objectID: String, _ appID: String) -> String {
    Base64URL.encode(sha256((objectID + "/" + appID).lowercased().utf8))
  }
}

extension [String: JSONValue] {
  /// The second in which a token with these claims was issued.
  var issueSecond: Int64? {
    guard let start = self["iat"]?.integer else { return nil }
    return isBackdated ? start + Int64(TokenResponse.backdating) : start
  }
}

/// The differences in tokens of Azure AD B2C, CIAM and AD FS (docs/behaviour/provider.md §14, §2).
extension TokenIssuer {
  /// `aud` of an AD FS access token that was requested without a resource.
  static let federationUserInfo = "urn:microsoft:userinfo"

  /// Returns `iss`.
  ///
  /// For B2C it ends with a slash; for an external tenant its host contains the tenant ID, whichever host was asked.
  static func issuer(
    at origin: String, tenantID: String, policy: String?, isExternal: Bool = false
  ) -> String {
    if policy != nil { return "\(origin)/\(tenantID)/v2.0/" }
    let isAtHost = isExternal || Tenant.isExternalHost(URLParts(origin)?.authority ?? "")
    return (isAtHost ? "https://\(tenantID)\(Tenant.externalHostSuffix)" : origin) + "/\(tenantID)/v2.0"
  }

  /// Returns the client info.
  ///
  /// B2C appends the policy to the object ID; AD FS does not return one.
  func clientInfo(_ person: DirectoryUser) -> ClientInfo? {
    guard !isFederation else { return nil }
    let home = person.clientInfo
    return policy.map { ClientInfo(uid: home.uid + "-" + $0.lowercased(), utid: home.utid) } ?? home
  }

  /// Returns the claims in the form of this authority.
  ///
  /// B2C contains the username only in `emails`. AD FS has neither tenant nor object IDs, and its access and
  /// ID tokens have different issuers.
  func ofAuthority(_ claims: [String: JSONValue]) -> [String: JSONValue] {
    var claims = claims
    if let policy {
      let username = claims.removeValue(forKey: "preferred_username")
      claims["sub"] = claims["oid"] ?? claims["sub"]
      claims["tfp"] = .string(policy)
      claims["emails"] = username.map { .array([$0]) }
      claims["ver"] = "1.0"
      claims["tid"] = nil
      for name in ["unique_name", "upn", "email"] + Self.claimsOfEntraAlone { claims[name] = nil }
    } else if isFederation {
      let username = claims["preferred_username"] ?? claims["upn"] ?? claims["unique_name"]
      let isAccessToken = (claims["appid"] ?? claims["azp"]) != nil
      if flaw != .issuer {
        let host = URLParts(issuerOrigin)?.authority ?? ""
        claims["iss"] = .string(
          isAccessToken ? "http://\(host)/adfs/services/trust" : issuerOrigin + "/adfs")
      }
      if claims["aud"]?.string == ProtectedResource.graphAppID {
        claims["aud"] = .string(Self.federationUserInfo)
      }
      claims["upn"] = username
      claims["unique_name"] = username
      claims["ver"] = "1.0"
      for name in ["tid", "oid", "preferred_username", "azp", "azpacr", "idp"] + Self.claimsOfEntraAlone {
        claims[name] = nil
      }
    }
    return claims
  }
}

/// The claims `groups`, `roles` and `wids`, as the app's registration requests them (docs/behaviour/graph.md §1).
extension TokenIssuer {
  /// The maximum number of groups in a token.
  ///
  /// A token in a URL contains fewer.
  static let mostGroups = 200
  static let mostGroupsInAddress = 5

  var directory: Directory { Directory(documents: refreshTokens.documents) }

  /// Adds `groups`, `roles` and `wids` as an app's registration requests them.
  ///
  /// The app is the API for an access token and the client for an ID token.
  func addMemberships(
    _ claims: inout [String: JSONValue], _ request: TokenIssueRequest, toAppOf appID: String
  ) throws {
    let (person, tenantID) = (request.person, request.tenantID)
    let roles = try appRoles.roles(at: appID)
    let wish = try directory.registration(clientID: appID)?.groupMembershipClaims ?? .none
    let wantsRoles = [.all, .directoryRole].contains(wish) || Self.namesRoles(appID)
    // A token in a URL has no room for them (Microsoft Learn, "Access token claims reference": `wids`).
    if wantsRoles, !request.isInAddress, tenantID != Tenant.personalID {
      claims["wids"] = Self.roleTemplates(of: person, tenantID: tenantID)
    }
    guard !roles.isEmpty || wish != .none else { return }
    let memberships = try Memberships(directory, tenantID: tenantID)
    let values = roles.values(of: [person.username] + memberships.direct(of: person.username).map(\.name))
    if !values.isEmpty { claims["roles"] = .array(values.map(JSONValue.string)) }
    guard [.all, .securityGroup].contains(wish) else { return }
    let groups = memberships.transitive(of: person.username).map(\.objectID)
    let hasTooMany = person.hasManyGroups ?? false
    if request.isInAddress, hasTooMany || groups.count > Self.mostGroupsInAddress {
      claims["hasgroups"] = .bool(true)
    } else if hasTooMany || groups.count > Self.mostGroups {
      let objectID = person.objectID(in: tenantID) ?? person.objectID
      claims["_claim_names"] = ["groups": "src1"]
      claims["_claim_sources"] = [
        "src1": [
          "endpoint": .string(
            "https://graph.windows.net/\(tenantID)/users/\(objectID)/getMemberObjects")
        ]
      ]
    } else if !groups.isEmpty {
      claims["groups"] = .array(groups.map(JSONValue.string))
    }
  }

  /// Adds the roles of an app or a managed identity that acts for itself.
  func addRoles(_ claims: inout [String: JSONValue], of names: [String], toAppOf appID: String) throws {
    let values = try appRoles.roles(at: appID).values(of: names)
    if !values.isEmpty { claims["roles"] = .array(values.map(JSONValue.string)) }
  }
}

/// Issuing of tokens for managed identities (docs/behaviour/workloads.md §2).
extension TokenIssuer {
  /// Issues an access token.
  ///
  /// Its `xms_mirid` is the Azure resource that the identity belongs to.
  func accessToken(
    of identity: ManagedIdentity, for target: ProtectedResource, lifetime: Int
  ) throws -> String {
    var claims = stamps(tenantID: identity.tenantID, objectID: identity.objectID, lifetime: lifetime)
    claims["sub"] = .string(identity.objectID)
    if target.tokenVersion == 1 { stampVersionOne(&claims, tenantID: identity.tenantID) }
    stamp(&claims, clientID: identity.clientID, authenticationClass: "2", target)
    try addRoles(&claims, of: [identity.name, identity.clientID], toAppOf: target.appID)
    claims["idp"] = .string(issuerOfVersionOne(tenantID: identity.tenantID))
    claims["idtyp"] = "app"
    claims["xms_mirid"] = .string(identity.resourceID)
    mark(&claims, tenantID: identity.tenantID, appID: target.appID, objectID: identity.objectID)
    if target.appID == ProtectedResource.graphAppID { claims["wids"] = [RoleTemplate.app.json] }
    return try signed(claims)
  }
}

/// The differences of the older endpoints (`/oauth2/authorize`, `/oauth2/token`), which ADAL uses
/// (docs/behaviour/provider.md §8(7), §14).
extension HTTPRequest {
  var isVersionOne: Bool {
    if path.lowercased().contains("/v2.0/") { return false }
    // AD FS has one endpoint for both versions. A request with a resource, or without a scope, is version 1.
    return !AuthorityPath(self).isFederation || field("resource") != nil || field("scope") == nil
  }
}

extension RequestedScopes {
  /// Returns whether a scope is `resource/.default`, which requests all registered permissions.
  package static func isDefault(_ scope: String) -> Bool {
    let scope = scope.lowercased()
    return scope == ".default" || isDefaultOfResource(scope)
  }

  /// Returns whether a scope is the `.default` of a named resource, in any case.
  ///
  /// No public source says that Entra refuses another case, so neither the provider nor doctor does.
  package static func isDefaultOfResource(_ scope: String) -> Bool {
    scope.lowercased().hasSuffix("/.default")
  }
}

extension ClientRegistration {
  /// `scp` of version 1: the last parts of the registered permissions.
  ///
  /// An app without registered permissions has the permission that Entra gives to every new app.
  func permissions(on target: ProtectedResource) -> String {
    let names = allowedScopes.filter { !RequestedScopes.openID.contains($0.lowercased()) }
      .map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    return names.isEmpty ? target.usualPermissions : names.joined(separator: " ")
  }
}

/// Returns `iss` of version 1, which is the same on every host.
func issuerOfVersionOne(tenantID: String) -> String { "https://sts.windows.net/\(tenantID)/" }

extension TokenIssuer {
  func idClaimsOfVersionOne(_ request: TokenIssueRequest) -> [String: JSONValue] {
    var claims = commonClaimsOfVersionOne(request)
    claims["aud"] = .string(request.client.clientID)
    claims["nonce"] = request.nonce.map(JSONValue.string)
    claims["sid"] = request.sessionID.map(JSONValue.string)
    return claims
  }

  /// The claims of Entra that the tokens of other authorities lack.
  fileprivate static let claimsOfEntraAlone =
    ["acct", "acr", "acrs", "amr", "app_displayname", "idtyp", "ipaddr", "wids", "xms_st"] + markNames

  /// `amr`: how the user signed in (Microsoft Learn, "Access token claims reference").
  private func methods(_ request: TokenIssueRequest) -> JSONValue? {
    let isByCertificate = request.situation?.hasCertificate == true
    var methods = isByCertificate ? ["rsa"] : request.person.hasNoPassword == true ? [] : ["pwd"]
    if request.situation?.hasSecondFactor == true { methods.append("mfa") }
    return methods.isEmpty ? nil : .array(methods.map(JSONValue.string))
  }

  /// `ipaddr`: the address of all users of a lab.
  static let address = "127.0.0.1"

  func stampVersionOne(_ claims: inout [String: JSONValue], tenantID: String) {
    if flaw != .issuer { claims["iss"] = .string(issuerOfVersionOne(tenantID: tenantID)) }
    claims["ver"] = "1.0"
  }

  /// Returns the common claims.
  ///
  /// A member has `upn`; a guest has `email`, and the home tenant as `idp`.
  func commonClaimsOfVersionOne(_ request: TokenIssueRequest) -> [String: JSONValue] {
    let person = request.person
    var claims = commonClaims(request)
    stampVersionOne(&claims, tenantID: request.tenantID)
    claims["amr"] = methods(request)
    claims["ipaddr"] = .string(Self.address)
    claims["unique_name"] = .string(person.username)
    claims["name"] = .string(person.displayName)
    claims["given_name"] = person.givenName.map(JSONValue.string)
    claims["family_name"] = person.familyName.map(JSONValue.string)
    claims["idp"] = identityProvider(request)
    claims[claims["idp"] == nil ? "upn" : "email"] = .string(person.username)
    return claims
  }
}
