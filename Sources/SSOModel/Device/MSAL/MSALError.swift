/// A namespace for functions that create MSAL's errors (docs/behaviour/errors.md §1).
///
/// Codes that an app can act on reach it unchanged. Every other code arrives as -50000, with the cause as the internal
/// code.
package enum MSALError {
  static let domain = "MSALErrorDomain"
  package static let keychainDomain = "NSOSStatusErrorDomain"

  /// Returns an error as the SDK creates it: internal codes become -50000 with the code in userInfo (errors.md §1).
  package static func make(
    code: MSALCode, _ description: String, oauthError: String? = nil, suberror: String? = nil,
    correlationID: String? = nil, userInfo: [NameValue] = []
  ) -> SDKError {
    var error = SDKError(
      .msal, domain: domain, code: (code.isRecoverable ? code : .internalError).number, description,
      oauthError: oauthError, suberror: suberror)
    if !code.isRecoverable {
      error.internalCode = (code == .internalError ? MSALCode.unexpected : code).number
    }
    error.correlationID = correlationID
    error.userInfo = userInfo
    return error
  }

  /// Returns the error of calls for one account, such as `getCurrentAccountWithParameters:`, if several are signed in.
  ///
  /// See errors.md §4.
  static func ambiguousAccount(_ accounts: [SDKAccount]) -> SDKError {
    var error = make(code: IdentityCoreCode.cacheMultipleUsers.msal, "Multiple accounts found in cache.")
    error.failedCheck = oneAccount(of: accounts)
    return error
  }

  /// Returns the check that a call without a specified account can be for only one account.
  static func oneAccount(of accounts: [SDKAccount]) -> Check {
    Check(
      "one account is signed in, or one is named", expected: "one account",
      found: accounts.isEmpty ? "none" : accounts.map(\.username).joined(separator: ", "),
      verdict: accounts.isEmpty ? .skipped : accounts.count == 1 ? .passed : .failed, source: "errors.md §4")
  }

  /// Returns -50002 for a call that sent nothing, because the cache contains nothing for the account.
  static func cacheMiss(_ description: String) -> SDKError {
    var error = make(code: .interactionRequired, description)
    error.isCacheMiss = true
    return error
  }

  /// Returns the error for a keychain status, which keeps its OSStatus and its domain (errors.md §1).
  static func make(keychain status: KeychainError, _ description: String) -> SDKError {
    SDKError(.msal, domain: keychainDomain, code: status.number, description)
  }

  static func make(_ fault: BrokerFault, correlationID: String? = nil) -> SDKError {
    var error = make(code: fault.code.msal, fault.reason, correlationID: correlationID)
    error.failedCheck = fault.check
    return error
  }

  /// Returns Foundation's error for a missing response; it is not mapped, because the SDK converts only its own
  /// domains.
  static func unreachable(_ correlationID: String) -> SDKError {
    var error = SDKError(.msal, domain: "NSURLErrorDomain", code: -1004, "Could not connect to the server.")
    error.correlationID = correlationID
    error.userInfo = [NameValue("NSLocalizedDescription", error.description)]
    error.isOfFoundation = true
    return error
  }
}
