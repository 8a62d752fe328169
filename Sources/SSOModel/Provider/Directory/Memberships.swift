/// Who is in which group, and who has which role.
struct Memberships {
  private let groups: [Group]

  /// Reads the groups of a tenant; those of other tenants do not count.
  init(_ directory: Directory, tenantID: String) throws {
    groups = try directory.groups().filter { $0.tenantID.lowercased() == tenantID.lowercased() }
  }

  /// The groups that name this member themselves, in the order of their names.
  func direct(of member: String) -> [Group] { groups.filter { $0.hasMember(member) } }

  /// Those, and the groups that these are in; a group that contains itself ends the search.
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

/// The app roles, read once for all tokens of a response: most labs have none.
final class AppRoles {
  private let directory: Directory
  private var known: [AppRole]?

  init(_ directory: Directory) { self.directory = directory }

  /// - Parameter appID: of the app that defines them.
  /// - Returns: all roles of that app, no matter who has them.
  /// - Throws: `StoreError`.
  func roles(at appID: String) throws -> [AppRole] {
    let all = try known ?? directory.appRoles()
    known = all
    return all.filter { $0.clientID.lowercased() == appID.lowercased() }
  }
}

extension [AppRole] {
  /// The values of those that one of these names has: a username, an app's client ID, names of groups.
  ///
  /// A group counts for its own members, not for those of groups in it (Microsoft Learn, "Assign users and groups to an
  /// application").
  func values(of names: [String]) -> [String] {
    let names = Set(names.map { $0.lowercased() })
    return filter { $0.members.contains { names.contains($0.lowercased()) } }.map(\.value)
  }
}
