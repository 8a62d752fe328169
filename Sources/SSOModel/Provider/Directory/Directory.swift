/// Tenants, people and apps, as documents of the store. Tenants are keyed by ID, people by user name and
/// apps by client ID,
/// all in lower case.
public struct Directory {
  let documents: any DocumentStore

  public init(documents: any DocumentStore) { self.documents = documents }

  // MARK: Tenants

  /// The tenant of that ID or verified domain, without regard to case.
  public func tenant(byNameOrID name: String) throws -> Tenant? {
    let name = name.lowercased()
    if let tenant = try documents.read(Tenant.self, .tenant, name) { return tenant }
    return try tenants().first { $0.domains.contains(name) }
  }

  /// All of them, in the order of their IDs: a lab has a handful.
  public func tenants() throws -> [Tenant] { try documents.readAll(Tenant.self, .tenant) }

  public func save(_ tenant: Tenant) throws {
    try documents.write(tenant, .tenant, tenant.id.lowercased())
  }

  /// Whose AD FS answers at `/adfs`: the tenant that says so, else the first organisation.
  func federatedTenant() throws -> Tenant? {
    let all = try tenants()
    return all.first { $0.runsADFS == true } ?? all.first { $0.id != Tenant.personalID }
  }

  // MARK: People

  public func person(username: String) throws -> Person? {
    try documents.read(Person.self, .person, username.lowercased())
  }

  /// The person with that object ID in that tenant, guests included. Reads everybody: not for a request's
  /// path.
  public func person(objectID: String, tenantID: String) throws -> Person? {
    try people().first { $0.objectID(in: tenantID) == objectID }
  }

  /// Everybody, in the order of user names.
  public func people() throws -> [Person] { try documents.readAll(Person.self, .person) }

  public func save(_ person: Person) throws {
    try documents.write(person, .person, person.username.lowercased())
  }

  // MARK: Apps

  public func registration(clientID: String) throws -> ClientRegistration? {
    try documents.read(ClientRegistration.self, .clientRegistration, clientID.lowercased())
  }

  public func registrations() throws -> [ClientRegistration] {
    try documents.readAll(ClientRegistration.self, .clientRegistration)
  }

  public func save(_ registration: ClientRegistration) throws {
    try documents.write(registration, .clientRegistration, registration.clientID.lowercased())
  }
}
