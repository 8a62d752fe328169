/// Makes ADAL's errors (docs/behaviour/errors.md §3).
package enum ADALError {
  /// The domains of ADAL's errors, which say what the code is (`ADAL/ADErrorCodes.h`).
  package enum Domain: String, Sendable {
    case authentication = "ADAuthenticationErrorDomain"
    case brokerResponse = "ADBrokerResponseErrorDomain"
    /// The code is the raw OSStatus.
    case keychain = "ADKeychainErrorDomain"
    /// The code is the HTTP status.
    case http = "ADHTTPErrorCodeDomain"
    /// What the provider refused.
    case oauthServer = "ADOAuthServerErrorDomain"
    /// The system's; the code is NSURLError's.
    case url = "NSURLErrorDomain"

    /// The name of a code, or the number in a domain of other people's numbers.
    func codeName(_ code: Int) -> String {
      switch self {
      case .keychain, .http, .url: String(code)
      case .authentication, .brokerResponse, .oauthServer: ADALCode(number: code)?.name ?? String(code)
      }
    }
  }

  static func make(
    _ code: ADALCode, _ description: String, domain: Domain = .authentication,
    protocolCode: String? = nil, suberror: String? = nil
  ) -> SDKError {
    SDKError(
      .adal, domain: domain.rawValue, code: code.number, description, oauthError: protocolCode,
      suberror: suberror)
  }

  /// The token endpoint's refusal, whatever its OAuth error: 202 for a code, 203 for a refresh token, 213 for a protection
  /// policy (errors.md §6(5)).
  static func make(_ refusal: OAuthError, ofRefreshToken: Bool = false) -> SDKError {
    let isPolicy = refusal.suberror == OAuthSuberror.protectionPolicyRequired.text
    return make(
      isPolicy
        ? .serverProtectionPolicyRequired : ofRefreshToken ? .serverRefreshTokenRejected : .serverOAuth,
      refusal.message, domain: .oauthServer, protocolCode: refusal.code.text, suberror: refusal.suberror)
  }

  /// The authorization endpoint's refusal.
  ///
  /// From 2.7 on four errors are 202, and `unauthorized_client` keeps IdentityCore's number, for which ADAL has none of its
  /// own (errors.md §6(5)).
  static func make(
    authorization error: String, _ description: String, suberror: String? = nil, _ version: ADALVersion
  ) -> SDKError {
    var refusal = make(
      .serverAuthorizationCode, description, domain: .oauthServer, protocolCode: error, suberror: suberror)
    guard version.isUnified else { return refusal }
    switch OAuthErrorCode(text: error.lowercased()) {
    case .invalidRequest, .invalidClient, .invalidScope, .invalidGrant:
      refusal.code = ADALCode.serverOAuth.number
    case .unauthorizedClient: refusal.code = IdentityCoreCode.serverUnauthorizedClient.number
    default: break
    }
    return refusal
  }

  static func make(_ fault: BrokerFault) -> SDKError {
    var error = make(fault.code.adal, fault.reason)
    error.failedCheck = fault.check
    return error
  }

  /// Not an OAuth answer: final, with the HTTP status as its code.
  static func make(http response: HTTPResponse) -> SDKError {
    var error = SDKError(
      .adal, domain: Domain.http.rawValue, code: response.status, "(\(response.body.count) bytes)")
    error.userInfo = headersEntry(response.headers)
    return error
  }

  /// `ADHTTPHeadersKey`; none without headers.
  static func headersEntry(_ headers: [NameValue]) -> [NameValue] {
    guard !headers.isEmpty else { return [] }
    let list = headers.map { "\($0.name) = \($0.value)" }.joined(separator: "; ")
    return [NameValue("ADHTTPHeadersKey", "{\(list)}")]
  }

  /// The status of a failed keychain call, in the words of the generation; it keeps its OSStatus.
  static func keychain(_ status: KeychainError, reading: Bool, _ version: ADALVersion) -> SDKError {
    let modern = reading ? "Failed to get items from keychain." : "Failed to set item into keychain."
    let operation = reading ? "retrieve items" : "update"
    return SDKError(
      .adal, domain: Domain.keychain.rawValue, code: status.number,
      version.isUnified ? modern : "Keychain failed during \"\(operation)\" operation")
  }
}

extension ADALError {
  static let credentialsNeeded = make(
    .serverUserInputNeeded,
    """
    The user credentials are needed to obtain access token. Please call the non-silent acquireTokenWithResource \
    methods.
    """)
  /// The same after a refresh token was refused: that refusal is beneath, and its suberror is passed on.
  static func credentialsNeeded(after refusal: SDKError?) -> SDKError {
    var error = credentialsNeeded
    error.suberror = refusal?.suberror
    error.userInfo = refusal.map { [NameValue("NSUnderlyingError", $0.printed)] } ?? []
    return error
  }
  /// The same before anything was sent: the cache has nothing of the user.
  static var cacheMiss: SDKError {
    var error = credentialsNeeded
    error.isCacheMiss = true
    return error
  }
  static let cancelled = make(.uiUserCancel, "The user has cancelled the authorization.")
  /// The class was renamed in 6.0.
  static func wrongUser(_ version: ADALVersion) -> SDKError {
    make(
      .serverWrongUser,
      """
      Different user was returned by the server then specified in the acquireToken call. If this is a new sign in \
      use and \(version < ADALVersion("6") ? "ADUserIdentifier" : "ADALUserIdentifier") is of OptionalDisplayableId \
      type, pass in the userId returned on the initial authentication flow in all future acquireToken calls.
      """)
  }
  static func invalidArgument(_ name: String, _ value: String) -> SDKError {
    make(.developerInvalidArgument, "The argument '\(name)' is invalid. Value:\(value)")
  }
  /// The system's own error passes through.
  static let offline = SDKError(
    .adal, domain: Domain.url.rawValue, code: -1009, "The Internet connection appears to be offline.")

  /// Two wordings: the newer one is IdentityCore's.
  static func multipleUsers(_ version: ADALVersion) -> SDKError {
    let text = "The token cache store for this resource contains more than one user."
    return make(
      .cacheMultipleUsers,
      version.isUnified ? text : text + " Please set the 'userId' parameter to the one that will be used.")
  }

  static func anotherCallRuns(_ check: Check) -> SDKError {
    let text =
      "The user is currently prompted for credentials as result of another acquireToken request. "
      + "Please retry the acquireToken call later."
    return make(BrokerFault(.interactiveSessionAlreadyRunning, text, check: check))
  }
}
