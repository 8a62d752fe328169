import SSOCore

/// A user who can sign in: a member of one tenant and possibly a guest in others.
package struct DirectoryUser: Codable, Hashable, Sendable {
  /// The object ID: `oid` in the home tenant and `uid` of the home account ID.
  package var objectID: String
  package var homeTenantID: String
  /// The username, such as `alice@contoso.com`.
  ///
  /// It is unique, ignoring case.
  package var username: String
  package var displayName: String
  package var givenName: String?
  package var familyName: String?
  /// The password, not hashed: a lab's password protects nothing, and the store seals its bytes.
  package var password: String
  package var requiresMFA: Bool
  package var isDisabled = false
  /// Whether the user may consent for the home tenant, as a Cloud Application Administrator may.
  package var isAdministrator: Bool?
  /// Whether the password has expired and must be replaced before the next sign-in.
  package var hasExpiredPassword: Bool?
  /// Whether the directory does not have the user's password, because another identity provider checks it, or the user
  /// signs in without one.
  package var hasNoPassword: Bool?
  /// Whether the user has not registered a method for MFA yet.
  ///
  /// The first sign-in that requires MFA registers one.
  package var hasNoSecondFactor: Bool?
  /// Whether tokens report a group overage for this user, whatever groups there are (docs/behaviour/graph.md
  /// §1).
  package var hasManyGroups: Bool?
  /// The object IDs in the tenants where this user is a guest, by tenant ID
  /// (docs/behaviour/interactive-call.md §5).
  package var guestIn: [String: String]
  /// Whether this is a personal Microsoft account.
  package var isPersonal: Bool
  /// The thumbprints of the certificates with which this user may sign in (claim D4).
  package var certificates: [String]

  package init(
    objectID: String, homeTenantID: String, username: String, displayName: String,
    givenName: String? = nil, password: String, requiresMFA: Bool = false, guestIn: [String: String] = [:],
    isPersonal: Bool = false,
    certificates: [String] = []
  ) {
    self.objectID = objectID
    self.homeTenantID = homeTenantID
    self.username = username
    self.displayName = displayName
    self.givenName = givenName
    self.password = password
    self.requiresMFA = requiresMFA
    self.guestIn = guestIn
    self.isPersonal = isPersonal
    self.certificates = certificates
  }

  /// Returns the object ID in a tenant, or `nil` if the tenant does not know this user.
  package func objectID(in tenantID: String) -> String? {
    tenantID == homeTenantID ? objectID : guestIn[tenantID]
  }

  package var clientInfo: ClientInfo { ClientInfo(uid: objectID, utid: homeTenantID) }
}

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

/// `groupMembershipClaims` of a registration: the groups and directory roles that its tokens contain.
package enum GroupMembershipClaims: String, Codable, CaseIterable, Sendable {
  case none = "None"
  case securityGroup = "SecurityGroup"
  case directoryRole = "DirectoryRole"
  case all = "All"
}

extension Directory {
  /// Returns all groups, sorted by name.
  package func groups() throws -> [Group] { try documents.readAll(Group.self, .group) }

  func appRoles() throws -> [AppRole] { try documents.readAll(AppRole.self, .appRole) }
}

extension DocumentStore {
  package func save(_ group: Group) throws { try write(group, .group, group.name.lowercased()) }
  package func save(_ role: AppRole) throws { try write(role, .appRole, role.name.lowercased()) }
}

/// The group memberships of one tenant.
struct Memberships {
  private let groups: [Group]

  /// Loads the groups of a tenant.
  ///
  /// Groups of other tenants are ignored.
  init(_ directory: Directory, tenantID: String) throws {
    groups = try directory.groups().filter { $0.tenantID.lowercased() == tenantID.lowercased() }
  }

  /// Returns the groups of which `member` is a direct member, sorted by name.
  func direct(of member: String) -> [Group] { groups.filter { $0.hasMember(member) } }

  /// Returns the groups of which `member` is a direct or nested member.
  ///
  /// Cycles are handled.
  func transitive(of member: String) -> [Group] {
    var found: [Group] = []
    var names = [member]
    while let name = names.popLast() {
      for group in direct(of: name) where !found.contains(group) {
        found.append(group)
        names.append(group.name)
      }
    }
    return found.sorted { $0.name.lowercased() < $1.name.lowercased() }
  }
}

extension Group {
  fileprivate func hasMember(_ name: String) -> Bool {
    members.contains { $0.lowercased() == name.lowercased() }
  }
}

/// The app roles, loaded once for all tokens of a response.
///
/// Most labs do not define any.
final class AppRoles {
  private let directory: Directory
  private var known: [AppRole]?

  init(_ directory: Directory) { self.directory = directory }

  /// Returns all roles that an app defines, whether or not they are assigned.
  ///
  /// - Parameter appID: The app that defines the roles.
  /// - Returns: The roles.
  /// - Throws: `StoreError`.
  func roles(at appID: String) throws -> [AppRole] {
    let all = try known ?? directory.appRoles()
    known = all
    return all.filter { $0.clientID.lowercased() == appID.lowercased() }
  }
}

extension [AppRole] {
  /// Returns the values of the roles that are assigned to any of these names: a username, a client ID, or
  /// group names.
  ///
  /// A role of a group applies to its direct members, not to nested groups (Microsoft Learn, "Assign users
  /// and groups to an application").
  func values(of names: [String]) -> [String] {
    let names = Set(names.map { $0.lowercased() })
    return filter { $0.members.contains { names.contains($0.lowercased()) } }.map(\.value)
  }
}
