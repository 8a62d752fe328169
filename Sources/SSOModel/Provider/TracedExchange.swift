import SSOCore
import SSOReference

/// Returns a client's text, cut if it exceeds 1,000 bytes, because the trace stores a thousand requests.
package func shortened(_ text: String) -> String {
  text.utf8.count > 1000 ? text.prefix(250) + "…[\(text.utf8.count) bytes]" : text
}

extension HTTPRequest {
  private static let secretFields: Set<String> = [
    "password", "code", "refresh_token", "prt", "code_verifier", "access_token", "id_token", "client_secret",
    "assertion", "session_key", "flow", "device_code", "user_code", "otc", "client_assertion",
    "id_token_hint", "token",
  ]

  /// The headers with which an SDK names itself; some SDKs have fields of these names in their place.
  private static let namingHeaders = ["x-client-SKU", "x-client-Ver"]

  /// The fields of the request in order, with secrets masked, and the headers with which its SDK names itself.
  var tracedFields: [NameValue] {
    let fields = (query + form).map { field in
      let isSecret = Self.secretFields.contains(field.name.lowercased())
      return NameValue(shortened(field.name), isSecret ? masked(field.value) : shortened(field.value))
    }
    return fields
      + Self.namingHeaders.compactMap { name in
        header(name).map { NameValue(Hop.headerMark + name, shortened($0)) }
      }
  }
}

extension OAuthError {
  /// Returns the refusal for the trace, or `nil` for a sign-in that the user cancelled.
  func traced(_ route: Route?, _ response: ProviderResponse) -> Refusal? {
    guard !isCancellation || b2c != nil else { return nil }
    let place: Refusal.Place? =
      switch (response.page, route) {
      case (_?, _): .page
      case (nil, .authorize), (nil, .adminConsent), (nil, .login), (nil, .consent): .authorize
      case (nil, .token): .token
      case (nil, .deviceCode): .deviceCode
      default: nil
      }
    return Refusal(
      error: code.text, suberror: suberror, number: number, place: place)
  }
}

extension ProviderResponse {
  /// The contents of a response at the redirect URI, by field.
  private static let handedOut = [
    NameValue("code", "code"), NameValue("id_token", "ID token"), NameValue("access_token", "access token"),
  ]

  /// Returns the text for the trace: `200`, `302 code`, `200 sign-in page`, `400 invalid_grant AADSTS70000`,
  /// or `400 error page AADSTS50011`.
  func traceText(error: OAuthError?) -> String {
    var words = [http.status == 0 ? "no connection" : "\(http.status)"]
    switch page {
    case .signIn: words.append("sign-in page")
    case .consent: words.append("consent page")
    case .error: words.append("error page")
    case .deviceCode: words.append("device code page")
    case .notice(let page): words.append("page: \(page.title)")
    case nil:
      if let error {
        words.append(error.code.text)
      } else if http.status == 302 {
        let names = http.location.flatMap { URLParts($0)?.fields }?.map(\.name) ?? []
        let handed = Self.handedOut.filter { names.contains($0.name) }.map(\.value)
        words.append(handed.isEmpty ? "back to the app" : handed.joined(separator: ", "))
      }
    }
    if let number = error?.number { words.append(number) }
    return words.joined(separator: " ")
  }
}
