/// The user of a legacy item: a view of an archived `ADUserInformation` (docs/behaviour/adal.md §2, §6).
package struct LegacyUser: Hashable, Sendable {
  static let className = "ADUserInformation"
  static let fields: [String: ArchivedClass.Kind] = [
    "rawIdToken": .string, "allClaims": .dictionary, "userId": .string, "userIdDisplayable": .bool,
  ]

  package var object: ArchivedObject

  init(object: ArchivedObject) { self.object = object }

  /// Creates a user from an ID token, or returns `nil` if it cannot be read or does not identify a user.
  package init?(idToken: String) {
    guard let claims = Self.claims(of: idToken), let user = Self.userID(of: claims) else { return nil }
    object = ArchivedObject(
      Self.className,
      [
        "rawIdToken": .string(idToken), "userId": .string(user.id),
        "userIdDisplayable": .bool(user.isDisplayable),
        "allClaims": .dictionary(
          Dictionary(uniqueKeysWithValues: claims.map { (.string($0.key), ArchivedValue($0.value)) })),
      ])
  }

  package var rawIDToken: String? { object.fields["rawIdToken"]?.string }

  /// The claims of the ID token, which IdentityCore reads from the token itself and not from `allClaims`.
  package var claims: [String: JSONValue] {
    rawIDToken.flatMap(Self.claims) ?? [:]
  }

  /// The displayable ID in lowercase, which is the keychain's account.
  package var userID: String { Self.userID(of: claims)?.id ?? normalized(object.fields["userId"]?.string) }

  /// `UniqueId`: the object ID or, if there is none, the subject.
  package var uniqueID: String? { claims["oid"]?.string ?? claims["sub"]?.string }

  /// Returns the claims of an ID token, even if it consists of claims without header and signature (adal.md §2(7)).
  private static func claims(of idToken: String) -> [String: JSONValue]? {
    if let token = try? JSONWebToken(unverified: idToken) { return token.claims }
    guard idToken.utf8.count <= JSONWebToken.maximumLength, let bytes = Base64URL.decode(idToken) else {
      return nil
    }
    return JSONValue(bounded: bytes)?.object
  }

  /// Returns the first claim that is present, in an order that depends on the token's version (adal.md §2(5), §2(6)).
  private static func userID(of claims: [String: JSONValue]) -> (id: String, isDisplayable: Bool)? {
    func text(_ name: String) -> String { normalized(claims[name]?.string) }
    let names: [String]
    let displayable: Set<String>
    switch Double(text("ver")) {
    case 2: (names, displayable) = (["preferred_username", "sub"], ["preferred_username", "sub"])
    case let version where version == 1 || !text("upn").isEmpty || !text("unique_name").isEmpty:
      names = ["upn", "email", "sub", "oid", "unique_name", "altsecid"]
      displayable = ["upn", "email", "unique_name"]
    default: (names, displayable) = (["sub"], [])
    }
    return names.first { !text($0).isEmpty }.map { (text($0), displayable.contains($0)) }
  }
}

extension ArchivedValue {
  /// Creates the value that Foundation's JSON reader would pass to the archiver for a claim.
  init(_ json: JSONValue) {
    self =
      switch json {
      case .null: .null
      case .bool(let flag): .bool(flag)
      case .integer(let number): .integer(number)
      case .number(let number): .real(number)
      case .string(let text), .numeral(let text): .string(text)
      case .array(let elements): .array(elements.map(ArchivedValue.init))
      case .object(let members):
        .dictionary(
          Dictionary(uniqueKeysWithValues: members.map { (.string($0.key), ArchivedValue($0.value)) }))
      }
  }
}
