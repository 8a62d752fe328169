extension OngoingSignIn {
  /// Where the broker is found.
  private static let brokerAppLink = "https://apps.apple.com/app/microsoft-authenticator/id983156458"
  /// The refusals that a broker can help with.
  private static let brokerHelps = [AADSTSCode.brokerNotInstalled, .deviceNotRegistered, .deviceNotCompliant]

  /// What the browser gets when a policy refuses (docs/behaviour/broker.md §10): an app of a phone is sent to the broker, or to the store where
  /// it is found; all others see the reason.
  func refuseByPolicy(
    _ error: OAuthError, _ person: Person, _ situation: AccessSituation, _ context: inout RequestContext
  ) throws -> ProviderResponse {
    try end()
    guard Self.brokerHelps.map(\.number).contains(error.aadsts), !situation.isBrokered,
      CallerClaim.bundleID(in: flow.redirectURI) != nil
    else { return context.errorPage(error) }
    context.refusal = error
    let query = FormEncoding.encode([
      NameValue("username", person.username), NameValue("app_link", Self.brokerAppLink),
    ])
    let address = flow.isEmbedded == true ? "msauth://wpj" : flow.redirectURI + "/msauth/wpj"
    return ProviderResponse(to: address + "?" + query)
  }

  /// Whether a policy asks for a second factor that neither this sign-in nor the browser's session has.
  func lacksSecondFactor(
    _ person: Person, _ tenant: AuthorityTenant, _ context: RequestContext
  ) throws -> Bool {
    var flow = flow
    flow.username = person.username
    return try ConditionalAccess(provider: provider).lacksSecondFactor(
      person, tenantID: tenant.issuingTenantID(for: person) ?? person.homeTenantID,
      AccessSituation(of: flow, context, provider), flow.clientID)
  }

  /// A person whom a policy asks for a certificate never sees a password page: with the certificate the sign-in is done, without
  /// it the person is sent to the system's browser, which can show it.
  /// - Returns: nil if no policy asks for one.
  func byCertificate(
    _ person: Person, _ tenant: AuthorityTenant, _ context: inout RequestContext
  ) throws -> ProviderResponse? {
    let tenantID = tenant.issuingTenantID(for: person) ?? person.homeTenantID
    var signIn = self
    signIn.flow.username = person.username
    let situation = try AccessSituation(of: signIn.flow, context, provider)
    let policies = ConditionalAccess(provider: provider)
    guard
      let result = try policies.certificateResult(person, tenantID: tenantID, situation, flow.clientID)
    else { return nil }
    do throws(OAuthError) { try context.require(result) } catch {
      try end()
      // A browser has nowhere else to go.
      guard flow.isEmbedded == true else { return context.errorPage(error) }
      context.refusal = error
      let hint = FormEncoding.encode([NameValue("login_hint", person.username)])
      return ProviderResponse(
        to: "browser://\(PublicCloud.preferredNetwork)/\(tenantID)/oauth2/v2.0/authorize?" + hint)
    }
    signIn.flow.authenticatedAt = provider.now
    let cookie = try provider.sessions.signIn(
      person.username, isFresh: true, hasSecondFactor: true, cookies: context.cookies, random: provider.random
    )
    return try signIn.proceed(as: person, cookies: [cookie], &context)
  }
}
