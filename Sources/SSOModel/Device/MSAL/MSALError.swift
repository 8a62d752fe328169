import Essentials
import SSOCore
import SSOReference

/// A namespace for functions that create MSAL's errors (docs/behaviour/errors.md §1).
///
/// Codes that an app can act on reach it unchanged. Every other code arrives as -50000, with the cause as the internal
/// code.
package enum MSALError {
  package static let domain = "MSALErrorDomain"
  package static let keychainDomain = "NSOSStatusErrorDomain"

  /// Returns an error as the SDK creates it: internal codes become -50000 with the code in userInfo (errors.md §1).
  package static func make(
    code: MSALCode, _ description: String, oauthError: String? = nil, suberror: String? = nil,
    correlationID: String? = nil, userInfo: [NameValue] = []
  ) -> SDKError {
    var error = make(
      domain: domain, code: (code.isRecoverable ? code : .internalError).number, description,
      oauthError: oauthError, suberror: suberror)
    if !code.isRecoverable {
      error.internalCode = (code == .internalError ? MSALCode.unexpected : code).number
    }
    error.correlationID = correlationID
    error.userInfo = userInfo
    return error
  }

  /// Swift's error for a function of Objective-C that returned nil without an error, for which the SDK has no text.
  ///
  /// See broker.md §12(5).
  static var nilObject: SDKError {
    var error = make(
      domain: "Foundation._GenericObjCError", code: 0,
      "The operation couldn’t be completed. (Foundation._GenericObjCError error 0.)")
    error.isOfFoundation = true
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

  static let oneAccountCheck = "one account is signed in, or one is named"

  /// Returns the check that a call without a specified account can be for only one account.
  static func oneAccount(of accounts: [SDKAccount]) -> Check {
    Check(
      oneAccountCheck, expected: "one account",
      found: accounts.isEmpty ? "none" : accounts.map(\.username).joined(separator: ", "),
      verdict: accounts.isEmpty ? .skipped : accounts.count == 1 ? .passed : .failed, source: "errors.md §4",
      failure: ambiguity(of: accounts.map(\.username)))
  }

  /// Returns the failure of a call that does not specify one of several accounts.
  private static func ambiguity(of names: [String]) -> String {
    let most = 4
    let listed = names.prefix(most).joined(separator: ", ") + (names.count > most ? ", …" : "")
    return names.count == 2
      ? "two accounts are signed in (\(listed)), and the call names neither"
      : "\(names.count) accounts are signed in (\(listed)), and the call names none of them"
  }

  /// Returns -50002 for a call that sent nothing, because the cache contains nothing for the account.
  static func cacheMiss(_ description: String) -> SDKError {
    var error = make(code: .interactionRequired, description)
    error.isCacheMiss = true
    return error
  }

  /// Returns the error for a keychain status, which keeps its OSStatus and its domain (errors.md §1).
  static func make(keychain status: KeychainError, _ description: String) -> SDKError {
    make(domain: keychainDomain, code: status.number, description)
  }

  static func make(_ fault: BrokerFault) -> SDKError {
    var error = make(code: fault.code.msal, fault.reason)
    error.failedCheck = fault.check
    return error
  }

  static func make(_ fault: BrokerFault, correlationID: String?) -> SDKError {
    var error = make(fault)
    error.correlationID = correlationID
    return error
  }

  /// Returns the system's error for a request that the SSO extension did not handle, which MSAL passes on as it is.
  static func notHandled(_ correlationID: String) -> SDKError {
    let code = ExtensionNotHandled.code
    let domain = "com.apple.AuthenticationServices.AuthorizationError"
    var error = make(
      domain: domain, code: code, "The operation couldn’t be completed. (\(domain) error \(code).)")
    error.correlationID = correlationID
    error.isOfFoundation = true
    return error
  }

  /// Returns Foundation's error for a missing response; it is not mapped, because the SDK converts only its own
  /// domains.
  static func unreachable(_ correlationID: String) -> SDKError {
    var error = make(domain: "NSURLErrorDomain", code: -1004, "Could not connect to the server.")
    error.correlationID = correlationID
    error.userInfo = [NameValue("NSLocalizedDescription", error.description)]
    error.isOfFoundation = true
    return error
  }
}

extension MSALError: ErrorLanguage {
  static var sdk: SDKKind { .msal }
  static var notReceived: String { "Application did not receive response from broker." }

  static func isCancellation(_ error: SDKError) -> Bool { error.code == MSALCode.userCanceled.number }
  static func needsInteraction(_ error: SDKError) -> Bool {
    error.code == MSALCode.interactionRequired.number
  }

  static func isAmbiguous(_ error: SDKError) -> Bool {
    error.internalCode == MSALCode.ambiguousAccount.number || error.failedCheck?.name == oneAccountCheck
  }

  static func summary(_ error: SDKError) -> String {
    if error.isKeychainStatus {
      return (KeychainError(number: error.code)?.name ?? error.domain) + " (\(error.code))"
    }
    return isAmbiguous(error)
      ? "several accounts, none named (\(error.preciseCode))" : error.description
  }

  static func printed(_ error: SDKError) -> String {
    let owner = error.domain.hasPrefix("MSID") ? "MSID" : "MSAL"
    var info = error.isOfFoundation ? [] : ["\(owner)ErrorDescriptionKey=\(error.description)"]
    if let code = error.oauthError { info.append("MSALOAuthErrorKey=\(code)") }
    if let suberror = error.suberror { info.append("MSALOAuthSubErrorKey=\(suberror)") }
    if let code = error.internalCode { info.append("MSALInternalErrorCodeKey=\(code)") }
    info += error.userInfo.map { "\($0.name)=\($0.value)" }
    if let id = error.correlationID { info.append("MSALCorrelationIDKey=\(id)") }
    let quoted = error.isOfFoundation ? error.description : "(null)"
    return "Error Domain=\(error.domain) Code=\(error.code) \"\(quoted)\" "
      + "UserInfo={\(info.joined(separator: ", "))}"
  }

  // MARK: MSAL's error for a response of the broker

  // See docs/behaviour/broker.md §8(3), (4); `CC/requests/sdk/msal/MSIDDefaultBrokerResponseHandler.m`.

  /// The entries of `error_metadata` that reach the app, with their names there, in the order of errors.md §1(7).
  private static let metadataKeys = [
    ("http_response_headers", "MSALHTTPHeadersKey"), ("http_response_code", "MSALHTTPResponseCodeKey"),
    ("declined_scopes", "MSALDeclinedScopesKey"), ("granted_scopes", "MSALGrantedScopesKey"),
    ("username", "MSALDisplayableUserIdKey"), ("home_account_id", "MSALHomeAccountIdKey"),
  ]

  static func make(broker fields: [NameValue], correlationID: String) -> SDKError {
    let number = fields["broker_error_code"].flatMap { Int($0) } ?? 0
    let domain = fields["broker_error_domain"] ?? ""
    var error = converted(
      domain: domain.isEmpty ? "MSIDErrorDomain" : domain,
      number == 0 ? IdentityCoreCode.brokerUnknown.number : number,
      fields["error_description"] ?? "Broker did not provide any details")
    error.oauthError = fields["error"]
    error.suberror = fields["suberror"]
    error.correlationID = fields["correlation_id"] ?? correlationID
    let metadata = fields["error_metadata"].flatMap { JSONValue(bounded: Array($0.utf8)) }
    error.userInfo = metadataKeys.compactMap { key, name in
      metadata?[key].map { NameValue(name, displayText($0, of: key)) }
    }
    if let version = fields["x-broker-app-ver"] {
      error.userInfo.append(NameValue("MSALBrokerVersionKey", version))
    }
    return error
  }

  /// Returns the broker's error, with codes of IdentityCore converted to MSAL's (`MSAL/MSALErrorConverter.m`).
  ///
  /// Codes of MSAL and of foreign domains are not converted.
  private static func converted(domain: String, _ number: Int, _ description: String) -> SDKError {
    switch domain {
    case "MSIDErrorDomain", "MSIDOAuthErrorDomain", "MSIDHttpErrorCodeDomain":
      return make(code: IdentityCoreCode(number: number)?.msal ?? .internalError, description)
    case "MSIDKeychainErrorDomain": return make(domain: keychainDomain, code: number, description)
    case Self.domain:
      if let code = MSALCode(number: number) { return make(code: code, description) }
      var error = make(code: .internalError, description)
      error.internalCode = number
      return error
    default: return make(domain: domain, code: number, description)
    }
  }

  /// Returns a value as Foundation prints it.
  ///
  /// Older brokers send the headers as a form.
  private static func displayText(_ value: JSONValue, of key: String) -> String {
    if let fields = value.object {
      return dictionary(
        fields.sorted { $0.key < $1.key }.map { NameValue($0.key, $0.value.string ?? $0.value.text(.wire)) })
    }
    if let list = value.array { return self.list(list.compactMap(\.string)) }
    let text = value.string ?? value.text(.wire)
    return key == "http_response_headers" ? dictionary(FormEncoding.decode(text) ?? []) : text
  }

  /// Returns the error for an OAuth error that is not replaced by a requirement for user interaction.
  ///
  /// Unknown OAuth errors are -42104.
  static func make(_ error: OAuthError, correlationID: String, userInfo: [NameValue] = []) -> SDKError {
    let needsPolicy =
      error.code == .unauthorizedClient && error.suberror == OAuthSuberror.protectionPolicyRequired.text
    let codes = error.aadsts.map { [NameValue("MSALSTSErrorCodesKey", "(\($0))")] } ?? []
    return make(
      code: needsPolicy ? .serverProtectionPoliciesRequired : error.code.msal, error.message,
      oauthError: error.code.text, suberror: error.suberror, correlationID: correlationID,
      userInfo: codes + userInfo)
  }

  /// Returns the error that the app receives for a response without tokens.
  static func make(_ answer: ServerAnswer, correlationID: String, userInfo: [NameValue] = []) -> SDKError {
    var error =
      switch answer {
      case .refused(let refusal): make(refusal, correlationID: correlationID)
      case .status(let status, let headers): make(status: status, headers, correlationID: correlationID)
      case .unreachable: unreachable(correlationID)
      case .unreadable(let problem): unreadable(problem, correlationID)
      case .tokens, .unusable:
        make(
          code: .internalError,
          "Authentication response received without expected accessToken and idToken",
          correlationID: correlationID)
      }
    error.userInfo += userInfo
    return error
  }

  private static func unreadable(_ problem: JSONParseError, _ correlationID: String) -> SDKError {
    var error = make(problem)
    error.correlationID = correlationID
    return error
  }

  /// Returns the error for an HTTP status that is not an OAuth response (silent-call.md §3(7), errors.md §1(5)).
  ///
  /// It is -51500, with -51501 as the underlying error for 403 and 404.
  static func make(status: Int, _ headers: [NameValue], correlationID: String) -> SDKError {
    let text = displayText(forStatus: status)
    var userInfo = [
      NameValue("MSALHTTPHeadersKey", dictionary(headers)),
      NameValue("MSALHTTPResponseCodeKey", String(status)),
    ]
    if status == 403 || status == 404 {
      let beneath = make(code: .unexpectedHttpResponse, text, correlationID: correlationID)
      userInfo.append(NameValue("NSUnderlyingError", "{\(beneath.printed)}"))
    }
    return make(code: .unhandledResponse, text, correlationID: correlationID, userInfo: userInfo)
  }

  /// Returns a dictionary as Foundation prints it, on one line.
  static func dictionary(_ fields: [NameValue]) -> String {
    "{" + fields.map { "\(quoted($0.name)) = \(quoted($0.value));" }.joined(separator: " ") + "}"
  }

  /// Returns the text of `localizedStringForStatusCode:`.
  static func displayText(forStatus status: Int) -> String {
    statusWords[status] ?? (status < 500 ? "client error" : "server error")
  }

  private static let statusWords = [
    403: "forbidden", 404: "not found", 429: "too many requests", 500: "internal server error",
    501: "not implemented", 502: "bad gateway", 503: "service unavailable", 504: "gateway timed out",
  ]

  /// Returns a list as Foundation prints it, on one line: `(User.Read, "Mail.Read")`.
  static func list(_ values: [String]) -> String { "(" + values.map(quoted).joined(separator: ", ") + ")" }

  /// Returns the text in quotation marks, unless it consists of letters and digits only.
  private static func quoted(_ text: String) -> String {
    let isPlain =
      !text.isEmpty
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
      }
    return isPlain ? text : "\"\(text)\""
  }
}

extension OAuthError {
  /// Whether an interactive sign-in can resolve the error, as it can for any OAuth error but three (silent-call.md
  /// §1(7)).
  var isRecoverableByInteraction: Bool {
    if code == .unauthorizedClient, suberror == OAuthSuberror.protectionPolicyRequired.text { return false }
    return code != .invalidScope && code != .invalidClient
  }
}
