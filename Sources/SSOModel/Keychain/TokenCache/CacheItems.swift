import Essentials
import SSOCore

/// A token in the unified cache: a view of its JSON object that preserves unknown keys (docs/behaviour/msal-cache.md
/// §2).
package struct CredentialItem: CacheEntity {
  package var fields: [String: JSONValue]

  package init(fields: [String: JSONValue]) { self.fields = fields }

  package init(type: CredentialType, _ values: [CredentialField: String] = [:]) {
    fields = [CredentialField.credentialType.rawValue: .string(type.jsonName)]
    for (field, value) in values { fields[field.rawValue] = .string(value) }
  }

  /// The value of a known key, or `nil` if it is absent or not a string.
  ///
  /// Setting `nil` removes the key.
  package subscript(field: CredentialField) -> String? {
    get { text(field.rawValue) }
    set { setText(field.rawValue, newValue) }
  }

  /// The credential type, or `.other` if `credential_type` is absent or unknown.
  package var type: CredentialType {
    get { self[.credentialType].flatMap(CredentialType.init(jsonName:)) ?? .other }
    set { self[.credentialType] = newValue.jsonName }
  }

  /// The client ID, with its case preserved; on a family refresh token, the client that last wrote it.
  package var clientID: String { self[.clientID] ?? "" }
  /// The token itself.
  package var secret: String { self[.secret] ?? "" }
  /// The home account ID (`uid.utid`), which is empty for an app-only token.
  package var homeAccountID: String { self[.homeAccountID] ?? "" }
  /// The preferred-cache host.
  package var environment: String { self[.environment] ?? "" }
  /// The tenant ID, which refresh tokens do not have.
  package var realm: String? { self[.realm] }
  /// The scopes, separated by one space, in the server's order and case.
  package var target: String? { self[.target] }
  /// The scopes of the target, in lowercase.
  package var scopes: Set<String> { scopeSet(target) }
  /// The family that a refresh token is for, such as `1`.
  package var familyID: String? { self[.familyID] }

  package var expiresOn: Instant? { moment(CredentialField.expiresOn.rawValue) }
  package var extendedExpiresOn: Instant? { moment(CredentialField.extendedExpiresOn.rawValue) }
  package var refreshOn: Instant? { moment(CredentialField.refreshOn.rawValue) }
  package var cachedAt: Instant? { moment(CredentialField.cachedAt.rawValue) }
  package var lastModificationTime: Instant? { moment(CredentialField.lastModificationTime.rawValue) }

  /// Sets a time as a decimal number of seconds.
  package mutating func set(_ field: CredentialField, _ moment: Instant?) {
    self[field] = moment.map { String($0.seconds) }
  }

  /// Whether the item is a tombstone, which is deleted as soon as it is read.
  package var isTombstone: Bool { self[.secret] == "<tombstone>" }

  /// Whether the credential has the fields without which the SDK ignores it.
  ///
  /// These are the secret, for access tokens the target, and for access tokens with a scheme also `kid` and
  /// `token_type`.
  package var isComplete: Bool {
    guard let secret = self[.secret], !secret.isEmpty else { return false }
    switch type {
    case .accessToken: return !scopes.isEmpty
    case .accessTokenWithAuthScheme:
      return !scopes.isEmpty && self[.keyID] != nil && self[.tokenType] != nil
    default: return true
    }
  }
}

extension KeychainItem {
  /// The item as a credential of the unified cache, or `nil` if it has another type or cannot be read.
  package var credential: CredentialItem? {
    (2000..<3000).contains(type ?? 0) ? CredentialItem(data: data) : nil
  }
}

extension CredentialItem {
  /// The expiration time of the token, or `nil` if the token does not specify one.
  ///
  /// It is `expires_on` or, for an ID token, which does not have `expires_on` in the cache, its `exp` claim.
  package var expiry: Instant? {
    if let expiresOn { return expiresOn }
    guard type == .idToken || type == .v1IDToken, let jwt = try? JSONWebToken(unverified: secret) else {
      return nil
    }
    return jwt.claims["exp"]?.integer.flatMap { Int(exactly: $0) }.map { Instant($0) }
  }
}

/// The values of one successful token response that go into the cache (docs/behaviour/silent-call.md §1(8)).
///
/// They are plain values, which the SDK reads from the response.
package struct CachedTokenResponse: Hashable, Sendable {
  /// The user in the realm of the response, which provides the home account ID, environment (preferred cache), and
  /// realm.
  package var account: AccountItem
  /// The client ID, with its case preserved.
  package var clientID: String
  package var accessToken: String?
  /// The granted scopes, separated by spaces, in the server's order and case.
  package var target: String
  package var expiresOn: Instant
  package var extendedExpiresOn: Instant?
  package var refreshOn: Instant?
  package var refreshToken: String?
  /// The `foci` value of the response: `1`, or `nil`.
  package var familyID: String?
  package var idToken: String?
  /// The authority URL that the developer requested; it and the resolved URL are recorded if they differ.
  package var requestedAuthority: String?
  package var resolvedAuthority: String?
  package var instanceAware = false

  package init(
    account: AccountItem, clientID: String, accessToken: String?, target: String,
    expiresOn: Instant, refreshToken: String? = nil, familyID: String? = nil, idToken: String? = nil
  ) {
    self.account = account
    self.clientID = clientID
    self.accessToken = accessToken
    self.target = target
    self.expiresOn = expiresOn
    self.refreshToken = refreshToken
    self.familyID = familyID
    self.idToken = idToken
  }
}

extension CachedTokenResponse {
  /// Returns the access token as it is cached, or `nil` if the response does not contain one.
  func accessTokenItem(at now: Instant) -> CredentialItem? {
    guard let accessToken else { return nil }
    var item = credential(.accessToken, accessToken)
    item[.realm] = account.realm
    item[.target] = target
    item.set(.cachedAt, now)
    item.set(.expiresOn, expiresOn)
    item.set(.extendedExpiresOn, extendedExpiresOn)
    item.set(.refreshOn, refreshOn)
    return item
  }

  var idTokenItem: CredentialItem? {
    guard let idToken else { return nil }
    var item = credential(.idToken, idToken)
    item[.realm] = account.realm
    return item
  }

  /// The family's copy followed by the app's own copy; without a family, only the latter.
  var refreshTokenItems: [CredentialItem] {
    guard let refreshToken else { return [] }
    let plain = credential(.refreshToken, refreshToken)
    guard let familyID, !familyID.isEmpty else { return [plain] }
    var family = plain
    family[.familyID] = familyID
    return [family, plain]
  }

  private func credential(_ type: CredentialType, _ secret: String) -> CredentialItem {
    CredentialItem(
      type: type,
      [
        .clientID: clientID, .secret: secret, .homeAccountID: account.homeAccountID,
        .environment: account.environment,
      ])
  }
}

/// A user in one tenant: one item for each realm, shared by all apps of the access group (docs/behaviour/msal-cache.md
/// §3).
package struct AccountItem: CacheEntity {
  package var fields: [String: JSONValue]

  package init(fields: [String: JSONValue]) { self.fields = fields }

  package init(type: AccountType = .mssts, _ values: [AccountField: String] = [:]) {
    fields = [AccountField.authorityType.rawValue: .string(type.jsonName)]
    for (field, value) in values { fields[field.rawValue] = .string(value) }
  }

  /// The value of a known key, or `nil` if it is absent or not a string.
  ///
  /// Setting `nil` removes the key.
  package subscript(field: AccountField) -> String? {
    get { text(field.rawValue) }
    set { setText(field.rawValue, newValue) }
  }

  /// The account type, or `nil` if `authority_type` is absent or unknown; such an item is dropped on read.
  package var type: AccountType? { self[.authorityType].flatMap(AccountType.init(jsonName:)) }
  /// The home account ID: `uid.utid`.
  package var homeAccountID: String { self[.homeAccountID] ?? "" }
  package var username: String { self[.username] ?? "" }
  package var name: String? { self[.name] }
  package var environment: String { self[.environment] ?? "" }
  /// The tenant ID.
  package var realm: String { self[.realm] ?? "" }

  /// Returns this account merged over an older one, with the keys that only the older one has (msal-cache.md §3, on
  /// save).
  package func merged(over old: AccountItem) -> AccountItem {
    AccountItem(fields: old.fields.merging(fields) { $1 })
  }
}

/// The family membership of a client (docs/behaviour/msal-cache.md §4).
///
/// A missing item means that the membership is unknown and family 1 should be tried. An item with `""` means that the
/// client is known not to be in a family.
package struct AppMetadata: CacheEntity {
  package var fields: [String: JSONValue]

  package init(fields: [String: JSONValue]) { self.fields = fields }

  /// Creates an item; `environment` is the preferred-cache host.
  package init(clientID: String, environment: String, familyID: String) {
    fields = [
      "client_id": .string(clientID), "environment": .string(environment), "family_id": .string(familyID),
    ]
  }

  package var clientID: String { text("client_id") ?? "" }
  package var environment: String { text("environment") ?? "" }
  /// The family ID: `1`, or an empty string for a client that is not in a family.
  package var familyID: String {
    get { text("family_id") ?? "" }
    set { setText("family_id", newValue) }
  }
}

/// The sign-in states of the accounts of one client (docs/behaviour/msal-cache.md §5).
///
/// Unknown keys are lost when it is rewritten.
package struct AccountMetadata: Hashable, Sendable {
  /// The sign-in state of an account for this client (msal-cache.md §5).
  package enum SignInState: String, Sendable {
    case unknown
    case signedIn = "signed_in"
    case signedOut = "signed_out"
  }

  /// The data that one client stores about one account.
  package struct Entry: Hashable, Sendable {
    package var homeAccountID: String
    package var signInState = SignInState.signedIn
    /// Map name (`URLMap-` or `URLMap-instance_aware=YES`) → requested authority URL → resolved URL.
    var urlMaps: [String: [String: String]] = [:]
  }

  package var clientID: String
  /// The home account ID of the current account, in single-account and shared-device mode.
  package var principalHomeAccountID: String?
  package var principalUsername: String?
  package var principalEnvironment: String?
  /// The entries by home account ID.
  package var entries: [String: Entry]

  package init(clientID: String, entries: [String: Entry] = [:]) {
    self.clientID = clientID
    self.entries = entries
  }

  /// Returns `URLMap-`, or the name for an instance-aware request.
  static func mapName(instanceAware: Bool) -> String {
    instanceAware ? "URLMap-instance_aware=YES" : "URLMap-"
  }

  /// Returns the resolved authority URL for a requested one, or `nil` if it is not recorded.
  package func resolvedURL(for url: String, homeAccountID: String, instanceAware: Bool = false) -> String? {
    entries[homeAccountID]?.urlMaps[Self.mapName(instanceAware: instanceAware)]?[url]
  }

  /// Marks an account as signed in, and records the resolved URL of its authority if it differs from the requested URL.
  package mutating func signIn(
    _ homeAccountID: String, requestedURL: String? = nil, resolvedURL: String? = nil,
    instanceAware: Bool = false
  ) {
    var entry = entries[homeAccountID] ?? Entry(homeAccountID: homeAccountID)
    entry.signInState = .signedIn
    if let requestedURL, let resolvedURL, requestedURL != resolvedURL {
      entry.urlMaps[Self.mapName(instanceAware: instanceAware), default: [:]][requestedURL] = resolvedURL
    }
    entries[homeAccountID] = entry
  }

  /// Marks an account as signed out, which clears its URL maps.
  package mutating func signOut(_ homeAccountID: String) {
    entries[homeAccountID] = Entry(homeAccountID: homeAccountID, signInState: .signedOut)
  }
}

// A client has one item with the entries of all accounts, which each sign-in rewrites, so it is read and written without
// intermediate JSON values.
extension AccountMetadata {
  /// Creates metadata from `kSecValueData`, or returns `nil` if it is not a JSON object with a client ID.
  package init?(data: Data) {
    guard let found = try? JSONParser.read(data, Self.init(from:)) else { return nil }
    self = found
  }

  private init?(from parser: inout JSONParser) throws(JSONParseError) {
    self.init(clientID: "")
    var hasClientID = false
    try parser.members { parser, key throws(JSONParseError) in
      switch key {
      case "client_id":
        let text = try parser.value().string
        hasClientID = text != nil
        clientID = text ?? ""
      case "principal_home_account_id": principalHomeAccountID = try parser.value().string
      case "principal_username": principalUsername = try parser.value().string
      case "principal_account_environment": principalEnvironment = try parser.value().string
      case "account_metadata_map":
        entries = [:]
        try parser.members { parser, home throws(JSONParseError) in
          entries[home] = try Entry(homeAccountID: home, from: &parser)
        }
      default: _ = try parser.value()
      }
    }
    if !hasClientID { return nil }
  }

  /// The value for `kSecValueData`.
  ///
  /// `athority_map` is the SDK's spelling.
  package var data: Data {
    var json = JSONWriter(.keychain)
    json.object { json in
      json.member("account_metadata_map")
      json.object { json in
        for (home, entry) in entries.sorted(by: { $0.key < $1.key }) {
          json.member(home)
          entry.write(into: &json, clientID: clientID)
        }
      }
      json.member("client_id", clientID)
      json.member("principal_account_environment", principalEnvironment)
      json.member("principal_home_account_id", principalHomeAccountID)
      json.member("principal_username", principalUsername)
    }
    return json.data
  }
}

extension AccountMetadata.Entry {
  fileprivate init(homeAccountID: String, from parser: inout JSONParser) throws(JSONParseError) {
    self.init(homeAccountID: homeAccountID, signInState: .unknown)
    try parser.members { parser, key throws(JSONParseError) in
      switch key {
      case "home_account_id": self.homeAccountID = try parser.value().string ?? homeAccountID
      case "sign_in_state":
        signInState = try parser.value().string.flatMap(AccountMetadata.SignInState.init) ?? .unknown
      case "athority_map":
        urlMaps = (try parser.value().object ?? [:]).mapValues { map in
          (map.object ?? [:]).compactMapValues(\.string)
        }
      default: _ = try parser.value()
      }
    }
  }

  fileprivate func write(into json: inout JSONWriter, clientID: String) {
    json.object { json in
      json.member("athority_map")
      json.value(.object(urlMaps.mapValues { .object($0.mapValues(JSONValue.string)) }))
      json.member("client_id", clientID)
      json.member("home_account_id", homeAccountID)
      json.member("sign_in_state", signInState.rawValue)
    }
  }
}

/// The account metadata that was read most recently, with its bytes.
///
/// A client has one item, which grows with each account, and a single call requests it several times. As in the real
/// SDK, it is read each time, but it is parsed only once.
package final class LastMetadata {
  private var data: Data?
  private var metadata: AccountMetadata?

  package init() {}

  func value(of data: Data) -> AccountMetadata? {
    if data != self.data { (self.data, metadata) = (data, AccountMetadata(data: data)) }
    return metadata
  }
}
