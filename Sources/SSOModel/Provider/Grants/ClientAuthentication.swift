/// A registered client that has authenticated as far as the request requires.
struct AuthenticatedClient {
  var registration: ClientRegistration
  /// `azpacr`: `0` for a public client, `1` for a secret, `2` for a key.
  var authenticationClass: String
}

/// The client authentication at the token endpoint and similar endpoints (RFC 6749 §2.3).
struct ClientAuthentication {
  let provider: ProviderResources

  /// Authenticates the client of a request and returns it.
  ///
  /// `isProofNeeded` is false where a confidential client need not authenticate.
  func authenticate(
    _ tenant: AuthorityTenant, _ context: inout RequestContext, isProofNeeded: Bool = true
  ) throws -> AuthenticatedClient {
    let request = context.request
    try context.require([
      checkTenantExists(tenant, code: .invalidRequest), checkNothingIsRepeated(request.repeatedField),
    ])
    context.authenticatesByHeader = request.header("Authorization") != nil
    let presented = try PresentedClient(request)
    let found = try provider.directory.registration(clientID: presented.clientID)
    let client = try context.require(
      found, checkClientIsKnown(found, clientID: presented.clientID, tenant: tenant))
    switch presented.proof {
    case .none: if isProofNeeded { try context.require(checkMayProveNothing(client)) }
    case .secret(let secret): try context.require(checkSecret(secret, of: client))
    case .assertion(let compact) where FederatedAssertion.isForeign(compact, for: client):
      let issuer = ForeignIssuer(documents: provider.documents, random: provider.random)
      let assertion = FederatedAssertion(
        compact: compact, client: client, issuerKey: try issuer.publicKey(), now: provider.now)
      try context.require(FederatedAssertion.rules, of: assertion)
    case .assertion(let compact):
      let assertion = ClientAssertion(
        compact: compact, client: client, audiences: ClientAssertion.audiences(request, tenant),
        now: provider.now)
      try context.require(ClientAssertion.rules, of: assertion)
    }
    context.authenticatesByHeader = nil
    return AuthenticatedClient(registration: client, authenticationClass: presented.authenticationClass)
  }
}

extension RequestContext {
  /// Requires client authentication, for grants that only a confidential client may use.
  mutating func requireProof(_ request: TokenRequest) throws(OAuthError) {
    authenticatesByHeader = self.request.header("Authorization") != nil
    try require(checkProof(isGiven: request.authenticationClass != "0"))
    authenticatesByHeader = nil
  }
}

private func checkMayProveNothing(_ client: ClientRegistration) -> RuleResult {
  client.isConfidential
    ? checkProof(isGiven: false) : checkProof(isGiven: true, expected: "none", found: "none")
}

private func checkProof(
  isGiven: Bool, expected: String = "client_secret or client_assertion", found: String? = nil
) -> RuleResult {
  RuleResult(
    "client authentication", expected: expected, found: found ?? (isGiven ? "given" : "none"), isGiven,
    source: "RFC 6749 §2.3",
    else: OAuthError(
      .invalidClient,
      "The request body must contain the following parameter: 'client_assertion' or 'client_secret'.",
      aadsts: .clientProofMissing))
}

func checkIsConfidential(_ client: ClientRegistration) -> RuleResult {
  RuleResult(
    "client authentication", expected: client.isConfidential ? "a proof" : "none: the client is public",
    found: "a proof", client.isConfidential, source: "RFC 6749 §2.3",
    else: OAuthError(
      .invalidClient,
      "Client is public so neither 'client_assertion' nor 'client_secret' should be presented.",
      aadsts: .clientIsPublic))
}

private func checkSecret(_ secret: String, of client: ClientRegistration) -> RuleResult {
  guard client.isConfidential else { return checkIsConfidential(client) }
  let isRight = client.secrets.contains { isSameSecret($0, secret) }
  return RuleResult(
    "client authentication", expected: "a secret of the client", found: isRight ? "the same" : "another",
    isRight,
    source: "RFC 6749 §2.3",
    else: OAuthError(
      .invalidClient,
      "Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, "
        + "not the client secret ID, for a secret added to app '\(client.clientID)'.",
      aadsts: .clientSecretWrong))
}
