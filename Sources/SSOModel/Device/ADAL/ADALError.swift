import SSOCore
import SSOReference

/// A namespace for functions that create ADAL's errors (docs/behaviour/errors.md §3).
package enum ADALError {
  /// A domain of ADAL's errors, which determines the meaning of the code (`ADAL/ADErrorCodes.h`).
  package enum Domain: String, Sendable {
    case authentication = "ADAuthenticationErrorDomain"
    case brokerResponse = "ADBrokerResponseErrorDomain"
    /// The code is the raw OSStatus.
    case keychain = "ADKeychainErrorDomain"
    /// The code is the HTTP status.
    case http = "ADHTTPErrorCodeDomain"
    /// The provider rejected a request.
    case oauthServer = "ADOAuthServerErrorDomain"
    /// The error is the system's; the code is NSURLError's.
    case url = "NSURLErrorDomain"

    /// Returns the name of a code, or the number itself in a domain whose numbers ADAL does not define.
    func codeName(_ code: Int) -> String {
      switch self {
      case .keychain, .http, .url: String(code)
      case .authentication, .brokerResponse, .oauthServer:
        Explanation.Family.adal.explanation(of: String(code))?.name ?? String(code)
      }
    }
  }

  static func make(
    _ code: ADALCode, _ description: String, domain: Domain = .authentication,
    protocolCode: String? = nil, suberror: String? = nil
  ) -> SDKError {
    make(
      domain: domain.rawValue, code: code.number, description, oauthError: protocolCode, suberror: suberror)
  }

  /// Returns the error for a rejection by the token endpoint, whatever its OAuth error.
  ///
  /// The code is 202 for an authorization code, 203 for a refresh token, and 213 for a protection policy (errors.md
  /// §6(5)).
  static func make(_ refusal: OAuthError, ofRefreshToken: Bool = false) -> SDKError {
    let isPolicy = refusal.suberror == OAuthSuberror.protectionPolicyRequired.text
    return make(
      isPolicy
        ? .serverProtectionPolicyRequired : ofRefreshToken ? .serverRefreshTokenRejected : .serverOAuth,
      refusal.message, domain: .oauthServer, protocolCode: refusal.code.text, suberror: refusal.suberror)
  }

  /// Returns the error for a rejection by the authorization endpoint.
  ///
  /// Since 2.7, four errors have code 202, and `unauthorized_client` keeps IdentityCore's number, because ADAL does not
  /// have a separate number for it (errors.md §6(5)).
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

  /// Returns the final error for a response that is not an OAuth response, with the HTTP status as its code.
  static func make(http response: HTTPResponse) -> SDKError {
    var error = make(
      domain: Domain.http.rawValue, code: response.status, "(\(response.body.count) bytes)")
    error.userInfo = headersEntry(response.headers)
    return error
  }

  /// Returns the `ADHTTPHeadersKey` entry, or an empty dictionary without headers.
  static func headersEntry(_ headers: [NameValue]) -> [NameValue] {
    guard !headers.isEmpty else { return [] }
    let list = headers.map { "\($0.name) = \($0.value)" }.joined(separator: "; ")
    return [NameValue("ADHTTPHeadersKey", "{\(list)}")]
  }

  /// Returns the error for a failed keychain call, with its OSStatus and the text of this generation of ADAL.
  static func keychain(_ status: KeychainError, reading: Bool, _ version: ADALVersion) -> SDKError {
    let modern = reading ? "Failed to get items from keychain." : "Failed to set item into keychain."
    let operation = reading ? "retrieve items" : "update"
    return make(
      keychain: status, version.isUnified ? modern : "Keychain failed during \"\(operation)\" operation")
  }

  static func make(keychain status: KeychainError, _ description: String) -> SDKError {
    make(domain: Domain.keychain.rawValue, code: status.number, description)
  }

  static let credentialsNeeded = make(
    .serverUserInputNeeded,
    """
    The user credentials are needed to obtain access token. Please call the non-silent acquireTokenWithResource \
    methods.
    """)
  /// Returns the same error after a refresh token was rejected; it contains the rejection and passes on its suberror.
  static func credentialsNeeded(after refusal: SDKError?) -> SDKError {
    var error = credentialsNeeded
    error.suberror = refusal?.suberror
    error.userInfo = refusal.map { [NameValue("NSUnderlyingError", $0.printed)] } ?? []
    return error
  }
  /// The same error if nothing was sent, because the cache contains nothing for the user.
  static var cacheMiss: SDKError {
    var error = credentialsNeeded
    error.isCacheMiss = true
    return error
  }
  static let cancelled = make(.uiUserCancel, "The user has cancelled the authorization.")
  /// Returns the error for a wrong user, which names a class that was renamed in 6.0.
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
  /// The system's own error, which is passed through.
  static let offline = make(
    domain: Domain.url.rawValue, code: -1009, "The Internet connection appears to be offline.")

  /// Returns the error for several users, in one of two wordings; the newer one is IdentityCore's.
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

extension ADALError: ErrorLanguage {
  static var sdk: SDKKind { .adal }
  static var notReceived: String { "application did not receive response from broker." }

  static func isCancellation(_ error: SDKError) -> Bool {
    error.domain == Domain.authentication.rawValue && error.code == ADALCode.uiUserCancel.number
  }
  static func needsInteraction(_ error: SDKError) -> Bool {
    error.code == ADALCode.serverUserInputNeeded.number
  }
  static func isAmbiguous(_ error: SDKError) -> Bool { error.code == ADALCode.cacheMultipleUsers.number }
  static func summary(_ error: SDKError) -> String { error.description }

  static func printed(_ error: SDKError) -> String {
    var info: [String] = []
    if let suberror = error.suberror { info.append("ADSuberrorKey=\(suberror)") }
    if let userID = error.userID { info.append("ADUserIdKey=\(userID)") }
    info += error.userInfo.map { "\($0.name)=\($0.value)" }
    let userInfo = info.isEmpty ? "" : " UserInfo={\(info.joined(separator: ", "))}"
    let (domain, code) = (error.domain, error.code)
    let name = Domain(rawValue: domain)?.codeName(code) ?? String(code)
    return "Error with code: \(name) Domain: \(domain) ProtocolCode:\(error.oauthError ?? "(null)") "
      + "Details:\(error.description). Inner error details: "
      + "Error Domain=\(domain) Code=\(code) \"(null)\"\(userInfo)"
  }
}
