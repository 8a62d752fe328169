import SSOCore
import SSOKeychain

/// The identity library in one app: MSAL or ADAL, as the app's code calls it.
///
/// Throws ``SDKError``, including keychain statuses; ``SDKCallError`` if the SDK does not have the call;
/// ``WaitingForBroker`` if the call continues once the broker is installed; and the errors of ``SystemServices``.
package protocol IdentitySDK {
  var context: AppContext { get }

  // MARK: Setup

  /// Performs the checks that every call begins with, up to the first that fails, and records them in the trace.
  /// - Throws: The error of the first check that failed.
  func checkApplication() throws
  /// The checks of the app's setup, with their title.
  var setUp: (title: String, checks: [Check]) { get }
  /// Returns all conditions for using the broker, in order; if one fails, a web page is shown instead.
  func brokerDecision() -> [Check]

  // MARK: Accounts

  /// Returns the accounts that the app lists. MSAL reads at most `limit` accounts; ADAL always returns all.
  func accounts(limit: Int) throws -> [SDKAccount]
  /// Returns the account with this username or home account ID, or `nil` if the app does not list it.
  func listedAccount(_ name: String) throws -> SDKAccount?
  /// Returns the account that a call specifies by username or home account ID, even if it is signed out of this app.
  func knownAccount(_ name: String) throws -> SDKAccount?
  /// Whether the app can look up an account by its username alone.
  var looksUpUsernames: Bool { get }
  /// Looks up an account as `accountForUsername:` does (docs/behaviour/msal-cache.md §10(9), §10(10)), or returns `nil`.
  func account(username: String) throws -> SDKAccount?
  /// Returns the account of a call that does not specify one.
  func onlyAccount() throws -> SDKAccount?
  /// Returns the users that the app lists from ADAL's cache.
  func legacyUsers() throws -> [SDKAccount]
  /// Returns the name by which a call specifies the account; ADAL accepts only usernames.
  func callName(of account: SDKAccount) -> String
  /// Returns the account's tokens in the cache.
  func tokens(of account: SDKAccount) throws -> HeldTokens
  /// The generic attribute of the one credential of each listed account, or `nil` if `accounts(limit:)` returns all
  /// anyway.
  var countedCredential: String? { get }

  /// Returns the family whose refresh token the SDK looks for, or `nil` if it does not look for one.
  func triedFamilyID() throws -> String?
  /// Returns the states of the sign-ins that the app's own client left where the app looks; `account` is a username or
  /// home account ID, or `nil` for any.
  /// - Throws: `KeychainError`.
  func signInStates(of account: String?) throws -> [AccountMetadata.SignInState]

  // MARK: Calls

  func acquireInteractively(_ request: SDKRequest) throws -> SDKResult
  func acquireSilently(_ request: SDKRequest) throws -> SDKResult
  /// Signs an account out; `name` is a username or home account ID, or `nil` for the only account.
  /// - Throws: `SDKCallError` if the account does not exist, or `SDKError` if the sign-out failed.
  func signOut(_ name: String?, _ options: SignOutOptions, correlationID: String) throws -> SignOutResult
  /// Returns the current account, for apps that are written for one account.
  func currentAccount() throws -> CurrentAccount
  /// Handles a URL that no call waits for; its tokens are still cached (docs/behaviour/broker.md §5).
  /// - Returns: The result, or `nil` if the URL is not for this SDK.
  func handleResponse(_ delivery: URLDelivery) throws -> SDKResult?
  /// Looks up the accounts that another app transferred (claims F3 to F6).
  ///
  /// `isTransfer` is false if other apps have not transferred anything.
  /// - Throws: `StoreError`, `KeychainError`.
  func find(_ transferred: [SDKAccount], isTransfer: Bool) throws -> [SDKAccount]

  // MARK: Display texts

  /// The SDK's names for the two identifiers of an account.
  var accountFields: (displayable: String, unique: String) { get }
  /// The name of the view that the SDK uses to show a sign-in page without the broker.
  var webPageName: String { get }
  /// Returns the fields of a result that the trace shows.
  func shown(_ result: SDKResult) -> [NameValue]
}

extension AppContext {
  /// The SDK that the app was built with.
  package var sdk: any IdentitySDK {
    switch app.sdk {
    case .msal: MSALClient(self)
    case .adal: ADALClient(self)
    }
  }
}

extension IdentitySDK {
  package var app: InstalledApp { context.app }

  package var looksUpUsernames: Bool { false }
  package func account(username: String) throws -> SDKAccount? { nil }

  /// Returns the account of a call by username or home account ID, or the only account if `name` is `nil`.
  package func account(named name: String?) throws -> SDKAccount? {
    guard let name else { return try onlyAccount() }
    return try knownAccount(name)
  }

  /// A description of whether the broker would be called and, if not, of the first reason.
  package var brokerUse: String {
    brokerDecision().first { $0.verdict == .failed }.map { "not used: \($0.reason)" } ?? "used"
  }
}

/// A token call as an app makes it, interactive or silent.
package struct SDKRequest: Hashable {
  package var account: SDKAccount?
  /// Whether the app looked for an account by its name; if `account` is `nil`, it was not found.
  package var isAccountNamed = false
  /// The username as the user typed it: MSAL's `loginHint`, ADAL's `userId`.
  package var loginHint: String?
  /// The scopes, or an empty array for the scopes that the app requests by default.
  ///
  /// ADAL uses the first one as its resource.
  package var scopes: [String]
  package var prompt: PromptBehavior
  package var forceRefresh: Bool
  package var options: CallOptions
  package var correlationID: String

  package init(
    account: SDKAccount? = nil, loginHint: String? = nil, scopes: [String] = [],
    prompt: PromptBehavior = .whenRequired, forceRefresh: Bool = false, options: CallOptions = CallOptions(),
    correlationID: String
  ) {
    self.account = account
    self.loginHint = loginHint
    self.scopes = scopes
    self.prompt = prompt
    self.forceRefresh = forceRefresh
    self.options = options
    self.correlationID = correlationID
  }
}

/// The options of a token call in addition to account, scopes, and prompt (`MSALTokenParameters`).
package struct CallOptions: Hashable, Sendable {
  /// The authority of this call, or `nil` for the authority that the app was configured with.
  package var authority: String?
  /// The requested claims as JSON.
  package var claims: String?

  package init(authority: String? = nil, claims: String? = nil) {
    self.authority = authority
    self.claims = claims
  }
}

/// `MSALPromptType` (docs/behaviour/interactive-call.md §1).
package enum PromptBehavior: String, Codable, CaseIterable, Hashable, Sendable {
  case whenRequired = "default"
  case selectAccount = "select_account"
  case login
  case consent

  /// The `prompt` parameter of MSAL's requests, or `nil` for the default.
  var parameter: String? { self == .whenRequired ? nil : rawValue }
}

/// The result of a sign-out.
package struct SignOutResult: Hashable {
  /// The usernames, joined with commas.
  package var names: String
  /// The account, or `nil` if several users were signed out at once.
  package var account: SDKAccount?
  /// The SDK's call or its options, as the SDK names them.
  package var details: [String]
  /// The number of deleted keychain items in the SDK's terms, such as `3 credentials`.
  package var removed: String
}

/// The `MSALAccount` of an app that is written for one account, and the account that the app knew before.
package struct CurrentAccount: Hashable {
  package var current: SDKAccount?
  package var previous: SDKAccount?
  package var hasChanged: Bool { normalized(current?.identifier) != normalized(previous?.identifier) }
}

/// The reason that a call cannot be made as requested, before it reaches the SDK.
package enum SDKCallError: Error, Hashable {
  /// The app does not know the account; `why` says where the SDK looked.
  case unknownAccount(why: String)
  /// Several accounts are possible; one of these usernames must be specified.
  case severalAccounts([String])
  /// The SDK does not have this call.
  case unsupported(why: String)
}

/// The tokens that a call returns to the app, with either SDK.
package struct SDKResult: Hashable {
  /// The source of the access token, as outcomes and traces name it.
  package enum Source: String, CaseIterable, Hashable, Sendable {
    case cache = "cache"
    /// The client's own; in ADAL, its multi-resource token, legacy or unified.
    case appRefreshToken = "app refresh token"
    case familyRefreshToken = "family refresh token"
    case webSession = "web session"
    case broker = "broker"
    /// ADAL's token of this client, redeemed by MSAL; the next case is the family's (docs/behaviour/adal.md §6).
    case legacyRefreshToken = "legacy refresh token"
    case legacyFamilyRefreshToken = "legacy family refresh token"
    /// ADAL with AD FS: a refresh token that is stored with its access token.
    case singleResourceRefreshToken = "single-resource refresh token"
  }

  /// The home account ID, or `nil` if the provider did not send `client_info` or ADAL is older than 2.7.
  package var homeAccountID: String?
  /// The username, which is empty for the unknown user of AD FS.
  package var username: String
  package var accessToken: String
  /// The granted scopes, or only the resource for ADAL.
  package var scopes: [String]
  package var expiresOn: Instant
  package var source: Source
  /// Whether a call waited for the result.
  ///
  /// If the app was terminated in between, the tokens are cached, but no call waited (docs/behaviour/broker.md §5).
  package var isAwaited = true
  /// Whether a cached token was used because the refresh failed while the server was unavailable.
  package var isFallback = false
  /// `extendedLifeTimeToken`: whether the token has expired and can be used only during the outage.
  package var isExtendedLifetime = false
}

/// An account as an SDK returns it to its app: `MSALAccount`, or ADAL's `userId` and `homeAccountId` (claim F3).
package struct SDKAccount: Codable, Hashable {
  /// The home account ID, which is empty if only ADAL before 2.7 knows the account (docs/behaviour/adal.md §6).
  package var identifier: String
  /// The username, which is empty for the unknown user of AD FS.
  package var username: String
  /// The environment, which is empty for an account that ADAL lists.
  package var environment: String

  package init(identifier: String, username: String, environment: String = "") {
    self.identifier = identifier
    self.username = username
    self.environment = environment
  }

  /// The ID by which the account is found again: the identifier or, if it is empty, the username.
  package var id: String { identifier.isEmpty ? username : identifier }

  /// `homeAccountId.tenantId`, or `nil` unless the identifier splits into exactly two parts (msal-cache.md §8).
  var homeTenantID: String? {
    let halves = identifier.split(separator: ".", omittingEmptySubsequences: false)
    return halves.count == 2 && !halves[1].isEmpty ? String(halves[1]) : nil
  }
}

/// The tokens of one account in an app's cache.
package struct HeldTokens {
  /// The access token that expires last, or `nil` if the account does not have one.
  package var accessToken: TokenDates?
  /// The scopes or the resource of that token.
  package var target: String?
  /// The refresh tokens in the order in which a silent call redeems them.
  package var refreshTokens: [HeldRefreshToken]

  package init(accessToken: TokenDates? = nil, target: String? = nil, refreshTokens: [HeldRefreshToken] = [])
  {
    self.accessToken = accessToken
    self.target = target
    self.refreshTokens = refreshTokens
  }
}

/// A refresh token in the cache, in MSAL's format or in ADAL's.
package enum HeldRefreshToken: Hashable {
  case unified(CredentialItem)
  case legacy(LegacyItem)
}

/// The times at which a token's state changes merely because time passes.
package struct TokenDates: Hashable {
  /// The expiration time, or `nil` if the token counts as valid forever.
  package var expiresOn: Instant?
  package var refreshOn: Instant?

  package init(expiresOn: Instant?, refreshOn: Instant? = nil) {
    self.expiresOn = expiresOn
    self.refreshOn = refreshOn
  }
}

extension SDKAccount {
  /// Returns the home account ID, looked up by the username if the account does not have one, as may be after a legacy
  /// item.
  ///
  /// The result is empty if the ID is not known. If `environments` is empty, the items of every host match.
  func homeAccountID(in cache: TokenCache, _ environments: [String] = []) throws -> String {
    guard identifier.isEmpty, !username.isEmpty else { return identifier }
    return try cache.accounts(username: username, environments: environments).first?.homeAccountID ?? ""
  }
}
