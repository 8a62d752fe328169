import Essentials
import SSOCore

/// `optionalClaims` of a registration: the claims that its ID tokens, and the access tokens for it as an API, have beyond the
/// usual ones (Microsoft Learn, "Optional claims reference").
///
/// The JSON is that of Entra's manifest. A claim without `additionalProperties` may also be its name alone.
package struct OptionalClaims: Codable, Hashable, Sendable {
  package var idToken: [OptionalClaim]?
  package var accessToken: [OptionalClaim]?

  package init(idToken: [OptionalClaim]? = nil, accessToken: [OptionalClaim]? = nil) {
    self.idToken = idToken
    self.accessToken = accessToken
  }

  /// The keys of the manifest; claims of SAML tokens have no effect.
  package static let tokens = ["idToken", "accessToken", "saml2Token"]

  /// The names that the reference lists.
  ///
  /// A claim of which the lab knows no value is absent from tokens, as at Entra.
  package static let names: Set = [
    "acct", "acrs", "aud", "auth_time", "ctry", "email", "family_name", "fwd", "given_name", "groups",
    "idtyp", "in_corp", "ipaddr", "login_hint", "onprem_sid", "preferred_username", "pwd_exp", "pwd_url",
    "sid", "tenant_ctry", "tenant_region_scope", "upn", "verified_primary_email",
    "verified_secondary_email", "vnet", "xms_cc", "xms_edov", "xms_pdl", "xms_pl", "xms_tpl", "ztdid",
  ]

  /// The value of Entra's manifest, in which each claim is an object.
  package var manifest: JSONValue {
    func list(_ claims: [OptionalClaim]?) -> JSONValue {
      .array(
        (claims ?? []).map {
          [
            "name": .string($0.name), "source": .null, "essential": .bool(false),
            "additionalProperties": .array($0.additionalProperties.map(JSONValue.string)),
          ]
        })
    }
    return ["idToken": list(idToken), "accessToken": list(accessToken), "saml2Token": []]
  }

  func claims(of token: RequestedClaims.Token) -> [OptionalClaim] {
    (token == .idToken ? idToken : accessToken) ?? []
  }
}

package struct OptionalClaim: Codable, Hashable, Sendable {
  package var name: String
  package var additionalProperties: [String]

  package init(_ name: String, additionalProperties: [String] = []) {
    self.name = name
    self.additionalProperties = additionalProperties
  }

  private enum CodingKeys: String, CodingKey { case name, additionalProperties }

  package init(from decoder: any Decoder) throws {
    if let name = try? decoder.singleValueContainer().decode(String.self) {
      self.init(name)
    } else {
      let fields = try decoder.container(keyedBy: CodingKeys.self)
      self.init(
        try fields.decode(String.self, forKey: .name),
        additionalProperties: try fields.decodeIfPresent([String].self, forKey: .additionalProperties) ?? []
      )
    }
  }

  package func encode(to encoder: any Encoder) throws {
    guard !additionalProperties.isEmpty else {
      var container = encoder.singleValueContainer()
      return try container.encode(name)
    }
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(name, forKey: .name)
    try fields.encode(additionalProperties, forKey: .additionalProperties)
  }
}

extension TokenIssuer {
  /// Adds the optional claims of the registration to a user's token: the API's for an access token, the client's for an ID token.
  func addOptionalClaims(
    _ claims: inout [String: JSONValue], _ request: TokenIssueRequest, of token: RequestedClaims.Token
  ) throws {
    let app = token == .idToken ? request.client.clientID : request.target.appID
    guard isOfEntra, let wish = try directory.registration(clientID: app)?.optionalClaims else { return }
    for claim in wish.claims(of: token) {
      guard let value = try value(of: claim, request, beside: claims) else { continue }
      switch claim.name {
      // The two claims of version 1.0 alone, and the one of access tokens alone.
      case "aud" where token == .idToken || request.target.tokenVersion != 1: break
      case "idtyp" where token == .idToken: break
      default: claims[claim.name] = value
      }
    }
    // It needs the claim `email`, which may follow it in the list.
    if wish.claims(of: token).contains(where: { $0.name == "xms_edov" }), claims["email"] != nil {
      claims["xms_edov"] = .bool(try isDomainVerified(of: request.person))
    }
  }

  /// Adds the optional claims of an API's registration to an app-only access token.
  func addOptionalClaims(_ claims: inout [String: JSONValue], toTokenFor target: ProtectedResource) throws {
    guard let wish = try directory.registration(clientID: target.appID)?.optionalClaims else { return }
    for claim in wish.accessToken ?? [] {
      switch claim.name {
      case "idtyp": claims["idtyp"] = "app"
      case "aud" where target.tokenVersion == 1 && claim.additionalProperties.contains("use_guid"):
        claims["aud"] = .string(target.appID)
      default: break
      }
    }
  }

  /// Returns the value of a claim that the lab knows, or `nil`.
  private func value(
    of claim: OptionalClaim, _ request: TokenIssueRequest, beside claims: [String: JSONValue]
  ) throws -> JSONValue? {
    let person = request.person
    let isGuest = request.tenantID != person.homeTenantID
    let hasProfile = request.scopes.contains("profile")
    switch claim.name {
    case "acct": return .integer(isGuest ? 1 : 0)
    case "auth_time":
      return (request.situation?.authenticatedAt ?? request.authenticatedAt).map {
        .integer(Int64($0.seconds))
      }
    case "email": return .string(person.username)
    case "given_name": return hasProfile ? person.givenName.map(JSONValue.string) : claims["given_name"]
    case "family_name": return hasProfile ? person.familyName.map(JSONValue.string) : claims["family_name"]
    case "ipaddr": return .string(Self.address)
    case "login_hint": return .string(LoginHint(person).text)
    case "preferred_username": return .string(person.username)
    case "sid": return (request.sessionID ?? request.situation?.sessionID).map(JSONValue.string)
    case "tenant_region_scope": return Cloud(host: URLParts(issuerOrigin)?.authority ?? "")?.regionScope
    case "upn": return try userPrincipalName(request, claim, hasProfile: hasProfile) ?? claims["upn"]
    case "xms_cc": return request.claims.capabilities
    case "aud" where claim.additionalProperties.contains("use_guid"): return .string(request.target.appID)
    case "idtyp" where claim.additionalProperties.contains("include_user_token"): return "user"
    default: return nil
    }
  }

  /// Returns `upn`: that of a guest is in the form of the tenant's directory, and only if the registration asks for it.
  private func userPrincipalName(
    _ request: TokenIssueRequest, _ claim: OptionalClaim, hasProfile: Bool
  ) throws -> JSONValue? {
    let person = request.person
    guard hasProfile else { return nil }
    guard request.tenantID != person.homeTenantID else { return .string(person.username) }
    let properties = claim.additionalProperties
    let mark =
      properties.contains("include_externally_authenticated_upn")
      ? "#EXT#" : properties.contains("include_externally_authenticated_upn_without_hash") ? "_EXT_" : nil
    guard let mark, let tenant = try directory.tenant(byNameOrID: request.tenantID) else { return nil }
    let name = person.username.replacing("@", with: "_")
    return .string(name + mark + "@" + (tenant.initialDomains.first ?? tenant.id))
  }

  /// Whether the domain of a user's address is one of their tenant, as those of organisations and of personal accounts are.
  private func isDomainVerified(of person: DirectoryUser) throws -> Bool {
    let domain = person.username.split(separator: "@").last?.lowercased() ?? ""
    return try person.isPersonal
      || directory.tenant(byNameOrID: person.homeTenantID)?.domains.contains(domain) == true
  }
}

/// The value of the optional claim `login_hint`, which names an account to the provider alone, as `login_hint` of a sign-in or
/// `logout_hint` of a sign-out (Microsoft Learn, "Optional claims reference", "OpenID Connect on the Microsoft identity platform").
///
/// Microsoft calls it opaque. Its form is that of recorded values: `O.` and in base64 the object ID, the home tenant's ID, and the
/// username, as the strings 1 to 3 of a Protocol Buffers message.
struct LoginHint: Hashable {
  var objectID: String
  var tenantID: String
  var username: String

  private static let prefix = "O."

  init(_ person: DirectoryUser) {
    (objectID, tenantID, username) = (person.objectID, person.homeTenantID, person.username)
  }

  var text: String {
    let fields = [objectID, tenantID, username].enumerated().map { index, value in
      // A length of one byte: IDs have 36 characters, and a username is cut.
      let bytes = Array(value.utf8.prefix(127))
      return [UInt8((index + 1) << 3 | 2), UInt8(bytes.count)] + bytes
    }
    return Self.prefix + Base64URL.encode(fields.flatMap(\.self))
  }

  /// Reads a hint, or returns `nil` for any other text, such as a username.
  init?(_ text: String) {
    guard text.hasPrefix(Self.prefix), text.utf8.count < 1024,
      let bytes = Base64URL.decode(String(text.dropFirst(Self.prefix.count)))
    else { return nil }
    var rest = Array(bytes)[...]
    var values: [String] = []
    while values.count < 3 {
      guard rest.count >= 2, rest.removeFirst() == UInt8((values.count + 1) << 3 | 2) else { return nil }
      let length = Int(rest.removeFirst())
      guard rest.count >= length else { return nil }
      values.append(String(decoding: rest.prefix(length), as: UTF8.self))
      rest = rest.dropFirst(length)
    }
    (objectID, tenantID, username) = (values[0], values[1], values[2])
  }
}

extension Directory {
  /// Returns the user that a hint names, under whatever username they have now.
  func person(of hint: LoginHint) throws -> DirectoryUser? {
    if let person = try person(username: hint.username), LoginHint(person).names(hint) { return person }
    return try people().first { LoginHint($0).names(hint) }
  }

  /// Returns the username for the parameter `login_hint`, which is a username or the value of the claim.
  func username(ofHint text: String) throws -> String {
    try LoginHint(text).flatMap { try person(of: $0)?.username } ?? text
  }
}

extension LoginHint {
  fileprivate func names(_ other: LoginHint) -> Bool {
    objectID == other.objectID && tenantID == other.tenantID
  }
}
