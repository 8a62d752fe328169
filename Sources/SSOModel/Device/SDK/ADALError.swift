import SSOCore
import SSOKeychain
import SSOReference

/// An error as ADAL gives it to the app (fact sheet §6.3).
package struct ADALError: Error, Hashable, Sendable {
  package enum Domain: String, Sendable {
    case authentication = "ADAuthenticationErrorDomain"
    case brokerResponse = "ADBrokerResponseErrorDomain"
    /// `code` is the raw OSStatus.
    case keychain = "ADKeychainErrorDomain"
    /// `code` is the HTTP status.
    case http = "ADHTTPErrorCodeDomain"
    /// What the provider refused; `protocolCode` is its OAuth error.
    case oauthServer = "ADOAuthServerErrorDomain"
    /// The system's; `code` is NSURLError's.
    case url = "NSURLErrorDomain"
  }

  package var domain: Domain
  package var code: Int
  package var details: String
  package var protocolCode: String?
  /// `ADSuberrorKey` of the user info.
  package var suberror: String?
  /// `ADUserIdKey` of the user info.
  package var userID: String?
  /// The check that led to it, where the SDK's answer to the broker says which.
  package var failedCheck: Check?
  /// The cache has nothing of the user: nothing was sent.
  package var isCacheMiss = false

  init(
    _ code: ADALCode, _ details: String, domain: Domain = .authentication, protocolCode: String? = nil,
    suberror: String? = nil, userID: String? = nil
  ) {
    self.domain = domain
    self.code = code.number
    self.details = details
    self.protocolCode = protocolCode
    self.suberror = suberror
    self.userID = userID
  }

  /// A keychain status keeps its OSStatus.
  init(keychain status: KeychainError, _ details: String) {
    domain = .keychain
    code = status.number
    self.details = details
  }

  /// A provider's refusal. `invalid_grant` and the like are all 202, a protection policy is 213.
  init(_ refusal: OAuthError) {
    let isPolicy = refusal.suberror == OAuthSuberror.protectionPolicyRequired.text
    self.init(
      isPolicy ? .serverProtectionPolicyRequired : .serverOAuth, refusal.message, domain: .oauthServer,
      protocolCode: refusal.code.text, suberror: refusal.suberror)
  }

  /// The name of the code, or the number in a domain of other people's numbers.
  package var codeText: String {
    switch domain {
    case .keychain, .http, .url: String(code)
    case .authentication, .brokerResponse, .oauthServer: ADALCode(number: code)?.name ?? String(code)
    }
  }

  /// Whether an app that shares another's sign-in would not have met it.
  package var mayLackSharing: Bool {
    isCacheMiss || domain == .keychain && code == KeychainError.missingEntitlement.number
  }

  /// Exactly as it prints on the device; `(null)` is how Objective-C prints nil.
  package var printed: String {
    var info: [String] = []
    if let suberror { info.append("ADSuberrorKey=\(suberror)") }
    if let userID { info.append("ADUserIdKey=\(userID)") }
    let userInfo = info.isEmpty ? "" : " UserInfo={\(info.joined(separator: ", "))}"
    return "Error with code: \(codeText) Domain: \(domain.rawValue) ProtocolCode:\(protocolCode ?? "(null)") "
      + "Details:\(details). Inner error details: "
      + "Error Domain=\(domain.rawValue) Code=\(code) \"(null)\"\(userInfo)"
  }
}

extension ADALError {
  static let credentialsNeeded = ADALError(
    .serverUserInputNeeded,
    """
    The user credentials are needed to obtain access token. Please call the non-silent acquireTokenWithResource \
    methods.
    """)
  /// The same before anything was sent: the cache has nothing of the user.
  static var cacheMiss: ADALError {
    var error = credentialsNeeded
    error.isCacheMiss = true
    return error
  }
  static let cancelled = ADALError(.uiUserCancel, "The user has cancelled the authorization.")
  static let wrongUser = ADALError(
    .serverWrongUser,
    """
    Different user was returned by the server then specified in the acquireToken call. If this is a new sign in \
    use and ADUserIdentifier is of OptionalDisplayableId type, pass in the userId returned on the initial \
    authentication flow in all future acquireToken calls.
    """)

  /// Two wordings: the newer one is IdentityCore's.
  static func multipleUsers(_ version: ADALVersion) -> ADALError {
    let text = "The token cache store for this resource contains more than one user."
    return ADALError(
      .cacheMultipleUsers,
      version.isUnified ? text : text + " Please set the 'userId' parameter to the one that will be used.")
  }

  /// The status of a failed keychain call, in the words of the generation.
  static func keychain(_ status: KeychainError, reading: Bool, _ version: ADALVersion) -> ADALError {
    let modern = reading ? "Failed to get items from keychain." : "Failed to set item into keychain."
    let operation = reading ? "retrieve items" : "update"
    return ADALError(
      keychain: status, version.isUnified ? modern : "Keychain failed during \"\(operation)\" operation")
  }
}
