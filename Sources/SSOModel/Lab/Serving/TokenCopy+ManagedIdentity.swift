extension TokenCopy {
  /// Creates a copy of the token that a machine issued.
  ///
  /// In lists, the identity is a client, with itself as its account.
  ///
  /// Returns `nil` if no token was issued or the identity no longer exists.
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
