/// `POST /{tenant}/oauth2/v2.0/devicecode` (RFC 8628 §3.1).
struct DeviceAuthorizationEndpoint {
  let provider: ProviderResources

  func respond(_ tenant: AuthorityTenant, _ context: inout RequestContext) throws -> ProviderResponse {
    // A confidential client is rejected only at its first poll (docs/wrong-requests.md).
    let client = try ClientAuthentication(provider: provider)
      .authenticate(tenant, &context, isProofNeeded: false).registration
    let scopes = context.request.scopesOfSignIn
    try context.require(
      ScopeRequest.rules,
      of: ScopeRequest(
        scopes, for: client, at: tenant, in: provider.directory, named: context.request.resourceBesideScopes))
    let secret = "0.D" + Base64URL.encode(provider.random.bytes(32))
    let letters = DeviceAuthorization.alphabet
    let userCode = String(provider.random.bytes(9).map { letters[Int($0) % letters.count] })
    let authorization = DeviceAuthorization(
      clientID: client.clientID, scopes: scopes, authoritySegment: tenant.segment, userCode: userCode,
      issuedAt: provider.now)
    let key = DeviceAuthorizations.key(deviceCode: secret)
    try provider.deviceAuthorizations.add(authorization, key: key)
    let page = context.request.origin + "/common/oauth2/deviceauth"
    var body: [String: JSONValue] = [
      "device_code": .string(secret), "user_code": .string(userCode), "verification_uri": .string(page),
      "expires_in": .integer(Int64(DeviceAuthorization.lifetime)),
      "interval": .integer(Int64(authorization.interval)),
      "message": .string(
        "To sign in, use a web browser to open the page \(page) and enter the code \(userCode) to "
          + "authenticate."),
    ]
    // Version 1 sends numbers as strings and names the page differently. AD FS behaves as version 2 (ADAL
    // Python, `oauth2_client.py`).
    if context.request.isVersionOne, !tenant.isFederation {
      body["verification_url"] = body.removeValue(forKey: "verification_uri")
      body["expires_in"] = .string(String(DeviceAuthorization.lifetime))
      body["interval"] = .string(String(authorization.interval))
    }
    return ProviderResponse(.json(200, .object(body)))
  }
}
