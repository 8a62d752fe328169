/// An identity that Azure gives to a machine or an app, which proves itself by where it runs (docs/behaviour/workloads.md §1).
///
/// Unique by name.
package struct ManagedIdentity: Codable, Hashable, Sendable {
  package var name: String
  /// `appid` of its tokens.
  package var clientID: String
  /// Of its service principal: `oid` and `sub`.
  package var objectID: String
  package var tenantID: String
  /// The machine's own, which is meant if a request names none.
  package var isSystemAssigned = false
  /// The resource that it belongs to, or that it is: `/subscriptions/…/userAssignedIdentities/…`.
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
  /// All of them, in the order of their names.
  package func managedIdentities() throws -> [ManagedIdentity] {
    try documents.readAll(ManagedIdentity.self, .managedIdentity)
  }
}

extension DocumentStore {
  package func save(_ identity: ManagedIdentity) throws {
    try write(identity, .managedIdentity, identity.name.lowercased())
  }

  /// Adds one of each sort to a lab that has none.
  package func addManagedIdentities() throws {
    let directory = Directory(documents: self)
    guard try directory.managedIdentities().isEmpty,
      let tenant = try directory.tenants().first(where: { $0.id != Tenant.personalID })
    else { return }
    try save(ManagedIdentity(name: "lab-machine", tenant: tenant, isSystemAssigned: true))
    try save(ManagedIdentity(name: "lab-identity", tenant: tenant))
  }
}
