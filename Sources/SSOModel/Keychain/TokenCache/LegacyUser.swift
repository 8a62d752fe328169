/// Who a legacy item is for: a view over an archived `ADUserInformation` (docs/behaviour/adal.md §2, §6).
package struct LegacyUser: Hashable, Sendable {
  static let className = "ADUserInformation"
  static let fields: [String: ArchivedClass.Kind] = [
    "rawIdToken": .string, "allClaims": .dictionary, "userId": .string, "userIdDisplayable": .bool,
  ]

  package var object: ArchivedObject

  init(object: ArchivedObject) { self.object = object }

  /// From an ID token; nil if it cannot be read, or names nobody.
  package init?(idToken: String) {
    guard let claims = try? JSONWebToken(unverified: idToken).claims else { return nil }
    guard let (claim, id) = Self.userID(of: claims) else { return nil }
    object = ArchivedObject(
      Self.className,
      [
        "rawIdToken": .string(idToken), "userId": .string(id),
        "userIdDisplayable": .bool(["upn", "email", "preferred_username"].contains(claim)),
        "allClaims": .dictionary(
          Dictionary(uniqueKeysWithValues: claims.map { (.string($0.key), ArchivedValue($0.value)) })),
      ])
  }

  package var rawIDToken: String? { object.fields["rawIdToken"]?.string }

  /// The claims of the ID token: IdentityCore reads them from the token itself, not from `allClaims`.
  package var claims: [String: JSONValue] {
    rawIDToken.flatMap { try? JSONWebToken(unverified: $0).claims } ?? [:]
  }

  /// The displayable ID in lower case: the keychain's account.
  package var userID: String { Self.userID(of: claims)?.id ?? normalized(object.fields["userId"]?.string) }

  /// `UniqueId`: the object ID, else the subject.
  package var uniqueID: String? { claims["oid"]?.string ?? claims["sub"]?.string }

  /// First present: v1 `upn`, `email`, `sub`, `oid`, `unique_name`, `altsecid`; v2 `preferred_username`, else `sub`.
  private static func userID(of claims: [String: JSONValue]) -> (claim: String, id: String)? {
    let isFirst =
      claims["ver"]?.string.map { $0 == "1.0" } ?? (claims["upn"] != nil || claims["unique_name"] != nil)
    let names =
      isFirst ? ["upn", "email", "sub", "oid", "unique_name", "altsecid"] : ["preferred_username", "sub"]
    for name in names {
      if let id = claims[name]?.string, !normalized(id).isEmpty { return (name, normalized(id)) }
    }
    return nil
  }
}

extension ArchivedValue {
  /// A claim as Foundation's JSON reader gives it to the archiver.
  init(_ json: JSONValue) {
    self =
      switch json {
      case .null: .null
      case .bool(let flag): .bool(flag)
      case .integer(let number): .integer(number)
      case .number(let number): .real(number)
      case .string(let text): .string(text)
      case .array(let elements): .array(elements.map(ArchivedValue.init))
      case .object(let members):
        .dictionary(
          Dictionary(uniqueKeysWithValues: members.map { (.string($0.key), ArchivedValue($0.value)) }))
      }
  }
}
