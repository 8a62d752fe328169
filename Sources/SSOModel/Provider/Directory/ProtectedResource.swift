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

  /// `aud` of the API's access tokens.
  var audience: String { tokenVersion == 1 ? identifier : appID }

  package static let graphAppID = "00000003-0000-0000-c000-000000000000"
  /// The app ID of Azure AD Graph, the default resource of version 1.
  static let legacyGraphAppID = "00000002-0000-0000-c000-000000000000"

  /// The app IDs and identifier URIs of Microsoft's own APIs.
  ///
  /// A name that begins with a dot is a host suffix that Azure assigns to accounts of the service (Microsoft
  /// Learn, "Verify first-party Microsoft applications in sign-in reports").
  private static let firstParty: [(appID: String, identifiers: [String])] = [
    (graphAppID, [RequestedScopes.graph]),
    (legacyGraphAppID, ["https://graph.windows.net"]),
    (
      "797f4846-ba00-4fd7-ba43-dac1f8f63013",
      ["https://management.azure.com", "https://management.core.windows.net"]
    ),
    ("cfa8b339-82a2-471a-a3c9-0fc0be7a4093", ["https://vault.azure.net"]),
    (
      "e406a681-f3d4-42a8-90b6-c2b029497af1",
      ["https://storage.azure.com"]
        + ["blob", "queue", "table", "file", "dfs"].map { ".\($0).core.windows.net" }
    ),
    ("022907d3-0f1b-48f7-badc-1ba6abab6d66", ["https://database.windows.net"]),
    ("123cd850-d9df-40bd-94d5-c9f07b7fa203", ["https://ossrdbms-aad.database.windows.net"]),
    ("80369ed6-5f11-4dd9-bef3-692475845e77", ["https://eventhubs.azure.net"]),
    ("80a10ef9-8168-493d-abf9-3297c4ef6e3c", ["https://servicebus.azure.net"]),
    ("7d312290-28c8-473c-a0ed-8e53749b6d6d", ["https://cognitiveservices.azure.com"]),
    ("ca7f3f0b-7d91-482c-8e09-c5d840d0eac5", ["https://api.loganalytics.io"]),
    ("499b84ac-1321-427f-aa17-267ca6975798", ["https://app.vssps.visualstudio.com"]),
    ("6dae42f8-4368-4678-94ff-3960e28e3630", []),
    (
      "00000002-0000-0ff1-ce00-000000000000",
      ["https://outlook.office365.com", "https://outlook.office.com"]
    ),
    ("00000003-0000-0ff1-ce00-000000000000", [".sharepoint.com"]),
  ]

  /// The APIs that evaluate access continuously: Graph, Azure Resource Manager, Exchange and SharePoint
  /// (Microsoft Learn, "Continuous access evaluation").
  private static let continuous: Set = [
    graphAppID, "797f4846-ba00-4fd7-ba43-dac1f8f63013", "00000002-0000-0ff1-ce00-000000000000",
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
        appID: $0, identifier: identifier, tokenVersion: 1,
        permissions: $0 == graphAppID ? GraphPermissions.delegated : nil)
    }
  }

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
    let host = URLParts(name).map { $0.scheme == "https" ? $0.host : "" } ?? ""
    return firstParty.first { entry in
      entry.appID == name
        || entry.identifiers.contains { $0.hasPrefix(".") ? host.hasSuffix($0) : $0 == name }
    }?.appID
  }

  /// Returns the app ID and identifier URIs of a Microsoft API, or an empty array for any other API.
  fileprivate static func firstPartyIdentifiers(_ appID: String) -> [String] {
    firstParty.first { $0.appID == appID }.map { [$0.appID] + $0.identifiers } ?? []
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

  /// Returns the API with this app ID or identifier URI, or `nil` if this lab does not have it.
  func resource(named identifier: String) throws -> ProtectedResource? {
    if let known = ProtectedResource.firstParty(named: identifier) { return known }
    let name = ProtectedResource.bare(identifier)
    let appID = name.hasPrefix("api://") ? String(name.dropFirst("api://".count)) : name
    let found =
      try registration(clientID: appID)
      ?? registrations().first { ($0.identifierURIs ?? []).contains { ProtectedResource.bare($0) == name } }
    return found.map {
      ProtectedResource(
        appID: $0.clientID, identifier: identifier, tokenVersion: $0.accessTokenVersion ?? 1,
        permissions: $0.exposedScopes.map { Set($0.map { $0.lowercased() }) })
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
