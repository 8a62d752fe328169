/// The states every list shows, always as glyph and word.
package enum TokenState: String, Codable, CaseIterable, Hashable, Sendable {
  case valid, expiring, expired, invalid, none
}

/// A token state with the time it is about.
package struct TokenStanding: Codable, Hashable, Sendable {
  package var state: TokenState
  package var secondsLeft: Int?
  /// Seconds until time alone changes the state; nil if it never does.
  package var changesIn: Int?
  package init(_ state: TokenState, secondsLeft: Int? = nil, changesIn: Int? = nil) {
    self.state = state
    self.secondsLeft = secondsLeft
    self.changesIn = changesIn
  }
}

extension TokenStanding {
  /// Under ten minutes, or past `refresh_on`: "expiring".
  private static let expiringSoon = 600

  /// The state of a token that ends at a moment; every list takes it from here.
  package init(until expiresOn: Instant, refreshOn: Instant? = nil, at now: Instant) {
    let left = now.seconds(until: expiresOn)
    if left <= 0 {
      self.init(.expired, secondsLeft: left)
    } else {
      let isSoon = left < Self.expiringSoon || (refreshOn.map { $0 <= now } ?? false)
      let untilSoon = min(left - Self.expiringSoon + 1, refreshOn.map { now.seconds(until: $0) + 1 } ?? .max)
      self.init(isSoon ? .expiring : .valid, secondsLeft: left, changesIn: isSoon ? left : untilSoon)
    }
  }

  /// The state of a token by its own dates; one without an end counts as valid.
  /// - Parameter dates: nil: there is no token.
  package init(_ dates: TokenDates?, at now: Instant) {
    guard let dates else {
      self.init(.none)
      return
    }
    guard let expiresOn = dates.expiresOn else {
      self.init(.valid)
      return
    }
    self.init(until: expiresOn, refreshOn: dates.refreshOn, at: now)
  }

  /// The state of an access or ID token.
  package init(_ token: CredentialItem, at now: Instant) {
    self.init(TokenDates(expiresOn: token.expiry, refreshOn: token.refreshOn), at: now)
  }

  /// The state of a legacy access token.
  init(_ item: LegacyItem, at now: Instant) { self.init(TokenDates(expiresOn: item.expiresOn), at: now) }
}

/// What the next silent call of an app would do, as the flow itself decides it on a scratch copy.
package struct Prediction: Codable, Hashable, Sendable {
  package enum Kind: String, Codable, CaseIterable, Sendable {
    case cache, appRefreshToken, familyRefreshToken, broker, prompt, failure
    /// A real program that signs in by itself: no person, and no refresh token.
    case ownSecret
  }
  package var kind: Kind
  /// "would use cache, no network"; "would prompt: No token matching arguments found in the cache…".
  package var sentence: String
  /// The checks it went through, first failure included.
  package var checks: [Check]
}

/// One row of the Apps screen.
package struct AppRow: Codable, Hashable, Sendable, Identifiable {
  package var id: String { bundleID }
  package var bundleID: String
  package var displayName: String
  package var vendor: String
  package var teamID: String
  package var sdk: String
  package var sdkVersion: String
  package var clientID: String
  package var redirectURI: String
  /// Signed-in accounts by `allAccounts` (msal-cache.md §10); at most a few are named, `accountCount` counts all.
  package var accounts: [String]
  package var accountCount: Int
  package var accessToken: TokenStanding
  package var refreshToken: TokenStanding
  /// Scopes of the access token shown.
  package var target: String?
  package var familyID: String?
  package var accessGroup: String
  /// Other apps (display names) that read the same group.
  package var sharesGroupWith: [String]
  package var broker: String
  package var next: Prediction
  /// What may go wrong with its answers: a scheme that another app registers too (claim B3), a delegate that hands nothing on
  /// (claim D6), a disturbance that is armed.
  package var warnings: [String] = []
  package var kind = AppKind.simulated
}

/// Whether an app is played by the lab or is a program of its own that signs in to `ssoterm serve`.
package enum AppKind: String, Codable, Hashable, Sendable { case simulated, real }

/// One account, across apps (Accounts screen).
package struct AccountRow: Codable, Hashable, Sendable, Identifiable {
  package var id: String { identifier + " " + environment }
  /// What finds the account again: the home account ID, or where none is known the username.
  package var identifier: String { homeAccountID.isEmpty ? username : homeAccountID }
  /// Empty if only ADAL before 2.7 knows the account (claim F3).
  package var homeAccountID: String
  package var username: String
  package var displayName: String?
  package var environment: String
  package var homeTenantID: String
  package var homeTenantName: String?
  /// Realms other than the home tenant.
  package var guestRealms: [String]
  /// Display names of the apps in which it is signed in.
  package var apps: [String]
  /// Display names of the apps that can use the same refresh token.
  package var sharingApps: [String]
  package var refreshToken: TokenStanding
  /// Where it lies: access groups, and "broker".
  package var places: [String]
}

/// One credential (Tokens screen, `tokens --json`).
package struct TokenRow: Codable, Hashable, Sendable, Identifiable {
  /// Short and stable: `t` and the row of the store.
  package var id: String
  /// `AccessToken`, `RefreshToken`, `FamilyRefreshToken` (a refresh token with a family ID), `IdToken`, …
  package var type: String
  package var clientID: String
  package var redirectURIs: [String]
  /// Display names of the apps that can use it.
  package var apps: [String]
  package var homeAccountID: String
  package var username: String?
  package var environment: String
  package var realm: String?
  package var target: String?
  package var familyID: String?
  package var accessGroup: String
  package var state: TokenState
  package var expiresOn: Instant?
  package var cachedAt: Instant?
  package var secondsLeft: Int?
  /// Masked, unless the query asked for it.
  package var secret: String
  package var keychain: KeychainKey
  /// Seconds until time alone changes the state; nil if it never does.
  package var changesIn: Int?
}

/// The tree of claim C3: client ID, then redirect URI, then credentials.
package struct TokenTree: Codable, Hashable, Sendable {
  package struct Client: Codable, Hashable, Sendable {
    package var clientID: String
    package var name: String?
    package var redirects: [Redirect]
  }
  package struct Redirect: Codable, Hashable, Sendable {
    /// nil: credentials of a client no installed app belongs to (imported caches).
    package var redirectURI: String?
    package var app: String?
    package var tokens: [TokenRow]
  }
  package var clients: [Client]
}

/// One access group of the current device's keychain, and who can read it.
package struct KeychainGroupRow: Codable, Hashable, Sendable, Identifiable {
  package struct Reader: Codable, Hashable, Sendable {
    package var bundleID: String
    package var displayName: String
    /// True: this is also the group the app's SDK is configured to use.
    package var isConfigured: Bool
  }
  package var id: String { accessGroup }
  package var accessGroup: String
  package var readers: [Reader]
  /// Apps that look as if they should share but do not, with the reason: "another team", "not in its entitlements".
  package var outsiders: [String]
  package var itemCount: Int
}

/// One keychain item, without its value.
package struct KeychainItemRow: Codable, Hashable, Sendable, Identifiable {
  package var id: Int64
  package var key: KeychainKey
  package var generic: String?
  package var type: Int?
  /// "access token", "refresh token", "account", "app metadata", …
  package var kind: String
  package var username: String?
  package var standing: TokenStanding
  package var size: Int
  package var createdAt: Instant
  package var modifiedAt: Instant

  /// Whether it is a credential; an account or a broker key is not "none", it just has no state.
  package var isDated: Bool { standing.state != .none }
}

/// What a list of very many keychain items needs of each.
package struct KeychainItemSummary: Hashable, Sendable {
  /// The row of the store.
  package var row: Int64
  /// Whose item it is, if an account item says so.
  package var username: String
  package var account: String
  package var service: String
}

/// What a removal takes from whom (claim C6), asked before it happens.
package struct BlastRadius: Codable, Hashable, Sendable {
  package struct Loss: Codable, Hashable, Sendable {
    package var app: String
    /// "is signed out of ada@contoso.com", "next silent call would prompt: …", "had nobody signed in".
    package var effect: String
    package var losesSignIn: Bool
  }
  package var title: String
  package var losses: [Loss]
  package var itemCount: Int
}

/// The header line of every screen.
package struct LabStatus: Codable, Hashable, Sendable {
  package var name: String
  package var storePath: String?
  package var device: String
  package var platform: String
  package var now: Instant
  /// Seconds by which the clock was moved; nil: real.
  package var clockOffset: Int?
  package var appCount: Int
  package var accountCount: Int
  package var credentialCount: Int
  package var brokerInstalled: Bool
  package var canUndo: String?
  package var canRedo: String?
  /// Faults that are set at the provider.
  package var faultCount = 0
  /// Sign-ins of real programs that wait for somebody at a terminal.
  package var waitingCount = 0
}

/// A trace in a list.
package struct TraceSummary: Codable, Hashable, Sendable, Identifiable {
  package var id: Int64
  package var title: String
  package var correlationID: String
  package var at: Instant
  package var verdict: String
  package var summary: String
  package var hopCount: Int
}

/// A whole trace.
package struct Trace: Codable, Hashable, Sendable {
  package var summary: TraceSummary
  package var hops: [Hop]
  package var outcome: Outcome?
  /// What a person wrote on a step, by its place from 0.
  package var notes: [Int: String] = [:]
}
