import Essentials
import SSOCore
import SSOReference

/// The broker app (Microsoft Authenticator), to the extent that its protocol shows it.
///
/// See docs/behaviour/broker.md §14; claims A3, B1, D7. A rejection is a response of the broker; the errors that it
/// throws come from the store, or are the lab's prompts to the user.
package struct Broker {
  /// The broker's own client ID at the provider.
  static let clientID = "29d9ed98-a469-4536-ade2-f981bc1d605e"
  static let redirectURI = "urn:ietf:wg:oauth:2.0:oob"

  /// Returns the accounts on the device; without the broker app, the list is empty.
  /// - Throws: `StoreError`.
  package func accounts() throws -> [BrokerAccount] { version.isEmpty ? [] : try context.accounts() }

  var context: BrokerContext
  var version: String
  /// The mechanism by which the app calls.
  private(set) var call = BrokerCall.url
  /// Whether the broker must respond without user interaction.
  private var isSilent = false

  package init(context: BrokerContext, version: String) {
    self.context = context
    self.version = version
  }

  /// Returns the response to a request URL.
  ///
  /// `caller` has the bundle ID and name that the system reports.
  /// - Returns: The URL to open, or `nil` if the broker must not respond, because the request cannot be read or the
  ///   caller is not the app that it claims to be.
  /// - Throws: `StoreError`, and the errors of the system's services. A rejection by the broker is a response, not an
  ///   error.
  package func answer(_ url: String, from caller: InstalledApp) throws -> String? {
    guard let (request, fields) = try read(url, from: caller), let fields else { return nil }
    let isFailure = Self.isFailure(fields)
    context.trace.add(
      .broker, .system, actor: caller.bundleID, "openURL \(request.redirectURI)",
      result: !isFailure
        ? "encrypted answer"
        : request.dialect.sendsPlainFailures ? "failure in plain text" : "encrypted failure",
      sent: isFailure && request.dialect.sendsPlainFailures
        ? fields
        : [
          NameValue("response", "AES-256-CBC, PKCS#7, zero IV"),
          NameValue("hash", "SHA-256 of the plaintext"),
        ])
    return try response(request).url(fields)
  }

  /// Returns the response to a call that the system relays in both directions (docs/behaviour/broker.md §2).
  ///
  /// `request` has the form of a request URL, without key and nonce unless it came by URL. If `isSilent` is true, nothing
  /// may be shown.
  /// - Returns: The fields of the response, which are empty if the request cannot be read.
  /// - Throws: `StoreError`, and the errors of the system's services. A rejection by the broker is a response, not an
  ///   error.
  package func answerCall(
    _ request: String, from caller: InstalledApp, by call: BrokerCall, isSilent: Bool = false
  ) throws -> [NameValue] {
    var broker = self
    (broker.call, broker.isSilent) = (call, isSilent)
    guard let (request, fields) = try broker.read(request, from: caller) else { return [] }
    let answer = fields ?? failure(.internalError, Self.wrongCaller, request)
    context.trace.add(
      .broker, caller.sdk.party, actor: caller.bundleID, "return the result of the call",
      result: Self.isFailure(answer) ? "failure" : "tokens")
    return answer
  }

  private static let wrongCaller =
    "source application bundle identifier should be same as the redirect URI domain"

  private static func isFailure(_ fields: [NameValue]) -> Bool {
    fields["success"] == "0" || fields["error_code"] != nil
  }

  /// Reads and checks a request, and decides on it.
  /// - Returns: `nil` if it is not a request to the broker; no fields if the caller is not the app that it claims to
  ///   be.
  private func read(
    _ url: String, from caller: InstalledApp
  ) throws -> (request: BrokerRequest, fields: [NameValue]?)? {
    let request: BrokerRequest
    do throws(BrokerError) {
      request = try BrokerRequest(url: url, isByURL: call == .url)
    } catch {
      context.trace.add(.broker, .system, actor: caller.bundleID, "refuse", result: error.reason)
      return nil
    }
    var identity = CallerCheck(reportedBundleID: caller.bundleID, redirectURI: request.redirectURI)
    if call == .webAccountManager { identity.windowsClientID = request.clientID }
    let caller = Caller(app: caller, check: identity.check)
    let known = try context.application(request, caller.app.bundleID)
    let token = call == .url ? [tokenCheck(request.values[.applicationToken], known)] : []
    context.trace.add(
      .system, .broker, actor: caller.app.bundleID, "identify the caller", result: caller.app.bundleID,
      sent: [NameValue(call.callerName, caller.app.bundleID)], checks: [caller.check] + token)
    guard caller.check.verdict == .passed else {
      context.trace.add(
        .broker, .system, actor: caller.app.bundleID, "refuse", result: Self.wrongCaller)
      return (request, nil)
    }
    return (request, try decide(request, caller))
  }

  struct Caller {
    var app: InstalledApp
    var check: Check
  }

  /// Returns the check of the application token, which shows that this app received a response before (broker.md §6).
  ///
  /// It does not decide anything here; the caller check does.
  private func tokenCheck(_ sent: String?, _ known: BrokerApplication?) -> Check {
    let found = sent == nil ? "none" : sent == known?.token ? "the previous one" : "another one"
    return Check(
      "application token", expected: known == nil ? "none: the first request" : "the previous one",
      found: found, verdict: known != nil && sent == known?.token ? .passed : .skipped,
      source: "broker.md §6")
  }

  /// Selects the account to use, and then acquires its tokens.
  private func decide(_ request: BrokerRequest, _ caller: Caller) throws -> [NameValue] {
    let accounts = try context.accounts()
    if isSilent {
      guard let account = namedAccount(request, accounts), account.blockedBecause == nil else {
        context.trace.add(
          .broker, .broker, actor: caller.app.bundleID, "find the account", result: "not one of the broker's")
        return failure(.interactionRequired, "no_account_found", request)
      }
      return try redeem(account, request, caller, mayAsk: false)
    }
    let request = withoutExplicitPrompt(request, caller)
    let choice = try selectAccount(request, caller, accounts)
    switch choice {
    case .cancelled:
      return failure(.userCanceled, "User cancelled", request)
    case .account(let account):
      guard account.blockedBecause == nil else {
        return failure(.interactionRequired, account.blockedBecause ?? "", request)
      }
      return try redeem(account, request, caller, mayAsk: true)
    case .signIn(let hint):
      return try signIn(hint: hint, request, caller)
    }
  }

  /// Returns the request as the profile of the SSO extension changes it: an app's own prompt for a new sign-in may be
  /// replaced (docs/behaviour/broker.md §13(10)).
  private func withoutExplicitPrompt(_ request: BrokerRequest, _ caller: Caller) -> BrokerRequest {
    guard call == .ssoExtension, let data = context.device.ssoProfile?.extensionData else { return request }
    var request = request
    let prompt = data.prompt(request.prompt, isOfPage: false)
    guard prompt != request.prompt else { return request }
    context.trace.add(
      .broker, .broker, actor: caller.app.bundleID, "apply the profile to prompt=\(request.prompt ?? "")",
      result: prompt.map { "prompt=\($0)" } ?? "no prompt")
    request.prompt = prompt
    return request
  }

  /// Redeems the account's primary refresh token for the app's tokens; an expired or rejected one requires the
  /// password.
  ///
  /// If `mayAsk` is true, the user may be prompted for the password, and the device may be registered.
  func redeem(_ account: BrokerAccount, _ request: BrokerRequest, _ caller: Caller, mayAsk: Bool) throws
    -> [NameValue]
  {
    guard account.expiresOn > context.now, request.prompt != "login" else {
      context.trace.add(
        .broker, .broker, actor: caller.app.bundleID, "primary refresh token of \(account.username)",
        result: request.prompt == "login" ? "not used: prompt=login" : "expired")
      return mayAsk
        ? try signIn(hint: account.username, request, caller)
        : failure(.interactionRequired, "expired", request)
    }
    let answer = try context.system.send(
      tokenRequest(
        request,
        [
          NameValue("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"),
          NameValue("prt", account.primaryRefreshToken), NameValue("client_id", request.clientID),
          NameValue("redirect_uri", request.redirectURI), NameValue("caller_bundle_id", caller.app.bundleID),
          NameValue("broker_bundle_id", context.device.platform.brokerBundleID),
          NameValue("client_info", "1"),
          request.dialect.wanted(request),
        ] + appFields(request, account)))
    if answer.status == 200 {
      try context.noteUse(of: account, by: caller.app.displayName, caller.app.bundleID)
      return try success(answer, request, caller)
    }
    if let failure = request.dialect.failure(response(request), transport: answer) { return failure }
    let refusal = OAuthError(reading: answer)
    if isSilent {
      return response(request).failure(
        .interactionRequired, refusal.message, oauth: refusal, username: account.username)
    }
    if refusal.code == .consentRequired || refusal.suberror == OAuthErrorCode.consentRequired.text {
      return try consent(account, request, caller)
    }
    if isPolicy(refusal) {
      return response(request).failure(
        refusal.suberror == OAuthSuberror.protectionPolicyRequired.text
          ? .serverProtectionPoliciesRequired : .interactionRequired, refusal.message, oauth: refusal,
        username: account.username)
    }
    if mayAsk, [.interactionRequired, .invalidGrant, .loginRequired].contains(refusal.code) {
      return try signIn(hint: account.username, request, caller)
    }
    let code: MSALCode = refusal.code == .invalidClient ? .invalidClient : .invalidGrant
    return response(request).failure(code, refusal.message, oauth: refusal, username: account.username)
  }

  /// Returns whether a policy caused the rejection, in which case a password does not help.
  private func isPolicy(_ refusal: OAuthError) -> Bool {
    [OAuthSuberror.additionalAction, .messageOnly, .protectionPolicyRequired].map(\.text)
      .contains(refusal.suberror)
  }

  /// Returns what the broker passes on about the app: its capabilities, and its Intune enrollment ID for this user.
  ///
  /// See docs/behaviour/broker.md §3, §11.
  func appFields(_ request: BrokerRequest, _ account: BrokerAccount) -> [NameValue] {
    let capabilities = request.values[.clientCapabilities]?.split(separator: ",").map(String.init) ?? []
    let claims = JSONValue.capabilities(capabilities)
    let enrollment = AppDefaults.enrollmentID(
      in: request.values[.intuneEnrollmentIDs], homeAccountID: account.homeAccountID)
    return [NameValue("claims", claims ?? ""), NameValue("microsoft_enrollment_id", enrollment ?? "")]
      .filter { !$0.value.isEmpty }
  }

  func tokenRequest(_ request: BrokerRequest, _ form: [NameValue]) -> HTTPRequest {
    let (origin, tenant) = splitAuthority(request.authority)
    return HTTPRequest(
      "POST", origin: origin, path: path(tenant, "token", request),
      headers: [NameValue("client-request-id", request.correlationID)], form: form)
  }

  /// Returns the path of an endpoint, of version 2 for MSAL and of version 1 for ADAL.
  func path(_ tenant: String, _ endpoint: String, _ request: BrokerRequest) -> String {
    "/\(tenant)" + request.dialect.endpoints + endpoint
  }

  func response(_ request: BrokerRequest, applicationToken: String? = nil) -> BrokerResponse {
    BrokerResponse(
      request: request, version: version, applicationToken: applicationToken,
      isShared: context.device.isShared)
  }

  func failure(_ code: MSALCode, _ description: String, _ request: BrokerRequest) -> [NameValue] {
    response(request).failure(code, description)
  }

  /// Returns the fields of broker.md §8 for a token response, with a token that identifies the app from now on.
  func success(_ answer: HTTPResponse, _ request: BrokerRequest, _ caller: Caller) throws -> [NameValue] {
    let application = try context.rememberApplication(request, caller.app.bundleID)
    guard let token = JSONValue(bounded: answer.body)?.object, token["access_token"]?.string != nil else {
      return failure(.invalidResponse, "The answer does not contain an access_token.", request)
    }
    return response(request, applicationToken: application.token).success(token, at: context.now)
  }
}

/// Splits `https://host/tenant` into origin and tenant; the tenant of an authority without a path is `common`.
func splitAuthority(_ authority: String) -> (origin: String, tenant: String) {
  let parts = authority.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
  let host = parts.count > 1 ? parts[1] : PublicCloud.preferredNetwork
  return ("https://" + host, parts.count > 2 ? parts[2] : "common")
}

/// The context in which the broker app handles one request.
///
/// The lab connects it to the simulated device and the provider.
package struct BrokerContext {
  package var device: Device
  package var documents: any DocumentStore
  package var now: Instant
  package var random: RandomSource
  package var trace: TraceRecorder
  /// The workplace join in the broker's own keychain group.
  package var deviceKeychain: DeviceKeychain
  package var system: any SystemServices

  package init(
    device: Device, documents: any DocumentStore, now: Instant, random: RandomSource, trace: TraceRecorder,
    deviceKeychain: DeviceKeychain, system: any SystemServices
  ) {
    self.device = device
    self.documents = documents
    self.now = now
    self.random = random
    self.trace = trace
    self.deviceKeychain = deviceKeychain
    self.system = system
  }

  /// Returns the broker's accounts on this device, most recently used first.
  /// - Throws: `StoreError`.
  package func accounts() throws -> [BrokerAccount] {
    try documents.readAll(BrokerAccount.self, .brokerAccount, keyPrefix: device.id + "/").lastUsedFirst
  }

  func remove(_ account: BrokerAccount) throws {
    try documents.delete(.brokerAccount, device.id + "/" + account.homeAccountID)
  }

  /// Records when an account was last used and by which app.
  ///
  /// The picker displays this and sorts by it. `app` is the name of the app, or of the Linux program; an app has a bundle
  /// ID too, by which its list of accounts is found.
  func noteUse(of account: BrokerAccount, by app: String, _ bundleID: String? = nil) throws {
    var used = account
    (used.lastUsed, used.lastUsedBy) = (now, app)
    if let bundleID, used.apps?.contains(bundleID) != true { used.apps = (used.apps ?? []) + [bundleID] }
    try save(used)
  }

  func save(_ account: BrokerAccount) throws {
    try documents.write(account, .brokerAccount, device.id + "/" + account.homeAccountID)
  }
}

extension [BrokerAccount] {
  /// The accounts in the order in which the broker lists them.
  package var lastUsedFirst: [BrokerAccount] {
    sorted {
      ($0.lastUsed?.milliseconds ?? 0, $1.username) > ($1.lastUsed?.milliseconds ?? 0, $0.username)
    }
  }
}

/// An app that received a response from the broker, with the token that identifies it (docs/behaviour/broker.md §6).
struct BrokerApplication: Codable, Hashable {
  var clientID: String
  var bundleID: String
  var token: String
}

extension BrokerContext {
  func application(_ request: BrokerRequest, _ bundleID: String) throws -> BrokerApplication? {
    try documents.read(BrokerApplication.self, .brokerApplication, key(request, bundleID))
  }

  /// Returns the app's record, which is created with its first response.
  func rememberApplication(_ request: BrokerRequest, _ bundleID: String) throws -> BrokerApplication {
    if let known = try application(request, bundleID) { return known }
    let token = Base64URL.encode(random.bytes(24))
    let made = BrokerApplication(clientID: request.clientID, bundleID: bundleID, token: token)
    try documents.write(made, .brokerApplication, key(request, bundleID))
    return made
  }

  private func key(_ request: BrokerRequest, _ bundleID: String) -> String {
    [device.id, request.clientID.lowercased(), bundleID].joined(separator: "/")
  }
}
