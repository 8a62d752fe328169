import SSOCore
import SSODevice
import SSODoctor
import SSOLab
import SSOProvider

/// The project's app in the lab: its authority, and the values that its files leave open.
extension LabSetting {
  private static let organisation = "contoso"
  private static let initialDomain = organisation + ".onmicrosoft.com"
  /// The ends of hosts that begin with the name of an organisation.
  private static let hostsOfOrganisations = [hostOfCustomers, ".b2clogin.com"]
  private static let hostOfCustomers = ".ciamlogin.com"

  /// Puts the lab's tenant in place of the real one in the app's authority, and that tenant into the authority's cloud.
  ///
  /// An organisation's own address may be an authority for customers.
  mutating func takeAuthority(keepsIDs: Bool, isForCustomers: Bool) {
    guard var url = URLParts(app.authority) else { return }
    let declared = app.authority
    let host = url.host.lowercased()
    if isForCustomers, !host.hasSuffix(Self.hostOfCustomers), Cloud(host: host) == nil {
      app.authority = "https://\(Self.organisation + Self.hostOfCustomers)/\(tenant.id)"
      return
    }
    if let cloud = Cloud(host: host), cloud != .global { tenant.cloudHost = cloud.hosts.first }
    let ofOrganisation = Self.hostsOfOrganisations.first(where: host.hasSuffix)
    var path = url.path.split(separator: "/").map(String.init)
    let index = path.first?.lowercased() == "tfp" ? 1 : 0
    if path.isEmpty, let end = ofOrganisation, keepsIDs {
      // The SDK's own default (``Authority``).
      takeDomain(host.dropLast(end.count) + ".onmicrosoft.com")
    }
    if path.indices.contains(index) {
      let realm = path[index].lowercased()
      let isName = realm.isGUID || realm.contains(".")
      guard isName || path.count == 1, !Authority.tenantless.contains(realm), realm != "adfs" else { return }
      if keepsIDs {
        if realm.isGUID { (tenant.id, person.homeTenantID) = (realm, realm) } else { takeDomain(realm) }
        return
      }
      // A value that is neither an ID nor a domain may be the mistake.
      guard isName else { return }
      path[index] = realm.isGUID || Cloud(host: host) != nil && index == 0 ? tenant.id : Self.initialDomain
    }
    guard !keepsIDs else { return }
    if let end = ofOrganisation {
      let own = url.authority
      url.authority = Self.organisation + end
      app.knownAuthorities = app.knownAuthorities.map {
        $0 == declared ? $0 : $0.replacing(own, with: url.authority)
      }
    }
    let isPlain = Cloud(host: host) != nil && index == 0
    if isPlain { path = Array(path.prefix(1)) }
    // The scheme may be the mistake, and the same object is declared as known.
    app.authority =
      "\(url.scheme)://\(url.authority)" + (path.isEmpty ? url.path : "/" + path.joined(separator: "/"))
    let known = Self.secure(app.authority)
    app.knownAuthorities = app.knownAuthorities.map { $0 == declared ? known : $0 }
  }

  /// Puts a user flow in place of an authority whose class is that of B2C, and whose URL was not read.
  ///
  /// Whether the code declares it as known cannot be checked without its host.
  mutating func takeUserFlow() {
    app.authority = "https://\(Self.organisation).b2clogin.com/tfp/\(Self.initialDomain)/B2C_1_signin"
    app.knownAuthorities = [app.authority]
    takeDomain(Self.initialDomain)
  }

  private mutating func takeDomain(_ name: String) {
    if !tenant.domains.contains(name) { tenant.domains.append(name) }
  }

  private var usualRedirectURI: String {
    app.redirectURI.isEmpty ? PlatformDefaults.redirectURI(bundleID: app.bundleID) : app.redirectURI
  }

  /// Adds the URL schemes that the redirect URI needs.
  mutating func takeSchemes() {
    let defaults = PlatformDefaults(device.platform)
    app.urlSchemes += defaults.urlSchemes(for: usualRedirectURI).filter { !app.urlSchemes.contains($0) }
    app.queriesSchemes += defaults.queriesSchemes.filter { !app.queriesSchemes.contains($0) }
  }

  /// Returns the setting of an app for Android whose configuration MSAL refuses as the doctor found, or `nil` if the doctor
  /// found nothing of the kind.
  func refusingConfiguration(_ evidence: Evidence) -> LabSetting? {
    guard isProject, device.platform == .android, let refusal = evidence.configurationFinding?.refusal else {
      return nil
    }
    var setting = self
    setting.app.configurationError = "\(refusal.code): \(refusal.text)"
    return setting
  }

  /// Returns the setting of a build that the project signs with one of its keystores, and the place that names the
  /// keystore, or `nil` if the redirect URI has that keystore's hash, or all builds do.
  func signedByProject(_ evidence: Evidence) -> (setting: LabSetting, place: FilePlace)? {
    guard isProject, let hash = evidence.diagnosis.flatMap(evidence.app)?.hashOfSomeBuilds else { return nil }
    var setting = self
    setting.app.teamID = hash.value
    return (setting, hash.place)
  }

  /// Returns the setting of a build for macOS that is signed without a team, and the target, or `nil` if the project names
  /// a team or needs none.
  func withoutTeam(_ evidence: Evidence) -> (setting: LabSetting, place: FilePlace)? {
    guard isProject, let facts = evidence.diagnosis.flatMap(evidence.app), facts.namesNoTeam else {
      return nil
    }
    var setting = self
    setting.app.teamID = ""
    return (setting, facts.origin)
  }

  /// Returns the setting in which unread values are what the files and the registration require.
  func taking(_ values: [UnreadValue]) -> LabSetting {
    var setting = self
    for value in values {
      switch value.kind {
      case .clientID: break
      case .redirectURI:
        setting.takeSchemes()
        let uri = usualRedirectURI
        if registration?.redirectURIs.contains(uri) == false {
          setting.registration?.redirectURIs.append(uri)
        }
      case .authority:
        let host = tenant.cloudHost ?? PublicCloud.preferredNetwork
        setting.app.authority = "https://\(host)/\(tenant.id)"
      }
    }
    return setting
  }
}

extension LabSetting {
  /// Takes scopes that are a mistake of the project's code, with the APIs that they name, which need no consent.
  ///
  /// If one is a permission of Graph that the lab does not know, it takes none of them, because the lab's refusal would
  /// not be Entra's.
  ///
  /// `mended` are the scopes to ask for instead, and the scopes to ask for in another request.
  mutating func takeScopes(_ scopes: [String], _ mended: (right: [String], later: [String])?) {
    let list = scopes.prefix(Self.mostScopes)
    guard
      list.allSatisfy({ scope in
        scope.contains("://") || scope.isGUIDScope || ProtectedResource.isGraphPermission(scope)
          || Self.isOwn(scope)
      })
    else { return }
    registration?.isPreauthorized = true
    app.scopes = Array(list)
    scopesMend = mended.map { Self.mend(scopes: $0.right, later: $0.later) }
    let resources = list.compactMap { scope in
      scope.lastIndex(of: "/").map { String(scope[..<$0]) }
    }
    for (index, resource) in Set(resources).sorted().enumerated()
    where !ProtectedResource.isFirstParty(resource) {
      let own = resource.suffix(36).lowercased()
      let isKnown = world.registrations.contains { $0.clientID.lowercased() == own }
      guard !isKnown else { continue }
      var api = ClientRegistration(
        clientID: own.isGUID ? own : Self.idOfAPI(index), displayName: "API", publisher: "", redirectURIs: [])
      api.identifierURIs = [resource]
      otherRegistrations.append(api)
    }
  }

  private static let mostScopes = 32
  private static func idOfAPI(_ index: Int) -> String {
    "4a7d0e6b-91c3-4f25-8b6e-2d9f1c3a5e\(10 + index % 90)"
  }
  /// Whether a scope is OpenID Connect's own, or the resource's defaults.
  private static func isOwn(_ scope: String) -> Bool {
    SilentFlow.isReserved(scope) || scope == "email" || scope == ".default"
  }

  /// Whether a registration refuses the program's redirect URI: http is only for this machine (Microsoft: Redirect URI
  /// (reply URL) outline and restrictions).
  private var hasInsecureRedirectURI: Bool {
    guard let url = program.flatMap({ URLParts($0.redirectURI) }) else { return false }
    return url.scheme.lowercased() == "http" && !isLoopback(url.host.lowercased())
  }

  static func secure(_ uri: String) -> String {
    uri.hasPrefix("http:") ? "https:" + String(uri.dropFirst("http:".count)) : uri
  }

  /// Returns whether Entra would accept a change.
  func admits(_ mend: Cause.Mend) -> Bool {
    if mend == .sendSecureRedirectURI { return hasInsecureRedirectURI }
    // A server stays one, whatever platform its redirect URI could have.
    if program?.kind.isConfidential == true, mend.text.contains("Web: remove the redirect URI") {
      return false
    }
    // The check's own remedy also registers it.
    return !hasInsecureRedirectURI || mend.kind != .registration
      || !mend.text.contains("add the redirect URI")
  }
}

// MARK: - Changes of values

extension LabSetting {
  /// The changes of the project's own values that no check proposes, because they depend on the other values.
  var mendsOfValues: [Cause.Mend] { [scopesMend, clientIDMend].compactMap(\.self) }

  fileprivate static func mend(scopes right: [String], later: [String]) -> Cause.Mend {
    let asked = (right.isEmpty ? ["User.Read"] : right)
    var text = "Ask for \(asked.joined(separator: " ")) in the request"
    if !later.isEmpty {
      text += ", and for \(later.joined(separator: " ")) in another one: each token is for one API"
    }
    return .app(.code, "scopes=" + asked.joined(separator: ","), text + ".")
  }

  /// The change of a client ID that no registration can have, or that is empty.
  private var clientIDMend: Cause.Mend? {
    guard isProject, hasImpossibleClientID || app.clientID.isEmpty else { return nil }
    // The old default scheme has the client ID.
    let known = app.urlSchemes.lazy.compactMap { scheme -> String? in
      let id = scheme.dropFirst("msal".count).lowercased()
      return scheme.hasPrefix("msal") && id.isGUID ? id : nil
    }.first
    let id =
      known.map { "\($0), which the scheme in Info.plist has" }
      ?? "the Application (client) ID of the registration's overview, a GUID"
    let isAndroid = device.platform == .android
    return Cause.Mend(
      kind: isAndroid ? .configuration : .code,
      text: isAndroid
        ? "msal_config.json: set client_id to \(id)." : "Set the client ID in the code to \(id).",
      steps: [
        [
          "add": [
            "registration": .text(known ?? Self.clientID),
            "fields": ["redirectURIs+=$redirect", "isMultiTenant=yes"],
          ]
        ],
        ["set": ["app": "$app", "fields": [.text("clientID=" + (known ?? Self.clientID))]]],
      ])
  }
}

extension String {
  /// Whether a scope begins with the ID of an app: `<app ID>/<permission>`.
  fileprivate var isGUIDScope: Bool { count > 37 && String(prefix(36)).isGUID && dropFirst(36).first == "/" }
}

extension Diagnosis {
  /// Returns the client ID of the registration that was given for an app whose code is not read, or `nil` without one.
  func clientIDOfRegistration(for bundleID: String) -> String? {
    let own = registrations.first { $0.redirects.contains { $0.uri.contains(bundleID) } }
    return (own ?? registrations.first)?.clientID.value.lowercased()
  }
}
