import SSOCore
import SSOReference

extension OAuthError {
  /// Returns the error in AD FS's form, with AD FS's own number and sentence, or without a number if no public source
  /// shows how AD FS returns it (docs/behaviour/provider.md §19).
  func asAnsweredByFederation(to request: HTTPRequest?) -> OAuthError {
    guard !isOfFederation else { return self }
    var error = self
    error.isOfFederation = true
    error.suberror = isCancellation ? suberror : nil
    guard let number = aadsts.flatMap(AADSTSCode.init(number:)) else { return error }
    error.aadsts = nil
    let isAtToken = request.map { AuthorityPath($0).rest.last == "token" } ?? false
    let answer = isAtToken ? answerToRedemption(number, request) : answerToAuthorization(number, request)
    guard let (code, number, reason) = answer else { return error }
    error.code = code
    error.msis = number.number
    error.reason = reason ?? error.reason
    return error
  }

  /// Returns the text for the sign-in page: a user flow and AD FS show no number there if the user can correct the input
  /// (Microsoft Learn, "Localization string IDs - Azure Active Directory B2C").
  func textOnSignInPage(at path: AuthorityPath) -> String {
    let number = aadsts.flatMap(AADSTSCode.init(number:))
    guard number == .wrongPassword || number == .accountNotFound, path.isPolicy || path.isFederation else {
      return asAnsweredAt(path).message
    }
    if path.isFederation {
      return "Incorrect user ID or password. Type the correct user ID and password, and try again."
    }
    return number == .wrongPassword ? "Your password is incorrect." : "We can't seem to find your account."
  }

  /// The answers of the authorization endpoint (nuxeo/nuxeo-drive shows the redirect).
  private func answerToAuthorization(
    _ number: AADSTSCode, _ request: HTTPRequest?
  ) -> (OAuthErrorCode, FederationCode, String?)? {
    let (clientID, uri) = (request?.field("client_id") ?? "", request?.field("redirect_uri") ?? "")
    let received = "Received invalid OAuth authorization request. The received "
    switch number {
    case .clientNotFound, .clientDisabled:
      return (
        .invalidClient, .clientOfRequestUnknown,
        received
          + "'client_id' is invalid as no registered client was found with this client identifier. Make sure "
          + "that the client is registered. Received client_id: '\(clientID)'."
      )
    case .redirectURINotRegistered:
      return (
        .invalidRequest, .redirectURIOfRequestUnknown,
        received
          + "'redirect_uri' parameter is not a valid registered redirect URI for the client identifier: "
          + "'\(clientID)'. Received redirect_uri: '\(uri)'."
      )
    default: return answerAboutAccess(number)
    }
  }

  private func answerAboutAccess(_ number: AADSTSCode) -> (OAuthErrorCode, FederationCode, String?)? {
    switch number {
    case .resourceNotRequired:
      (
        .accessDenied, .accessNotPermitted, "The client is not allowed to access the requested resource."
      )
    case .resourceNotFound:
      (
        .invalidResource, .resourceUnknown,
        "The received 'resource' parameter is invalid. The authorization server can not find a registered resource "
          + "with the specified identifier."
      )
    case .wrongPassword, .accountNotFound:
      (.invalidGrant, .wrongPassword, "Invalid 'username' or 'password'.")
    default: nil
    }
  }

  /// The answers of the token endpoint.
  private func answerToRedemption(
    _ number: AADSTSCode, _ request: HTTPRequest?
  ) -> (OAuthErrorCode, FederationCode, String?)? {
    switch number {
    case .clientNotFound, .clientDisabled:
      return (
        .invalidClient, .clientUnknown,
        "The 'client_id' parameter in the request is invalid. No registered client is found with this identifier."
      )
    // Without a proof too (AzureAD/microsoft-authentication-library-for-js#6281).
    case .clientProofMissing, .appProofMissing, .clientSecretWrong, .clientSecretExpired,
      .clientAssertionSignature, .clientHasNoKey:
      return (
        .invalidClient, .clientNotAuthenticated,
        "Client authentication failed. Please verify the credential provided for client authentication is valid."
      )
    case .redirectURINotRegistered:
      return (
        .invalidRequest, .redirectURIUnknown,
        "The 'redirect_uri' parameter is invalid. No redirect uri with the specified value is registered for the "
          + "received 'client_id'. "
      )
    case .grantTypeUnsupported:
      return (
        .unsupportedGrantType, .grantTypeUnsupported,
        "The authorization server only supports 'authorization_code' or 'refresh_token' as the grant type."
      )
    case .refreshTokenInactive:
      return (
        .invalidGrant, .refreshTokenExpired,
        "The refresh token received in refresh_token parameter has expired"
      )
    case .codeVerifierMismatch, .codeVerifierMissing:
      return (.invalidGrant, .codeVerifierMismatch, nil)
    case .requestMalformed where code == .invalidGrant, .grantInvalid, .codeAlreadyRedeemed, .grantExpired:
      return request.flatMap(GrantType.init) == .refreshToken
        ? (
          .invalidGrant, .refreshTokenInvalid,
          "The refresh token received in 'refresh_token' parameter is invalid."
        )
        : (
          .invalidGrant, .codeInvalid,
          "The authorization code received in 'code' parameter is invalid. "
        )
    default: return answerAboutAccess(number)
    }
  }
}
