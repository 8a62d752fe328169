/// A request to the authorization endpoint, read but not yet judged.
struct AuthorizationRequest {
  var tenant: AuthorityTenant
  var clientID: String
  var registration: ClientRegistration?
  var redirectURI: String
  var responseType: String
  var responseMode: String
  var scopes: RequestedScopes
  var state: String?
  var nonce: String?
  var prompt: String?
  var loginHint: String?
  var codeChallenge: String?
  /// RFC 7636 §4.3: `plain` if absent.
  var codeChallengeMethod: String
  var domainHint: String?
  /// Seconds since the person signed in, at most; as it was sent.
  var maxAge: String?
  var claims: String?
  var wantsClientInfo: Bool
  /// ADAL's endpoint, which never asked for PKCE.
  var isVersionOne: Bool
  /// Of all fields, in bytes: what comes back in a redirect, a page or a token is of them.
  var size: Int
  /// The first field that was sent twice.
  var repeated: String?
  /// A field that would replace the others, and that the lab does not read (OpenID Connect Core §6).
  var requestObject: String?

  init(_ request: HTTPRequest, tenant: AuthorityTenant, directory: Directory) throws {
    self.tenant = tenant
    clientID = request.field("client_id") ?? ""
    registration = try directory.registration(clientID: clientID)
    redirectURI = request.field("redirect_uri") ?? ""
    responseType = request.field("response_type") ?? ""
    responseMode = request.field("response_mode") ?? "query"
    scopes = request.requestedScopes
    state = request.field("state")
    nonce = request.field("nonce")
    prompt = request.field("prompt")
    loginHint = request.field("login_hint")
    codeChallenge = request.field("code_challenge")
    codeChallengeMethod = request.field("code_challenge_method") ?? "plain"
    domainHint = request.field("domain_hint")
    maxAge = request.field("max_age")
    claims = request.field("claims")
    wantsClientInfo = request.field("client_info") == "1"
    isVersionOne = request.isVersionOne
    size = (request.query + request.form).reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    repeated = request.repeatedField
    requestObject = ["request", "request_uri"].first { request.field($0) != nil }
  }
}

extension HTTPRequest {
  /// `scope`, or of ADAL's older endpoint `resource` as `resource/.default openid profile offline_access`.
  package var requestedScopes: RequestedScopes {
    if let scope = field("scope"), scope != "openid" || field("resource") == nil {
      return RequestedScopes(scope)
    }
    guard let resource = field("resource") else { return RequestedScopes("") }
    let bare = resource.hasSuffix("/") ? String(resource.dropLast()) : resource
    return RequestedScopes(bare + "/.default openid profile offline_access")
  }
}
