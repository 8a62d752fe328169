import SSOCore
import SSOReference

/// A device authorization (RFC 8628), from the request until the tokens are redeemed.
///
/// It is stored under the hash of the device code and indexed by the user code.
package struct DeviceAuthorization: Codable, Hashable, Sendable {
  /// The progress of the authorization.
  package enum State: String, Codable, Sendable { case pending, approved, declined, redeemed }

  var clientID: String
  var scopes: RequestedScopes
  var authoritySegment: String
  var userCode: String
  var issuedAt: Instant
  package var state = State.pending
  /// The username, in lowercase, of the user who approved it.
  ///
  /// `authenticatedAt` is the time of that sign-in.
  var username: String?
  var authenticatedAt: Instant?
  /// Whether the user completed MFA.
  ///
  /// `nil` means no.
  var hasSecondFactor: Bool?
  /// Whether the user passed the external control of a policy.
  var hasExternalControl: Bool?
  /// The required seconds between two polls.
  ///
  /// Each poll that is too early adds five.
  var interval = 5
  var polledAt: Instant?

  /// The lifetime in seconds: fifteen minutes.
  package static let lifetime = 900
  /// The characters of a user code: without vowels, so that a code is never a word, and without letters that look like
  /// digits.
  static let alphabet = Array("BCDFGHJKLMNPQRSTVWXZ23456789")

  func hasExpired(at now: Instant) -> Bool { issuedAt.seconds(until: now) >= Self.lifetime }

  /// Returns whether the device is still polling for its tokens.
  ///
  /// It tolerates three missed polls and one more minute. RFC 8628 §3.5 does not set a limit.
  package func isAsking(at now: Instant) -> Bool {
    (polledAt ?? issuedAt).seconds(until: now) <= 3 * interval + 60
  }
}

/// The pending device authorizations.
struct DeviceAuthorizations {
  let documents: any DocumentStore

  static func key(deviceCode: String) -> String { "device/" + sha256Hex(deviceCode) }

  func authorization(key: String) throws -> DeviceAuthorization? {
    try documents.read(DeviceAuthorization.self, .authorizationCode, key)
  }

  func save(_ authorization: DeviceAuthorization, key: String) throws {
    try documents.write(authorization, .authorizationCode, key)
  }

  /// Returns the key of the device authorization with this user code.
  ///
  /// Ignores case, spaces and hyphens.
  func key(userCode: String) throws -> String? {
    try documents.read(String.self, .authorizationCode, Self.userKey(userCode))
  }

  /// Saves a new device authorization and indexes it by its user code.
  func add(_ authorization: DeviceAuthorization, key: String) throws {
    let userKey = Self.userKey(authorization.userCode)
    try save(authorization, key: key)
    try documents.write(key, .authorizationCode, userKey)
    let purge = ExpiryPurge(documents: documents, now: authorization.issuedAt)
    for key in [key, userKey] { try purge.purge(after: key, in: .authorizationCode) }
  }

  func unlink(userCode: String) throws {
    try documents.delete(.authorizationCode, Self.userKey(userCode))
  }

  fileprivate static func userKey(_ userCode: String) -> String {
    "usercode/" + sha256Hex(userCode.uppercased().filter { $0.isLetter || $0.isNumber })
  }
}

extension Provider {
  /// Returns the scopes that the device with this user code requested, or an empty array if the code is
  /// unknown.
  package func scopes(ofUserCode userCode: String) throws -> [String] {
    let authorizations = resources.deviceAuthorizations
    let key = try authorizations.key(userCode: userCode)
    return try key.flatMap { try authorizations.authorization(key: $0) }?.scopes.all ?? []
  }
}

extension DocumentReader {
  /// Returns the pending device authorization with this user code, or `nil` if it does not exist.
  package func device(showing userCode: String) throws -> DeviceAuthorization? {
    try read(String.self, .authorizationCode, DeviceAuthorizations.userKey(userCode)).flatMap {
      try read(DeviceAuthorization.self, .authorizationCode, $0)
    }
  }
}

/// `POST /{tenant}/oauth2/v2.0/devicecode` (RFC 8628 §3.1).
struct DeviceAuthorizationEndpoint {
  let provider: ProviderResources

  func respond(_ tenant: AuthorityTenant, _ context: inout RequestContext) throws -> ProviderResponse {
    let client = try ClientAuthentication(provider: provider)
      .authenticate(tenant, &context, at: .deviceCode).registration
    let scopes = context.request.scopesOfSignIn
    let scopeRequest = try ScopeRequest(
      scopes, for: client, at: tenant, in: provider.directory, of: context.request)
    try context.require(scopeRequest.rules, of: scopeRequest)
    let secret = "0.D" + Base64URL.encode(provider.random.bytes(32))
    let letters = DeviceAuthorization.alphabet
    let userCode = String(provider.random.bytes(9).map { letters[Int($0) % letters.count] })
    let authorization = DeviceAuthorization(
      clientID: client.clientID, scopes: scopes, authoritySegment: tenant.segment, userCode: userCode,
      issuedAt: provider.now)
    let key = DeviceAuthorizations.key(deviceCode: secret)
    try provider.deviceAuthorizations.add(authorization, key: key)
    let page = context.request.origin + "/common/oauth2/deviceauth"
    var body: [String: JSONValue] = [
      "device_code": .string(secret), "user_code": .string(userCode), "verification_uri": .string(page),
      "expires_in": .integer(Int64(DeviceAuthorization.lifetime)),
      "interval": .integer(Int64(authorization.interval)),
      "message": .string(
        "To sign in, use a web browser to open the page \(page) and enter the code \(userCode) to "
          + "authenticate."),
    ]
    // Version 1 sends numbers as strings and names the page differently. AD FS behaves as version 2 (ADAL
    // Python, `oauth2_client.py`).
    if context.request.isVersionOne, !tenant.isFederation {
      body["verification_url"] = body.removeValue(forKey: "verification_uri")
      body["expires_in"] = .string(String(DeviceAuthorization.lifetime))
      body["interval"] = .string(String(authorization.interval))
    }
    return ProviderResponse(.json(200, .object(body)))
  }
}

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
      if typed == nil { try context.require(checkUserCodeIsTyped(typed)) }
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

private func checkUserCodeIsTyped(_ code: String?) -> RuleResult {
  RuleResult(
    "user code typed", expected: "the code that the device shows", found: code ?? "none", code != nil,
    source: "RFC 8628 §3.3", failure: "the user code is missing",
    else: OAuthError(.invalidRequest, "The user code is null or missing.", aadsts: .userCodeMissing))
}

private func checkUserCodeIsKnown(_ authorization: DeviceAuthorization?) -> RuleResult {
  RuleResult(
    "user code known", expected: "the code that the device shows",
    found: authorization == nil ? "unknown" : "known", authorization != nil, source: "RFC 8628 §3.3",
    failure: "the user code is not known",
    else: OAuthError(
      .badVerificationCode, "That code didn't work. Check the code and try again.",
      aadsts: .deviceCodeUnknown))
}

private func checkUserCodeIsYoung(_ entry: UserCodeEntry) -> RuleResult {
  let hasExpired = entry.authorization.hasExpired(at: entry.now)
  return RuleResult(
    "user code not expired", expected: "younger than \(DeviceAuthorization.lifetime) s",
    found: hasExpired ? "older" : "younger", !hasExpired, source: "RFC 8628 §3.3",
    failure: "the user code has expired",
    else: OAuthError(
      .expiredToken, "That code has expired. Start again on the device for a new one.",
      aadsts: .userCodeExpired))
}

private func checkUserCodeIsOpen(_ entry: UserCodeEntry) -> RuleResult {
  let state = entry.authorization.state
  return RuleResult(
    "user code open", expected: "pending", found: state.rawValue, state == .pending, source: "RFC 8628 §3.3",
    failure: "the user code is no longer open",
    else: OAuthError(
      .invalidRequest, "The request was already authorized or declined.", aadsts: .deviceCodeAnswered))
}
