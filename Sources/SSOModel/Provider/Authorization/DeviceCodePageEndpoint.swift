/// `GET` and `POST /common/oauth2/deviceauth`: the page on which users type another device's user code (RFC
/// 8628 §3.3).
///
/// A known code leads to the ordinary sign-in page.
struct DeviceCodePageEndpoint {
  let provider: ProviderResources

  /// Shows the page, with the code of the link filled in.
  func show(_ tenant: AuthorityTenant, _ context: inout RequestContext) throws -> ProviderResponse {
    try context.require(checkTenantExists(tenant))
    return ProviderResponse(
      .deviceCode(DeviceCodePage(userCode: context.request.typedUserCode ?? "", failure: nil)))
  }

  /// Accepts the code that the user typed.
  func respond(_ tenant: AuthorityTenant, _ context: inout RequestContext) throws -> ProviderResponse {
    try context.require(checkTenantExists(tenant))
    let typed = context.request.typedUserCode
    let key = try typed.flatMap { try provider.deviceAuthorizations.key(userCode: $0) } ?? ""
    let found = try provider.deviceAuthorizations.authorization(key: key)
    let authorization: DeviceAuthorization
    do {
      let isKnown = checkUserCodeIsKnown(found)
      try provider.userCodeGuesses.require(isKnown, guess: typed ?? "", &context)
      guard let found else { throw isKnown.refusal }
      authorization = found
      let entry = UserCodeEntry(authorization: authorization, now: provider.now)
      try context.require(UserCodeEntry.rules, of: entry)
    } catch let error as OAuthError {
      context.refusal = error
      return ProviderResponse(.deviceCode(DeviceCodePage(userCode: "", failure: error.message)))
    }
    var signIn = OngoingSignIn(
      provider: provider, id: Base64URL.encode(provider.random.bytes(16)),
      flow: SignInFlow(authorization, key: key, now: provider.now))
    try signIn.save(&context)
    return try signIn.page(username: "", asks: .username, context)
  }
}

extension HTTPRequest {
  fileprivate var typedUserCode: String? { field("user_code") ?? field("otc") }
}

/// A known user code that was typed on the device page.
private struct UserCodeEntry {
  var authorization: DeviceAuthorization
  var now: Instant

  /// The rules that apply after `checkUserCodeIsKnown`.
  static var rules: [(UserCodeEntry) -> RuleResult] { [checkUserCodeIsYoung, checkUserCodeIsOpen] }
}

private func checkUserCodeIsKnown(_ authorization: DeviceAuthorization?) -> RuleResult {
  RuleResult(
    "user code known", expected: "the code that the device shows",
    found: authorization == nil ? "unknown" : "known", authorization != nil, source: "RFC 8628 §3.3",
    else: OAuthError(
      .badVerificationCode, "That code didn't work. Check the code and try again.",
      aadsts: .deviceCodeUnknown))
}

private func checkUserCodeIsYoung(_ entry: UserCodeEntry) -> RuleResult {
  let hasExpired = entry.authorization.hasExpired(at: entry.now)
  return RuleResult(
    "user code not expired", expected: "younger than \(DeviceAuthorization.lifetime) s",
    found: hasExpired ? "older" : "younger", !hasExpired, source: "RFC 8628 §3.3",
    else: OAuthError(
      .expiredToken, "That code has expired. Start again on the device for a new one.",
      aadsts: .userCodeExpired))
}

private func checkUserCodeIsOpen(_ entry: UserCodeEntry) -> RuleResult {
  let state = entry.authorization.state
  return RuleResult(
    "user code open", expected: "pending", found: state.rawValue, state == .pending, source: "RFC 8628 §3.3",
    else: OAuthError(
      .invalidRequest, "The request was already authorized or declined.", aadsts: .deviceCodeAnswered))
}
