import SSOCore
import SSOReference

extension OAuthError {
  /// Returns the error as the authority returns it: AD FS in its own form (`asAnsweredByFederation`); a user flow of Azure
  /// AD B2C with its own number, sentence, and `error`, or unchanged if no public source says how B2C returns it
  /// (docs/behaviour/provider.md §19).
  ///
  /// The sentences are those of azure-docs, "Error codes: Azure Active Directory B2C".
  ///
  /// Some sentences repeat a value of the request.
  func asAnsweredAt(_ path: AuthorityPath, to request: HTTPRequest? = nil) -> OAuthError {
    if path.isFederation { return asAnsweredByFederation(to: request) }
    let clientID = request?.field("client_id") ?? ""
    guard path.isPolicy, b2c == nil, let (number, code, reason) = answerOfB2C(path, clientID) else {
      return self
    }
    var error = self
    error.b2c = number.number
    error.code = code ?? error.code
    error.reason = reason ?? error.reason
    error.suberror = nil
    return error
  }

  /// The words in quotation marks in the sentence: the values of the request that B2C repeats.
  var quoted: [String] {
    reason.split(separator: "'", omittingEmptySubsequences: false).enumerated()
      .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
  }

  /// The scopes in the sentence about several resources.
  private var scopesOfSentence: String {
    let rest = reason.firstRange(of: "resource. Scope ").map { reason[$0.upperBound...] } ?? ""
    return String(rest.firstRange(of: " is not valid").map { rest[..<$0.lowerBound] } ?? rest)
  }

  /// The scope in the sentence about the scope of an app token.
  private var scopeOfSentence: String {
    let rest = reason.firstRange(of: "value for scope ").map { reason[$0.upperBound...] } ?? ""
    return String(rest.firstRange(of: " is not valid").map { rest[..<$0.lowerBound] } ?? rest)
  }

  private func answerOfB2C(
    _ path: AuthorityPath, _ clientID: String
  ) -> (B2CCode, OAuthErrorCode?, String?)? {
    if isCancellation {
      return (.userCancelled, nil, "The user has cancelled entering self-asserted information.")
    }
    guard let number = aadsts.flatMap(AADSTSCode.init(number:)) else { return nil }
    let tenant = path.authority.split(separator: "/").first.map(String.init) ?? ""
    let (first, last) = (quoted.first ?? "", quoted.last ?? "")
    switch number {
    case .redirectURINotRegistered:
      return (
        .redirectURINotRegistered, .redirectURIMismatch,
        "The redirect URI '\(first)' provided in the request is not registered for the client id '\(last)'."
      )
    case .clientNotFound:
      return (
        .clientNotFound, nil,
        "The client id '\(first)' specified in the request is not registered in tenant '\(tenant)'."
      )
    case .clientDisabled:
      return (
        .clientDisabled, nil,
        "The provided application with ID '\(first)' is disabled for the tenant '\(tenant)'. Please enable the "
          + "application and try again."
      )
    case .bodyParameterMissing: return missingParameter(first)
    case .clientAmbiguous, .grantOfAnotherClient:
      return (
        .grantOfAnotherClient, .invalidGrant,
        "The provided client id '\(clientID)' does not match the client id that issued the grant."
      )
    case .noSession:
      return (
        .noSession, .interactionRequired,
        "User does not have an existing session and request prompt parameter has a value of 'None'."
      )
    default: return answerOfB2CToAuthorization(number, first) ?? answerOfB2CToRedemption(number, first)
    }
  }

  private func missingParameter(_ name: String) -> (B2CCode, OAuthErrorCode?, String?) {
    switch name {
    case "client_id":
      (.clientIDMissing, nil, "The request does not contain a client id parameter.")
    case "scope": (.scopeMissing, nil, "The request does not contain a scope parameter.")
    default: (.parameterMissing, nil, "The request is missing required parameter: \(name).")
    }
  }

  /// The responses to wrong parameters of an authorization request.
  private func answerOfB2CToAuthorization(
    _ number: AADSTSCode, _ value: String
  ) -> (B2CCode, OAuthErrorCode?, String?)? {
    switch number {
    case .scopeOfIDTokenMissing:
      (
        .openIDMissing, nil,
        "The scope parameter must include 'openid' when requesting a response_type that includes 'id_token'."
      )
    case .responseTypeUnsupported:
      (
        .responseTypeUnsupported, nil,
        "The requested response type '\(value)' provided in the request is not supported."
      )
    case .responseModeUnsupported:
      (
        .responseModeUnsupported, nil,
        "The requested response mode '\(value)' provided in the request is not supported."
      )
    case .idTokenNotEnabled, .responseTypeNotEnabled:
      (
        .implicitNotAllowed, nil,
        "The provided application is not configured to allow the OAuth Implicit flow."
      )
    case .parameterInvalid where reason.contains("prompt"):
      (
        .promptInvalid, nil,
        "The prompt included in the request contains invalid values. Expected 'none', 'login', 'consent' or "
          + "'select_account'."
      )
    case .parameterInvalid where reason.contains("max_age"):
      (.maxAgeInvalid, nil, "The max age parameter '\(value)' specified in the request is invalid.")
    case .codeChallengeMethod:
      (
        .codeChallengeMethod, nil,
        "The supplied code_challenge_method is not supported. Supported values are plain or S256"
      )
    case .severalResources, .severalResourcesOfToken:
      (
        .severalResources, nil,
        "The scope '\(scopesOfSentence)' provided in request specifies more than one resource for an access token, which is not "
          + "supported."
      )
    case .scopeNotFound, .resourceNotFound: (.scopeUnsupported, nil, nil)
    case .parameterRepeated where value == "scope": (.scopeIllegal, nil, Self.scopeIllegal.reason)
    case .appScopeInvalid:
      (
        .appScopeInvalid, nil,
        "Scope parameter (\(scopeOfSentence)) must be formatted like https://<application-uri>/.default"
      )
    default: nil
    }
  }

  /// The responses to a wrong redemption.
  private func answerOfB2CToRedemption(
    _ number: AADSTSCode, _ value: String
  ) -> (B2CCode, OAuthErrorCode?, String?)? {
    switch number {
    case .clientProofMissing, .appProofMissing:
      (
        .clientProofMissing, .invalidRequest,
        "Clients must send a client_secret when redeeming a confidential grant."
      )
    case .clientSecretWrong:
      (
        .clientSecretWrong, nil,
        "The specified client_secret does not match the expected value for this client. Please correct the "
          + "client_secret and try again."
      )
    case .clientIsPublic:
      (
        .clientIsPublic, nil,
        "Public clients should not send a client_secret when redeeming a publicly acquired grant."
      )
    case .grantTypeUnsupported:
      (.grantTypeUnsupported, nil, "The supplied grant_type [\(value)] is not supported.")
    case .refreshTokenInactive, .singlePageTokenExpired, .grantExpired:
      (
        .grantExpired, nil, "The provided grant has expired. Please re-authenticate and try again."
      )
    case .grantRevoked:
      (.grantRevoked, nil, "The provided grant has been revoked. Please reauthenticate and try again.")
    case .requestMalformed where code == .invalidGrant, .grantInvalid:
      (.grantMalformed, .invalidGrant, nil)
    case .codeVerifierMissing: (.codeVerifierInvalid, nil, "The supplied code_verifier is invalid")
    case .codeVerifierMismatch:
      (
        .codeVerifierMismatch, nil, "The supplied code_verifier does not match associated code_challenge"
      )
    case .accountDeleted:
      (
        .accountDeleted, nil,
        "The account associated with this grant no longer exists. Please reauthenticate and try again."
      )
    case .wrongPassword, .accountNotFound:
      (
        .wrongPassword, .accessDenied, "The username or password provided in the request are invalid."
      )
    default: nil
    }
  }
}
