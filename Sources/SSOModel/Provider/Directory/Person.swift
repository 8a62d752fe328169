/// A user who can sign in: a member of one tenant and possibly a guest in others.
package struct Person: Codable, Hashable, Sendable {
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
