/// A query to Microsoft Graph: the data that it returns and the permissions that it requires.
struct GraphQuery {
  enum Answer {
    /// An entity and its entity set.
    case one([String: JSONValue], of: String)
    case many([[String: JSONValue]], of: String)
    case ids([String])
    case revoke(Person)
  }

  var answer: Answer
  /// The permissions of which the token needs one: a delegated permission, or an application permission of an
  /// app-only token.
  var permissions: [String]

  private static let readUsers =
    ["User.ReadBasic.All", "User.Read.All", "User.ReadWrite.All"] + readDirectory
  private static let readDirectory = ["Directory.Read.All", "Directory.ReadWrite.All"]
  private static let readGroups =
    ["GroupMember.Read.All", "Group.Read.All", "Group.ReadWrite.All"] + readDirectory

  private init(_ answer: Answer, _ permissions: [String]) {
    self.answer = answer
    self.permissions = permissions
  }

  /// Parses a request path, or returns `nil` if the path does not exist.
  ///
  /// `caller` is the user of the token, or `nil` for an app-only token.
  ///
  /// - Throws: `GraphProblem` if the path names an object that does not exist.
  static func read(
    _ path: [String], _ method: String, caller: Person?, in graph: GraphDirectory
  ) throws -> GraphQuery? {
    let words = path.map { $0.lowercased() }
    let isRead = method == "GET" || method == "HEAD"
    switch (words.first, path.count) {
    case ("me", _):
      guard let caller else { throw GraphProblem.missing("me") }
      let own = ["User.Read", "User.ReadWrite"] + readUsers
      return try below(caller, words.dropFirst(), isRead, own, in: graph)
    case ("users", 1) where isRead:
      return GraphQuery(.many(try graph.people().map(graph.json), of: "users"), readUsers)
    case ("users", 2...):
      return try below(graph.person(path[1]), words.dropFirst(2), isRead, readUsers, in: graph)
    case ("groups", 1) where isRead:
      return GraphQuery(.many(try graph.groups().map(graph.json), of: "groups"), readGroups)
    case ("groups", 2) where isRead:
      return GraphQuery(.one(graph.json(try graph.group(path[1])), of: "groups"), readGroups)
    case ("groups", 3) where isRead && words[2] == "members":
      let members = try graph.members(of: graph.group(path[1]))
      return GraphQuery(.many(members, of: "directoryObjects"), readGroups)
    default: return nil
    }
  }

  /// Parses the part of a path that follows a user.
  private static func below(
    _ person: Person, _ rest: ArraySlice<String>, _ isRead: Bool, _ permissions: [String],
    in graph: GraphDirectory
  ) throws -> GraphQuery? {
    let groups = graph.memberships
    switch (rest.first, rest.count) {
    case (nil, _) where isRead: return GraphQuery(.one(graph.json(person), of: "users"), permissions)
    case ("memberof", 1) where isRead:
      let own = groups.direct(of: person.username).map(graph.object)
      return GraphQuery(.many(own, of: "directoryObjects"), permissions)
    case ("transitivememberof", 1) where isRead:
      let all = groups.transitive(of: person.username).map(graph.object)
      return GraphQuery(.many(all, of: "directoryObjects"), permissions)
    // Apps call this if a user has too many groups for a token.
    case ("getmemberobjects", 1) where !isRead, ("getmembergroups", 1) where !isRead:
      return GraphQuery(.ids(groups.transitive(of: person.username).map(\.objectID)), permissions)
    case ("approleassignments", 1) where isRead:
      return GraphQuery(.many(try graph.roleAssignments(of: person), of: "appRoleAssignments"), readRoles)
    case ("revokesigninsessions", 1) where !isRead:
      return GraphQuery(.revoke(person), revokeSessions)
    default: return nil
    }
  }

  private static let readRoles = readDirectory + ["AppRoleAssignment.ReadWrite.All"]
  private static let revokeSessions = [
    "User.RevokeSessions.All", "User.ReadWrite", "User.ReadWrite.All", "Directory.ReadWrite.All",
  ]
}

/// The users and groups of one tenant, as Graph returns them.
struct GraphDirectory {
  let directory: Directory
  let tenantID: String
  let memberships: Memberships

  func people() throws -> [Person] { try directory.people().filter { $0.objectID(in: tenantID) != nil } }

  func groups() throws -> [Group] { try directory.groups().filter { $0.tenantID == tenantID } }

  /// Returns the user with this object ID or user principal name.
  func person(_ name: String) throws -> Person {
    let name = (FormEncoding.decodeText(name, plusIsSpace: false) ?? name).lowercased()
    let found = try directory.person(username: name) ?? people().first { $0.objectID(in: tenantID) == name }
    guard let found, found.objectID(in: tenantID) != nil else { throw GraphProblem.missing(name) }
    return found
  }

  /// Returns the group with this object ID.
  func group(_ id: String) throws -> Group {
    guard let group = try groups().first(where: { $0.objectID == id.lowercased() }) else {
      throw GraphProblem.missing(id)
    }
    return group
  }

  func members(of group: Group) throws -> [[String: JSONValue]] {
    let all = try groups()
    return try group.members.compactMap { name in
      if let person = try directory.person(username: name) {
        return typed(json(person), "user")
      }
      return all.first { $0.name.lowercased() == name.lowercased() }.map(object)
    }
  }

  /// Returns the app roles that are assigned to the user or to a group that the user is a direct member of.
  func roleAssignments(of person: Person) throws -> [[String: JSONValue]] {
    let groups = memberships.direct(of: person.username)
    let principals =
      [(person.username, json(person), "User")] + groups.map { ($0.name, json($0), "Group") }
    return try directory.appRoles().flatMap { role in
      let resource = try directory.registration(clientID: role.clientID)?.displayName ?? role.clientID
      return principals.filter { principal in
        role.members.contains { $0.lowercased() == principal.0.lowercased() }
      }.map { name, principal, type in
        [
          "id": .string(guid(of: "assignment of \(role.name) to \(name)".lowercased())),
          "appRoleId": .string(guid(of: "role \(role.name) of \(role.clientID)".lowercased())),
          "principalId": principal["id"] ?? .null, "principalType": .string(type),
          "principalDisplayName": principal["displayName"] ?? .null,
          "resourceId": .string(TokenIssuer.servicePrincipal(of: role.clientID, in: tenantID)),
          "resourceDisplayName": .string(resource), "deletedDateTime": .null,
        ]
      }
    }
  }

  func object(_ group: Group) -> [String: JSONValue] { typed(json(group), "group") }

  private func typed(_ object: [String: JSONValue], _ type: String) -> [String: JSONValue] {
    object.merging(["@odata.type": .string("#microsoft.graph." + type)]) { $1 }
  }

  func json(_ person: Person) -> [String: JSONValue] {
    [
      "id": .string(person.objectID(in: tenantID) ?? person.objectID),
      "userPrincipalName": .string(person.username), "displayName": .string(person.displayName),
      "givenName": person.givenName.map(JSONValue.string) ?? .null,
      "surname": person.familyName.map(JSONValue.string) ?? .null, "mail": .string(person.username),
      "businessPhones": [], "jobTitle": .null, "mobilePhone": .null, "officeLocation": .null,
      "preferredLanguage": .null,
    ]
  }

  func json(_ group: Group) -> [String: JSONValue] {
    [
      "id": .string(group.objectID), "displayName": .string(group.name), "description": .null,
      "groupTypes": [], "mailEnabled": .bool(false), "mailNickname": .string(group.name),
      "securityEnabled": .bool(true),
    ]
  }
}
