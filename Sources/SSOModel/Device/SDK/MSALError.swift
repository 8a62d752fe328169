import SSOCore
import SSOKeychain
import SSOReference

/// An error as MSAL gives it to the app (fact sheet §6.1).
///
/// `code` is the public one. Everything that is not recoverable arrives as -50000, with the cause in `internalCode`.
package struct MSALError: Error, Hashable, Sendable {
  package var domain: String
  package var code: Int
  package var internalCode: Int?
  package var description: String
  package var oauthError: String?
  package var suberror: String?
  package var correlationID: String?
  /// The check that led to it, where the SDK's answer to the broker says which.
  package var failedCheck: Check?
  /// The cache has nothing of the account: nothing was sent.
  package var isCacheMiss = false
  /// The other entries of userInfo, in the order of the fact sheet's list.
  package var userInfo: [NameValue] = []
  /// What stands in quotation marks when it prints: `(null)` in the SDK's own domain.
  var quoted = "(null)"

  init(
    code: MSALCode, _ description: String, oauthError: String? = nil, suberror: String? = nil,
    correlationID: String? = nil, userInfo: [NameValue] = []
  ) {
    domain = "MSALErrorDomain"
    if code.isRecoverable {
      self.code = code.number
    } else {
      self.code = MSALCode.internalError.number
      internalCode = (code == .internalError ? MSALCode.unexpected : code).number
    }
    self.description = description
    self.oauthError = oauthError
    self.suberror = suberror
    self.correlationID = correlationID
    self.userInfo = userInfo
  }

  /// -50002 before anything was sent: the cache has nothing of the account.
  static func cacheMiss(_ description: String) -> MSALError {
    var error = MSALError(code: .interactionRequired, description)
    error.isCacheMiss = true
    return error
  }

  /// `getCurrentAccountWithParameters:` and whoever else wants one account, when several are signed in (§6.4).
  package static func ambiguousAccount(_ accounts: [MSALAccount]) -> MSALError {
    var error = MSALError(code: IdentityCoreCode.cacheMultipleUsers.msal, "Multiple accounts found in cache.")
    error.failedCheck = Check(
      "one account is signed in, or one is named", expected: "one account",
      found: accounts.map(\.username).joined(separator: ", "), false, source: "fact sheet 6.4")
    return error
  }

  /// A keychain status keeps its OSStatus and its domain (§6.1).
  init(keychain status: KeychainError, _ description: String) {
    domain = "NSOSStatusErrorDomain"
    code = status.number
    self.description = description
  }

  /// No answer from the server: Foundation's error passes through unmapped, as no domain of the SDK's own is converted.
  static func unreachable(_ correlationID: String) -> MSALError {
    var error = MSALError(
      code: .internalError, "Could not connect to the server.", correlationID: correlationID)
    error.domain = "NSURLErrorDomain"
    error.code = -1004
    error.internalCode = nil
    error.quoted = error.description
    return error
  }

  /// Whether an app that shares another's sign-in would not have met it.
  package var mayLackSharing: Bool {
    isCacheMiss || domain == "NSOSStatusErrorDomain" && code == KeychainError.missingEntitlement.number
  }

  /// As it prints on the device, save that lists stand on one line.
  package var printed: String {
    var info = ["MSALErrorDescriptionKey=\(description)"]
    if let oauthError { info.append("MSALOAuthErrorKey=\(oauthError)") }
    if let suberror { info.append("MSALOAuthSubErrorKey=\(suberror)") }
    if let internalCode { info.append("MSALInternalErrorCodeKey=\(internalCode)") }
    info += userInfo.map { "\($0.name)=\($0.value)" }
    if let correlationID { info.append("MSALCorrelationIDKey=\(correlationID)") }
    return "Error Domain=\(domain) Code=\(code) \"\(quoted)\" UserInfo={\(info.joined(separator: ", "))}"
  }
}
