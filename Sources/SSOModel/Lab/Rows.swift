/// The states every list shows, always as glyph and word (terminal.md §3).
public enum TokenState: String, Codable, CaseIterable, Hashable, Sendable {
  case valid, expiring, expired, invalid, none
}

/// A token state with the time it is about.
public struct TokenStanding: Codable, Hashable, Sendable {
  public var state: TokenState
  public var secondsLeft: Int?
  /// Seconds until time alone changes the state; nil if it never does.
  public var changesIn: Int?
  public init(_ state: TokenState, secondsLeft: Int? = nil, changesIn: Int? = nil) {
    self.state = state
    self.secondsLeft = secondsLeft
    self.changesIn = changesIn
  }
}

extension TokenStanding {
  /// Under ten minutes, or past `refresh_on`: "expiring" (terminal.md §3).
  private static let expiringSoon = 600

  /// The state of a token that ends at a moment; every list takes it from here.
  public init(until expiresOn: Instant, refreshOn: Instant? = nil, at now: Instant) {
    let left = now.seconds(until: expiresOn)
    if left <= 0 {
      self.init(.expired, secondsLeft: left)
    } else {
      let isSoon = left < Self.expiringSoon || (refreshOn.map { $0 <= now } ?? false)
      let untilSoon = min(left - Self.expiringSoon + 1, refreshOn.map { now.seconds(until: $0) + 1 } ?? .max)
      self.init(isSoon ? .expiring : .valid, secondsLeft: left, changesIn: isSoon ? left : untilSoon)
    }
  }

  /// The state of an access or ID token by its own dates; a token without any counts as valid.
  public init(_ token: CredentialItem, at now: Instant) {
    guard let expiry = token.expiry else {
      self.init(.valid)
      return
    }
    self.init(until: expiry, refreshOn: token.refreshOn, at: now)
  }
}

/// What the next silent call of an app would do, as the flow itself decides it on a scratch copy.
public struct Prediction: Codable, Hashable, Sendable {
  public enum Kind: String, Codable, CaseIterable, Sendable {
    case cache, appRefreshToken, familyRefreshToken, broker, prompt, failure
    /// A real program that signs in by itself: no person, and no refresh token.
    case ownSecret
  }
  public var kind: Kind
  /// "would use cache, no network"; "would prompt: No token matching arguments found in the cache…".
  public var sentence: String
  /// The checks it went through, first failure included.
  public var checks: [Check]
}

/// One row of the Apps screen.
public struct AppRow: Codable, Hashable, Sendable, Identifiable {
  public var id: String { bundleID }
  public var bundleID: String
  public var displayName: String
  public var vendor: String
  public var teamID: String
  public var sdk: String
  public var sdkVersion: String
  public var clientID: String
  public var redirectURI: String
  /// Signed-in accounts by `allAccounts` (§3.5); at most a few are named, `accountCount` counts all.
  public var accounts: [String]
  public var accountCount: Int
  public var accessToken: TokenStanding
  public var refreshToken: TokenStanding
  /// Scopes of the access token shown.
  public var target: String?
  public var familyID: String?
  public var accessGroup: String
  /// Other apps (display names) that read the same group.
  public var sharesGroupWith: [String]
  public var broker: String
  public var next: Prediction
  /// What may go wrong with its answers: a scheme that another app registers too (claim B3), a delegate that hands nothing on
  /// (claim D6), a disturbance that is armed.
  public var warnings: [String] = []
  public var kind = AppKind.simulated
}

/// Whether an app is played by the lab or is a program of its own that signs in to `ssoterm serve`.
public enum AppKind: String, Codable, Hashable, Sendable { case simulated, real }

/// One account, across apps (Accounts screen).
public struct AccountRow: Codable, Hashable, Sendable, Identifiable {
  public var id: String { identifier + " " + environment }
  /// What finds the account again: the home account ID, or where none is known the username.
  public var identifier: String { homeAccountID.isEmpty ? username : homeAccountID }
  /// Empty if only ADAL before 2.7 knows the account (claim F3).
  public var homeAccountID: String
  public var username: String
  public var displayName: String?
  public var environment: String
  public var homeTenantID: String
  public var homeTenantName: String?
  /// Realms other than the home tenant.
  public var guestRealms: [String]
  /// Display names of the apps in which it is signed in.
  public var apps: [String]
  /// Display names of the apps that can use the same refresh token.
  public var sharingApps: [String]
  public var refreshToken: TokenStanding
  /// Where it lies: access groups, and "broker".
  public var places: [String]
}

/// One credential (Tokens screen, `tokens --json`).
public struct TokenRow: Codable, Hashable, Sendable, Identifiable {
  /// Short and stable: `t` and the row of the store.
  public var id: String
  /// `AccessToken`, `RefreshToken`, `FamilyRefreshToken` (a refresh token with a family ID), `IdToken`, …
  public var type: String
  public var clientID: String
  public var redirectURIs: [String]
  /// Display names of the apps that can use it.
  public var apps: [String]
  public var homeAccountID: String
  public var username: String?
  public var environment: String
  public var realm: String?
  public var target: String?
  public var familyID: String?
  public var accessGroup: String
  public var state: TokenState
  public var expiresOn: Instant?
  public var cachedAt: Instant?
  public var secondsLeft: Int?
  /// Masked, unless the query asked for it.
  public var secret: String
  public var keychain: KeychainKey
  /// Seconds until time alone changes the state; nil if it never does.
  public var changesIn: Int?
}

/// The tree of claim C3: client ID, then redirect URI, then credentials.
public struct TokenTree: Codable, Hashable, Sendable {
  public struct Client: Codable, Hashable, Sendable {
    public var clientID: String
    public var name: String?
    public var redirects: [Redirect]
  }
  public struct Redirect: Codable, Hashable, Sendable {
    /// nil: credentials of a client no installed app belongs to (imported caches).
    public var redirectURI: String?
    public var app: String?
    public var tokens: [TokenRow]
  }
  public var clients: [Client]
}

/// One access group of the current device's keychain, and who can read it.
public struct KeychainGroupRow: Codable, Hashable, Sendable, Identifiable {
  public struct Reader: Codable, Hashable, Sendable {
    public var bundleID: String
    public var displayName: String
    /// True: this is also the group the app's SDK is configured to use.
    public var isConfigured: Bool
  }
  public var id: String { accessGroup }
  public var accessGroup: String
  public var readers: [Reader]
  /// Apps that look as if they should share but do not, with the reason: "another team", "not in its entitlements".
  public var outsiders: [String]
  public var itemCount: Int
}

/// One keychain item, without its value.
public struct KeychainItemRow: Codable, Hashable, Sendable, Identifiable {
  public var id: Int64
  public var key: KeychainKey
  public var generic: String?
  public var type: Int?
  /// "access token", "refresh token", "account", "app metadata", …
  public var kind: String
  public var username: String?
  public var standing: TokenStanding
  public var size: Int
  public var createdAt: Instant
  public var modifiedAt: Instant

  /// Whether it is a credential; an account or a broker key is not "none", it just has no state.
  public var isDated: Bool { standing.state != .none }
}

/// What a list of very many keychain items needs of each.
public struct KeychainItemSummary: Hashable, Sendable {
  /// The row of the store.
  public var row: Int64
  /// Whose item it is, if an account item says so.
  public var username: String
  public var account: String
  public var service: String
}

/// What a removal takes from whom (claim C6), asked before it happens.
public struct BlastRadius: Codable, Hashable, Sendable {
  public struct Loss: Codable, Hashable, Sendable {
    public var app: String
    /// "is signed out of ada@contoso.com", "next silent call would prompt: …", "had nobody signed in".
    public var effect: String
    public var losesSignIn: Bool
  }
  public var title: String
  public var losses: [Loss]
  public var itemCount: Int
}

/// The header line of every screen.
public struct LabStatus: Codable, Hashable, Sendable {
  public var name: String
  public var storePath: String?
  public var device: String
  public var platform: String
  public var now: Instant
  /// Seconds by which the clock was moved; nil: real.
  public var clockOffset: Int?
  public var appCount: Int
  public var accountCount: Int
  public var credentialCount: Int
  public var brokerInstalled: Bool
  public var canUndo: String?
  public var canRedo: String?
  /// Faults that are set at the provider.
  public var faultCount = 0
  /// Sign-ins of real programs that wait for somebody at a terminal.
  public var waitingCount = 0
}

/// A trace in a list.
public struct TraceSummary: Codable, Hashable, Sendable, Identifiable {
  public var id: Int64
  public var title: String
  public var correlationID: String
  public var at: Instant
  public var verdict: String
  public var summary: String
  public var hopCount: Int
}

/// A whole trace.
public struct Trace: Codable, Hashable, Sendable {
  public var summary: TraceSummary
  public var hops: [Hop]
  public var outcome: Outcome?
  /// What a person wrote on a step, by its place from 0.
  public var notes: [Int: String] = [:]
}
