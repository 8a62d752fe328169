import Essentials
import SSOCore
import SSOKeychain
import SSOReference

/// The resolution of an authority by instance discovery and OpenID configuration, both once per process.
///
/// See docs/behaviour/msal-cache.md §9, docs/behaviour/silent-call.md §1(1), §1(5).
struct MSALAuthorities: MSALPart {
  let client: MSALClient

  /// Throws if the authority is not of the kind that the object was created for: an Azure AD app cannot call B2C.
  func requireKind(of authority: Authority) throws {
    guard app.msal.checksArguments, let own = app.msalAuthority, own.kind != authority.kind else {
      return
    }
    throw SilentFlow.unsupportedKind(authority, own: own)
  }

  /// Returns the aliases of an authority's host, from the network if this process has not used the host before.
  ///
  /// If `isKnown` is true, the developer declared the authority as known, so it is not validated: if discovery fails,
  /// only the specified host is known.
  /// - Throws: `SDKError` if discovery fails for an authority that must be validated.
  func discover(
    _ authority: Authority, isKnown: Bool, _ correlationID: String
  ) throws -> EnvironmentAliases {
    let isKnown = isKnown || app.msal.knowsAuthoritiesByList && authority.hasHostOfConfiguration(of: app)
    guard authority.hasInstanceDiscovery else {
      try requireValidation(of: authority, isKnown: isKnown, correlationID)
      return EnvironmentAliases()
    }
    let remembered = context.process.process
    if remembered.aliases.cloud(of: authority.host) != nil { return remembered.aliases }
    if remembered.invalidHosts.contains(authority.host) {
      guard isKnown else { throw Self.invalidInstance(correlationID) }
      return EnvironmentAliases()
    }
    let response = try sendRetrying(discoveryRequest(authority, correlationID))
    guard response.status == 200, response.jsonProblem == nil else {
      if app.msal.knowsAuthoritiesByList, response.status != 0 {
        try requireListed(authority, nil, isKnown: isKnown, correlationID)
        return EnvironmentAliases()
      }
      var error = try discoveryError(response, authority, correlationID)
      error.isOfDiscovery = true
      if app.msal.knowsAuthoritiesByList { throw error }
      guard isKnown else { throw error }
      return EnvironmentAliases()
    }
    let cloud = Self.clouds(in: response).first { $0.aliases.contains(authority.host) }
    if app.msal.knowsAuthoritiesByList {
      try requireListed(authority, cloud, isKnown: isKnown, correlationID)
    }
    // A host that the response does not list counts as validated, and as an alias of itself only.
    let itself = EnvironmentAliases.Cloud(
      preferredNetwork: authority.host, preferredCache: authority.host, aliases: [authority.host])
    try context.process.change { $0.clouds.append(cloud ?? itself) }
    return context.process.process.aliases
  }

  /// Throws for an authority whose host is in neither the list of clouds nor the app's configuration (android.md §4(8)).
  private func requireListed(
    _ authority: Authority, _ cloud: EnvironmentAliases.Cloud?, isKnown: Bool, _ correlationID: String
  ) throws {
    let isListed = cloud != nil || Cloud.trustedHosts.contains(authority.host)
    let check = Check(
      "authority is known", expected: "a host of Microsoft's clouds, or of the app's configuration",
      found: authority.host, isListed || isKnown, source: "android.md §4(8)",
      failure: "its authority is neither Microsoft's nor in its configuration")
    guard check.verdict == .failed else { return }
    var error = MSALError.make(code: .failedAuthorityValidation, "", correlationID: correlationID)
    error.failedCheck = check
    throw error
  }

  /// Throws for a B2C authority that cannot be validated: only Azure AD's own hosts and declared authorities are
  /// accepted.
  ///
  /// CIAM is never validated (interactive-call.md §4(6)).
  private func requireValidation(of authority: Authority, isKnown: Bool, _ correlationID: String) throws {
    guard authority.kind == .b2c else { return }
    let check = Self.validation(of: authority, isKnown: isKnown)
    guard check.verdict == .failed else { return }
    var error = Self.notValidated(correlationID)
    error.failedCheck = check
    throw error
  }

  static func validation(of authority: Authority, isKnown: Bool) -> Check {
    Check(
      "authority can be validated", expected: "a host of Azure AD, or an authority in knownAuthorities",
      found: authority.url, isKnown || Cloud.trustedHosts.contains(authority.host),
      source: "interactive-call.md §4(6)", failure: "its authority cannot be validated")
  }

  static func notValidated(_ correlationID: String? = nil) -> SDKError {
    MSALError.make(
      code: IdentityCoreCode.unsupportedFunctionality.msal,
      "Authority validation is not supported for this type of authority", correlationID: correlationID)
  }

  /// Returns the discovery request, which goes to the host itself if it is trusted, and otherwise to the public cloud.
  private func discoveryRequest(_ authority: Authority, _ correlationID: String) -> HTTPRequest {
    let isTrusted =
      !app.msal.knowsAuthoritiesByList && Cloud.trustedHosts.contains(authority.host)
    let named =
      app.msal.knowsAuthoritiesByList ? "https://\(PublicCloud.preferredNetwork)/common" : authority.url
    return HTTPRequest(
      "GET", origin: "https://" + (isTrusted ? authority.host : PublicCloud.preferredNetwork),
      path: "/common/discovery/instance",
      query: [
        NameValue("api-version", "1.1"),
        NameValue("authorization_endpoint", named + "/oauth2/v2.0/authorize"),
      ], headers: metadataHeaders(correlationID))
  }

  private func discoveryError(
    _ response: HTTPResponse, _ authority: Authority, _ correlationID: String
  ) throws -> SDKError {
    switch ServerAnswer(response) {
    case .refused(let error) where error.code == .invalidInstance:
      try context.process.change { $0.invalidHosts.append(authority.host) }
      var refused = Self.invalidInstance(correlationID, error.message)
      refused.failedCheck = app.authorityClassCheck
      return refused
    case let answer: return MSALError.make(answer, correlationID: correlationID)
    }
  }

  /// Returns error -51600, which the app receives as -50000 with -42010.
  package static func invalidInstance(
    _ correlationID: String? = nil, _ text: String = OAuthError.unknownInstance.message
  ) -> SDKError {
    MSALError.make(
      code: .failedAuthorityValidation, text, oauthError: "invalid_instance", correlationID: correlationID)
  }

  /// Sends a request, and sends it once more after a 5xx response or without a connection (silent-call.md §1(6)).
  ///
  /// The SDK waits before that, but no time passes here.
  func sendRetrying(_ request: HTTPRequest) throws -> HTTPResponse {
    let response = try context.system.send(request)
    guard response.status == 0 || (500...599).contains(response.status) else { return response }
    return try context.system.send(request)
  }

  static func clouds(in response: HTTPResponse) -> [EnvironmentAliases.Cloud] {
    let metadata = JSONValue(bounded: response.body)?["metadata"]?.array ?? []
    return metadata.compactMap { record in
      guard let network = record["preferred_network"]?.string, let cache = record["preferred_cache"]?.string
      else { return nil }
      return EnvironmentAliases.Cloud(
        preferredNetwork: network.lowercased(), preferredCache: cache.lowercased(),
        aliases: (record["aliases"]?.array ?? []).compactMap { $0.string?.lowercased() })
    }
  }
}

extension MSALAuthorities {
  /// Returns the endpoints of an authority, from its OpenID configuration at the cloud's preferred host.
  func configuration(
    of authority: Authority, _ aliases: EnvironmentAliases, _ correlationID: String
  ) throws -> OpenIDConfiguration {
    let request = HTTPRequest(
      "GET", origin: "https://" + aliases.preferredNetwork(for: authority.host),
      path: authority.path + "/v2.0/.well-known/openid-configuration",
      headers: metadataHeaders(correlationID))
    if let known = context.process.process.configurations[request.url] { return known }
    let response = try sendRetrying(request)
    guard response.status == 200, response.jsonProblem == nil else {
      throw try discoveryError(response, authority, correlationID)
    }
    let body = JSONValue(bounded: response.body)
    guard let authorize = body?["authorization_endpoint"]?.string, let token = body?["token_endpoint"]?.string
    else {
      throw MSALError.make(
        code: .invalidResponse, "The OpenID configuration does not list endpoints.",
        correlationID: correlationID)
    }
    let configuration = OpenIDConfiguration(
      authorizationEndpoint: authorize, tokenEndpoint: token,
      endSessionEndpoint: body?["end_session_endpoint"]?.string)
    try context.process.change { $0.configurations[request.url] = configuration }
    return configuration
  }

  func tokenRequest(_ endpoint: String, _ correlationID: String, _ form: [NameValue]) -> HTTPRequest {
    let parts = URLParts(endpoint)
    return HTTPRequest(
      "POST", origin: parts?.origin ?? "", path: parts?.path ?? "/",
      headers: headers(correlationID), form: form)
  }

  /// Returns the headers with which the library names itself and the app (docs/behaviour/silent-call.md §3(3)).
  private func headers(_ correlationID: String) -> [NameValue] {
    app.msal.headers(of: app, on: context.device, correlationID)
  }

  private func metadataHeaders(_ correlationID: String) -> [NameValue] {
    app.msal.namesItselfInDiscovery ? headers(correlationID) : []
  }
}

extension Authority {
  /// Returns whether the app's configuration has an authority of the same host (`isKnownAuthority` of Android).
  fileprivate func hasHostOfConfiguration(of app: InstalledApp) -> Bool {
    (app.knownAuthorities + [app.authority]).contains { $0.lowercased().contains(host) }
  }

  /// Returns whether the app's `knownAuthorities` contain it, which disables validation and the broker.
  ///
  /// The class counts too (`shouldExcludeValidationForAuthority:` of `MSALPublicClientApplication.m`); the app's own
  /// authority has the class that its code names. See interactive-call.md §1.
  package func isKnown(to app: InstalledApp) -> Bool {
    app.knownAuthorities.contains { known in
      self == (known == app.authority ? app.msalAuthority : try? app.msal.authority(known))
    }
  }
}
