/// An error as MSAL gives it to the app (fact sheet §6.1).
///
/// `code` is the public one. Everything that is not recoverable arrives as -50000, with the cause in `internalCode`.
public struct MSALError: Error, Hashable, Sendable {
  public var domain: String
  public var code: Int
  public var internalCode: Int?
  public var description: String
  public var oauthError: String?
  public var suberror: String?
  public var correlationID: String?
  /// The check that led to it, where the SDK's answer to the broker says which.
  var failedCheck: Check?

  /// Codes that reach the app as they are; every other one becomes -50000 with itself as internal code.
  private static let recoverable: Set<Int> = [-50001, -50002, -50003, -50004, -50005, -50142]

  init(
    code: Int, _ description: String, oauthError: String? = nil, suberror: String? = nil,
    correlationID: String? = nil
  ) {
    domain = "MSALErrorDomain"
    if Self.recoverable.contains(code) {
      self.code = code
    } else {
      self.code = -50000
      internalCode = code == -50000 ? -42008 : code
    }
    self.description = description
    self.oauthError = oauthError
    self.suberror = suberror
    self.correlationID = correlationID
  }

  /// A keychain status keeps its OSStatus and its domain (§6.1).
  init(keychain status: KeychainError, _ description: String) {
    domain = "NSOSStatusErrorDomain"
    code = status.rawValue
    self.description = description
  }

  /// Exactly as it prints on the device.
  public var printed: String {
    var info = ["MSALErrorDescriptionKey=\(description)"]
    if let oauthError { info.append("MSALOAuthErrorKey=\(oauthError)") }
    if let suberror { info.append("MSALOAuthSubErrorKey=\(suberror)") }
    if let internalCode { info.append("MSALInternalErrorCodeKey=\(internalCode)") }
    if let correlationID { info.append("MSALCorrelationIDKey=\(correlationID)") }
    return "Error Domain=\(domain) Code=\(code) \"(null)\" UserInfo={\(info.joined(separator: ", "))}"
  }
}
