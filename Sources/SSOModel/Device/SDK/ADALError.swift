/// Makes ADAL's errors (docs/behaviour/errors.md §3).
package enum ADALError {
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
    protocolCode: String? = nil, suberror: String? = nil, userID: String? = nil
  ) -> SDKError {
    var error = SDKError(
      .adal, domain: domain.rawValue, code: code.number, description, oauthError: protocolCode,
      suberror: suberror)
    error.userID = userID
    return error
  }

  /// A provider's refusal. `invalid_grant` and the like are all 202, a protection policy is 213.
  static func make(_ refusal: OAuthError) -> SDKError {
    let isPolicy = refusal.suberror == OAuthSuberror.protectionPolicyRequired.text
    return make(
      isPolicy ? .serverProtectionPolicyRequired : .serverOAuth, refusal.message, domain: .oauthServer,
      protocolCode: refusal.code.text, suberror: refusal.suberror)
  }

  static func make(_ fault: BrokerFault) -> SDKError {
    var error = make(fault.code.adal, fault.reason)
    error.failedCheck = fault.check
    return error
  }

  /// Not an OAuth answer: final, with the HTTP status as its code.
  static func make(http status: Int) -> SDKError {
    SDKError(
      .adal, domain: Domain.http.rawValue, code: status, "The server answered with status \(status).")
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
  /// The same before anything was sent: the cache has nothing of the user.
  static var cacheMiss: SDKError {
    var error = credentialsNeeded
    error.isCacheMiss = true
    return error
  }
  static let cancelled = make(.uiUserCancel, "The user has cancelled the authorization.")
  static let wrongUser = make(
    .serverWrongUser,
    """
    Different user was returned by the server then specified in the acquireToken call. If this is a new sign in \
    use and ADUserIdentifier is of OptionalDisplayableId type, pass in the userId returned on the initial \
    authentication flow in all future acquireToken calls.
    """)
  /// The system's own error passes through.
  static let offline = SDKError(
    .adal, domain: Domain.url.rawValue, code: -1009, "The Internet connection appears to be offline.")
  /// errors.md §4: unknown host.
  static let authorityInvalid = make(
    .developerAuthorityValidation, "The authority could not be validated: its host is in no known cloud.")

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
