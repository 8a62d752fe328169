public import Foundation

/// Who is signed in where, for one client (fact sheet §1.6). Unknown keys are not kept when it is rewritten.
public struct AccountMetadata: Hashable, Sendable {
  public enum SignInState: String, Sendable {
    case unknown
    case signedIn = "signed_in"
    case signedOut = "signed_out"
  }

  /// What one client knows of one account.
  public struct Entry: Hashable, Sendable {
    public var homeAccountID: String
    public var signInState: SignInState
    /// Map name (`URLMap-` or `URLMap-instance_aware=YES`) → requested authority URL → resolved URL.
    public var urlMaps: [String: [String: String]]

    public init(
      homeAccountID: String, signInState: SignInState = .signedIn, urlMaps: [String: [String: String]] = [:]
    ) {
      self.homeAccountID = homeAccountID
      self.signInState = signInState
      self.urlMaps = urlMaps
    }
  }

  public var clientID: String
  /// Who is current, in single-account and shared-device mode.
  public var principalHomeAccountID: String?
  public var principalUsername: String?
  public var principalEnvironment: String?
  /// By home account ID.
  public var entries: [String: Entry]

  public init(clientID: String, entries: [String: Entry] = [:]) {
    self.clientID = clientID
    self.entries = entries
  }

  /// `URLMap-`, or the name for an instance-aware request.
  public static func mapName(instanceAware: Bool) -> String {
    instanceAware ? "URLMap-instance_aware=YES" : "URLMap-"
  }

  /// The resolved authority URL for a requested one.
  public func resolvedURL(for url: String, homeAccountID: String, instanceAware: Bool = false) -> String? {
    entries[homeAccountID]?.urlMaps[Self.mapName(instanceAware: instanceAware)]?[url]
  }

  /// Marks an account as signed in and notes what its authority resolved to, if that differs.
  public mutating func signIn(
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
  public mutating func signOut(_ homeAccountID: String) {
    entries[homeAccountID] = Entry(homeAccountID: homeAccountID, signInState: .signedOut)
  }
}

extension AccountMetadata {
  /// From `kSecValueData`; nil if it is not a JSON object with a client ID.
  public init?(data: Data) {
    guard let json = try? JSONParser.parse(data), let clientID = json["client_id"]?.string else { return nil }
    self.init(clientID: clientID)
    principalHomeAccountID = json["principal_home_account_id"]?.string
    principalUsername = json["principal_username"]?.string
    principalEnvironment = json["principal_account_environment"]?.string
    for (homeAccountID, value) in json["account_metadata_map"]?.object ?? [:] {
      entries[homeAccountID] = Entry(
        homeAccountID: value["home_account_id"]?.string ?? homeAccountID,
        signInState: value["sign_in_state"]?.string.flatMap(SignInState.init(rawValue:)) ?? .unknown,
        urlMaps: (value["athority_map"]?.object ?? [:]).mapValues { map in
          (map.object ?? [:]).compactMapValues(\.string)
        })
    }
  }

  /// As `kSecValueData`. `athority_map` is the product's spelling.
  public var data: Data {
    let map = entries.mapValues { entry -> JSONValue in
      [
        "client_id": .string(clientID), "home_account_id": .string(entry.homeAccountID),
        "athority_map": .object(entry.urlMaps.mapValues { .object($0.mapValues(JSONValue.string)) }),
        "sign_in_state": .string(entry.signInState.rawValue),
      ]
    }
    var fields: [String: JSONValue] = [
      "client_id": .string(clientID), "account_metadata_map": .object(map),
    ]
    fields["principal_home_account_id"] = principalHomeAccountID.map(JSONValue.string)
    fields["principal_username"] = principalUsername.map(JSONValue.string)
    fields["principal_account_environment"] = principalEnvironment.map(JSONValue.string)
    return serialized(.object(fields))
  }
}
