import SSOCore

extension Provider {
  /// The person is known: asks for consent if any is missing, otherwise sends a code to the app. A sign-in
  /// for another device always asks.
  func admit(
    _ person: Person, _ id: String, _ flow: SignInFlow, cookies: [NameValue], _ exchange: inout Exchange
  ) throws -> ProviderResponse {
    let tenant = try AuthorityTenant(flow.authoritySegment, in: directory)
    guard let registration = try directory.registration(clientID: flow.clientID),
      let tenantID = tenant.issuingTenantID(for: person), !person.isDisabled
    else {
      let error = checkEnabled(person).refusal
      let refusal = person.isDisabled ? error : checkPersonBelongs(person, to: tenant).refusal
      try flows.save(flow, id: id)
      exchange.refusal = refusal
      return try signInPage(
        id, flow, username: person.username, asks: .username, failure: refusal.message, &exchange)
    }
    if flow.requirement == .device {
      return errorPage(Fault.Kind.Requirement.device.refusal, setCookies: cookies, &exchange)
    }
    var flow = flow
    flow.username = person.username
    flow.isSignedIn = true
    let situation = try situation(of: exchange, flow)
    let findings = try policyFindings(person, tenantID: tenantID, registration, situation)
    do {
      for finding in findings { try exchange.checks.require(finding) }
    } catch {
      return try refuseByPolicy(error, person, id, flow, situation, &exchange)
    }
    let missing =
      try tenant.asksForConsent
      ? consents.missing(flow.scopes, of: person, tenantID: tenantID, for: registration) : []
    if missing.isEmpty, flow.prompt != "consent", flow.requirement != .consent, flow.deviceKey == nil {
      try flows.end(id: id)
      return try redirect(flow, person, situation, cookies: cookies)
    }
    let admin = Set(registration.adminOnlyScopes.map(RequestedScopes.canonical))
    if let scope = missing.first(where: { admin.contains(RequestedScopes.canonical($0)) }) {
      let reason = "'\(registration.displayName)' needs an administrator's approval for '\(scope)'."
      return errorPage(
        OAuthError(.accessDenied, reason, aadsts: 90094), setCookies: cookies, &exchange)
    }
    try flows.save(flow, id: id)
    let lines = flow.scopes.all.map {
      ConsentScope(
        scope: $0, meaning: RequestedScopes.meaning(of: $0), alreadyGranted: !missing.contains($0))
    }
    let page = ConsentPage(
      appName: registration.displayName, clientID: registration.clientID, publisher: registration.publisher,
      username: person.username, scopes: lines, flowID: id,
      question: flow.deviceKey == nil
        ? nil
        : "Are you trying to sign in to \(registration.displayName) on another device? Only continue if you "
          + "started that yourself.",
      redirectURI: flow.redirectURI)
    return self.page(.consent(page), cookies: cookies)
  }

  /// `POST /{tenant}/consent`: the person's answer to the consent page. Fields `flow`, and `accept` or
  /// `cancel`.
  func consent(_ exchange: inout Exchange) throws -> ProviderResponse {
    let id: String
    let flow: SignInFlow
    do {
      (id, flow) = try flows.flow(id: exchange.request.field("flow"))
    } catch let error as OAuthError {
      return errorPage(error, &exchange)
    }
    let tenant = try AuthorityTenant(flow.authoritySegment, in: directory)
    guard flow.isSignedIn, let person = try directory.person(username: flow.username ?? ""),
      let registration = try directory.registration(clientID: flow.clientID),
      let tenantID = tenant.issuingTenantID(for: person)
    else {
      return try signInPage(id, flow, username: flow.username ?? "", asks: .username, &exchange)
    }
    try flows.end(id: id)
    let isAccepted = exchange.request.form["accept"] != nil && exchange.request.form["cancel"] == nil
    let finding = Finding(
      "consent given", expected: "accept", found: isAccepted ? "accept" : "cancel", isAccepted,
      source: "RFC 6749 §4.1.2.1",
      else: OAuthError(
        .accessDenied, "The user declined to consent to access the app.", aadsts: 65004))
    do {
      try exchange.checks.require(finding)
    } catch {
      return try redirect(flow, refusing: error, &exchange)
    }
    try consents.grant(flow.scopes, of: person, tenantID: tenantID, to: registration)
    return try redirect(flow, person, situation(of: exchange, flow), cookies: [])
  }
}
