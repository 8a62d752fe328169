import SSOCore
import SSODevice
import SSOKeychain
import SSOProvider
import SSOReference
import SSOStore

/// A program that is not an app on the device: a page in a browser, a desktop program, a web server, or a daemon.
///
/// The lab stores copies of its tokens, as for programs that sign in at `ssoterm serve`.
package struct Program: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    /// Sends its origin with each request to the token endpoint, as browsers do.
    case page
    case publicProgram
    case webServer, daemon

    /// Whether the program can keep a secret.
    package var isConfidential: Bool { self == .webServer || self == .daemon }
  }

  package var name: String
  package var kind: Kind
  package var clientID: String
  package var authority: String
  package var redirectURI: String
  /// The origin of a page, or `nil` for any other program.
  package var origin: String?
  package var secret: String?
  /// `x-client-SKU` and `x-client-Ver`, or `nil` if the program does not send them.
  package var sdk: String?
  package var sdkVersion: String?

  package init(name: String, kind: Kind, clientID: String, authority: String, redirectURI: String) {
    (self.name, self.kind, self.clientID) = (name, kind, clientID)
    (self.authority, self.redirectURI) = (authority, redirectURI)
    origin = kind == .page ? URLParts(redirectURI)?.origin : nil
  }
}

/// A program's call of the provider with one of the grants.
package struct CallProgram: Intent {
  package static let verb = "call"

  package enum Grant: String, CaseIterable, Sendable {
    case authorizationCode, refreshToken, password, clientCredentials, deviceCode, onBehalfOf
    /// Asks the machine on which the program runs, and not the provider.
    case managedIdentity
  }

  /// A field that the program sends or reads with another value, or, without a value, not at all.
  package struct Change: Hashable, Sendable {
    package enum Endpoint: String, CaseIterable, Sendable {
      case authorize, deviceCode, token
      /// Not a request, but the response to the sign-in, as the program reads it.
      case answer
    }

    package var endpoint: Endpoint
    package var name: String
    package var value: String?

    package init(_ endpoint: Endpoint, _ name: String, _ value: String?) {
      (self.endpoint, self.name, self.value) = (endpoint, name, value)
    }
  }

  /// A token of the lab's issuer outside Entra, such as a CI system or a cluster gives its workloads.
  package struct FederatedProof: Hashable, Sendable {
    package var subject: String
    package var audience = FederatedCredential.usualAudience
    /// The number of minutes since it was issued; it is valid for ten.
    package var age = 0

    package init(subject: String) { self.subject = subject }
  }

  package var program: Program
  package var grant: Grant
  package var scopes: [String]
  /// The username to sign in with, whose token to redeem, or to send as a hint.
  package var account: String?
  package var prompt: String?
  /// The program whose access token is the assertion.
  package var assertion: Program?
  package var changes: [Change] = []
  /// Whether the program sends its last request to the token endpoint twice, like a page that handles its redirect
  /// twice; the second response counts.
  package var repeats = false
  /// Whether the program reads the authority's configuration first, as MSAL does.
  package var discovers = false
  /// Whether the program opens the address of the token endpoint as its sign-in page.
  package var opensTokenEndpoint = false
  /// The authority whose token endpoint redeems the code, or `nil` for the program's.
  package var redeemingAuthority: String?
  /// The token of another issuer with which the program authenticates, or `nil` for its secret.
  package var federation: FederatedProof?
  /// Whether the assertion is the other program's ID token, and not its access token.
  package var presentsIDToken = false
  /// The kind of machine that a managed identity's call asks.
  package var machine = ManagedIdentityHost.Kind.imds

  package init(_ program: Program, _ grant: Grant, scopes: [String]) {
    (self.program, self.grant, self.scopes) = (program, grant, scopes)
  }

  package var displayText: String { "\(program.name) asks with the grant \(grant.rawValue)" }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    try ProgramCall(call: self, transaction: transaction).outcome()
  }
}

/// One call of a program, request by request.
private struct ProgramCall {
  let call: CallProgram
  let transaction: IntentTransaction

  private var program: Program { call.program }
  private var scope: NameValue { NameValue("scope", call.scopes.joined(separator: " ")) }

  func outcome() throws -> Outcome {
    if call.discovers, let refused = try discover() { return refused }
    switch call.grant {
    case .authorizationCode: return try signIn()
    case .deviceCode: return try signInOnAnotherDevice()
    case .refreshToken:
      return try redeem([
        NameValue("grant_type", "refresh_token"),
        NameValue("refresh_token", try credential(.refreshToken).secret),
        scope,
      ])
    case .password:
      let person = try transaction.directory.knownPerson(call.account ?? "")
      return try redeem([
        NameValue("grant_type", "password"), NameValue("username", person.username),
        NameValue("password", person.password), scope,
      ])
    case .clientCredentials: return try redeem([NameValue("grant_type", "client_credentials"), scope])
    case .onBehalfOf:
      return try redeem([
        NameValue("grant_type", GrantType.primaryRefreshToken.rawValue),
        NameValue("assertion", try assertion()), NameValue("requested_token_use", "on_behalf_of"), scope,
      ])
    case .managedIdentity: return try askMachine()
    }
  }

  /// Reads the authority's configuration, and returns the outcome if that fails.
  private func discover() throws -> Outcome? {
    let authority = URLParts(program.authority)
    let asked = HTTPRequest(
      "GET", origin: authority?.origin ?? "https://" + PublicCloud.preferredNetwork,
      path: (authority?.path ?? "/common") + "/v2.0/.well-known/openid-configuration")
    let answer = try send(asked)
    return answer.status == 200 ? nil : refused(OAuthError(reading: answer))
  }

  // MARK: - The grants with pages

  private func signIn() throws -> Outcome {
    let proof = ProofKey(random: transaction.random.bytes(32))
    var page = request("GET", call.opensTokenEndpoint ? "token" : "authorize")
    if call.opensTokenEndpoint { page.headers.append(NameValue("Accept", "text/html")) }
    page.query = changed(
      .authorize,
      [
        NameValue("client_id", program.clientID), NameValue("response_type", "code"),
        NameValue("redirect_uri", program.redirectURI), scope,
        NameValue("code_challenge", proof.challenge), NameValue("code_challenge_method", "S256"),
        NameValue("state", transaction.random.uuid()), NameValue("login_hint", call.account ?? ""),
        NameValue("prompt", call.prompt ?? ""),
      ].filter { !$0.value.isEmpty })
    switch try browse(page) {
    case .cancelled(let message): return cancelled(message)
    case .redirected(let url):
      let fields = changed(.answer, URLParts(url)?.fields ?? [])
      if let error = PageError(fields, state: page.query["state"]) { return refused(error) }
      guard let code = fields["code"] else {
        return refused(
          fields["error"] ?? "", fields["error_description"] ?? "The provider did not send a code.",
          suberror: fields["error_subcode"])
      }
      return try redeem([
        NameValue("grant_type", "authorization_code"), NameValue("code", code),
        NameValue("redirect_uri", program.redirectURI), NameValue("code_verifier", proof.verifier), scope,
      ])
    }
  }

  /// Shows the user code to the user, who signs in with it in a browser, and then polls once.
  private func signInOnAnotherDevice() throws -> Outcome {
    var asked = request("POST", "devicecode")
    asked.form = changed(.deviceCode, [NameValue("client_id", program.clientID), scope])
    let answer = try send(asked)
    guard let code = JSONValue(bounded: answer.body)?["device_code"]?.string,
      let page = asked.deviceApproval(of: answer)
    else { return refused(OAuthError(reading: answer)) }
    _ = try browse(page)
    return try redeem([
      NameValue("grant_type", GrantType.deviceCode.rawValue), NameValue("device_code", code),
    ])
  }

  /// Shows a page in the device's browser, in which users sign in to all programs.
  private func browse(_ page: HTTPRequest) throws -> WebResult {
    let device = transaction.device
    let browser = device.platform.browserBundleID
    let page = transaction.withoutExplicitPrompt(page, of: browser)
      .shown(by: device.userAgent(inOwnView: false))
    let credentials = try transaction.extensionCredentials(of: browser, for: page)
    return try WebSession(transaction, by: .system, actor: program.name, presenting: credentials)
      .browse(page, jar: device.browserJar)
  }

  // MARK: - Managed identities

  private func askMachine() throws -> Outcome {
    let origin = "https://" + PublicCloud.preferredNetwork
    let host = ManagedIdentityHost(call.machine, secret: "lab", issuerOrigin: origin)
    var asked = HTTPRequest("GET", origin: host.usualOrigin, path: host.path)
    let resource = call.scopes.first.map { $0.hasSuffix("/.default") ? String($0.dropLast(9)) : $0 } ?? ""
    asked.query = changed(
      .token, [NameValue("api-version", host.usualVersion), NameValue("resource", resource)])
    asked.headers = [NameValue("Metadata", "true"), NameValue("X-IDENTITY-HEADER", host.secret)]
    let answer = try transaction.provider(.app, actor: program.name, machine: host).respond(to: asked)
      .received
    let body = JSONValue(bounded: answer.body)
    guard answer.status == 200, let token = body?["access_token"]?.string else {
      let message = (body?["error_description"] ?? body?["message"])?.string
      let code = body?["error"]?.string ?? OAuthErrorCode.invalidRequest.text
      return refused(code, message ?? "The machine does not answer.", suberror: nil)
    }
    var outcome = Outcome(
      .succeeded, "\(program.name) has a token for the machine's identity.", prompted: transaction.hasPrompted
    )
    outcome.accessToken = token
    return outcome
  }

  // MARK: - The token endpoint

  private func redeem(_ fields: [NameValue]) throws -> Outcome {
    var asked = request("POST", "token", at: call.redeemingAuthority)
    let proof = try proof(at: asked.origin)
    asked.form = changed(
      .token,
      [NameValue("client_id", program.clientID)] + proof + fields.filter { !$0.value.isEmpty }
        + [NameValue("client_info", "1")])
    let origin = changed(.token, program.origin.map { [NameValue("Origin", $0)] } ?? [])["Origin"]
    asked.form.removeAll { $0.name == "Origin" }
    if let origin { asked.headers.append(NameValue("Origin", origin)) }
    if call.repeats { _ = try send(asked) }
    let answer = try send(asked)
    guard answer.status == 200, let tokens = try? TokenResponse(reading: answer) else {
      return refused(OAuthError(reading: answer))
    }
    let client = try RequestHandler(transaction: transaction).noteClient(of: asked)
    let copy = client.flatMap { TokenCopy(of: answer, to: $0, for: asked, at: transaction.now) }
    if let copy {
      try MSALClient(transaction.runtime.context(of: copy.client.asApp)).cache.save(copy.tokens)
    }
    let username = copy?.tokens.account.username ?? ""
    var outcome = Outcome(
      .succeeded, "\(program.name) has a token for \(username.isEmpty ? "itself" : username).",
      username: username.isEmpty ? nil : username, homeAccountID: copy?.tokens.account.homeAccountID,
      expiresOn: transaction.now.adding(seconds: tokens.expiresIn), grantedScopes: tokens.scopes,
      prompted: transaction.hasPrompted)
    outcome.accessToken = tokens.accessToken
    return outcome
  }

  /// Returns the fields with which the program authenticates.
  private func proof(at origin: String) throws -> [NameValue] {
    guard let federation = call.federation else {
      return program.secret.map { [NameValue("client_secret", $0)] } ?? []
    }
    let token = try ForeignIssuer(documents: transaction.store, random: transaction.random).token(
      issuer: ForeignIssuer.url(at: origin), subject: federation.subject, audience: federation.audience,
      at: transaction.now.adding(seconds: -60 * federation.age), lifetime: 600)
    return [
      NameValue("client_assertion_type", ClientAssertion.type), NameValue("client_assertion", token),
    ]
  }

  private func send(_ request: HTTPRequest) throws -> HTTPResponse {
    try transaction.provider(.app, actor: program.name).respond(to: request).received
  }

  private func request(_ method: String, _ endpoint: String, at other: String? = nil) -> HTTPRequest {
    let authority = URLParts(other ?? program.authority)
    let path = (authority?.path ?? "/common") + "/oauth2/v2.0/" + endpoint
    var headers: [NameValue] = []
    if let sdk = program.sdk { headers.append(NameValue("x-client-SKU", sdk)) }
    if let version = program.sdkVersion { headers.append(NameValue("x-client-Ver", version)) }
    return HTTPRequest(
      method, origin: authority?.origin ?? "https://" + PublicCloud.preferredNetwork, path: path,
      headers: headers)
  }

  /// Returns the fields with the changes of the step.
  private func changed(_ endpoint: CallProgram.Change.Endpoint, _ fields: [NameValue]) -> [NameValue] {
    let changes = call.changes.filter { $0.endpoint == endpoint }
    return fields.filter { field in !changes.contains { $0.name == field.name } }
      + changes.compactMap { change in change.value.map { NameValue(change.name, $0) } }
  }

  // MARK: - Tokens of earlier steps

  /// Returns the program's newest credential of a type, of the account if the call names one.
  /// - Throws: `LabError` if it does not have one.
  private func credential(_ type: CredentialType) throws -> CredentialItem {
    let username = try call.account.map { try transaction.directory.knownPerson($0) }
    let found = try credentials(type, of: program).last {
      username?.clientInfo.homeAccountID == nil || $0.homeAccountID == username?.clientInfo.homeAccountID
    }
    guard let found else { throw missing(type, of: program) }
    return found
  }

  /// Returns the token to act for: the newest of the other program that is for this one, or else its newest.
  private func assertion() throws -> String {
    let owner = call.assertion ?? program
    if call.presentsIDToken {
      guard let token = try credentials(.idToken, of: owner).last else { throw missing(.idToken, of: owner) }
      return token.secret
    }
    let tokens = try credentials(.accessToken, of: owner)
    let own = [program.clientID, "api://" + program.clientID].map { $0.lowercased() }
    let isForThis = { (token: CredentialItem) in
      (try? JSONWebToken(unverified: token.secret).claims["aud"]?.string).map {
        own.contains($0.lowercased())
      } ?? false
    }
    guard let token = tokens.last(where: isForThis) ?? tokens.last else {
      throw missing(.accessToken, of: owner)
    }
    return token.secret
  }

  /// Returns the credentials of a program, the newest last.
  private func credentials(_ type: CredentialType, of program: Program) throws -> [CredentialItem] {
    let query = KeychainQuery(
      accessGroups: [ExternalClient.accessGroup(clientID: program.clientID)], type: type.attributeType)
    return try transaction.credentials.items(matching: query).enumerated()
      .sorted { ($0.element.modifiedAt, $0.offset) < ($1.element.modifiedAt, $1.offset) }
      .compactMap(\.element.credential).filter { $0.type == type }
  }

  private func missing(_ type: CredentialType, of program: Program) -> LabError {
    LabError(
      .unknownCredential, "\(program.name) has no \(type.jsonName).",
      why: "No earlier step gave it one.", next: "Add a step in which it signs in.")
  }

  // MARK: - Outcomes

  /// Ends a call whose response does not belong to its sign-in (RFC 6749 §10.12).
  private func refused(_ error: PageError) -> Outcome {
    let check = Check(
      "answer of this sign-in", expected: "its state", found: error.found, verdict: .failed,
      source: "RFC 6749 §10.12")
    transaction.trace.add(
      .system, .app, actor: program.name, "read the answer", result: error.found, checks: [check])
    // Other programs do not share a word for it.
    return Outcome(
      .failed, "The answer is not that of this sign-in: \(error.found).",
      error: ReportedError(symbol: program.kind == .page ? error.rawValue : nil), failedCheck: check,
      prompted: transaction.hasPrompted)
  }

  private func refused(_ error: OAuthError) -> Outcome {
    refused(error.code.text, error.message, suberror: error.suberror)
  }

  private func refused(_ code: String, _ message: String, suberror: String?) -> Outcome {
    Outcome(
      .failed, message, errorText: "\(code): \(message)",
      error: ReportedError(oauth: code, suberror: suberror), failedCheck: transaction.lastFailedCheck,
      prompted: transaction.hasPrompted)
  }

  private func cancelled(_ message: String?) -> Outcome {
    Outcome(
      .cancelled, message ?? "Cancelled by the user.", errorText: message, error: ReportedError(),
      failedCheck: transaction.lastFailedCheck, prompted: transaction.hasPrompted)
  }
}

/// The responses that do not contain a code, by MSAL.js's names.
private enum PageError: String {
  case empty = "hash_empty_error"
  case stateMissing = "state_not_found"
  case stateDiffers = "state_mismatch"

  /// Creates the error for a response, or returns `nil` if the response belongs to the request with this state.
  init?(_ answer: [NameValue], state: String?) {
    let found = answer["state"]
    if answer.isEmpty {
      self = .empty
    } else if found == nil, state != nil {
      self = .stateMissing
    } else if found != state {
      self = .stateDiffers
    } else {
      return nil
    }
  }

  /// The part of the response that is wrong.
  var found: String {
    switch self {
    case .empty: "an empty answer"
    case .stateMissing: "no state"
    case .stateDiffers: "another state"
    }
  }
}
