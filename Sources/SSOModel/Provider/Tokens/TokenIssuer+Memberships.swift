/// The claims `groups` and `roles`, as the app's registration requests them (docs/behaviour/graph.md §1).
extension TokenIssuer {
  /// The maximum number of groups in a token.
  ///
  /// A token in a URL contains fewer.
  static let mostGroups = 200
  static let mostGroupsInAddress = 5

  private var directory: Directory { Directory(documents: refreshTokens.documents) }

  /// Adds `groups` and `roles` as an app's registration requests them.
  ///
  /// The app is the API for an access token and the client for an ID token.
  func addMemberships(
    _ claims: inout [String: JSONValue], _ request: TokenIssueRequest, toAppOf appID: String
  ) throws {
    let (person, tenantID) = (request.person, request.tenantID)
    let roles = try appRoles.roles(at: appID)
    let wish = try directory.registration(clientID: appID)?.groupMembershipClaims ?? .none
    guard !roles.isEmpty || wish != .none else { return }
    let memberships = try Memberships(directory, tenantID: tenantID)
    let values = roles.values(of: [person.username] + memberships.direct(of: person.username).map(\.name))
    if !values.isEmpty { claims["roles"] = .array(values.map(JSONValue.string)) }
    guard wish != .none else { return }
    let groups = memberships.transitive(of: person.username).map(\.objectID)
    let hasTooMany = person.hasManyGroups ?? false
    if request.isInAddress, hasTooMany || groups.count > Self.mostGroupsInAddress {
      claims["hasgroups"] = .bool(true)
    } else if hasTooMany || groups.count > Self.mostGroups {
      let objectID = person.objectID(in: tenantID) ?? person.objectID
      claims["_claim_names"] = ["groups": "src1"]
      claims["_claim_sources"] = [
        "src1": [
          "endpoint": .string(
            "https://graph.windows.net/\(tenantID)/users/\(objectID)/getMemberObjects")
        ]
      ]
    } else if !groups.isEmpty {
      claims["groups"] = .array(groups.map(JSONValue.string))
    }
  }

  /// Adds the roles of an app or a managed identity that acts for itself.
  func addRoles(_ claims: inout [String: JSONValue], of names: [String], toAppOf appID: String) throws {
    let values = try appRoles.roles(at: appID).values(of: names)
    if !values.isEmpty { claims["roles"] = .array(values.map(JSONValue.string)) }
  }
}
