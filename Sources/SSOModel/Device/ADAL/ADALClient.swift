import SSOCore
import SSOKeychain
import SSOReference

/// An `ADAuthenticationContext` (docs/behaviour/adal.md §3–§5, §7, §8).
///
/// It throws its own errors as `SDKError`, including keychain codes; any other error comes from the lab (store,
/// prompt).
package struct ADALClient {
  package var context: AppContext
  package var legacy: LegacyCache
  /// The unified cache, which 2.7 and later write too, and read after the legacy items.
  var unified: TokenCache

  var version: ADALVersion { app.adalVersion }
  var authority: ADALAuthority { app.adalAuthority }
  var flow: ADALSilentFlow { ADALSilentFlow(app: app, legacy: legacy, unified: unified, now: context.now) }

  package init(_ context: AppContext) {
    self.context = context
    (legacy, unified) = (context.legacyCache, context.tokenCache)
  }

  var network: ADALNetwork { ADALNetwork(client: self) }
  var saving: ADALTokenSaving { ADALTokenSaving(client: self) }
  var silentCall: ADALSilentCall { ADALSilentCall(client: self) }
  var removal: ADALRemoval { ADALRemoval(client: self) }
  var brokerCall: ADALBrokerCall { ADALBrokerCall(client: self) }

  func wordingKeychainErrors<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let status as KeychainError {
      throw ADALError.keychain(status, reading: true, version)
    }
  }

  /// Returns the users with an item of this client in the legacy cache, sorted by name.
  ///
  /// ADAL does not have a call for this (claim F3); its apps search `allItems`. Before 2.7, users have no identifier.
  func users() throws -> [SDKAccount] {
    try wordingKeychainErrors {
      var found: [String: SDKAccount] = [:]
      for item in try legacy.items() where normalized(item.clientID) == normalized(app.clientID) {
        let username = item.user?.userID ?? ""
        var account = found[username] ?? SDKAccount(identifier: "", username: username)
        if version.isUnified, account.identifier.isEmpty { account.identifier = item.homeAccountID ?? "" }
        found[username] = account
      }
      return found.values.sorted { $0.username < $1.username }
    }
  }
}

/// A part of ADAL's client, which has access to the entire client.
protocol ADALPart {
  var client: ADALClient { get }
}

extension ADALPart {
  var context: AppContext { client.context }
  var app: InstalledApp { client.app }
}

/// The interface through which an app calls ADAL.
extension ADALClient: IdentitySDK {
  /// Does nothing, because ADAL checks an app's setup only in interactive calls.
  package func checkApplication() {}

  package var setUp: (title: String, checks: [Check]) {
    ("The set-up for the broker", ADALApplication(app: app).checks().checks)
  }

  package func brokerDecision() -> [Check] {
    ADALApplication(app: app).brokerDecision(on: context.device, installed: context.installed)
  }

  package func accounts(limit: Int) throws -> [SDKAccount] { try users() }

  package func listedAccount(_ name: String) throws -> SDKAccount? {
    try users().first { $0.username == normalized(name) || $0.identifier == name }
  }

  /// Returns an account with this name as its `userId`, the displayable ID; ADAL looks up nothing before a call (claim
  /// F4).
  package func knownAccount(_ name: String) -> SDKAccount? { SDKAccount(identifier: "", username: name) }
  /// Returns `nil`, because the cache decides if there is no `userId` (claim F4).
  package func onlyAccount() -> SDKAccount? { nil }
  package func legacyUsers() throws -> [SDKAccount] { try users() }
  package func callName(of account: SDKAccount) -> String { account.username }
  package var countedCredential: String? { nil }

  package func tokens(of account: SDKAccount) throws -> HeldTokens {
    let items = try legacy.items(userID: account.username)
    let access = items.filter { $0.accessToken != nil && normalized($0.clientID) == normalized(app.clientID) }
      .max { ($0.expiresOn?.milliseconds ?? 0) < ($1.expiresOn?.milliseconds ?? 0) }
    let refresh = items.filter { $0.refreshToken != nil }
    let ordered = refresh.filter { !$0.isFamilyCopy } + refresh.filter(\.isFamilyCopy)
    return HeldTokens(
      accessToken: access.map { TokenDates(expiresOn: $0.expiresOn) }, target: access?.resource,
      refreshTokens: ordered.map(HeldRefreshToken.legacy))
  }

  /// Returns the one family that ADAL tries.
  package func triedFamilyID() -> String? { ADALSilentFlow.defaultFamily }

  package func signInStates(of account: String?) throws -> [AccountMetadata.SignInState] {
    let authorities = authority.candidates.map { $0.lowercased() }
    return try legacy.items(userID: account).filter {
      // Only 2.7 and later write when an item was cached.
      normalized($0.clientID) == normalized(app.clientID)
        && authorities.contains($0.authority.lowercased()) && ($0.cachedAt != nil) == version.isUnified
    }.map { _ in .signedIn }
  }

  package func acquireInteractively(_ request: SDKRequest) throws -> SDKResult {
    try ADALInteraction(client: under(request.options.authority)).acquireToken(adalRequest(request))
  }

  package func acquireSilently(_ request: SDKRequest) throws -> SDKResult {
    try under(request.options.authority).silentCall.acquireToken(adalRequest(request))
  }

  /// Returns a client for the authority of a call, which in ADAL belongs to an `ADAuthenticationContext` created for
  /// it.
  func under(_ authority: String?, clientID: String? = nil) -> ADALClient {
    var client = self
    client.context.app.authority = authority ?? app.authority
    client.context.app.clientID = clientID ?? app.clientID
    return client
  }

  private func adalRequest(_ request: SDKRequest) -> ADALRequest {
    ADALRequest(
      resource: request.scopes.first ?? app.resource, userID: request.loginHint ?? request.account?.username,
      userIDType: app.userIDType ?? .requiredDisplayableID, prompt: ADALPrompt(request.prompt),
      claims: request.options.claims, forceRefresh: request.forceRefresh, correlationID: request.correlationID
    )
  }

  package func signOut(
    _ user: String?, _ options: SignOutOptions, correlationID: String
  ) throws -> SignOutResult {
    try removal.signOut(user, options)
  }

  /// - Throws: Always `SDKCallError.unsupported`.
  package func currentAccount() throws -> CurrentAccount {
    throw SDKCallError.unsupported(
      why: "getCurrentAccount is MSAL's; the app was built with ADAL \(app.sdkVersion).")
  }

  package func handleResponse(_ delivery: URLDelivery) throws -> SDKResult? {
    try brokerCall.handle(delivery)
  }

  /// Returns the transferred accounts.
  ///
  /// ADAL has nothing to look up if no account was transferred.
  package func find(_ transferred: [SDKAccount], isTransfer: Bool) -> [SDKAccount] {
    context.trace.add(
      .app, .app, actor: app.bundleID, "userId",
      result: transferred.isEmpty ? "none" : "taken from the other app",
      checks: [
        Check(
          "an account is found", expected: "a userId",
          found: transferred.isEmpty ? "none" : transferred.map(\.username).joined(separator: ", "),
          !transferred.isEmpty,
          source: "claim F4", failure: "no account is found")
      ])
    return transferred
  }

  package var accountFields: (displayable: String, unique: String) { ("userId", "homeAccountId") }
  package var webPageName: String { "web view" }

  package func shown(_ result: SDKResult) -> [NameValue] {
    [
      NameValue("userId", result.username), NameValue("homeAccountId", result.homeAccountID ?? "nil"),
      NameValue("accessToken", masked(result.accessToken)),
    ]
  }
}

/// `ADPromptBehavior`.
package enum ADALPrompt: String, Hashable {
  case auto = "AD_PROMPT_AUTO"
  case always = "AD_PROMPT_ALWAYS"
  case force = "AD_FORCE_PROMPT"
  case refreshSession = "AD_PROMPT_REFRESH_SESSION"

  /// The query parameter, or `nil` for auto.
  var parameter: String? {
    switch self {
    case .auto: nil
    case .always, .force: "login"
    case .refreshSession: "refresh_session"
    }
  }
}

/// `ADUserIdentifierType`: the meaning of the user ID that an app passes.
///
/// See docs/behaviour/adal.md §8 and docs/behaviour/broker.md §4.
package enum UserIDType: String, Codable, CaseIterable, Hashable, Sendable {
  /// The default: the user who signs in must have this displayable ID.
  case requiredDisplayableID = "RequiredDisplayableId"
  /// A hint: a different user who signs in is accepted too.
  case optionalDisplayableID = "OptionalDisplayableId"
  /// The object ID (or `sub`); the user who signs in must have it.
  case uniqueID = "UniqueId"
}

/// One call of `acquireTokenWithResource:…` or `acquireTokenSilentWithResource:…`.
struct ADALRequest: Hashable {
  package var resource: String
  /// The user ID, or `nil` for the only user in the cache.
  package var userID: String?
  var userIDType: UserIDType = .requiredDisplayableID
  package var prompt: ADALPrompt = .auto
  /// The requested claims, with which cached access tokens cannot be used.
  package var claims: String?
  package var forceRefresh = false
  var correlationID: String

  var skipsAccessTokens: Bool { forceRefresh || claims?.isEmpty == false }
}

extension ADALPrompt {
  /// Creates the prompt by SSOTerm's own mapping: ADAL does not have a prompt for choosing an account or for consent.
  init(_ prompt: PromptBehavior) {
    self =
      switch prompt {
      case .whenRequired: .auto
      case .selectAccount: .always
      case .login: .force
      case .consent: .refreshSession
      }
  }
}
