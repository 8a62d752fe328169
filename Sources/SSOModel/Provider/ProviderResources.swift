/// The resources of the endpoints for one request: records, clock, random source, keys, and the changes that
/// a fault makes.
struct ProviderResources {
  let documents: any DocumentStore
  var now: Instant
  let random: RandomSource
  let keys: SigningKeys
  /// Whether the request is from an external client.
  let isServed: Bool
  /// Whether discovery also lists endpoints and methods that Entra lacks, for clients that require them.
  var isGeneric = false
  /// The machine whose own endpoint received the request, or `nil` for the provider's endpoints.
  var machine: ManagedIdentityHost?
  /// The flaw of every token, set by a fault.
  var tokenFlaw: Fault.Kind.TokenFlaw?
  /// The additional requirement for the user, set by a fault.
  var requirement: Fault.Kind.Requirement?
  /// The error of the authorization endpoint after it has checked the redirect URI, set by a fault.
  var authorizationRefusal: OAuthError?

  var directory: Directory { Directory(documents: documents) }
  var sessions: SSOSessions { SSOSessions(documents: documents, now: now) }
  var flows: SignInFlows { SignInFlows(documents: documents, now: now) }
  var consents: ConsentGrants { ConsentGrants(documents: documents, isServed: isServed) }
  var refreshTokens: RefreshTokens { RefreshTokens(documents: documents, now: now) }
  var deviceAuthorizations: DeviceAuthorizations { DeviceAuthorizations(documents: documents) }

  /// Returns an error as Entra's JSON body with status 400.
  func refuse(_ error: OAuthError, _ context: inout RequestContext) -> ProviderResponse {
    context.refusal = error
    let body = OAuthErrorBody(error, traceID: random.uuid(), correlationID: context.correlationID, now: now)
    guard error.code == .invalidClient, let usedHeader = context.authenticatesByHeader else {
      return ProviderResponse(body.response())
    }
    // RFC 6749 §5.2: a client that used the Authorization header gets 401 and the supported scheme.
    var response = body.response(status: 401)
    if usedHeader {
      response.headers.append(NameValue("WWW-Authenticate", "Basic realm=\"\(context.request.origin)\""))
    }
    return ProviderResponse(response)
  }
}
