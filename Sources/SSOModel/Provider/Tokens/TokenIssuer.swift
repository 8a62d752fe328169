import Foundation
import SSOCore

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
  /// Version 1 of the endpoint: what the token is for. Nil for version 2, where scopes say it.
  var resource: String?
}

/// Makes tokens as Entra's version 2.0 endpoint does; those of version 1 have other claims.
struct TokenIssuer {
  let issuerOrigin: String
  let now: Instant
  let chance: Chance
  let keys: SigningKeys
  let refreshTokens: RefreshTokens
  /// What a fault makes wrong in every token.
  let flaw: Fault.Kind.TokenFlaw?
  /// Set for a user flow of Azure AD B2C.
  var policy: String?
  /// The tokens are those of an AD FS.
  let isFederation: Bool

  /// - Parameter request: names the origin, the user flow and the kind of authority.
  init(_ provider: ProviderResources, for request: TokenRequest) {
    issuerOrigin = Self.origin(for: request.http)
    now = provider.now
    chance = provider.chance
    keys = provider.keys
    refreshTokens = provider.refreshTokens
    flaw = provider.tokenFlaw
    policy = request.tenant.policy
    isFederation = request.tenant.isFederation
  }

  /// Origin that stands in `iss`: the preferred one for every alias, otherwise the one that was asked.
  static func origin(for request: HTTPRequest) -> String {
    let host = URLParts(request.origin)?.authority ?? ""
    return PublicCloud.aliases.contains(host.lowercased())
      ? "https://" + PublicCloud.preferredNetwork : request.origin
  }

  /// Lifetime of an access token in seconds; of an ID token too.
  static let lifetime = 3600
  static let extendedLifetime = 7200

  func issue(_ order: TokenIssueRequest) throws -> TokenResponse {
    var response = TokenResponse(
      accessToken: try signed(
        order.resource.map { accessClaims(order, resource: $0) } ?? accessClaims(order)),
      scope: order.resource == nil
        ? order.scopes.granted(declining: order.client.declinedScopes ?? []) : order.client.permissions,
      expiresIn: Self.lifetime)
    // Without it a client takes the refresh token for one of this resource only: those of AD FS are (fact sheet §2.3).
    response.resource = isFederation ? nil : order.resource
    response.expiresOn = order.resource.map { _ in now.seconds + Self.lifetime }
    response.extExpiresIn = Self.extendedLifetime
    response.refreshIn = order.client.refreshIn
    if order.wantsClientInfo { response.clientInfo = clientInfo(order.person)?.encoded }
    if order.scopes.contains("openid") {
      response.idToken = try signed(order.resource == nil ? idClaims(order) : idClaimsOfVersionOne(order))
    }
    if order.scopes.contains("offline_access") {
      response.refreshToken = try refreshTokens.issue(
        order.client.familyID == nil || isFederation ? .app : .family, for: order.person,
        client: order.client,
        deviceID: order.deviceID, scopes: order.scopes, grantID: order.grantID,
        situation: order.situation, chance: chance)
    }
    response.familyID = isFederation ? nil : order.client.familyID
    return response
  }

  /// A token for an app that acts for no person: neither refresh token nor ID token.
  func issueForApp(
    _ client: ClientRegistration, authenticationClass: String, tenantID: String, resource: String,
    isVersionOne: Bool
  ) throws -> TokenResponse {
    let object = guid(of: "service principal \(client.clientID) in \(tenantID)".lowercased())
    var claims = stamps(tenantID: tenantID, objectID: object)
    claims["sub"] = .string(object)
    claims["aud"] = .string(resource)
    claims["appid"] = .string(client.clientID)
    if isVersionOne {
      stampVersionOne(&claims, tenantID: tenantID)
      claims["appidacr"] = .string(authenticationClass)
    } else {
      claims["azp"] = .string(client.clientID)
      claims["azpacr"] = .string(authenticationClass)
    }
    claims["app_displayname"] = .string(client.displayName)
    claims["idtyp"] = "app"
    claims["uti"] = .string(Base64URL.encode(chance.bytes(16)))
    var response = TokenResponse(
      accessToken: try signed(claims), scope: "", expiresIn: Self.lifetime)
    response.extExpiresIn = Self.extendedLifetime
    if isVersionOne, !isFederation {
      (response.resource, response.expiresOn) = (resource, now.seconds + Self.lifetime)
    }
    return response
  }

  private func signed(_ claims: [String: JSONValue]) throws -> String {
    let compact = try keys.sign(JSONWebToken(claims: ofAuthority(claims)))
    // The last digit may carry no bit of the signature: another one is turned.
    guard flaw == .signature, let dot = compact.lastIndex(of: ".") else { return compact }
    let first = compact.index(after: dot)
    return compact.replacingCharacters(in: first...first, with: compact[first] == "A" ? "B" : "A")
  }

  private func accessClaims(_ order: TokenIssueRequest) -> [String: JSONValue] {
    var claims = commonClaims(order)
    let isForItself = order.scopes.contains(order.client.clientID.lowercased())
    claims["aud"] = .string(
      isForItself ? order.client.clientID : order.scopes.resources.first ?? RequestedScopes.graph)
    claims["scp"] = .string(order.scopes.permissions)
    claims["appid"] = .string(order.client.clientID)
    claims["azp"] = .string(order.client.clientID)
    claims["azpacr"] = .string(order.authenticationClass)
    claims["name"] = .string(order.person.displayName)
    claims["preferred_username"] = .string(order.person.username)
    let capabilities = order.claims.clientCapabilities
    if !capabilities.isEmpty { claims["xms_cc"] = .array(capabilities.map(JSONValue.string)) }
    claims["deviceid"] = order.situation?.deviceID.map(JSONValue.string)
    claims["uti"] = .string(Base64URL.encode(chance.bytes(16)))
    return claims
  }

  private func idClaims(_ order: TokenIssueRequest) -> [String: JSONValue] {
    var claims = commonClaims(order)
    claims["aud"] = .string(order.client.clientID)
    claims["name"] = .string(order.person.displayName)
    claims["preferred_username"] = .string(order.person.username)
    claims["given_name"] = order.person.givenName.map(JSONValue.string)
    claims["family_name"] = order.person.familyName.map(JSONValue.string)
    if order.scopes.contains("email") { claims["email"] = .string(order.person.username) }
    claims["auth_time"] = order.authenticatedAt.map { .integer(Int64($0.seconds)) }
    claims["nonce"] = order.nonce.map(JSONValue.string)
    return claims
  }

  func commonClaims(_ order: TokenIssueRequest) -> [String: JSONValue] {
    let objectID = order.person.objectID(in: order.tenantID) ?? order.person.objectID
    var claims = stamps(tenantID: order.tenantID, objectID: objectID)
    claims["sub"] = .string(subject(objectID, order.client.clientID))
    return claims
  }

  private func stamps(tenantID: String, objectID: String) -> [String: JSONValue] {
    let start = flaw == .expired ? now.adding(seconds: -Self.lifetime - 60) : now
    let origin = flaw == .issuer ? "https://issuer.invalid" : issuerOrigin
    return [
      "iss": .string(Self.issuer(at: origin, tenantID: tenantID, policy: policy)), "tid": .string(tenantID),
      "oid": .string(objectID),
      "iat": .integer(Int64(start.seconds)), "nbf": .integer(Int64(start.seconds)),
      "exp": .integer(Int64(start.seconds + Self.lifetime)), "ver": "2.0",
    ]
  }

  /// `sub` is pairwise: the same person has another one for every client.
  func subject(_ objectID: String, _ clientID: String) -> String {
    Base64URL.encode(sha256((objectID + "/" + clientID).lowercased().utf8))
  }
}
