/// Somebody who can sign in. At home in one tenant, a guest in others.
public struct Person: Codable, Hashable, Sendable {
  /// `oid` in the home tenant, `uid` of the home account ID.
  public var objectID: String
  public var homeTenantID: String
  /// What is typed: `alice@contoso.com`. Unique without regard to case.
  public var username: String
  public var displayName: String
  public var givenName: String?
  public var familyName: String?
  /// In the clear: a lab's password protects nothing, and its bytes are sealed by the store.
  public var password: String
  public var requiresMFA: Bool
  public var isDisabled: Bool
  /// Object ID by tenant ID, of the tenants where this person is a guest (fact sheet §3.7).
  public var guestIn: [String: String]
  /// A personal Microsoft account.
  public var isPersonal: Bool
  /// Thumbprints of the certificates this person may sign in with (claim D4).
  public var certificates: [String]?

  public init(
    objectID: String, homeTenantID: String, username: String, displayName: String,
    givenName: String? = nil, familyName: String? = nil, password: String, requiresMFA: Bool = false,
    isDisabled: Bool = false, guestIn: [String: String] = [:], isPersonal: Bool = false,
    certificates: [String]? = nil
  ) {
    self.objectID = objectID
    self.homeTenantID = homeTenantID
    self.username = username
    self.displayName = displayName
    self.givenName = givenName
    self.familyName = familyName
    self.password = password
    self.requiresMFA = requiresMFA
    self.isDisabled = isDisabled
    self.guestIn = guestIn
    self.isPersonal = isPersonal
    self.certificates = certificates
  }

  /// Object ID in that tenant: the home one, a guest's, or nil if the tenant does not know this person.
  public func objectID(in tenantID: String) -> String? {
    tenantID == homeTenantID ? objectID : guestIn[tenantID]
  }

  public var clientInfo: ClientInfo { ClientInfo(uid: objectID, utid: homeTenantID) }
}
