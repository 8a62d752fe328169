/// A person who can sign in: a member of one tenant, perhaps a guest in others.
package struct Person: Codable, Hashable, Sendable {
  /// `oid` in the home tenant, `uid` of the home account ID.
  package var objectID: String
  package var homeTenantID: String
  /// What is typed: `alice@contoso.com`.
  ///
  /// Unique without regard to case.
  package var username: String
  package var displayName: String
  package var givenName: String?
  package var familyName: String?
  /// In the clear: a lab's password protects nothing, and its bytes are sealed by the store.
  package var password: String
  package var requiresMFA: Bool
  package var isDisabled = false
  /// As if in more groups than a token names, whatever groups there are (docs/behaviour/graph.md §1).
  package var hasManyGroups: Bool?
  /// Object ID by tenant ID, of the tenants where this person is a guest (docs/behaviour/interactive-call.md §5).
  package var guestIn: [String: String]
  /// A personal Microsoft account.
  package var isPersonal: Bool
  /// Thumbprints of the certificates this person may sign in with (claim D4).
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

  /// Object ID in that tenant: the home one, a guest's, or nil if the tenant does not know this person.
  package func objectID(in tenantID: String) -> String? {
    tenantID == homeTenantID ? objectID : guestIn[tenantID]
  }

  package var clientInfo: ClientInfo { ClientInfo(uid: objectID, utid: homeTenantID) }
}
