import SSOCore
import SSOReference

/// An API that access tokens are for: a Microsoft API or an app registration (docs/behaviour/provider.md
/// §4(17)).
package struct ProtectedResource: Hashable {
  /// The app ID of the API, which is `aud` in every version 2.0 access token.
  var appID: String
  /// The identifier in the request, without a permission, which is `aud` in a version 1.0 access token.
  var identifier: String
  /// `requestedAccessTokenVersion` of the API's registration: 1 or 2.
  ///
  /// Entra treats null, which Microsoft's own APIs have, as 1.
  var tokenVersion: Int
  /// The delegated permissions that the API offers, or `nil` for any.
  var permissions: Set<String>?
  /// The permissions as an app of the lab spells them.
  var exposedScopes: [String] = []

  /// Whether an administrator switched the API off.
  var isDisabled = false

  /// Returns a scope as the API itself spells its permission, whatever case the client used
  /// (AzureAD/microsoft-authentication-library-for-go#217, microsoftgraph/microsoft-graph-toolkit#648).
  func spelled(_ scope: String) -> String {
    let start = scope.lastIndex(of: "/").map { scope.index(after: $0) } ?? scope.startIndex
    let name = scope[start...].lowercased()
    if RequestedScopes.openID.contains(name), start == scope.startIndex { return name }
    let known =
      appID == Self.graphAppID
      ? GraphPermissions.spellings[name] : exposedScopes.first { $0.lowercased() == name }
    return known.map { scope[..<start] + $0 } ?? scope
  }

  /// The permissions of a token whose client asked for none by name.
  var usualPermissions: String {
    guard appID != Self.graphAppID else { return "User.Read" }
    return exposedScopes.isEmpty || exposedScopes.contains("user_impersonation")
      ? "user_impersonation" : exposedScopes.joined(separator: " ")
  }

  /// `aud` of the API's access tokens.
  var audience: String { tokenVersion == 1 ? identifier : appID }

  /// Returns whether the `aud` of an access token is Microsoft Graph.
  static func isAudienceOfGraph(_ audience: String) -> Bool {
    identity(of: audience) == graphAppID
  }

  package static let graphAppID = "00000003-0000-0000-c000-000000000000"
  /// The app ID of Azure AD Graph, the default resource of version 1.
  static let legacyGraphAppID = "00000002-0000-0000-c000-000000000000"

  /// The app ID of Azure Resource Manager.
  static let resourceManagerAppID = "797f4846-ba00-4fd7-ba43-dac1f8f63013"

  /// The app IDs and identifier URIs of Microsoft's own APIs.
  ///
  /// A name that begins with a dot is a host suffix that Azure assigns to accounts of the service (Microsoft
  /// Learn, "Verify first-party Microsoft applications in sign-in reports"; merill/microsoft-info).
  private static let firstParty: [(appID: String, identifiers: [String])] =
    ReferenceTable("microsoft-apis.tsv").records.map { ($0[0], ReferenceTable.words($0[1])) }

  /// The identifier URIs of further Microsoft APIs, known from the scopes of the Azure SDKs and of the Bot Framework.
  ///
  /// Their app IDs are not published, so the identifier stands for the app ID.
  private static let withoutPublishedID: Set = [
    "https://api.botframework.com", "https://webpubsub.azure.com", "https://attestation.azure.net",
    "https://confidential-ledger.azure.com", "https://quantum.microsoft.com", "https://atlas.microsoft.com",
    "https://api.adu.microsoft.com", "https://devcenter.azure.com", "https://cnt-prod.loadtesting.azure.com",
    "https://sts.mixedreality.azure.com", "https://attest.azure.net", "https://redis.azure.com",
    "https://prometheus.monitor.azure.com", "https://service.flow.microsoft.com",
    "https://api.securitycenter.microsoft.com", "https://api.partnercenter.microsoft.com",
    "https://mcp.dev.azure.com", "https://iothubs.azure.net",
  ]

  /// The APIs that evaluate access continuously: Graph, Azure Resource Manager, Exchange and SharePoint
  /// (Microsoft Learn, "Continuous access evaluation").
  private static let continuous: Set = [
    graphAppID, resourceManagerAppID, "00000002-0000-0ff1-ce00-000000000000",
    "00000003-0000-0ff1-ce00-000000000000",
  ]

  /// Whether the API rejects a revoked token at once, without waiting for its expiration.
  var evaluatesContinuously: Bool {
    Self.firstPartyAppID(of: identifier).map(Self.continuous.contains) ?? false
  }

  /// Returns the Microsoft API with this app ID or identifier URI.
  static func firstParty(named identifier: String) -> ProtectedResource? {
    firstPartyAppID(of: identifier).map {
      ProtectedResource(
        appID: $0, identifier: identifier,
        tokenVersion: $0 == FederatedCredential.usualAudienceAppID ? 2 : 1,
        permissions: $0 == graphAppID ? GraphPermissions.delegated : nil)
    }
  }

  /// Returns the name of an API of the directory itself, as Entra's sentences have it, or `nil` for another API.
  static func nameOfDirectoryAPI(_ appID: String) -> String? {
    switch appID.lowercased() {
    case graphAppID: "Microsoft Graph"
    case legacyGraphAppID: "AAD Graph"
    default: nil
    }
  }

  /// Whether a scope is a delegated permission of Graph.
  package static func isGraphPermission(_ scope: String) -> Bool {
    GraphPermissions.delegated.contains(RequestedScopes.canonical(scope))
  }

  /// Whether an identifier is that of a Microsoft API, which each directory has.
  package static func isFirstParty(_ identifier: String) -> Bool { firstPartyAppID(of: identifier) != nil }

  /// Returns a canonical identifier: the same string for all names of a Microsoft API, and for all spellings
  /// of any other API.
  static func identity(of identifier: String) -> String {
    firstPartyAppID(of: identifier) ?? bare(identifier)
  }

  /// Returns the app ID of a Microsoft API.
  ///
  /// Ignores case and a trailing slash.
  private static func firstPartyAppID(of identifier: String) -> String? {
    let name = bare(identifier)
    if withoutPublishedID.contains(name) { return name }
    if let appID = appIDs[name] { return appID }
    guard let url = URLParts(name), url.scheme == "https" else { return nil }
    let host = url.host
    return hostSuffixes.first { host.hasSuffix($0.suffix) }?.appID
  }

  /// The app IDs of Microsoft's APIs by app ID and by identifier URI.
  private static let appIDs = Dictionary(
    firstParty.flatMap { entry in
      ([entry.appID] + entry.identifiers).filter { !$0.hasPrefix(".") }.map { ($0, entry.appID) }
    }, uniquingKeysWith: { first, _ in first })

  private static let hostSuffixes = firstParty.flatMap { entry in
    entry.identifiers.filter { $0.hasPrefix(".") }.map { (suffix: $0, appID: entry.appID) }
  }

  /// Returns whether an identifier is an origin at which `ssoterm serve` may listen.
  ///
  /// Azure CLI uses one setting as Graph's address and as its identifier, so this server's origin is Graph too.
  fileprivate static func isOriginOfServer(_ name: String) -> Bool {
    guard let url = URLParts(name), url.scheme == "https", url.path.isEmpty else { return false }
    return isLoopback(url.host)
  }

  /// Returns the app ID and identifier URIs of a Microsoft API, or an empty array for any other API.
  fileprivate static func firstPartyIdentifiers(_ appID: String) -> [String] {
    if withoutPublishedID.contains(appID) { return [appID] }
    return firstParty.first { $0.appID == appID }.map { [$0.appID] + $0.identifiers } ?? []
  }

  /// Returns the identifier in lowercase, without a trailing slash.
  fileprivate static func bare(_ identifier: String) -> String {
    let name = identifier.lowercased()
    return name.hasSuffix("/") ? String(name.dropLast()) : name
  }
}

extension Directory {
  /// Returns the app ID and the App ID URIs of an API.
  func identifiers(of resource: ProtectedResource) throws -> [String] {
    guard let api = try registration(clientID: resource.appID) else {
      return ProtectedResource.firstPartyIdentifiers(resource.appID)
    }
    return [api.clientID, "api://" + api.clientID] + (api.identifierURIs ?? [])
  }

  /// Returns the app ID of the API of the scopes, which is Graph for OpenID Connect's own.
  func resourceID(of scopes: RequestedScopes) throws -> String {
    guard let name = scopes.resources.first else { return ProtectedResource.graphAppID }
    return try resource(named: name)?.appID ?? name
  }

  /// Returns the API with this app ID or identifier URI, or `nil` if this lab does not have it.
  func resource(named identifier: String) throws -> ProtectedResource? {
    if let known = ProtectedResource.firstParty(named: identifier) { return known }
    let name = ProtectedResource.bare(identifier)
    let appID = name.hasPrefix("api://") ? String(name.dropFirst("api://".count)) : name
    let found =
      try registration(clientID: appID)
      ?? registrations().first { ($0.identifierURIs ?? []).contains { ProtectedResource.bare($0) == name } }
    if found == nil, ProtectedResource.isOriginOfServer(name) {
      return .firstParty(named: RequestedScopes.graph)
    }
    return found.map {
      ProtectedResource(
        appID: $0.clientID, identifier: identifier, tokenVersion: $0.accessTokenVersion ?? 1,
        permissions: $0.exposedScopes.map { Set($0.map { $0.lowercased() }) },
        exposedScopes: $0.exposedScopes ?? [], isDisabled: $0.isDisabled == true)
    }
  }
}

/// An identity that Azure assigns to a machine or an app (docs/behaviour/workloads.md §1).
///
/// It authenticates by the place where it runs. It is unique by name.
package struct ManagedIdentity: Codable, Hashable, Sendable {
  package var name: String
  /// `appid` of its tokens.
  package var clientID: String
  /// The object ID of its service principal: `oid` and `sub` of its tokens.
  package var objectID: String
  package var tenantID: String
  /// Whether it is the machine's system-assigned identity, which is the default for requests that do not
  /// specify one.
  package var isSystemAssigned = false
  /// The Azure resource that it belongs to, or its own: `/subscriptions/…/userAssignedIdentities/…`.
  package var resourceID: String

  package init(name: String, tenant: Tenant, isSystemAssigned: Bool = false) {
    self.name = name
    self.isSystemAssigned = isSystemAssigned
    tenantID = tenant.id
    let subscription = tenant.listedSubscriptions.first?.id ?? tenant.id
    clientID = guid(of: "client of managed identity \(name) in \(tenant.id)")
    objectID = guid(of: "object of managed identity \(name) in \(tenant.id)")
    let kind =
      isSystemAssigned
      ? "Microsoft.Compute/virtualMachines" : "Microsoft.ManagedIdentity/userAssignedIdentities"
    resourceID = "/subscriptions/\(subscription)/resourcegroups/lab/providers/\(kind)/\(name)"
  }
}

extension Directory {
  /// Returns all managed identities, sorted by name.
  package func managedIdentities() throws -> [ManagedIdentity] {
    try documents.readAll(ManagedIdentity.self, .managedIdentity)
  }
}

extension DocumentStore {
  package func save(_ identity: ManagedIdentity) throws {
    try write(identity, .managedIdentity, identity.name.lowercased())
  }

  /// Adds a system-assigned and a user-assigned identity to a lab that has no managed identities.
  package func addManagedIdentities() throws {
    let directory = Directory(documents: self)
    guard try directory.managedIdentities().isEmpty,
      let tenant = try directory.tenants().first(where: { $0.id != Tenant.personalID })
    else { return }
    try save(ManagedIdentity(name: "lab-machine", tenant: tenant, isSystemAssigned: true))
    try save(ManagedIdentity(name: "lab-identity", tenant: tenant))
  }
}
