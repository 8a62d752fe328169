import SSOCore

/// The tenants, users and apps of the provider, stored as documents.
///
/// Tenants are keyed by ID, users by username, and apps by client ID, all in lowercase.
///
/// Throws `StoreError`.
package struct Directory {
  let documents: any DocumentReader

  package init(documents: any DocumentReader) { self.documents = documents }

  // MARK: Tenants

  /// Returns the tenant with this ID or verified domain, ignoring case.
  package func tenant(byNameOrID name: String) throws -> Tenant? {
    let name = name.lowercased()
    if let tenant = try documents.read(Tenant.self, .tenant, name) { return tenant }
    let all = try tenants()
    return all.first { $0.domains.contains(name) } ?? all.first { $0.initialDomains.contains(name) }
  }

  /// Returns all tenants, sorted by ID.
  ///
  /// A lab has only a few.
  package func tenants() throws -> [Tenant] { try documents.readAll(Tenant.self, .tenant) }

  /// Returns the tenant whose AD FS responds at `/adfs`: the tenant that specifies it, or else the first
  /// organisation.
  func federatedTenant() throws -> Tenant? {
    let all = try tenants()
    return all.first { $0.runsADFS } ?? all.first { $0.id != Tenant.personalID }
  }

  // MARK: Users

  /// Returns the user with this username, ignoring case, or `nil` if the user does not exist.
  package func person(username: String) throws -> DirectoryUser? {
    try documents.read(DirectoryUser.self, .person, username.lowercased())
  }

  /// Returns all users, sorted by username.
  package func people() throws -> [DirectoryUser] { try documents.readAll(DirectoryUser.self, .person) }

  // MARK: Apps

  /// Returns the app registration with this client ID, ignoring case, or `nil` if it does not exist.
  package func registration(clientID: String) throws -> ClientRegistration? {
    try documents.read(ClientRegistration.self, .clientRegistration, clientID.lowercased())
  }

  /// Returns the app registration as a host's cloud knows it, or `nil` if it belongs to another cloud.
  ///
  /// It belongs to its home tenant's cloud, or else to the public one; Microsoft's own apps and the lab's well-known
  /// clients are in each (docs/behaviour/provider.md §2(7)).
  func registration(clientID: String, at host: String) throws -> ClientRegistration? {
    guard let found = try registration(clientID: clientID), let asked = Cloud(host: host) else {
      return try registration(clientID: clientID)
    }
    let home = try found.homeTenantID.flatMap { try tenant(byNameOrID: $0) }
    let own = home?.cloudHost.flatMap { Cloud(host: $0) } ?? .global
    return own == asked || found.isInEachCloud ? found : nil
  }

  package func registrations() throws -> [ClientRegistration] {
    try documents.readAll(ClientRegistration.self, .clientRegistration)
  }
}

extension DocumentStore {
  package func save(_ tenant: Tenant) throws {
    try write(tenant, .tenant, tenant.id.lowercased())
  }

  package func save(_ person: DirectoryUser) throws {
    try write(person, .person, person.username.lowercased())
  }

  package func save(_ registration: ClientRegistration) throws {
    try write(registration, .clientRegistration, registration.clientID.lowercased())
  }
}

extension Tenant {
  /// The initial domains, which every Entra tenant has from its creation, such as `contoso.onmicrosoft.com`
  /// for `contoso.com`.
  var initialDomains: [String] {
    domains.compactMap { $0.split(separator: ".").first.map { $0 + ".onmicrosoft.com" } }
  }
}

/// The directory of an organisation, or of all personal accounts.
package struct Tenant: Codable, Hashable, Sendable {
  /// The tenant ID: a GUID in lowercase.
  package var id: String
  package var displayName: String
  /// The verified domains in lowercase, such as `contoso.com`.
  ///
  /// Each one can identify the tenant in an authority URL.
  package var domains: [String]
  /// The subscriptions that `az login` lists, or `nil` for a subscription derived from the tenant ID.
  package var subscriptions: [Subscription]?
  /// Whether refresh tokens are single-use, and a reused one revokes its entire grant (RFC 9700 §4.14.2).
  ///
  /// Entra does not do this: the old refresh token stays valid, because several processes may share a cache.
  package var detectsRefreshTokenReuse = false
  /// The host of the tenant's cloud, or `nil` for the public cloud.
  ///
  /// The tenant's endpoints are on this host, whichever host received the request.
  package var cloudHost: String?
  /// Whether this tenant's AD FS responds at `/adfs`.
  ///
  /// If no tenant sets this, the first organisation's AD FS responds.
  package var runsADFS = false

  package init(
    id: String, displayName: String, domains: [String], subscriptions: [Subscription]? = nil
  ) {
    self.id = id.lowercased()
    self.displayName = displayName
    self.domains = domains.map { $0.lowercased() }
    self.subscriptions = subscriptions
  }

  static let externalHostSuffix = ".ciamlogin.com"

  /// Returns whether a host is that of an external tenant.
  package static func isExternalHost(_ host: String) -> Bool {
    host.lowercased().hasSuffix(externalHostSuffix)
  }

  /// Whether this is an external tenant (Entra External ID), whose users are customers.
  var isExternal: Bool { cloudHost.map(Self.isExternalHost) == true }

  var listedSubscriptions: [Subscription] {
    subscriptions
      ?? [Subscription(id: guid(of: "subscription of " + id), displayName: displayName + " Lab")]
  }

  /// The tenant of all personal Microsoft accounts (docs/behaviour/msal-cache.md §7).
  package static let personalID = PublicCloud.personalTenantID
}

/// An Azure subscription, reduced to a name and an ID.
package struct Subscription: Codable, Hashable, Sendable {
  package var id: String
  package var displayName: String

  package init(id: String, displayName: String) {
    self.id = id
    self.displayName = displayName
  }
}

/// Returns a version 8 UUID that is always the same for the same text (RFC 9562 §5.8).
package func guid(of text: String) -> String {
  var bytes = Array(sha256(text.utf8).prefix(16))
  bytes[6] = bytes[6] & 0x0F | 0x80
  bytes[8] = bytes[8] & 0x3F | 0x80
  return uuidText(bytes)
}
