/// Why an SDK refused a call, as its app gets it (docs/behaviour/errors.md §1, §3).
///
/// It is data: `printed` words it as the SDK does.
package struct SDKError: Error, Hashable, Sendable {
  /// Whose error it is; it decides how the error prints.
  package let sdk: SDKKind
  /// `MSALErrorDomain`, one of ``ADALError/Domain``, or a domain of the system's that passes through.
  package var domain: String
  /// The public code: MSAL's, ADAL's, an OSStatus or an HTTP status, by the domain.
  package var code: Int
  /// MSAL's cause beneath -50000; ADAL has none.
  package var internalCode: Int?
  package var description: String
  /// What the provider refused (`error` of RFC 6749 §5.2); nil if the SDK refused by itself.
  package var oauthError: String?
  package var suberror: String?
  package var correlationID: String?
  /// `ADUserIdKey` of ADAL's user info.
  package var userID: String?
  /// The check that led to it, where the SDK says which.
  package var failedCheck: Check?
  /// The cache has nothing of the account: nothing was sent.
  package var isCacheMiss = false
  /// Other entries of the user info, in the order of docs/behaviour/errors.md §1.
  package var userInfo: [NameValue] = []
  /// Foundation made it, and the SDK passes it through: it has Foundation's user info, and prints its own words.
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
  /// The person closed the page or the broker.
  package var isCancellation: Bool {
    switch sdk {
    case .msal: code == MSALCode.userCanceled.number
    case .adal:
      domain == ADALError.Domain.authentication.rawValue && code == ADALCode.uiUserCancel.number
    }
  }

  /// Only a sign-in by a person can help.
  package var needsInteraction: Bool {
    switch sdk {
    case .msal: code == MSALCode.interactionRequired.number
    case .adal: code == ADALCode.serverUserInputNeeded.number
    }
  }

  /// Several accounts are signed in, and the call named none.
  package var isAmbiguous: Bool {
    switch sdk {
    case .msal: internalCode == MSALCode.ambiguousAccount.number
    case .adal: code == ADALCode.cacheMultipleUsers.number
    }
  }

  /// `code` is an OSStatus of the keychain.
  package var isKeychainStatus: Bool {
    domain == MSALError.keychainDomain || domain == ADALError.Domain.keychain.rawValue
  }

  /// Whether an app that shares another's sign-in would not have met it.
  package var mayLackSharing: Bool {
    isCacheMiss || isKeychainStatus && code == KeychainError.missingEntitlement.number
  }

  /// The code that says most: MSAL's internal one where there is one.
  package var preciseCode: Int { internalCode ?? code }

  /// In few words, for a prediction.
  package var summary: String {
    if sdk == .msal, isKeychainStatus {
      return (KeychainError(number: code)?.name ?? domain) + " (\(code))"
    }
    if domain == ADALError.Domain.http.rawValue { return "the server answers with status \(code)" }
    return sdk == .msal && isAmbiguous
      ? "several accounts, none named (\(MSALCode.ambiguousAccount.text))" : description
  }

  /// As it prints on the device, save that lists are on one line; `(null)` is how Objective-C prints nil.
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
