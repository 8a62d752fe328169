import Essentials
import SSOCore

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
    package var urlMaps: [String: [String: String]] = [:]
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
  package static func mapName(instanceAware: Bool) -> String {
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
