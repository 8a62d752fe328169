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

  // MARK: People

  /// Returns the user with this username, ignoring case, or `nil` if there is none.
  package func person(username: String) throws -> Person? {
    try documents.read(Person.self, .person, username.lowercased())
  }

  /// Returns all users, sorted by username.
  package func people() throws -> [Person] { try documents.readAll(Person.self, .person) }

  // MARK: Apps

  /// Returns the app registration with this client ID, ignoring case, or `nil` if there is none.
  package func registration(clientID: String) throws -> ClientRegistration? {
    try documents.read(ClientRegistration.self, .clientRegistration, clientID.lowercased())
  }

  package func registrations() throws -> [ClientRegistration] {
    try documents.readAll(ClientRegistration.self, .clientRegistration)
  }
}

extension DocumentStore {
  package func save(_ tenant: Tenant) throws {
    try write(tenant, .tenant, tenant.id.lowercased())
  }

  package func save(_ person: Person) throws {
    try write(person, .person, person.username.lowercased())
  }

  package func save(_ registration: ClientRegistration) throws {
    try write(registration, .clientRegistration, registration.clientID.lowercased())
  }
}

extension Tenant {
  /// The initial domains, which every Entra tenant has from its creation, such as `contoso.onmicrosoft.com`
  /// for `contoso.com`.
  fileprivate var initialDomains: [String] {
    domains.compactMap { $0.split(separator: ".").first.map { $0 + ".onmicrosoft.com" } }
  }
}
