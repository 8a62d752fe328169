import SSOCore
import SSODevice
import SSOKeychain
import SSOProvider

/// What a real client was given, to be copied to its access group so that the lists show it.
struct TokenCopy {
  /// What two copies must have in common for the second to replace all of the first.
  struct Place: Hashable {
    var client: RealClient
    var account: AccountItem
    var target: String
    var familyID: String?
    var hasRefreshToken: Bool
    var hasIDToken: Bool
  }

  var client: RealClient
  var tokens: CachedTokenResponse

  var place: Place {
    Place(
      client: client, account: tokens.account, target: tokens.target, familyID: tokens.familyID,
      hasRefreshToken: tokens.refreshToken != nil, hasIDToken: tokens.idToken != nil)
  }
}

extension Stage {
  func save(_ copy: TokenCopy) throws { try quietClient(copy.client.asApp).cache.save(copy.tokens) }

  /// Reads a successful token answer as its client does.
  func copy(of answer: HTTPResponse, to client: RealClient, for request: HTTPRequest) -> TokenCopy? {
    guard request.route == .token, answer.status == 200,
      let tokens = try? TokenResponse(reading: answer)
    else { return nil }
    let claims = (tokens.idToken ?? tokens.accessToken).claims
    func claim(_ name: String) -> String? { claims[name]?.string }
    let info = tokens.clientInfo.flatMap { ClientInfo($0) }
    let host = Authority.host(in: client.authority)
    var account: [AccountField: String] = [
      .homeAccountID: info?.homeAccountID ?? claims.person ?? "", .environment: host,
      .realm: claim("tid") ?? info?.utid ?? "",
      .localAccountID: claim("oid") ?? "", .username: claim("preferred_username") ?? "",
    ]
    account[.clientInfo] = tokens.clientInfo
    account[.name] = claim("name")
    account[.givenName] = claim("given_name")
    account[.familyName] = claim("family_name")
    var copy = CachedTokenResponse(
      account: AccountItem(account), clientID: client.clientID, requestEnvironment: host,
      accessToken: tokens.accessToken,
      target: tokens.scope.isEmpty ? request.field("scope") ?? "" : tokens.scope,
      expiresOn: now.adding(seconds: tokens.expiresIn),
      refreshToken: tokens.refreshToken, familyID: tokens.familyID, idToken: tokens.idToken)
    copy.requestedAuthority = client.authority
    copy.resolvedAuthority = "https://\(host)/\(account[.realm] ?? "common")"
    copy.extendedExpiresOn = tokens.extExpiresIn.map { now.adding(seconds: $0) }
    return TokenCopy(client: client, tokens: copy)
  }
}

extension String {
  /// The claims of a token that was just issued; empty if it is opaque.
  fileprivate var claims: [String: JSONValue] { (try? JSONWebToken(unverified: self).claims) ?? [:] }
}

extension [String: JSONValue] {
  /// The home account ID of a client that asks for no client info, as the provider knows it; nil in a token of an app
  /// for itself. Such a client would have the `sub`, which no other app has; the lists are to show one person once.
  fileprivate var person: String? {
    guard self["preferred_username"]?.string != nil, let oid = self["oid"]?.string,
      let tid = self["tid"]?.string
    else { return nil }
    return ClientInfo(uid: oid, utid: tid).homeAccountID
  }
}

extension Stage {
  /// A change by hand of what a real client holds: the provider's record changes, for the token itself is out of reach.
  func changeIssued(_ token: CredentialItem, _ id: String, _ change: HandChange) throws {
    let provider = provider(.person, actor: "")
    guard token.type == .refreshToken || token.type == .familyRefreshToken else {
      guard change == .delete else {
        throw LabError(
          .badInput, "\(id) cannot be made \(change.participle).",
          why: "It is no refresh token, and the program that holds it reads its own copy without asking.",
          next: "Choose its refresh token: ssoterm tokens --json")
      }
      return
    }
    switch change {
    case .expire: try provider.expireRefreshToken(secret: token.secret)
    case .invalidate, .delete: try provider.revokeRefreshToken(secret: token.secret)
    }
  }
}
