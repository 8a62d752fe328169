import SSOCore

extension Provider {
  /// What the browser gets when a policy refuses (fact sheet §5.10): an app of a phone is sent to the broker, or to the store where it is
  /// found; everybody else sees the reason.
  func refuseByPolicy(
    _ error: OAuthError, _ person: Person, _ id: String, _ flow: SignInFlow, _ situation: AccessSituation,
    _ exchange: inout Exchange
  ) throws -> ProviderResponse {
    try flows.end(id: id)
    let brokerHelps = [50127, 50129, 53000].contains(error.aadsts)
    guard brokerHelps, !situation.isBrokered, CallerClaim.bundleID(in: flow.redirectURI) != nil else {
      return errorPage(error, &exchange)
    }
    exchange.refusal = error
    let query = FormEncoding.encode([
      NameValue("username", person.username), NameValue("app_link", Self.brokerAppLink),
    ])
    let address = flow.isEmbedded == true ? "msauth://wpj" : flow.redirectURI + "/msauth/wpj"
    return leave(to: address + "?" + query)
  }

  /// Where the broker is found.
  static let brokerAppLink = "https://apps.apple.com/app/microsoft-authenticator/id983156458"

  /// The person whom a policy asks for a certificate never sees a password page: one who has shown it is in, everybody else is sent to the
  /// system's browser, which can show it.
  /// - Returns: nil if no policy asks for one.
  func signInByCertificate(
    _ person: Person, _ id: String, _ flow: SignInFlow, _ tenant: AuthorityTenant, _ exchange: inout Exchange
  ) throws -> ProviderResponse? {
    let tenantID = tenant.issuingTenantID(for: person) ?? person.homeTenantID
    var flow = flow
    flow.username = person.username
    let situation = try situation(of: exchange, flow)
    guard
      let finding = try certificateFinding(person, tenantID: tenantID, situation, flow.clientID)
    else { return nil }
    do {
      try exchange.checks.require(finding)
    } catch {
      try flows.end(id: id)
      // A browser has nowhere else to go.
      guard flow.isEmbedded == true else { return errorPage(error, &exchange) }
      exchange.refusal = error
      let hint = FormEncoding.encode([NameValue("login_hint", person.username)])
      return leave(to: "browser://login.microsoftonline.com/\(tenantID)/oauth2/v2.0/authorize?" + hint)
    }
    flow.authenticatedAt = now
    let cookie = try sessions.signIn(
      person.username, isFresh: true, cookies: exchange.cookies, chance: chance)
    return try admit(person, id, flow, cookies: [cookie], &exchange)
  }

  private func leave(to url: String) -> ProviderResponse {
    var response = HTTPResponse.page(302)
    response.headers.append(NameValue("Location", url))
    return ProviderResponse(response)
  }
}
