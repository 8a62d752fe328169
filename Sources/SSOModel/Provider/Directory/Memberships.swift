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
/// Most labs have none.
final class AppRoles {
  private let directory: Directory
  private var known: [AppRole]?

  init(_ directory: Directory) { self.directory = directory }

  /// Returns all roles that an app defines, whoever has them.
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
