/// The identity library in one app: MSAL or ADAL, as the app's code calls it.
///
/// Throws ``SDKError``, keychain statuses included; ``SDKCallError`` where the SDK has no such call; ``WaitingForBroker`` where
/// the call goes on once the broker is installed; and what ``SystemServices`` throws.
package protocol IdentitySDK {
  var context: AppContext { get }

  // MARK: Set-up

  /// The checks that every call begins with, up to the first that fails, recorded in the trace.
  /// - Throws: the error of the first check that failed.
  func checkApplication() throws
  /// The checks of the app's set-up, with their title.
  var setUp: (title: String, checks: [Check]) { get }
  /// Every condition for the broker, in order; a failed one leads to a web page instead.
  func brokerDecision() -> [Check]

  // MARK: Accounts

  /// The accounts that the app lists. MSAL looks at `limit` of them at most; ADAL always gives all.
  func accounts(limit: Int) throws -> [SDKAccount]
  /// The account of this username or home account ID, if the app lists it.
  func listedAccount(_ name: String) throws -> SDKAccount?
  /// The account that a call names by username or home account ID, whether listed or signed out of this app.
  func knownAccount(_ name: String) throws -> SDKAccount?
  /// The account of a call that names none.
  func onlyAccount() throws -> SDKAccount?
  /// The users that the app lists for what ADAL wrote.
  func legacyUsers() throws -> [SDKAccount]
  /// How a call names the account: ADAL knows usernames only.
  func callName(of account: SDKAccount) -> String
  /// The account's tokens in the cache.
  func tokens(of account: SDKAccount) throws -> HeldTokens
  /// Generic attribute of the credential that each listed account has one of; nil: `accounts(limit:)` gives all anyway.
  var countedCredential: String? { get }

  // MARK: Calls

  func acquireInteractively(_ request: SDKRequest) throws -> SDKResult
  func acquireSilently(_ request: SDKRequest) throws -> SDKResult
  /// Signs an account out; `name` is a username or home account ID, nil the only account.
  /// - Throws: `SDKError` if there is no such account, or the sign-out failed.
  func signOut(_ name: String?, _ options: SignOutOptions, correlationID: String) throws -> SignOutResult
  /// For apps that are written for one account.
  func currentAccount() throws -> CurrentAccount
  /// A URL that no call waits for: tokens in it are cached all the same (docs/behaviour/broker.md §5).
  /// - Returns: nil if the URL is not for this SDK.
  func handleResponse(_ delivery: URLDelivery) throws -> SDKResult?
  /// Looks up the accounts that another app handed over (claims F3 to F6).
  ///
  /// `isTold` is false if no other app said anything.
  /// - Throws: `StoreError`, `KeychainError`.
  func find(_ handed: [SDKAccount], isTold: Bool) throws -> [SDKAccount]

  // MARK: Words

  /// How the SDK names an account's two identifiers.
  var accountFields: (displayable: String, unique: String) { get }
  /// How it shows a sign-in page without the broker.
  var webPageName: String { get }
  /// A result as the trace shows it.
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

  /// The account of a call by the name that it gives, a username or home account ID; nil: it names none.
  package func account(named name: String?) throws -> SDKAccount? {
    guard let name else { return try onlyAccount() }
    return try knownAccount(name)
  }

  /// Whether the broker would be called, and if not the first reason.
  package var brokerUse: String {
    brokerDecision().first { $0.verdict == .failed }.map { "not used: \($0.reason)" } ?? "used"
  }
}

/// One token call as an app makes it, interactive or silent.
package struct SDKRequest: Hashable {
  package var account: SDKAccount?
  /// The username as it was typed: MSAL's `loginHint`, ADAL's `userId`.
  package var loginHint: String?
  /// Empty: those the app always asks for.
  ///
  /// ADAL takes the first as its resource.
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

/// What a token call may say besides account, scopes and prompt (`MSALTokenParameters`).
package struct CallOptions: Hashable, Sendable {
  /// Authority of this call; nil: the one the app was configured with.
  package var authority: String?
  /// Requested claims as JSON.
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
}

/// What a sign-out removed.
package struct SignOutResult: Hashable {
  /// Usernames, joined with commas.
  package var names: String
  /// nil if several users were signed out at once.
  package var account: SDKAccount?
  /// The SDK's call or its options, as it names them.
  package var details: [String]
  /// How many keychain items went, in the SDK's words: `3 credentials`.
  package var removed: String
}

/// `MSALAccount` of an app that is written for one account, and the one that it knew before.
package struct CurrentAccount: Hashable {
  package var current: SDKAccount?
  package var previous: SDKAccount?
  package var hasChanged: Bool { normalized(current?.identifier) != normalized(previous?.identifier) }
}

/// Why a call cannot be made as it was asked for, before the SDK is reached.
package enum SDKCallError: Error, Hashable {
  /// The app knows no such account; `why` says where the SDK looked.
  case unknownAccount(why: String)
  /// Usernames, of which one must be named.
  case severalAccounts([String])
  /// The SDK has no such call.
  case unsupported(why: String)
}
