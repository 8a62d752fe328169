/// A security group of a tenant (docs/behaviour/graph.md §1).
///
/// It is unique by name.
package struct Group: Codable, Hashable, Sendable {
  package var name: String
  /// The value in the claim `groups`.
  package var objectID: String
  package var tenantID: String
  /// The usernames of users and the names of groups.
  package var members: [String]

  package init(name: String, tenantID: String, members: [String] = []) {
    self.name = name
    self.tenantID = tenantID
    self.members = members
    objectID = guid(of: "group \(name) in \(tenantID)".lowercased())
  }
}

/// An app role: a permission that an app defines for users, groups, or other apps (docs/behaviour/graph.md
/// §1).
///
/// It is unique by name.
package struct AppRole: Codable, Hashable, Sendable {
  package var name: String
  /// The value in the claim `roles`.
  package var value: String
  /// The app that defines the role.
  ///
  /// With Graph's app ID, the role is an application permission of Graph.
  package var clientID: String
  /// The usernames, group names, client IDs, and managed identity names to which the role is assigned.
  package var members: [String]

  package init(name: String, clientID: String, members: [String] = []) {
    self.name = name
    value = name
    self.clientID = clientID
    self.members = members
  }
}

/// `groupMembershipClaims` of a registration: the groups that its tokens contain.
package enum GroupMembershipClaims: String, Codable, CaseIterable, Sendable {
  case none = "None"
  case securityGroup = "SecurityGroup"
  case all = "All"
}

extension Directory {
  /// Returns all groups, sorted by name.
  package func groups() throws -> [Group] { try documents.readAll(Group.self, .group) }

  package func appRoles() throws -> [AppRole] { try documents.readAll(AppRole.self, .appRole) }
}

extension DocumentStore {
  package func save(_ group: Group) throws { try write(group, .group, group.name.lowercased()) }
  package func save(_ role: AppRole) throws { try write(role, .appRole, role.name.lowercased()) }
}
