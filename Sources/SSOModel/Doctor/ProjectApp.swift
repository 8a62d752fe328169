import SSODevice

/// An app of a project, for any platform.
package enum ProjectApp {
  case apple(AppleFacts)
  case android(AndroidFacts)

  package var platform: Platform {
    switch self {
    case .apple(let facts): facts.platform
    case .android: .android
    }
  }

  /// The name that findings use.
  package var subject: String {
    switch self {
    case .apple(let facts): facts.subject
    case .android(let facts): facts.name
    }
  }

  package var name: String {
    switch self {
    case .apple(let facts): facts.name
    case .android(let facts): facts.name
    }
  }

  package var origin: FilePlace {
    switch self {
    case .apple(let facts): facts.origin
    case .android(let facts): facts.origin
    }
  }

  package var isExtension: Bool {
    switch self {
    case .apple(let facts): facts.isExtension
    case .android: false
    }
  }

  /// The bundle ID, or the name of the package.
  package var bundleID: Found<String>? {
    switch self {
    case .apple(let facts): facts.bundleID
    case .android(let facts): facts.packageName
    }
  }

  package var clientID: Found<String>? {
    switch self {
    case .apple(let facts): facts.clientID
    case .android(let facts): facts.configuration?.clientID
    }
  }

  /// The redirect URI that the project specifies, or `nil` if the SDK makes it, or if it is not known.
  package var redirectURI: Found<String>? {
    switch self {
    case .apple(let facts): facts.source?.redirectURI.found ?? facts.builtRedirectURI
    case .android(let facts): facts.configuration?.redirectURI
    }
  }

  /// The scopes of the first request in code that the SDK or Entra refuses for its scopes, or `nil` if it refuses none.
  package var mistakenScopes: [String]? {
    switch self {
    case .android(let facts):
      return facts.scopesForEntra.map(\.values).first { RequestScopesMistake($0) != nil }
    case .apple(let facts):
      guard facts.sdk == .msal else { return nil }
      return facts.source?.scopes.map(\.values).first { list in
        SilentFlow.reservedScopeError(list) != nil || facts.refusal(ofScopes: list) != nil
      }
    }
  }

  /// The scopes to ask for in place of the mistaken ones, and the scopes to ask for in another request, or `nil` if there is
  /// no mistake.
  package var mendedScopes: (right: [String], later: [String])? {
    guard let list = mistakenScopes else { return nil }
    if let mistake = RequestScopesMistake(list) { return (mistake.right, mistake.later) }
    return (list.filter { !SilentFlow.isReserved($0) }, [])
  }

  /// Whether the app is for a user flow of B2C whose URL was not read: code creates authorities only with the class of
  /// B2C.
  package var isForUserFlow: Bool {
    guard case .apple(let facts) = self, let source = facts.source else { return false }
    return source.authority.found == nil && source.patternedAuthority == nil
      && source.authorityClasses == [AuthorityClass.b2c.rawValue]
  }

  /// Whether the app is for macOS, and known to be built without a team, although its redirect URI needs one.
  package var isUnsigned: Bool {
    guard case .apple(let facts) = self else { return false }
    return namesNoTeam && facts.isUnsigned && (facts.library == nil || facts.source?.sdk != nil)
  }

  /// Whether the app is for macOS, and its project does not name a team, which developers often leave out when they
  /// publish it.
  package var namesNoTeam: Bool {
    guard case .apple(let facts) = self, facts.platform == .macOS, facts.sdk == .msal, !facts.isBuilt else {
      return false
    }
    return facts.teamID == nil && facts.source != nil
      && facts.givenRedirectURI != AppleRules.unsignedRedirectURI
  }

  /// The hash with which only some builds of an app for Android are signed, if its redirect URI has another one.
  package var hashOfSomeBuilds: Found<String>? {
    if case .android(let facts) = self { facts.hashOfSomeBuilds } else { nil }
  }

  /// The SDK with its version, or `nil` if it is not known.
  package var sdkText: String? {
    switch self {
    case .apple(let facts):
      facts.sdk.map { [$0.rawValue, facts.sdkVersion].compactMap(\.self).joined(separator: " ") }
    case .android(let facts): ["MSAL", facts.sdkVersion].compactMap(\.self).joined(separator: " ")
    }
  }

  /// Returns the app as the lab models it, with the SDK's own redirect URI if the project does not specify one.
  package func installedApp(clientID: String?) -> InstalledApp? {
    switch self {
    case .apple(let facts):
      InstalledApp(facts, clientID: clientID)?.withDefaultRedirectURI(on: facts.platform)
    case .android(let facts):
      InstalledApp(facts, clientID: clientID).map {
        redirectURI == nil ? $0.withDefaultRedirectURI(on: .android) : $0
      }
    }
  }
}

extension Diagnosis {
  /// The apps that the lab can have, those of Apple's systems first and those of other configurations after the default
  /// one, without samples whose values were not filled in.
  package var projectApps: [ProjectApp] {
    let all = apple.filter { InstalledApp($0) != nil }
    let apple = (all.filter { $0.configuration == nil } + all.filter { $0.configuration != nil }).map {
      ProjectApp.apple($0)
    }
    func isWaiting(_ found: Found<String>?) -> Bool { found.map { Placeholders.contain($0.value) } ?? false }
    let android = android.filter { facts in
      InstalledApp(facts) != nil && !isWaiting(facts.configuration?.redirectURI)
    }
    let filled = android.filter { !isWaiting($0.configuration?.clientID) }
    return apple + (filled.isEmpty ? android : filled).map { .android($0) }
  }
}
