import Essentials
import SSOCore
import SSODevice
import SSOKeychain
import SSOProvider
import SSOReference

/// A copy of an external client's tokens for its access group, so that lists show them.
struct TokenCopy {
  /// The properties that two copies must share for the second to replace the first entirely.
  struct Place: Hashable {
    var client: ExternalClient
    var account: AccountItem
    var target: String
    var familyID: String?
    var hasRefreshToken: Bool
    var hasIDToken: Bool
  }

  var client: ExternalClient
  var tokens: CachedTokenResponse

  var place: Place {
    Place(
      client: client, account: tokens.account, target: tokens.target, familyID: tokens.familyID,
      hasRefreshToken: tokens.refreshToken != nil, hasIDToken: tokens.idToken != nil)
  }
}

extension TokenCopy {
  /// Parses a successful token response as its client does.
  init?(of answer: HTTPResponse, to client: ExternalClient, for request: HTTPRequest, at now: Instant) {
    guard request.route == .token, answer.status == 200,
      let response = try? TokenResponse(reading: answer)
    else { return nil }
    // Without the scope profile, an ID token contains neither oid nor name. Take both from the access token
    // for the lists.
    let claims = response.accessToken.claims.merging(response.idToken?.claims ?? [:]) { $1 }
    func claim(_ name: String) -> String? { claims[name]?.string }
    let info = response.clientInfo.flatMap { ClientInfo($0) }
    let host = Authority.host(in: client.authority)
    var account: [AccountField: String] = [
      .homeAccountID: info?.homeAccountID ?? claims.person ?? "", .environment: host,
      .realm: claim("tid") ?? info?.utid ?? "",
      .localAccountID: claim("oid") ?? "",
      .username: claim("preferred_username") ?? claim("upn") ?? claim("unique_name") ?? "",
    ]
    account[.clientInfo] = response.clientInfo
    account[.name] = claim("name")
    account[.givenName] = claim("given_name")
    account[.familyName] = claim("family_name")
    var copy = CachedTokenResponse(
      account: AccountItem(account), clientID: client.clientID,
      accessToken: response.accessToken,
      target: response.scope.isEmpty ? request.field("scope") ?? "" : response.scope,
      expiresOn: now.adding(seconds: response.expiresIn),
      refreshToken: response.refreshToken, familyID: response.familyID, idToken: response.idToken)
    copy.requestedAuthority = client.authority
    copy.resolvedAuthority = "https://\(host)/\(account[.realm] ?? "common")"
    copy.extendedExpiresOn = response.extExpiresIn.map { now.adding(seconds: $0) }
    self.client = client
    tokens = copy
  }
}

extension String {
  /// The claims of a token that was just issued.
  ///
  /// A ticket counts too: the lists are the lab's, and not the client's. Empty for other opaque tokens.
  fileprivate var claims: [String: JSONValue] { PersonalTicket.claims(in: self) ?? [:] }
}

extension [String: JSONValue] {
  /// The home account ID of a client that does not request client info, or `nil` in an app-only token.
  ///
  /// Such a client would have only the `sub`, which differs for every app. The lists must show a user once.
  fileprivate var person: String? {
    guard self["preferred_username"] ?? self["scp"] != nil, let oid = self["oid"]?.string,
      let tid = self["tid"]?.string
    else { return nil }
    return ClientInfo(uid: oid, utid: tid).homeAccountID
  }
}

extension TokenCopy {
  /// Creates a copy of the token that a machine issued.
  ///
  /// In lists, the identity is a client, with itself as its account.
  ///
  /// Returns `nil` if the token was not issued or the identity no longer exists.
  init?(
    of answer: HTTPResponse, at machine: ManagedIdentityHost, asked request: HTTPRequest,
    in directory: Directory, now: Instant
  ) throws {
    guard answer.status == 200, let body = JSONValue(bounded: answer.body),
      let token = body["access_token"]?.string, let clientID = body["client_id"]?.string,
      let identity = try directory.managedIdentities().first(where: { $0.clientID == clientID })
    else { return nil }
    let host = URLParts(machine.issuerOrigin)?.host ?? ""
    let authority = "https://\(host)/\(identity.tenantID)"
    client = ExternalClient(
      clientID: identity.clientID, displayName: identity.name, publisher: "Managed identity",
      redirectURI: "", program: request.header("x-client-SKU") ?? "",
      programVersion: request.header("x-client-Ver") ?? "", authority: authority)
    let account = AccountItem([
      .homeAccountID: ClientInfo(uid: identity.objectID, utid: identity.tenantID).homeAccountID,
      .environment: host, .realm: identity.tenantID, .localAccountID: identity.objectID,
      .username: identity.name, .name: identity.name,
    ])
    tokens = CachedTokenResponse(
      account: account, clientID: identity.clientID, accessToken: token,
      target: (request.query["resource"] ?? "") + "/.default",
      expiresOn: Instant(Int(body["expires_on"]?.string ?? "") ?? now.seconds), refreshToken: nil,
      familyID: nil, idToken: nil)
    tokens.requestedAuthority = authority
    tokens.resolvedAuthority = authority
  }
}

/// The server's use of `/proc`.
package enum ProcessFiles {
  /// Checks that `/proc` is readable.
  ///
  /// libdispatch counts its running threads in `/proc/<pid>/task/<tid>/stat`, and terminates a process that
  /// cannot read them (swift-corelibs-libdispatch, `src/event/workqueue.c`).
  ///
  /// - Throws: `LabError` if they cannot be read.
  package static func check() throws(LabError) {
    #if os(Linux)
      guard access("/proc/self/stat", R_OK) != 0 else { return }
      throw LabError(
        .system, "The server cannot start: /proc is not mounted.",
        why: "The threads that answer its clients are counted there.", next: "mount -t proc proc /proc")
    #endif
  }
}
