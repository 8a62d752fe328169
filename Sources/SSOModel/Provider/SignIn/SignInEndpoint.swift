import SSOCore
import SSOReference

/// `/{tenant}/login`: the user's response to the sign-in page.
///
/// The fields are `flow`, `username`, `password`, `code`, `cancel`, and `forgot`.
struct SignInEndpoint {
  let provider: ProviderResources

  /// Continues the sign-in (`POST`) with the first missing factor.
  func respond(_ context: inout RequestContext) throws -> ProviderResponse {
    let request = context.request
    var signIn = try provider.signIn(of: &context)
    if request.form["cancel"] != nil {
      try signIn.end()
      return try signIn.response.withError(.signInCancelled, &context)
    }
    if request.form["forgot"] != nil, AuthorityPath.endsInPolicy(signIn.flow.authoritySegment) {
      try signIn.end()
      return try signIn.response.withError(.passwordForgotten, &context)
    }
    guard let username = request.field("username") ?? signIn.flow.username else {
      return try signIn.page(username: "", asks: .username, context)
    }
    if username.lowercased() != signIn.flow.username?.lowercased() {
      (signIn.flow.isPasswordRight, signIn.flow.hasSecondFactor) = (false, nil)
    }
    signIn.flow.username = username
    do {
      return try checkFactors(username, &signIn, &context)
    } catch let error as OAuthError {
      context.refusal = error.asAnsweredAt(signIn.flow.path)
      let isAboutName = [AADSTSCode.accountNotFound, .accountNotInTenant, .accountNotInTenantForMFA].map(
        \.number
      ).contains(error.aadsts)
      // Only a wrong number prompts for the number again. A disabled account is rejected before it is
      // prompted for one.
      if error.aadsts != AADSTSCode.mfaFailed.number { signIn.flow.isPasswordRight = false }
      let ask: SignInPage.Ask =
        isAboutName ? .username : signIn.flow.isPasswordRight ? signIn.askForNumber() : .password
      try signIn.save(&context)
      return try signIn.page(
        username: username, asks: ask, failure: error.textOnSignInPage(at: signIn.flow.path), context)
    }
  }

  /// Shows the current page of this sign-in (`GET ?flow=…`), for a browser that reloads it.
  func showAgain(_ context: inout RequestContext) throws -> ProviderResponse {
    var signIn = try provider.signIn(of: &context)
    let username = signIn.flow.username ?? ""
    if signIn.flow.isSignedIn, let person = try provider.directory.person(username: username) {
      return try signIn.proceed(as: person, cookies: [], &context)
    }
    let asks: SignInPage.Ask =
      signIn.flow.isPasswordRight
      ? signIn.askForNumber() : signIn.flow.username == nil ? .username : .password
    return try signIn.page(username: username, asks: asks, context)
  }

  /// Checks the factors in order and prompts for the first missing one.
  private func checkFactors(
    _ username: String, _ signIn: inout OngoingSignIn, _ context: inout RequestContext
  ) throws -> ProviderResponse {
    let tenant = try AuthorityTenant(signIn.flow.authoritySegment, in: provider.directory)
    let found = try provider.directory.person(username: username)
    let person = try context.require(
      found, checkUserExists(found, username: username, tenant: tenant, isOnPage: true))
    if let response = try signIn.byCertificate(person, tenant, &context) { return response }
    let guesses = provider.guesses(of: person)
    let password = context.request.field("password")
    let session = try provider.sessions.session(of: context.cookies)
    let isInSession = try provider.allows(person.username, of: session, to: signIn.flow)
    if password == nil, !signIn.flow.isPasswordRight, !isInSession {
      try signIn.save(&context)
      return try signIn.page(username: username, asks: .password, context)
    }
    if let password {
      signIn.flow.isPasswordRight = false
      try guesses.require(checkPassword(password, of: person), guess: password, &context)
      signIn.flow.isPasswordRight = true
    }
    try context.require(checkEnabled(person))
    if let client = try provider.directory.registration(clientID: signIn.flow.clientID) {
      try context.require(checkPersonBelongs(person, to: tenant, for: client, in: provider.directory))
    }
    if password != nil || signIn.flow.isPasswordRight, let result = checkPasswordIsValid(person) {
      try context.require(result)
    }
    if try person.requiresMFA && (password != nil || !isInSession) || signIn.flow.requirement == .mfa
      || signIn.lacksSecondFactor(person, tenant, context)
    {
      guard let code = context.request.field("code") else {
        let ask = signIn.askForNumber()
        try signIn.save(&context)
        return try signIn.page(username: username, asks: ask, context)
      }
      try guesses.require(checkNumber(code, flow: signIn.flow), guess: code, &context)
      signIn.flow.hasSecondFactor = true
      if person.hasNoSecondFactor == true { try registerSecondFactor(person, &context) }
    }
    try guesses.forget()
    let isFresh = signIn.flow.isPasswordRight || session == nil
    signIn.flow.authenticatedAt = isFresh ? provider.now : session?.authenticated(person.username)
    let cookie = try provider.sessions.signIn(
      person.username, isFresh: isFresh, hasSecondFactor: signIn.flow.hasSecondFactor == true,
      cookies: context.cookies, random: provider.random)
    return try signIn.proceed(as: person, cookies: [cookie], &context)
  }

  /// Registers the second factor that the user has just used for the first time, as Entra's page “More information
  /// required” does.
  private func registerSecondFactor(_ person: DirectoryUser, _ context: inout RequestContext) throws {
    var registered = person
    registered.hasNoSecondFactor = nil
    try provider.documents.save(registered)
    context.checks.append(
      Check(
        "second factor registered", expected: "a method", found: "registered on the page", true,
        source: "Entra"))
  }
}

extension OAuthError {
  /// The error of a cancelled sign-in.
  fileprivate static var signInCancelled: OAuthError {
    var error = OAuthError(.accessDenied, "The user cancelled the sign-in.")
    error.suberror = OAuthSuberror.leftPage
    return error
  }

  /// The response to a user who has forgotten the password: the app has to open the user flow for the reset.
  fileprivate static var passwordForgotten: OAuthError {
    var error = OAuthError(.accessDenied, "The user has forgotten their password.")
    error.b2c = B2CCode.passwordForgotten.number
    return error
  }

  /// Whether the user left the page.
  ///
  /// No rule rejected the request.
  var isCancellation: Bool {
    let left = [B2CCode.userCancelled, .passwordForgotten].map(\.number)
    return code == .accessDenied && (suberror == OAuthSuberror.leftPage || b2c.map(left.contains) == true)
  }
}

/// A sign-in between its first request and the redirect: the app's parameters and the user's progress.
struct SignInFlow: Codable, Hashable {
  var authoritySegment: String
  var clientID: String
  var redirectURI: String
  var responseMode: String
  var scopes: RequestedScopes
  var state: String?
  var nonce: String?
  var prompt: String?
  var codeChallenge: String?
  var startedAt: Instant
  /// The user, once the username is known.
  var username: String?
  /// Whether the password was right.
  ///
  /// The second factor may be missing.
  var isPasswordRight = false
  /// The number to enter for the second factor.
  var number: String?
  /// The SHA-256 of the browser's secret, or `nil` until the sign-in is saved.
  var browser: String?
  /// Whether the user completed MFA in this sign-in, or `nil` if it was not required yet.
  var hasSecondFactor: Bool?
  /// Whether all factors are complete.
  ///
  /// Only consent may be missing.
  var isSignedIn = false
  /// The maximum number of seconds since the last sign-in.
  var maxAge: Int?
  /// The time at which the user signed in, now or earlier in the same browser.
  var authenticatedAt: Instant?
  var claims: RequestedClaims?
  /// Whether the response contains `client_info`.
  ///
  /// `nil` in a flow of an older version means yes.
  var wantsClientInfo: Bool?
  /// The key of the device authorization that this sign-in is for, in which case the provider does not redirect.
  var deviceKey: String?
  /// Intune's ID of the app's enrollment, for policies.
  var enrollmentID: String?
  /// Whether the page is shown in an embedded web view, whose own redirects use `msauth://`
  /// (docs/behaviour/broker.md §10(1)).
  var isEmbedded: Bool?
  /// Whether the request named a platform that Conditional Access knows.
  var isPlatformKnown: Bool?
  /// The response type.
  ///
  /// `nil` in a flow of an older version means a code.
  var responseType: ResponseType?
  /// Whether the request used version 1 of the endpoint.
  var isVersionOne: Bool?
  /// Whether an administrator consents for the organisation, in which case the response does not contain a code.
  var isAdminConsent: Bool?
  /// The additional requirement of a fault.
  var requirement: Fault.Kind.Requirement?

  /// The seconds after which a sign-in times out.
  static let lifetime = 3600

  /// The authority of the request, as a path.
  var path: AuthorityPath { AuthorityPath(authoritySegment.split(separator: "/").map(String.init)) }

  init(_ request: AuthorizationRequest, of http: HTTPRequest, now: Instant) {
    authoritySegment = request.tenant.segment
    clientID = request.clientID
    redirectURI = request.redirectURI
    responseMode = request.responseMode
    scopes = request.scopes
    state = request.state
    nonce = request.nonce
    prompt = request.prompt
    codeChallenge = request.hashedChallenge
    startedAt = now
    maxAge = request.maxAge.flatMap { Int($0) }
    wantsClientInfo = request.wantsClientInfo
    responseType = request.responseType
    isVersionOne = request.isVersionOne
    isEmbedded = http.isFromEmbeddedView
    isPlatformKnown = http.namesKnownPlatform ? true : nil
  }

  /// Creates a sign-in for another device.
  init(_ device: DeviceAuthorization, key: String, now: Instant) {
    authoritySegment = device.authoritySegment
    clientID = device.clientID
    redirectURI = ""
    responseMode = "query"
    scopes = device.scopes
    startedAt = now
    deviceKey = key
  }
}

/// The sign-ins in progress, keyed by the SHA-256 of their ID.
struct SignInFlows {
  let documents: any DocumentStore
  let now: Instant

  private func key(_ id: String) -> String { "flow/" + sha256Hex(id) }

  func save(_ flow: SignInFlow, id: String) throws {
    try documents.write(flow, .authorizationCode, key(id))
    try ExpiryPurge(documents: documents, now: now).purge(after: key(id), in: .authorizationCode)
  }

  func end(id: String) throws { try documents.delete(.authorizationCode, key(id)) }

  /// Returns the sign-in of the field `flow` with its ID, or `nil` if it does not exist or has timed out.
  func flow(of request: HTTPRequest) throws -> (id: String, flow: SignInFlow)? {
    guard let id = request.field("flow"),
      let flow = try documents.read(SignInFlow.self, .authorizationCode, key(id)),
      flow.startedAt.seconds(until: now) < SignInFlow.lifetime
    else { return nil }
    return (id, flow)
  }
}

// The rules of the sign-in page follow in the order in which they apply.

/// Checks that the user exists.
///
/// The token endpoint does not repeat an email address (Microsoft365DSC/Microsoft365DSC#801,
/// AzureAD/microsoft-authentication-library-for-java#38).
func checkUserExists(
  _ person: DirectoryUser?, username: String, tenant: AuthorityTenant, isOnPage: Bool = false
) -> RuleResult {
  let shown = !isOnPage && username.contains("@") ? "{EmailHidden}" : username
  return RuleResult(
    "user exists", expected: "a user of the directory", found: username, person != nil, source: "Entra",
    failure: "the directory does not have this user",
    else: OAuthError(
      .invalidGrant,
      "The user account \(shown) does not exist in the \(tenant.tenant?.id ?? tenant.displayName) directory. To sign "
        + "into this application, the account must be added to the directory.",
      aadsts: .accountNotFound))
}

func checkPassword(_ password: String, of person: DirectoryUser) -> RuleResult {
  if person.hasNoPassword == true { return checkHasPassword(person) }
  let isRight = isSameSecret(password, person.password)
  return RuleResult(
    "password", expected: "the account's password", found: isRight ? "the same" : "another", isRight,
    source: "Entra",
    else: OAuthError(
      .invalidGrant, "Error validating credentials due to invalid username or password.",
      aadsts: .wrongPassword))
}

/// The refusal of any password where the directory does not have one (MicrosoftDocs/azure-docs#49763).
private func checkHasPassword(_ person: DirectoryUser) -> RuleResult {
  RuleResult(
    "password in the directory", expected: "one of the account", found: "none", false, source: "Entra",
    remedy: Remedy(.person, person.username, "hasNoPassword=no"),
    failure: "the directory does not have a password for the user",
    else: OAuthError(
      .invalidGrant, "Invalid or missing password: password does not exist in the directory for this user.",
      aadsts: .passwordMissing))
}

func checkEnabled(_ person: DirectoryUser) -> RuleResult {
  RuleResult(
    "account enabled", expected: "enabled", found: person.isDisabled ? "disabled" : "enabled",
    !person.isDisabled, source: "Entra", remedy: Remedy(.person, person.username, "isDisabled=no"),
    failure: "the account is disabled",
    else: OAuthError(.invalidGrant, "The user account is disabled.", aadsts: .accountDisabled))
}

/// Checks that the password may still be used, which Entra does only if it was right, or returns `nil` if passwords do
/// not expire for the user.
func checkPasswordIsValid(_ person: DirectoryUser) -> RuleResult? {
  guard let hasExpired = person.hasExpiredPassword else { return nil }
  return RuleResult(
    "password not expired", expected: "not expired", found: hasExpired ? "expired" : "not expired",
    !hasExpired,
    source: "Entra", remedy: Remedy(.person, person.username, "hasExpiredPassword=no"),
    failure: "the password has expired",
    else: OAuthError(
      .invalidGrant, "The password is expired.", aadsts: .passwordExpired, suberror: .userPasswordExpired))
}

/// Checks that the user may use the app: by assignment to the app or one of its roles, directly or as a member of a
/// group; or returns `nil` if the app does not require assignment.
///
/// As at Entra, an assigned group stands for its direct members.
func checkAssigned(
  _ person: DirectoryUser, to client: ClientRegistration, tenantID: String, in directory: Directory
) throws -> RuleResult? {
  guard client.isAssignmentRequired == true else { return nil }
  let groups = try Memberships(directory, tenantID: tenantID).direct(of: person.username).map(\.name)
  let roles = try AppRoles(directory).roles(at: client.clientID).flatMap(\.members)
  let assigned = Set(((client.assigned ?? []) + roles).map { $0.lowercased() })
  let isAssigned = ([person.username] + groups).contains { assigned.contains($0.lowercased()) }
  return RuleResult(
    "assigned to the app", expected: "an assigned user",
    found: isAssigned ? person.username : "\(person.username), not assigned", isAssigned, source: "Entra",
    remedy: Remedy(.registration, client.clientID, "assigned+=\(person.username)"),
    failure: "\(person.username) is not assigned to the app",
    else: OAuthError(
      .invalidGrant,
      "Your administrator has configured the application \(client.displayName) ('\(client.clientID)') to block users "
        + "unless they are specifically granted ('assigned') access to the application. The signed in user "
        + "'\(person.username)' is blocked because they are not a direct member of a group with access, nor had "
        + "access directly assigned by an administrator. Please contact your administrator to assign access to this "
        + "application.",
      aadsts: .notAssigned))
}

func checkNumber(_ code: String, flow: SignInFlow) -> RuleResult {
  RuleResult(
    "second factor", expected: "the number shown", found: code == flow.number ? "the same" : "another",
    code == flow.number, source: "Entra",
    else: OAuthError(
      .invalidGrant,
      "Authentication failed during the strong authentication request: enter the number shown.",
      aadsts: .mfaFailed))
}
