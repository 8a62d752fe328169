/// An error with which an SDK rejects a call, as its app receives it (docs/behaviour/errors.md §1, §3).
///
/// It is structured data; `printed` formats it as the SDK does.
package struct SDKError: Error, Hashable, Sendable {
  /// The SDK that created the error, which determines how it is printed.
  package let sdk: SDKKind
  /// `MSALErrorDomain`, one of ``ADALError/Domain``, or a system domain that is passed through.
  package var domain: String
  /// The public code: MSAL's, ADAL's, an OSStatus, or an HTTP status, depending on the domain.
  package var code: Int
  /// MSAL's cause of -50000, which ADAL does not have.
  package var internalCode: Int?
  package var description: String
  /// The provider's error (`error` of RFC 6749 §5.2), or `nil` if the SDK itself rejected the call.
  package var oauthError: String?
  package var suberror: String?
  package var correlationID: String?
  /// The `ADUserIdKey` in ADAL's user info.
  package var userID: String?
  /// The check that caused the error, if the SDK says which.
  package var failedCheck: Check?
  /// Whether the cache contained nothing for the account, so nothing was sent.
  package var isCacheMiss = false
  /// The other entries of the user info, in the order of docs/behaviour/errors.md §1.
  package var userInfo: [NameValue] = []
  /// Whether Foundation created the error, which the SDK passes through with Foundation's user info and text.
  var isOfFoundation = false

  package init(
    _ sdk: SDKKind, domain: String, code: Int, _ description: String, oauthError: String? = nil,
    suberror: String? = nil
  ) {
    self.sdk = sdk
    self.domain = domain
    self.code = code
    self.description = description
    self.oauthError = oauthError
    self.suberror = suberror
  }
}

extension SDKError {
  /// Whether the user closed the page or the broker.
  package var isCancellation: Bool {
    switch sdk {
    case .msal: code == MSALCode.userCanceled.number
    case .adal:
      domain == ADALError.Domain.authentication.rawValue && code == ADALCode.uiUserCancel.number
    }
  }

  /// Whether only an interactive sign-in can resolve the error.
  package var needsInteraction: Bool {
    switch sdk {
    case .msal: code == MSALCode.interactionRequired.number
    case .adal: code == ADALCode.serverUserInputNeeded.number
    }
  }

  /// Whether several accounts are signed in, and the call did not specify one.
  package var isAmbiguous: Bool {
    switch sdk {
    case .msal: internalCode == MSALCode.ambiguousAccount.number
    case .adal: code == ADALCode.cacheMultipleUsers.number
    }
  }

  /// Whether `code` is an OSStatus of the keychain.
  package var isKeychainStatus: Bool {
    domain == MSALError.keychainDomain || domain == ADALError.Domain.keychain.rawValue
  }

  /// Whether an app that shares another app's sign-in might not have received the error.
  package var mayLackSharing: Bool {
    isCacheMiss || isKeychainStatus && code == KeychainError.missingEntitlement.number
  }

  /// The most precise code, which is MSAL's internal code if there is one.
  package var preciseCode: Int { internalCode ?? code }

  /// A short description for a prediction.
  package var summary: String {
    if sdk == .msal, isKeychainStatus {
      return (KeychainError(number: code)?.name ?? domain) + " (\(code))"
    }
    if domain == ADALError.Domain.http.rawValue { return "the server answers with status \(code)" }
    return sdk == .msal && isAmbiguous
      ? "several accounts, none named (\(MSALCode.ambiguousAccount.text))" : description
  }

  /// The text as it is printed on the device, except that lists are on one line; `(null)` is Objective-C's text for
  /// nil.
  package var printed: String {
    switch sdk {
    case .msal: printedByMSAL
    case .adal: printedByADAL
    }
  }

  private var printedByMSAL: String {
    let owner = domain.hasPrefix("MSID") ? "MSID" : "MSAL"
    var info = isOfFoundation ? [] : ["\(owner)ErrorDescriptionKey=\(description)"]
    if let oauthError { info.append("MSALOAuthErrorKey=\(oauthError)") }
    if let suberror { info.append("MSALOAuthSubErrorKey=\(suberror)") }
    if let internalCode { info.append("MSALInternalErrorCodeKey=\(internalCode)") }
    info += userInfo.map { "\($0.name)=\($0.value)" }
    if let correlationID { info.append("MSALCorrelationIDKey=\(correlationID)") }
    let quoted = isOfFoundation ? description : "(null)"
    return "Error Domain=\(domain) Code=\(code) \"\(quoted)\" UserInfo={\(info.joined(separator: ", "))}"
  }

  private var printedByADAL: String {
    var info: [String] = []
    if let suberror { info.append("ADSuberrorKey=\(suberror)") }
    if let userID { info.append("ADUserIdKey=\(userID)") }
    info += self.userInfo.map { "\($0.name)=\($0.value)" }
    let userInfo = info.isEmpty ? "" : " UserInfo={\(info.joined(separator: ", "))}"
    let name = ADALError.Domain(rawValue: domain)?.codeName(code) ?? String(code)
    return "Error with code: \(name) Domain: \(domain) ProtocolCode:\(oauthError ?? "(null)") "
      + "Details:\(description). Inner error details: "
      + "Error Domain=\(domain) Code=\(code) \"(null)\"\(userInfo)"
  }
}
