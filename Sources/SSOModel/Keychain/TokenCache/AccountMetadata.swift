/// Who is signed in where, for one client (docs/behaviour/msal-cache.md §5).
///
/// Unknown keys are not kept when it is rewritten.
package struct AccountMetadata: Hashable, Sendable {
  /// Whether the account is signed in to this client (msal-cache.md §5).
  package enum SignInState: String, Sendable {
    case unknown
    case signedIn = "signed_in"
    case signedOut = "signed_out"
  }

  /// What one client knows of one account.
  package struct Entry: Hashable, Sendable {
    package var homeAccountID: String
    package var signInState = SignInState.signedIn
    /// Map name (`URLMap-` or `URLMap-instance_aware=YES`) → requested authority URL → resolved URL.
    package var urlMaps: [String: [String: String]] = [:]
  }

  package var clientID: String
  /// Who is current, in single-account and shared-device mode.
  package var principalHomeAccountID: String?
  package var principalUsername: String?
  package var principalEnvironment: String?
  /// By home account ID.
  package var entries: [String: Entry]

  package init(clientID: String, entries: [String: Entry] = [:]) {
    self.clientID = clientID
    self.entries = entries
  }

  /// `URLMap-`, or the name for an instance-aware request.
  package static func mapName(instanceAware: Bool) -> String {
    instanceAware ? "URLMap-instance_aware=YES" : "URLMap-"
  }

  /// The resolved authority URL for a requested one.
  package func resolvedURL(for url: String, homeAccountID: String, instanceAware: Bool = false) -> String? {
    entries[homeAccountID]?.urlMaps[Self.mapName(instanceAware: instanceAware)]?[url]
  }

  /// Marks an account as signed in and notes what its authority resolved to, if that differs.
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
