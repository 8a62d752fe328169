/// Tenants, people and apps, as documents of the store.
///
/// Tenants are keyed by ID, people by user name and apps by client ID, all in lower case.
///
/// Throws `StoreError`.
package struct Directory {
  let documents: any DocumentReader

  package init(documents: any DocumentReader) { self.documents = documents }

  // MARK: Tenants

  /// The tenant of that ID or verified domain, without regard to case.
  package func tenant(byNameOrID name: String) throws -> Tenant? {
    let name = name.lowercased()
    if let tenant = try documents.read(Tenant.self, .tenant, name) { return tenant }
    let all = try tenants()
    return all.first { $0.domains.contains(name) } ?? all.first { $0.initialDomains.contains(name) }
  }

  /// All of them, in the order of their IDs: a lab has a handful.
  package func tenants() throws -> [Tenant] { try documents.readAll(Tenant.self, .tenant) }

  /// Whose AD FS answers at `/adfs`: the tenant that says so, else the first organisation.
  func federatedTenant() throws -> Tenant? {
    let all = try tenants()
    return all.first { $0.runsADFS } ?? all.first { $0.id != Tenant.personalID }
  }

  // MARK: People

  /// Without regard to case; nil if there is none.
  package func person(username: String) throws -> Person? {
    try documents.read(Person.self, .person, username.lowercased())
  }

  /// All of them, in the order of user names.
  package func people() throws -> [Person] { try documents.readAll(Person.self, .person) }

  // MARK: Apps

  /// Without regard to case; nil if there is none.
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
  /// `contoso.onmicrosoft.com` for `contoso.com`: each tenant of Entra has such a name from the first day on.
  fileprivate var initialDomains: [String] {
    domains.compactMap { $0.split(separator: ".").first.map { $0 + ".onmicrosoft.com" } }
  }
}
