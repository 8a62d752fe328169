/// A parsed request to the authorization endpoint.
///
/// It is not validated yet.
struct AuthorizationRequest {
  var tenant: AuthorityTenant
  var clientID: String
  var registration: ClientRegistration?
  var redirectURI: String
  /// The response type as the client sent it.
  var responseTypeText: String
  /// The response type, or `nil` if it is unknown.
  var responseType: ResponseType?
  /// The response mode (default: `query` for a code, `fragment` for tokens; OAuth 2.0 Multiple Response Types
  /// §3, §5).
  var responseMode: String
  var scopes: RequestedScopes
  var state: String?
  var nonce: String?
  var prompt: String?
  var loginHint: String?
  /// An earlier ID token of the expected user (OpenID Connect Core §3.1.2.1).
  var idTokenHint: String?
  var codeChallenge: String?
  /// The code challenge method, or `plain` if the request has none (RFC 7636 §4.3).
  var codeChallengeMethod: String
  var domainHint: String?
  /// The maximum number of seconds since the last sign-in, as the client sent it.
  var maxAge: String?
  var claims: String?
  var wantsClientInfo: Bool
  /// Whether the request uses ADAL's endpoint, which never requires PKCE.
  var isVersionOne: Bool
  /// The size of all fields in bytes.
  ///
  /// They end up in redirects, pages and tokens.
  var size: Int
  /// The first field that was sent twice, or `nil` if there is none.
  var repeated: String?
  /// A request object, which would replace the other fields and is not supported (OpenID Connect Core §6).
  var requestObject: String?

  init(_ request: HTTPRequest, tenant: AuthorityTenant, directory: Directory) throws {
    self.tenant = tenant
    clientID = request.field("client_id") ?? ""
    registration = try directory.registration(clientID: clientID)
    redirectURI = request.field("redirect_uri") ?? ""
    responseTypeText = request.field("response_type") ?? ""
    responseType = ResponseType(text: responseTypeText)
    responseMode = request.field("response_mode") ?? (responseType ?? .code).usualMode
    scopes = request.scopesOfSignIn
    state = request.field("state")
    nonce = request.field("nonce")
    prompt = request.field("prompt")
    loginHint = request.field("login_hint")
    idTokenHint = request.field("id_token_hint")
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

  /// The code challenge as method S256 computes it.
  ///
  /// A plain challenge is the verifier itself (RFC 7636 §4.2).
  var hashedChallenge: String? {
    codeChallengeMethod == "plain"
      ? codeChallenge.map { ProofKey(verifier: $0).challenge } : codeChallenge
  }
}

extension HTTPRequest {
  /// The `resource` of a version 2.0 request (RFC 8707), which must match the scopes, or `nil` if there is
  /// nothing to compare.
  var resourceBesideScopes: String? { isVersionOne ? nil : field("resource") }

  /// The scopes of a request that starts a sign-in.
  ///
  /// In version 1 the default is Azure AD Graph.
  var scopesOfSignIn: RequestedScopes {
    let scopes = requestedScopes
    guard scopes.isEmpty, isVersionOne, !AuthorityPath(self).isFederation else { return scopes }
    return RequestedScopes(ProtectedResource.legacyGraphAppID + "/.default openid profile offline_access")
  }

  /// The requested scopes: `scope`, or in version 1 `resource` as
  /// `resource/.default openid profile offline_access`.
  package var requestedScopes: RequestedScopes {
    guard isVersionOne else { return RequestedScopes(field("scope") ?? "") }
    // AD FS reads both parameters.
    let scope = AuthorityPath(self).isFederation ? field("scope") ?? "" : ""
    guard let resource = field("resource") else { return RequestedScopes(scope) }
    let bare = resource.hasSuffix("/") ? String(resource.dropLast()) : resource
    return RequestedScopes(
      ["openid", ""].contains(scope) ? bare + "/.default openid profile offline_access" : scope)
  }
}
