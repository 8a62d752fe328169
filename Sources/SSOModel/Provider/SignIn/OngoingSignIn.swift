import SSOCore
import SSOReference

/// A sign-in in progress in a browser, and its next steps.
struct OngoingSignIn {
  let provider: ProviderResources
  /// The identifier of the sign-in in the forms of its pages: a secret of the browser.
  let id: String
  var flow: SignInFlow

  /// The response that ends the sign-in.
  var response: AuthorizationResponse { AuthorizationResponse(provider: provider, flow: flow) }

  /// Saves the sign-in for the browser that sent the request.
  mutating func save(_ context: inout RequestContext) throws {
    if flow.browser == nil { flow.browser = context.boundBrowser(provider.random) }
    try provider.flows.save(flow, id: id)
  }

  func end() throws { try provider.flows.end(id: id) }

  func page(
    username: String, asks: SignInPage.Ask, failure: String? = nil, _ context: RequestContext
  ) throws -> ProviderResponse {
    let tenant = try AuthorityTenant(flow.authoritySegment, in: provider.directory)
    let session = try provider.sessions.session(of: context.cookies)
    var page = SignInPage(
      tenantName: tenant.displayName,
      appName: try provider.directory.registration(clientID: flow.clientID)?.displayName ?? flow.clientID,
      clientID: flow.clientID, redirectURI: flow.redirectURI, username: username, asks: asks,
      failure: failure,
      accountsInSession: try session?.usernames.filter {
        try provider.allows($0, of: session, to: flow)
      } ?? [],
      flowID: id)
    if AuthorityPath.endsInPolicy(flow.authoritySegment) { page.offersPasswordReset = true }
    return ProviderResponse(.signIn(page))
  }

  /// Prompts for the number matching of this sign-in.
  ///
  /// The number, 10 to 99, is generated on first use.
  mutating func askForNumber() -> SignInPage.Ask {
    let drawn = flow.number ?? String(provider.random.bytes(1).reduce(0) { $0 + Int($1) } % 90 + 10)
    flow.number = drawn
    return .verification(drawn)
  }

  /// Continues with the only account that is signed in to the browser, or returns `nil` if the sign-in page must ask
  /// which account, or for a second factor.
  func proceed(
    asOnly known: [String], at tenant: AuthorityTenant, _ context: inout RequestContext
  ) throws -> ProviderResponse? {
    guard known.count == 1, let person = try provider.directory.person(username: known[0]),
      try !lacksSecondFactor(person, tenant, context)
    else { return nil }
    try provider.sessions.use(context.cookies)
    return try proceed(as: person, cookies: [], &context)
  }

  /// Continues with a known user: asks for missing consent, or redirects to the app with a code.
  ///
  /// A sign-in for another device always asks.
  func proceed(
    as person: DirectoryUser, cookies: [NameValue], _ context: inout RequestContext
  ) throws -> ProviderResponse {
    let tenant = try AuthorityTenant(flow.authoritySegment, in: provider.directory)
    let home = try provider.directory.tenant(byNameOrID: person.homeTenantID)
    let host = URLParts(context.request.origin)?.authority ?? ""
    let cloud = checkCloud(of: person, at: home, host: host, by: tenant)
    guard let registration = try provider.directory.registration(clientID: flow.clientID) else {
      return context.errorPage(
        checkClientIsKnown(
          ClientAtAuthority(registration: nil, clientID: flow.clientID, tenant: tenant)
        ).refusal, setCookies: cookies)
    }
    guard cloud.check.verdict == .passed,
      let tenantID = tenant.issuingTenantID(for: person), !person.isDisabled
    else {
      let refusal =
        cloud.check.verdict == .failed
        ? cloud.refusal
        : person.isDisabled
          ? checkEnabled(person).refusal
          : try checkPersonBelongs(person, to: tenant, for: registration, in: provider.directory).refusal
      var signIn = self
      try signIn.save(&context)
      context.refusal = refusal.asAnsweredAt(flow.path)
      return try page(
        username: person.username, asks: .username, failure: refusal.textOnSignInPage(at: flow.path), context)
    }
    if flow.requirement == .device {
      let refusal = Fault.Kind.Requirement.device.refusal(
        accessing: try provider.directory.resourceID(of: flow.scopes))
      return context.errorPage(refusal, at: flow.path, setCookies: cookies)
    }
    var signIn = self
    signIn.flow.username = person.username
    signIn.flow.isSignedIn = true
    let assignment = try checkAssigned(person, to: registration, tenantID: tenantID, in: provider.directory)
    let version = checkVersionOne(issuedBy: tenantID, isVersionOne: flow.isVersionOne == true)
    let accounts = try checkAccountType(at: home, registration, flow.scopes, in: provider.directory)
    let preauthorization = checkPreauthorized(registration, for: flow.scopes)
    let results = [version, accounts, assignment, preauthorization].compactMap(\.self)
    do throws(OAuthError) { try context.require(results) } catch {
      guard flow.prompt == "none" else { return context.errorPage(error, at: flow.path, setCookies: cookies) }
      var error = error
      error.code = .interactionRequired
      return try signIn.response.withError(error, &context)
    }
    var situation = try AccessSituation(of: signIn.flow, context, provider)
    let access = ConditionalAccess(provider: provider)
    if flow.prompt != "none",
      try access.redirectsToControl(person, tenantID: tenantID, situation, registration.clientID)
    {
      // The lab stands in for the vendor, whose page a present user passes.
      situation.hasExternalControl = true
    }
    let policies = try access.results(
      person, tenantID: tenantID, registration, situation, accessing: flow.scopes,
      isForOtherDevice: flow.deviceKey != nil)
    do throws(OAuthError) { try context.require(policies) } catch {
      // `prompt=none` does not show a page (OpenID Connect Core §3.1.2.6).
      if flow.prompt == "none" { return try signIn.response.withError(error, &context) }
      return try signIn.refuseByPolicy(error, person, situation, &context)
    }
    if flow.isAdminConsent == true {
      return try signIn.askAdministrator(person, registration, tenantID: tenantID, cookies, &context)
    }
    let missing = try provider.consents.missing(
      flow.scopes, of: person, at: tenant, tenantID: tenantID, for: registration)
    if missing.isEmpty, flow.prompt != "consent", flow.requirement != .consent, flow.deviceKey == nil {
      try end()
      return try signIn.response.completed(for: person, situation, cookies: cookies, context)
    }
    if let refusal = registration.refusalOfAdminScope(in: missing, by: person) {
      return context.errorPage(refusal, at: flow.path, setCookies: cookies)
    }
    let issuing = try provider.directory.tenant(byNameOrID: tenantID)
    if issuing?.isExternal == true || Tenant.isExternalHost(host) {
      let consent = checkUsersMayConsent(person, tenantID: tenantID, to: registration, missing)
      do throws(OAuthError) { try context.require(consent) } catch {
        return context.errorPage(error, at: flow.path, setCookies: cookies)
      }
    }
    try signIn.save(&context)
    return ProviderResponse(.consent(signIn.consentPage(person, registration, missing)), cookies: cookies)
  }

  /// Asks an administrator to consent for the organisation, or refuses any other user.
  private mutating func askAdministrator(
    _ person: DirectoryUser, _ registration: ClientRegistration, tenantID: String, _ cookies: [NameValue],
    _ context: inout RequestContext
  ) throws -> ProviderResponse {
    do throws(OAuthError) { try context.require(checkIsAdministrator(person, tenantID: tenantID)) } catch {
      return context.errorPage(error, at: flow.path, setCookies: cookies)
    }
    try save(&context)
    let missing = try provider.consents.missing(
      flow.scopes, ofOrganisation: tenantID, for: registration)
    return ProviderResponse(.consent(consentPage(person, registration, missing)), cookies: cookies)
  }

  /// The sentence of Entra's page (Microsoft Learn, "Understanding Microsoft Entra application consent experiences").
  private static let questionToAdministrator =
    "If you accept, this app will get access to the specified resources for all users in your organization. No one else "
    + "will be prompted to review these permissions."

  private func consentPage(
    _ person: DirectoryUser, _ registration: ClientRegistration, _ missing: [String]
  ) -> ConsentPage {
    let questionForDevice =
      "Are you trying to sign in to \(registration.displayName) on another device? Only continue if you started that "
      + "yourself."
    return ConsentPage(
      appName: registration.displayName, clientID: registration.clientID, publisher: registration.publisher,
      username: person.username,
      scopes: flow.scopes.all.map {
        ConsentScope(
          scope: $0, meaning: RequestedScopes.meaning(of: $0), alreadyGranted: !missing.contains($0))
      },
      flowID: id,
      question: flow.deviceKey != nil
        ? questionForDevice : flow.isAdminConsent == true ? Self.questionToAdministrator : nil,
      redirectURI: flow.redirectURI)
  }
}

extension ProviderResources {
  /// Returns the sign-in that a form identifies in the field `flow`.
  ///
  /// - Throws: `OAuthError` if it does not exist, has timed out, or belongs to another browser.
  func signIn(of context: inout RequestContext) throws -> OngoingSignIn {
    guard let (id, flow) = try flows.flow(of: context.request) else { throw OAuthError.signInExpired }
    try context.require(checkBrowser(flow, context.cookies))
    return OngoingSignIn(provider: self, id: id, flow: flow)
  }
}

extension OAuthError {
  fileprivate static let signInExpired = OAuthError(
    .invalidRequest, "The sign-in has expired or is unknown. Start again from the app.",
    aadsts: .signInTookTooLong)
}

extension ClientRegistration {
  /// Returns the error if a user cannot grant these scopes without an administrator, or `nil` if the user
  /// can.
  ///
  /// Graph's permissions say it themselves; for other APIs, the registration's `adminOnlyScopes` do.
  fileprivate func refusalOfAdminScope(in missing: [String], by person: DirectoryUser) -> OAuthError? {
    let admin = Set(adminOnlyScopes.map(RequestedScopes.canonical))
    let needsAdministrator = missing.map(RequestedScopes.canonical).contains {
      admin.contains($0) || person.isAdministrator != true && GraphPermissions.ofAdministrators.contains($0)
    }
    return needsAdministrator ? .adminConsentRequired : nil
  }
}

/// A limit on guesses of a secret.
///
/// After `most` wrong guesses, all guesses are rejected for a minute, even the right one, and again after
/// each further wrong guess. A repeated wrong guess counts once (Entra: smart lockout).
struct GuessLimit {
  /// The wrong guesses since the last right guess.
  ///
  /// They are stored under the hash of the subject.
  struct Failures: Codable, Hashable {
    var count = 0
    var last: Instant
    /// The SHA-256 of the last three guesses.
    var guesses: [String] = []

    /// The seconds after the last wrong guess at which the failures are discarded.
    static let lifetime = 3600
  }

  let documents: any DocumentStore
  let now: Instant
  /// The subject of the guesses, such as `password/ada@contoso.com`.
  let subject: String
  let most: Int
  let refusal: OAuthError

  /// The lockout time in seconds.
  static let pause = 60
  private static let remembered = 3

  private var key: String { "guess/" + sha256Hex(subject) }

  /// Requires that the subject is not locked, and then the result of a guess.
  ///
  /// A wrong guess is counted.
  func require(_ result: RuleResult, guess: String, _ context: inout RequestContext) throws {
    let failures = try failures()
    try context.require(checkNotLocked(failures))
    if result.check.verdict == .failed { try countFailure(guess, failures) }
    try context.require(result)
  }

  /// Discards the failures after a right guess.
  func forget() throws {
    if try documents.document(.authorizationCode, key) != nil {
      try documents.delete(.authorizationCode, key)
    }
  }

  private func failures() throws -> Failures? {
    let kept = try documents.read(Failures.self, .authorizationCode, key)
    return kept.flatMap { isWithin(Failures.lifetime, since: $0.last) ? $0 : nil }
  }

  /// If the clock was set back, nothing counts as recent.
  private func isWithin(_ seconds: Int, since last: Instant) -> Bool {
    (0..<seconds).contains(last.seconds(until: now))
  }

  private func countFailure(_ guess: String, _ failures: Failures?) throws {
    var failures = failures ?? Failures(last: now)
    let hash = sha256Hex(guess)
    guard !failures.guesses.contains(hash) else { return }
    failures.count += 1
    failures.last = now
    failures.guesses = Array(([hash] + failures.guesses).prefix(Self.remembered))
    try documents.write(failures, .authorizationCode, key)
    try ExpiryPurge(documents: documents, now: now).purge(after: key, in: .authorizationCode)
  }

  private func checkNotLocked(_ failures: Failures?) -> RuleResult {
    let count = failures?.count ?? 0
    let isLocked = count >= most && failures.map { isWithin(Self.pause, since: $0.last) } ?? false
    return RuleResult(
      "wrong guesses", expected: "fewer than \(most), or a minute since the last", found: "\(count)",
      !isLocked,
      source: "Entra, smart lockout", else: refusal)
  }
}

extension ProviderResources {
  /// The limit for passwords and MFA codes of one account.
  func guesses(of person: DirectoryUser) -> GuessLimit {
    GuessLimit(
      documents: documents, now: now, subject: "password/" + person.username.lowercased(), most: 10,
      refusal: OAuthError(
        .invalidGrant,
        "The account is locked, you've tried to sign in too many times with an incorrect user ID or password.",
        aadsts: .accountLocked))
  }

  /// The limit for user codes of all devices together, because an attacker can use any number of browsers
  /// (RFC 8628 §5.1).
  var userCodeGuesses: GuessLimit {
    GuessLimit(
      documents: documents, now: now, subject: "user code", most: 50,
      refusal: OAuthError(
        .badVerificationCode, "Too many wrong codes were entered. Wait a minute, then try again."))
  }
}
