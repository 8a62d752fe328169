/// What the endpoints work with while one request is answered: the provider's records, clock, random source and keys, and what a
/// fault changes about them.
struct ProviderResources {
  let documents: any DocumentStore
  var now: Instant
  let random: RandomSource
  let keys: SigningKeys
  /// An external client asks.
  let isServed: Bool
  /// Discovery also names what Entra lacks, for clients that cannot do without.
  var isGeneric = false
  /// The request came to a machine's own endpoint, not to the provider's.
  var machine: ManagedIdentityHost?
  /// Set by a fault: what is wrong with every token.
  var tokenFlaw: Fault.Kind.TokenFlaw?
  /// Set by a fault: what is asked of the person besides.
  var requirement: Fault.Kind.Requirement?
  /// Set by a fault: what the authorization endpoint answers once the redirect URI is known to be the client's.
  var authorizationRefusal: OAuthError?

  var directory: Directory { Directory(documents: documents) }
  var sessions: SSOSessions { SSOSessions(documents: documents, now: now) }
  var flows: SignInFlows { SignInFlows(documents: documents, now: now) }
  var consents: ConsentGrants { ConsentGrants(documents: documents, isServed: isServed) }
  var refreshTokens: RefreshTokens { RefreshTokens(documents: documents, now: now) }
  var deviceAuthorizations: DeviceAuthorizations { DeviceAuthorizations(documents: documents) }

  /// A refusal as Entra's JSON body, status 400.
  func refuse(_ error: OAuthError, _ context: inout RequestContext) -> ProviderResponse {
    context.refusal = error
    let body = OAuthErrorBody(error, traceID: random.uuid(), correlationID: context.correlationID, now: now)
    guard error.code == .invalidClient, let usedHeader = context.authenticatesByHeader else {
      return ProviderResponse(body.response())
    }
    // RFC 6749 §5.2: a client that used the Authorization header gets 401 and the scheme to use.
    var response = body.response(status: 401)
    if usedHeader {
      response.headers.append(NameValue("WWW-Authenticate", "Basic realm=\"\(context.request.origin)\""))
    }
    return ProviderResponse(response)
  }
}
