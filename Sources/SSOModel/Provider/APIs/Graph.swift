import SSOCore
import SSOReference

/// The identity part of Microsoft Graph, at `/v1.0/…` (docs/behaviour/graph.md §2).
///
/// `me`, `users`, `groups`, their members and memberships, app roles, and `revokeSignInSessions`.
struct GraphEndpoint {
  let provider: ProviderResources

  /// Responds to a request to Microsoft Graph.
  ///
  /// `path` is relative to `/v1.0`.
  func respond(_ path: [String], _ context: inout RequestContext) throws -> ProviderResponse {
    let bearer = BearerAuthentication(provider: provider)
    do {
      let reading = try bearer.verify(
        for: [RequestedScopes.graph, ProtectedResource.graphAppID], &context)
      let tenantID = reading.claims["tid"]?.string ?? ""
      let caller = try provider.directory.person(of: reading.claims)
      let graph = GraphDirectory(
        directory: provider.directory, tenantID: tenantID,
        memberships: try Memberships(provider.directory, tenantID: tenantID))
      guard let query = try GraphQuery.read(path, context.request.method, caller: caller, in: graph) else {
        // The collection exists, but not the path below it.
        let isThere = ["me", "users", "groups"].contains(path.first?.lowercased())
        let segment = (isThere ? path.last : path.first) ?? ""
        return problem(400, "BadRequest", "Resource not found for the segment '\(segment)'.", context)
      }
      try context.require(checkGraphPermission(reading, query.permissions))
      if case .revoke(let person) = query.answer {
        try provider.documents.revoke(person.username, .signedOutEverywhere, at: provider.now)
      }
      return try answer(query.answer, context)
    } catch let error as GraphProblem {
      context.checks.append(
        Check(
          "requested resource", expected: "a resource of Microsoft Graph", found: error.code, false,
          source: "graph.md §2"))
      return problem(error.status, error.code, error.displayText, context)
    } catch let error as OAuthError {
      let code =
        error.code == .insufficientScope ? "Authorization_RequestDenied" : "InvalidAuthenticationToken"
      return bearer.refuse(error, body: body(code, error.reason, context), &context)
    }
  }

  private func answer(_ answer: GraphQuery.Answer, _ context: RequestContext) throws(GraphProblem)
    -> ProviderResponse
  {
    let base = context.request.origin + "/v1.0/$metadata#"
    switch answer {
    case .one(let object, let set):
      let selection = try GraphSelection(context.request, of: set)
      let context: [String: JSONValue] = [
        "@odata.context": .string("\(base)\(set)\(selection.contextText)/$entity")
      ]
      return ProviderResponse(.json(200, .object(selection.select(object).merging(context) { $1 })))
    case .many(let objects, let set):
      let selection = try GraphSelection(context.request, of: set)
      let page = try GraphPage(of: objects, context.request)
      var body: [String: JSONValue] = [
        "@odata.context": .string(base + set + selection.contextText),
        "value": .array(page.objects.map { .object(selection.select($0)) }),
      ]
      body["@odata.nextLink"] = page.next.map(JSONValue.string)
      return ProviderResponse(.json(200, .object(body)))
    case .ids(let ids):
      return ProviderResponse(
        .json(
          200,
          [
            "@odata.context": .string(base + "Collection(Edm.String)"),
            "value": .array(ids.map(JSONValue.string)),
          ]))
    case .revoke:
      return ProviderResponse(
        .json(200, ["@odata.context": .string(base + "Edm.Boolean"), "value": .bool(true)]))
    }
  }

  private func problem(
    _ status: Int, _ code: String, _ message: String, _ context: RequestContext
  ) -> ProviderResponse {
    ProviderResponse(.json(status, body(code, message, context)))
  }

  private func body(_ code: String, _ message: String, _ context: RequestContext) -> JSONValue {
    [
      "error": [
        "code": .string(code), "message": .string(message),
        "innerError": [
          "date": .string(String(provider.now.iso8601.prefix(19))),
          "request-id": .string(context.correlationID),
          "client-request-id": .string(context.correlationID),
        ],
      ]
    ]
  }
}

private func checkGraphPermission(_ reading: AccessTokenReading, _ permissions: [String]) -> RuleResult {
  let roles = reading.claims["roles"]?.array?.compactMap { $0.string?.lowercased() } ?? []
  let holds = permissions.contains { reading.hasScope($0.lowercased()) || roles.contains($0.lowercased()) }
  return RuleResult(
    "permission", expected: permissions.joined(separator: " or "),
    found: reading.claims["scp"]?.string ?? (roles.isEmpty ? "none" : roles.joined(separator: " ")), holds,
    source: "graph.md §2",
    else: OAuthError(.insufficientScope, "Insufficient privileges to complete the operation."))
}

/// A query to Microsoft Graph: the data that it returns and the permissions that it requires.
struct GraphQuery {
  enum Answer {
    /// An entity and its entity set.
    case one([String: JSONValue], of: String)
    case many([[String: JSONValue]], of: String)
    case ids([String])
    case revoke(DirectoryUser)
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
    _ path: [String], _ method: String, caller: DirectoryUser?, in graph: GraphDirectory
  ) throws -> GraphQuery? {
    let words = path.map { $0.lowercased() }
    let isRead = method == "GET" || method == "HEAD"
    switch (words.first, path.count) {
    case ("me", _):
      guard let caller else { throw GraphProblem.appHasNoMe }
      let own = ["User.Read", "User.ReadWrite"] + readUsers
      return try below(caller, words.dropFirst(), isRead, own, in: graph)
    case ("users", 1) where isRead:
      return GraphQuery(.many(try graph.people().map(graph.json), of: "users"), readUsers)
    case ("users", 2...):
      return try below(graph.person(path[1]), words.dropFirst(2), isRead, readUsers, in: graph)
    case ("organization", 1) where isRead:
      return GraphQuery(.many([try graph.organization()], of: "organization"), readOrganization)
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
    _ person: DirectoryUser, _ rest: ArraySlice<String>, _ isRead: Bool, _ permissions: [String],
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

  private static let readOrganization =
    ["Organization.Read.All", "Organization.ReadWrite.All", "User.Read"] + readDirectory
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

  func people() throws -> [DirectoryUser] {
    try directory.people().filter { $0.objectID(in: tenantID) != nil }
  }

  /// Returns the tenant.
  func organization() throws -> [String: JSONValue] {
    guard let tenant = try directory.tenant(byNameOrID: tenantID) else {
      throw GraphProblem.missing(tenantID)
    }
    let domains: [JSONValue] = tenant.domains.enumerated().map { index, name in
      [
        "name": .string(name), "type": "Managed", "isDefault": .bool(index == 0),
        "isInitial": .bool(index == 0),
        "capabilities": "Email, OfficeCommunicationsOnline",
      ]
    }
    return [
      "id": .string(tenant.id), "displayName": .string(tenant.displayName), "tenantType": "AAD",
      "verifiedDomains": .array(domains), "businessPhones": [], "countryLetterCode": .null,
      "assignedPlans": [], "technicalNotificationMails": [],
    ]
  }

  func groups() throws -> [Group] { try directory.groups().filter { $0.tenantID == tenantID } }

  /// Returns the user with this object ID or user principal name.
  func person(_ name: String) throws -> DirectoryUser {
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
  func roleAssignments(of person: DirectoryUser) throws -> [[String: JSONValue]] {
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

  func json(_ person: DirectoryUser) -> [String: JSONValue] {
    [
      "id": .string(person.objectID(in: tenantID) ?? person.objectID),
      "userPrincipalName": .string(person.username), "displayName": .string(person.displayName),
      "givenName": person.givenName.map(JSONValue.string) ?? .null,
      "surname": person.familyName.map(JSONValue.string) ?? .null, "mail": .string(person.username),
      "businessPhones": [], "jobTitle": .null, "mobilePhone": .null, "officeLocation": .null,
      "preferredLanguage": .null, "accountEnabled": .bool(!person.isDisabled),
      "userType": person.homeTenantID == tenantID ? "Member" : "Guest",
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

/// A page of a Microsoft Graph collection, with the link to the next page (docs/behaviour/graph.md §2(4)).
struct GraphPage {
  /// The number of objects on a page if `$top` does not specify one.
  private static let usual = 100
  private static let sizes = 1...999

  let objects: ArraySlice<[String: JSONValue]>
  /// `@odata.nextLink`, or `nil` on the last page.
  let next: String?

  /// Creates the requested page of the collection `all`, whose objects must have an `id`.
  ///
  /// - Throws: ``GraphProblem`` if the page size or the skip token is not valid.
  init(of all: [[String: JSONValue]], _ request: HTTPRequest) throws(GraphProblem) {
    var size = Self.usual
    if let top = request.query["$top"] {
      guard let number = Int(top), Self.sizes.contains(number) else { throw .pageSize(top) }
      size = number
    }
    var start = 0
    if let token = request.query["$skiptoken"] {
      guard let id = Base64URL.decode(token),
        let last = all.firstIndex(where: { $0["id"]?.string.map { Array($0.utf8) } == id })
      else { throw .expiredPage }
      start = last + 1
    }
    objects = all[start...].prefix(size)
    next = objects.endIndex < all.count ? Self.link(behind: objects.last?["id"]?.string ?? "", request) : nil
  }

  /// Returns the same request for the page that starts after an object.
  private static func link(behind id: String, _ request: HTTPRequest) -> String {
    let kept = request.query.filter { $0.name != "$skiptoken" }
    let query = FormEncoding.encode(kept + [NameValue("$skiptoken", Base64URL.encode(Array(id.utf8)))])
    return "\(request.origin)\(request.path)?\(query.replacing("%24", with: "$"))"
  }
}

/// An error that Microsoft Graph returns.
struct GraphProblem: Error {
  let status: Int
  let code: String
  let displayText: String

  static let appHasNoMe = GraphProblem(
    status: 400, code: "BadRequest",
    displayText: "/me request is only valid with delegated authentication flow.")

  /// A user or group that does not exist.
  static func missing(_ name: String) -> GraphProblem {
    GraphProblem(
      status: 404, code: "Request_ResourceNotFound",
      displayText:
        "Resource '\(name)' does not exist or one of its queried reference-property objects are not present."
    )
  }

  static func pageSize(_ size: String) -> GraphProblem {
    GraphProblem(
      status: 400, code: "Request_UnsupportedQuery",
      displayText: "Invalid page size specified: '\(size)'. Must be between 1 and 999 inclusive.")
  }

  static let expiredPage = GraphProblem(
    status: 400, code: "Directory_ExpiredPageToken",
    displayText: "The specified page token value has expired and can no longer be included in your request.")
}
