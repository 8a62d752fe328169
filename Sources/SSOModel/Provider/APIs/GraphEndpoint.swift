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
        return problem(404, "BadRequest", "Resource not found for the segment '\(segment)'.", context)
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
      return problem(error.status, error.code, error.words, context)
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
    let selected = context.request.query["$select"]?.split(separator: ",").map(String.init)
    func select(_ object: [String: JSONValue]) -> [String: JSONValue] {
      guard let selected else { return object }
      return object.filter { selected.contains($0.key) || $0.key.hasPrefix("@odata") }
    }
    switch answer {
    case .one(let object, let set):
      let context: [String: JSONValue] = ["@odata.context": .string("\(base)\(set)/$entity")]
      return ProviderResponse(.json(200, .object(select(object).merging(context) { $1 })))
    case .many(let objects, let set):
      let page = try GraphPage(of: objects, context.request)
      var body: [String: JSONValue] = [
        "@odata.context": .string(base + set), "value": .array(page.objects.map { .object(select($0)) }),
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
