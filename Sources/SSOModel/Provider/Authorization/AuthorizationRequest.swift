/// A request to the authorization endpoint, read but not yet judged.
struct AuthorizationRequest {
  var tenant: AuthorityTenant
  var clientID: String
  var registration: ClientRegistration?
  var redirectURI: String
  /// As it was sent.
  var responseTypeText: String
  /// Nil: none that is known.
  var responseType: ResponseType?
  /// By default `query` for a code, `fragment` for tokens (OAuth 2.0 Multiple Response Types §3, §5).
  var responseMode: String
  var scopes: RequestedScopes
  var state: String?
  var nonce: String?
  var prompt: String?
  var loginHint: String?
  /// An earlier ID token of the person who is expected (OpenID Connect Core §3.1.2.1).
  var idTokenHint: String?
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

  /// The challenge as method S256 has it: a plain one is the verifier itself (RFC 7636 §4.2).
  var hashedChallenge: String? {
    codeChallengeMethod == "plain"
      ? codeChallenge.map { ProofKey(verifier: $0).challenge } : codeChallenge
  }
}

extension HTTPRequest {
  /// `resource` of version 2.0 (RFC 8707), which is compared with the scopes; nil: it is not compared.
  var resourceBesideScopes: String? { isVersionOne ? nil : field("resource") }

  /// The scopes of a request that begins a sign-in: version 1 without a resource asks for Azure AD Graph.
  var scopesOfSignIn: RequestedScopes {
    let scopes = requestedScopes
    guard scopes.isEmpty, isVersionOne, !AuthorityPath(self).isFederation else { return scopes }
    return RequestedScopes(ProtectedResource.legacyGraphAppID + "/.default openid profile offline_access")
  }

  /// `scope`; of version 1, which does not read it, `resource` as `resource/.default openid profile offline_access`.
  package var requestedScopes: RequestedScopes {
    guard isVersionOne else { return RequestedScopes(field("scope") ?? "") }
    // AD FS reads both.
    let scope = AuthorityPath(self).isFederation ? field("scope") ?? "" : ""
    guard let resource = field("resource") else { return RequestedScopes(scope) }
    let bare = resource.hasSuffix("/") ? String(resource.dropLast()) : resource
    return RequestedScopes(
      ["openid", ""].contains(scope) ? bare + "/.default openid profile offline_access" : scope)
  }
}
