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

  /// Returns the resolved authority URL for a requested one, or `nil` if none is recorded.
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
