extension MSALError {
  /// An OAuth error as it is delivered when no user interaction is asked for instead. Unknown ones are -42104.
  static func make(_ error: OAuthError, correlationID: String, userInfo: [NameValue] = []) -> SDKError {
    let needsPolicy =
      error.code == .unauthorizedClient && error.suberror == OAuthSuberror.protectionPolicyRequired.text
    let codes = error.aadsts.map { [NameValue("MSALSTSErrorCodesKey", "(\($0))")] } ?? []
    return make(
      code: needsPolicy ? .serverProtectionPoliciesRequired : error.code.msal, error.message,
      oauthError: error.code.text, suberror: error.suberror, correlationID: correlationID,
      userInfo: codes + userInfo)
  }

  /// An HTTP status that is no OAuth answer (silent-call.md §3(7), errors.md §4): -51500, for 403 and 404 with -51501 beneath.
  static func make(status: Int, retryAfter: Int?, correlationID: String) -> SDKError {
    var userInfo = [NameValue("MSALHTTPResponseCodeKey", String(status))]
    if let retryAfter {
      userInfo.insert(NameValue("MSALHTTPHeadersKey", "{Retry-After=\(retryAfter)}"), at: 0)
    }
    return make(
      code: .unhandledResponse, words[status] ?? (status < 500 ? "client error" : "server error"),
      correlationID: correlationID, userInfo: userInfo)
  }

  /// `localizedStringForStatusCode:`
  private static let words = [
    403: "forbidden", 404: "not found", 429: "too many requests", 500: "internal server error",
    501: "not implemented", 502: "bad gateway", 503: "service unavailable", 504: "gateway timed out",
  ]

  /// A list as Foundation prints it, on one line: `(User.Read, "Mail.Read")`.
  static func list(_ values: [String]) -> String {
    let quoted = values.map { value in
      value.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
      }
        ? value : "\"\(value)\""
    }
    return "(" + quoted.joined(separator: ", ") + ")"
  }
}

extension OAuthError {
  /// Whether a sign-in by a person can help: any OAuth error but three (silent-call.md §1(7)).
  var isRecoverableByInteraction: Bool {
    if code == .unauthorizedClient, suberror == OAuthSuberror.protectionPolicyRequired.text { return false }
    return code != .invalidScope && code != .invalidClient
  }
}
