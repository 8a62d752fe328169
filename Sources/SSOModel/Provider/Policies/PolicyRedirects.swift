extension OngoingSignIn {
  /// The App Store page of the broker.
  private static let brokerAppLink = "https://apps.apple.com/app/microsoft-authenticator/id983156458"
  /// The policy errors that a broker can resolve.
  private static let brokerHelps = [AADSTSCode.brokerNotInstalled, .deviceNotRegistered, .deviceNotCompliant]

  /// Responds to a policy's rejection (docs/behaviour/broker.md §10).
  ///
  /// An app on a phone is redirected to the broker, or to the store page where the broker can be installed.
  /// Any other client gets an error page.
  func refuseByPolicy(
    _ error: OAuthError, _ person: Person, _ situation: AccessSituation, _ context: inout RequestContext
  ) throws -> ProviderResponse {
    try end()
    guard Self.brokerHelps.map(\.number).contains(error.aadsts), !situation.isBrokered,
      ReportedCaller.bundleID(in: flow.redirectURI) != nil
    else { return context.errorPage(error) }
    context.refusal = error
    let query = FormEncoding.encode([
      NameValue("username", person.username), NameValue("app_link", Self.brokerAppLink),
    ])
    let address = flow.isEmbedded == true ? "msauth://wpj" : flow.redirectURI + "/msauth/wpj"
    return ProviderResponse(to: address + "?" + query)
  }

  /// Returns whether a policy requires MFA that was completed neither in this sign-in nor in the browser
  /// session.
  func lacksSecondFactor(
    _ person: Person, _ tenant: AuthorityTenant, _ context: RequestContext
  ) throws -> Bool {
    var flow = flow
    flow.username = person.username
    return try ConditionalAccess(provider: provider).lacksSecondFactor(
      person, tenantID: tenant.issuingTenantID(for: person) ?? person.homeTenantID,
      AccessSituation(of: flow, context, provider), flow.clientID)
  }

  /// Signs the user in with a certificate if a policy requires one, without showing the password page.
  ///
  /// Without the certificate, an embedded web view sends the user to the system browser, which can present
  /// it.
  ///
  /// - Returns: The response, or `nil` if no policy requires a certificate.
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
      // A browser has no alternative, so it shows the error.
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
