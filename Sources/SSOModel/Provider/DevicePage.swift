import SSOCore

extension Provider {
  /// `GET` and `POST /common/oauth2/deviceauth`: where the person types the user code of another device
  /// (RFC 8628 §3.3). A code that is known leads to the sign-in page, as any sign-in.
  func devicePage(_ tenant: AuthorityTenant, _ exchange: inout Exchange) throws -> ProviderResponse {
    do { try exchange.checks.require(checkTenantExists(tenant)) } catch { return errorPage(error, &exchange) }
    let typed = exchange.request.field("user_code") ?? exchange.request.field("otc")
    guard exchange.request.method.uppercased() == "POST" else {
      return page(.deviceCode(DeviceCodePage(userCode: typed ?? "", failure: nil)))
    }
    let key = try typed.flatMap { try deviceAuthorizations.key(userCode: $0) }
    let authorization = try key.flatMap { try deviceAuthorizations.authorization(key: $0) }
    do {
      let entry = UserCodeEntry(userCode: typed ?? "", authorization: authorization, now: now)
      try exchange.checks.require(UserCodeEntry.rules, of: entry)
    } catch {
      exchange.refusal = error
      return page(.deviceCode(DeviceCodePage(userCode: "", failure: error.message)))
    }
    guard let key, let authorization else {
      return page(.deviceCode(DeviceCodePage(userCode: "", failure: nil)))
    }
    let id = Base64URL.encode(chance.bytes(16))
    let flow = SignInFlow(authorization, key: key, now: now, correlationID: exchange.correlationID)
    try flows.save(flow, id: id)
    return try signInPage(id, flow, username: "", asks: .username, &exchange)
  }

  /// The person at the other device decided: the next poll hears of it.
  func settleDevice(
    _ key: String, _ flow: SignInFlow, approvedBy person: Person?, cookies: [NameValue] = []
  ) throws -> ProviderResponse {
    let name = try directory.registration(clientID: flow.clientID)?.displayName ?? flow.clientID
    if var authorization = try deviceAuthorizations.authorization(key: key) {
      authorization.state = person == nil ? .declined : .approved
      authorization.username = person?.username.lowercased()
      authorization.authenticatedAt = flow.authenticatedAt
      try deviceAuthorizations.save(authorization, key: key)
      try deviceAuthorizations.unlink(userCode: authorization.userCode)
    }
    let notice =
      person == nil
      ? NoticePage(
        title: "Sign-in declined", message: "\(name) was not signed in. You may close this window.",
        isRefusal: true)
      : NoticePage(
        title: "Signed in",
        message:
          "You have signed in to the \(name) application on your device. You may now close this window.")
    return page(.notice(notice), cookies: cookies)
  }

  func page(_ page: Page, cookies: [NameValue] = []) -> ProviderResponse {
    ProviderResponse(.page(200, cookies: cookies), page: page, setCookies: cookies)
  }
}

/// What was typed on the device page.
struct UserCodeEntry {
  var userCode: String
  var authorization: DeviceAuthorization?
  var now: Instant

  static var rules: [(UserCodeEntry) -> Finding] {
    [checkUserCodeIsKnown, checkUserCodeIsYoung, checkUserCodeIsOpen]
  }
}

private func checkUserCodeIsKnown(_ entry: UserCodeEntry) -> Finding {
  Finding(
    "user code known", expected: "the code that the device shows",
    found: entry.authorization == nil ? "unknown" : "known", entry.authorization != nil,
    source: "RFC 8628 §3.3",
    else: OAuthError(
      .badVerificationCode, "That code didn't work. Check the code and try again.", aadsts: 70018))
}

private func checkUserCodeIsYoung(_ entry: UserCodeEntry) -> Finding {
  let isOver = entry.authorization?.isOver(at: entry.now) ?? true
  return Finding(
    "user code not expired", expected: "younger than \(DeviceAuthorization.lifetime) s",
    found: isOver ? "older" : "younger", !isOver, source: "RFC 8628 §3.3",
    else: OAuthError(
      .expiredToken, "That code has expired. Start again on the device for a new one.", aadsts: 70019))
}

private func checkUserCodeIsOpen(_ entry: UserCodeEntry) -> Finding {
  let state = entry.authorization?.state ?? .pending
  return Finding(
    "user code open", expected: "pending", found: state.rawValue, state == .pending, source: "RFC 8628 §3.3",
    else: OAuthError(.invalidRequest, "The request was already authorized or declined.", aadsts: 90120))
}
