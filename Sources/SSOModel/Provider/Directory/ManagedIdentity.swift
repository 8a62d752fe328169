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
