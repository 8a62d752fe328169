extension MSALError {
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
    var error = problem.asFoundationError(of: .msal)
    error.correlationID = correlationID
    return error
  }

  /// Returns the error for an HTTP status that is not an OAuth response (silent-call.md §3(7), errors.md §1(5)).
  ///
  /// It is -51500, with -51501 as the underlying error for 403 and 404.
  static func make(status: Int, _ headers: [NameValue], correlationID: String) -> SDKError {
    let text = words(forStatus: status)
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
  static func words(forStatus status: Int) -> String {
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
