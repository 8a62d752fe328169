import SSOCore
import SSODevice

/// The facts about MSAL or ADAL from the source of one app.
package struct SourceFacts: Hashable, Sendable {
  /// A value that code passes to the SDK.
  package enum Setting: Hashable, Sendable {
    /// No line of the source sets it.
    case absent
    /// It is set to a value that cannot be determined.
    case unknown(FilePlace)
    case known(Found<String>)

    package var found: Found<String>? { if case .known(let found) = self { found } else { nil } }
    package var place: FilePlace? {
      switch self {
      case .absent: nil
      case .unknown(let place): place
      case .known(let found): found.place
      }
    }
  }

  /// An authority that code creates with a class of the SDK.
  struct TypedAuthority: Hashable, Sendable {
    package var className: String
    package var url: Found<String>
    /// Whether the URL has the names of values that are not known.
    var isPattern = false
  }

  package var sdk: Found<SDKKind>?
  var typedAuthorities: [TypedAuthority] = []
  package var clientID = Setting.absent
  package var redirectURI = Setting.absent
  package var authority = Setting.absent
  /// The values of names in the authority, such as the tenant, each at its own place.
  var authorityParts: [Found<String>] = []
  package var keychainGroup = Setting.absent
  package var knownAuthorities: [String] = []
  /// Whether the known authorities are set to a value that cannot be determined, or MSAL does not ask for them.
  var hasUnknownKnownAuthorities = false
  /// `brokerAvailability` or `credentialsType`.
  package var brokerUse: Found<BrokerUse>?
  /// `bypassRedirectURIValidation`.
  package var bypass: FilePlace?
  var swiftUIApp: FilePlace?
  var callbacks: [Found<URLForwarding>] = []
  package var delegates: [Found<URLForwarding>] = []
  var delegateClasses: [Found<URLForwarding>] = []
  /// The methods that call the SDK and whose name only resembles a delegate's method.
  var strays: [Found<URLForwarding>] = []
  /// The keys that the app's property lists lack and that code reads for a value, with the key that resembles it.
  var misspelt: [SourceScan.Key: MisspeltKey] = [:]
  /// All client IDs that code gives to the SDK.
  var clientIDs: [Found<String>] = []
  /// Whether code chooses the scene delegate's class.
  var choosesSceneDelegate = false
  /// Whether a method that is not a delegate's calls the SDK with the response.
  var hasIndirectCallback = false
  /// The delegates that pass the URL to a function that was not read.
  var unreadForwarders: Set<URLForwarding> = []
  /// The names of all classes with which code creates an authority, even from a URL that cannot be determined.
  var authorityClasses: Set<String> = []
  /// Whether code creates the object of native authentication, and no other.
  package var isNativeAuth = false
  /// The `tenantSubdomain` of native authentication.
  var tenantSubdomain = Setting.absent
  /// The place where code sets up native authentication without any challenge type.
  var noChallenges: FilePlace?
  /// The lists of scopes with which code creates requests.
  var scopes: [FoundList] = []
  /// Whether code creates an application object of MSAL.
  var makesApplication = false
  /// Whether code has a class that stands in for MSAL's application object.
  var replacesApplication = false
  /// Whether code uses classes that MSAL removed in version 0.2.
  package var isOutdated = false
  /// The places where code does not forward responses without a source application, each with its delegate, or `nil` for
  /// other code.
  var requiredSources: [Found<URLForwarding?>] = []
  /// The delegates that call the SDK themselves.
  private var directCallers: Set<URLForwarding> = []

  /// Returns the place where the response that the system passes to a delegate needs a source application, or `nil`.
  ///
  /// A delegate that calls the SDK itself does not pass the response through another one.
  func requiredSource(in delegate: URLForwarding) -> FilePlace? {
    let isDirect = directCallers.contains(delegate)
    return requiredSources.first { !isDirect || $0.value == nil || $0.value == delegate }?.place
  }

  /// The authority that native authentication makes of the tenant's subdomain, or `nil` for anything but one label.
  ///
  /// Source: microsoft-authentication-library-for-objc, `MSALNativeAuthAuthorityProvider.swift`.
  var authorityOfSubdomain: String? {
    tenantSubdomain.found.flatMap { found in
      found.value.isEmpty || found.value.contains(where: { ".:/ _".contains($0) })
        ? nil : "https://\(found.value).ciamlogin.com"
    }
  }

  /// The authority with the names of values that are not known, if nothing more of it is known.
  var patternedAuthority: TypedAuthority? {
    authority.found == nil ? typedAuthorities.first(where: \.isPattern) : nil
  }

  /// The class with which code creates the app's authority, or `nil` if it is not known.
  var ownAuthorityClass: AuthorityClass? {
    let own = authority.found ?? patternedAuthority?.url
    let names = typedAuthorities.filter { $0.url == own }.map(\.className)
    return Set(names).count == 1 ? names.first.flatMap(AuthorityClass.init) : nil
  }

  /// Whether no file of the source has an entry point of an app.
  var hasNoEntry: Bool { swiftUIApp == nil && delegateClasses.isEmpty }
}

extension SourceFacts {
  /// - Parameters:
  ///   - scans: The scans of all files of the app.
  ///   - bundleID: The value of `Bundle.main.bundleIdentifier`.
  ///   - info: The strings of Info.plist.
  ///   - lists: The strings of the other property lists that the code reads.
  init(
    _ scans: [SourceScan], bundleID: String?, info: [String: Found<String>] = [:],
    lists: [String: [Found<String>]] = [:]
  ) {
    let resolver = NameResolver(scans, bundleID: bundleID, info: info, lists: lists)
    let implementations = scans.reduce(into: [:]) { $0.merge($1.implementations) { first, _ in first } }
    let appDelegates = scans.allSatisfy(\.sceneOwners.isEmpty) ? [] : SourceCode.appDelegates(scans)
    /// Returns whether a scene delegate's method is in a class that is not a scene delegate.
    func isStray(_ method: Found<URLForwarding>, in scan: SourceScan) -> Bool {
      method.value == .sceneDelegate
        && scan.sceneOwners[method.place].map(appDelegates.contains) ?? false
    }
    for (index, scan) in scans.enumerated() {
      sdk = sdk ?? scan.sdk
      swiftUIApp = swiftUIApp ?? scan.swiftUIApp
      callbacks += scan.callbacks.filter { !isStray($0, in: scan) }
      delegates += scan.delegates
      strays += scan.strays
      delegateClasses += scan.delegateClasses.map { name, delegate in
        Found(delegate.value, name.flatMap { implementations[$0] } ?? delegate.place)
      }
      if !scan.callbacks.isEmpty { requiredSources += scan.requiredSources }
      hasIndirectCallback = hasIndirectCallback || !scan.indirectCallbacks.isEmpty
      for use in scan.uses { take(use, in: index, resolver) }
    }
    if clientID.found == nil, misspelt[.clientID] == nil {
      misspelt[.clientID] = Self.misspelt(info, in: scans)
    }
    isOutdated = scans.contains(where: \.isOutdated)
    choosesSceneDelegate = scans.contains { $0.tokens.contains { $0.word == "delegateClass" } }
    if scans.contains(where: \.skipsValidation) { hasUnknownKnownAuthorities = true }
    directCallers = Set(callbacks.map(\.value))
    // A delegate may pass the URL on to the method that calls the SDK; if only delegates call it, to another delegate.
    if hasIndirectCallback || !callbacks.isEmpty {
      let paths = hasIndirectCallback ? ResponsePaths(scans) : nil
      for (index, scan) in scans.enumerated() {
        callbacks += scan.forwarders.filter { forwarder in
          !isStray(forwarder.method, in: scan)
            && (forwarder.isRelay || paths.map { !$0.endsWithout(forwarder, in: index) } ?? false)
        }.map(\.method)
      }
    }
    let functions = scans.reduce(into: Set<String>()) { $0.formUnion($1.functions) }
    unreadForwarders = Set(
      scans.flatMap { scan in scan.forwarders.filter { !isStray($0.method, in: scan) } }
        .filter { !$0.callees.isSubset(of: functions) }.map(\.method.value))
    makesApplication = scans.contains(where: \.makesApplication)
    replacesApplication = scans.contains(where: \.replacesApplication)
    isNativeAuth = !makesApplication && scans.contains(where: \.makesNativeApplication)
    noChallenges = scans.lazy.compactMap(\.noChallenges).first
    scopes = Self.scopes(of: scans, resolver)
  }

  /// Returns the key of Info.plist that resembles a missing key that code reads for a client ID, if no code reads it.
  private static func misspelt(_ info: [String: Found<String>], in scans: [SourceScan]) -> MisspeltKey? {
    let texts = scans.lazy.flatMap(\.tokens).compactMap(\.text)
    let read = scans.flatMap { scan in
      scan.tokens.indices.dropLast(2).compactMap { index in
        scan.tokens[index].word == "forInfoDictionaryKey" ? scan.tokens[index + 2].text : nil
      }
    }
    let keys = Set(read.filter { $0.lowercased().contains("client") && info[$0] == nil })
    let pairs = keys.flatMap { key in
      info.filter { [key].closestSpelling(to: $0.key, most: 3) != nil && !texts.contains($0.key) }
        .map { MisspeltKey(key: key, written: Found($0.key, $0.value.place)) }
    }
    return pairs.count == 1 ? pairs[0] : nil
  }

  /// Returns the lists of scopes of requests, each once, if it is certain which list a name represents.
  private static func scopes(of scans: [SourceScan], _ resolver: NameResolver) -> [FoundList] {
    let lists = scans.enumerated().flatMap { index, scan in
      scan.requests.compactMap { request in
        switch request {
        case .list(let list): resolver.list(list, in: index)
        case .name(let name): resolver.list(name, in: index)
        }
      }
    }
    return lists.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Adds the values that a script gives to the SDK through a wrapper, which passes them on.
  mutating func take(_ configuration: WebFacts.Configuration) {
    (clientID, authority, redirectURI) = (
      configuration.clientID, configuration.authority, configuration.redirectURI
    )
    knownAuthorities = configuration.knownAuthorities ?? []
    hasUnknownKnownAuthorities = configuration.knownAuthorities == nil
    makesApplication = true
  }

  private mutating func take(_ use: SourceScan.Use, in scan: Int, _ resolver: NameResolver) {
    let value = resolver.setting(use, in: scan).plausible(for: use)
    if value.found == nil { misspelt[use.key] = misspelt[use.key] ?? resolver.misspelt(use, in: scan) }
    switch use.key {
    case .clientID:
      clientID = clientID.merged(value)
      if let found = value.found, !clientIDs.contains(found) { clientIDs.append(found) }
    case .redirectURI: redirectURI = redirectURI.merged(value)
    case .tenantSubdomain: tenantSubdomain = tenantSubdomain.merged(value)
    case .authority:
      authority = authority.merged(value)
      authorityParts += resolver.parts(of: use, in: scan)
      if let name = use.className {
        authorityClasses.insert(name)
        if let url = value.found {
          typedAuthorities.append(TypedAuthority(className: name, url: url))
        } else if let url = resolver.pattern(of: use, in: scan) {
          typedAuthorities.append(TypedAuthority(className: name, url: url, isPattern: true))
        }
      }
    case .keychainGroup:
      // Without a group, the cache uses the app's own.
      var own = use
      own.expression = .name("bundleIdentifier")
      keychainGroup = keychainGroup.merged(value == .absent ? resolver.setting(own, in: scan) : value)
    case .knownAuthority:
      if let known = value.found {
        knownAuthorities.append(known.value)
      } else {
        hasUnknownKnownAuthorities = true
      }
    case .bypass:
      if case .text(let text) = use.expression, ["true", "YES"].contains(text) {
        bypass = bypass ?? use.place
      }
    case .brokerUse:
      guard case .text(let text) = use.expression else { return }
      switch text {
      case "none", "MSALBrokeredAvailabilityNone", "AD_CREDENTIALS_EMBEDDED":
        brokerUse = Found(.none, use.place)
      case "auto", "MSALBrokeredAvailabilityAuto", "AD_CREDENTIALS_AUTO": brokerUse = Found(.auto, use.place)
      default: break
      }
    }
  }
}

extension SourceFacts.Setting {
  /// Returns the value, or an unknown one if it belongs to something else of the same name: a member of another type,
  /// or the key under which an app stores its client ID.
  fileprivate func plausible(for use: SourceScan.Use) -> Self {
    guard case .known(let found) = self else { return self }
    switch use.expression {
    case .member where !found.hasForm(of: use.key): return .unknown(use.place)
    case .name where use.key == .clientID && found.isKey("clientid"): return .unknown(use.place)
    default: return self
    }
  }

  /// Returns the first known value; a `nil` in code sets nothing.
  fileprivate func merged(_ next: Self) -> Self {
    switch (self, next) {
    case (.known, _), (_, .absent): self
    case (_, .known), (.absent, .unknown): next
    case (.unknown, .unknown): self
    }
  }
}

extension Found<String> {
  /// Returns whether the value has the form that a setting requires.
  fileprivate func hasForm(of key: SourceScan.Key) -> Bool {
    switch key {
    case .clientID:
      [.valid, .empty].contains(ClientIDForm(value)) || Placeholders.contain(value) || isAlmostGUID
    case .redirectURI, .authority, .knownAuthority: value.contains("://")
    case .keychainGroup, .brokerUse, .bypass, .tenantSubdomain: true
    }
  }

  /// Whether the value has only the characters of a GUID, and some of its hyphens, as after a mistake in copying.
  var isAlmostGUID: Bool {
    let parts = value.trimmed.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count > 2 && parts.allSatisfy { $0.count > 2 && $0.allSatisfy(\.isHexDigit) }
  }

  /// Returns whether the value is a path or a key that ends in a name, such as `app.config.clientId`.
  fileprivate func isKey(_ name: String) -> Bool {
    value.contains(".") && value.filter(\.isLetter).lowercased().hasSuffix(name)
  }
}
