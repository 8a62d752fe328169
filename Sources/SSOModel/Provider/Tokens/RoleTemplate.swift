import Essentials
import SSOCore

/// The template ID of a directory role in the claim `wids`.
///
/// The first is of Microsoft Learn, "Microsoft Entra built-in roles". The others are not roles that an administrator assigns:
/// recorded tokens of members, guests, and apps have them.
enum RoleTemplate: String {
  case globalAdministrator = "62e90394-69f5-4237-9190-012177145e10"
  case member = "b79fbf4d-3ef9-4689-8143-76b194e85509"
  case guest = "13bd1c72-6f4a-4dcf-985f-18d3b80f208a"
  case app = "0997a1d0-0d1d-4acb-b408-d5ca73121e90"

  var json: JSONValue { .string(rawValue) }
}

/// The claims that only Microsoft's own services read, and those of Graph's tokens.
extension TokenIssuer {
  static let markNames = ["uti", "rh"]

  /// Adds `uti`, the ID of the tokens of one response, and `rh`, which names their tenant and API.
  ///
  /// Microsoft calls `rh` opaque. Its form is that of recorded tokens: a version, a period, and in base64url two GUIDs between
  /// numbers, the last of which differs from user to user.
  func mark(
    _ claims: inout [String: JSONValue], tenantID: String, appID: String, objectID: String
  ) {
    let unit = sha256(tenantID.lowercased().utf8)[0]
    let user = sha256(objectID.lowercased().utf8)[0]
    let bytes = [1, unit, 1] + Self.guidBytes(tenantID) + Self.guidBytes(appID) + [0, 0, user, unit, 1]
    claims["uti"] = .string(Base64URL.encode(random.bytes(16)))
    claims["rh"] = .string("1." + Base64URL.encode(bytes) + ".")
  }

  /// Returns the 16 bytes of a GUID as Windows stores them, or of another name, which only a lab has, 16 bytes of its hash.
  private static func guidBytes(_ name: String) -> [UInt8] {
    guard let guid = UUID(uuidString: name)?.uuid else {
      return Array(sha256(name.lowercased().utf8).prefix(16))
    }
    return [
      guid.3, guid.2, guid.1, guid.0, guid.5, guid.4, guid.7, guid.6, guid.8, guid.9, guid.10, guid.11,
      guid.12, guid.13, guid.14, guid.15,
    ]
  }

  /// Returns `wids`, the directory roles of a user in a tenant.
  ///
  /// A user of the lab is an administrator, or not (Microsoft Learn, "Access token claims reference": `wids`).
  static func roleTemplates(of person: DirectoryUser, tenantID: String) -> JSONValue {
    guard person.homeTenantID == tenantID else { return [RoleTemplate.guest.json] }
    let roles: [RoleTemplate] = person.isAdministrator == true ? [.globalAdministrator, .member] : [.member]
    return .array(roles.map(\.json))
  }

  /// Returns whether each token of a user for an API has `wids`, as recorded ones of Graph and of Azure Resource Manager do.
  static func namesRoles(_ appID: String) -> Bool {
    [
      ProtectedResource.graphAppID, ProtectedResource.legacyGraphAppID,
      ProtectedResource.resourceManagerAppID,
    ].contains(appID)
  }

  /// Adds the undocumented claims of recorded access tokens of users for Graph: `xms_st` is
  /// the `sub` of the client's ID token.
  func addClaimsOfGraph(_ claims: inout [String: JSONValue], _ request: TokenIssueRequest) {
    let objectID = request.person.objectID(in: request.tenantID) ?? request.person.objectID
    claims["acct"] = .integer(request.tenantID == request.person.homeTenantID ? 0 : 1)
    claims["app_displayname"] = .string(request.client.displayName)
    claims["idtyp"] = "user"
    claims["xms_st"] = ["sub": .string(Self.subject(objectID, request.client.clientID))]
  }
}
