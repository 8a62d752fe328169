/// A security group of a tenant (docs/behaviour/graph.md §1).
///
/// Unique by name.
package struct Group: Codable, Hashable, Sendable {
  package var name: String
  /// What is in the claim `groups`.
  package var objectID: String
  package var tenantID: String
  /// Usernames of people, and names of groups.
  package var members: [String]

  package init(name: String, tenantID: String, members: [String] = []) {
    self.name = name
    self.tenantID = tenantID
    self.members = members
    objectID = guid(of: "group \(name) in \(tenantID)".lowercased())
  }
}

/// An app role: what an app calls a permission of people, groups or other apps (docs/behaviour/graph.md §1).
///
/// Unique by name.
package struct AppRole: Codable, Hashable, Sendable {
  package var name: String
  /// What is in the claim `roles`.
  package var value: String
  /// The app that defines it; Graph's app ID: an application permission of Graph.
  package var clientID: String
  /// Usernames, names of groups, client IDs of apps and names of managed identities.
  package var members: [String]

  package init(name: String, clientID: String, members: [String] = []) {
    self.name = name
    value = name
    self.clientID = clientID
    self.members = members
  }
}

/// `groupMembershipClaims` of a registration: which groups its tokens name.
package enum GroupMembershipClaims: String, Codable, CaseIterable, Sendable {
  case none = "None"
  case securityGroup = "SecurityGroup"
  case all = "All"
}

extension Directory {
  /// All of them, in the order of their names.
  package func groups() throws -> [Group] { try documents.readAll(Group.self, .group) }

  package func appRoles() throws -> [AppRole] { try documents.readAll(AppRole.self, .appRole) }
}

extension DocumentStore {
  package func save(_ group: Group) throws { try write(group, .group, group.name.lowercased()) }
  package func save(_ role: AppRole) throws { try write(role, .appRole, role.name.lowercased()) }
}
