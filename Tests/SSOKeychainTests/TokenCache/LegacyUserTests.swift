import Testing

@testable import KeyedArchive
@testable import SSOCore
@testable import SSOKeychain

/// The user of an ID token (docs/behaviour/adal.md §2(5)–(7)).
///
/// The cases are those of `ADAL/tests/unit/ADALUserInformationTests.m` and of
/// `CC@6.0.5/oauth2/aad_v1/MSIDAADV1IdTokenClaims.m`, `aad_v2/MSIDAADV2IdTokenClaims.m`.
struct LegacyUserTests {
  private func encoded(_ claims: [String: String]) -> String {
    Base64URL.encode(JSONValue.object(claims.mapValues(JSONValue.string)).bytes(.wire))
  }

  struct Claims: CustomTestStringConvertible {
    var claims: [String: String]
    var userID: String?
    var isDisplayable = true
    var testDescription: String { claims.keys.sorted().joined(separator: ", ") + (claims["ver"] ?? "") }
  }

  @Test(arguments: [
    Claims(claims: ["ver": "1.0", "upn": " Eric_Cartman@contoso.com  "], userID: "eric_cartman@contoso.com"),
    Claims(claims: ["ver": "1.0", "email": "e@contoso.com", "sub": "s"], userID: "e@contoso.com"),
    Claims(claims: ["ver": "1.0", "sub": "s", "unique_name": "u"], userID: "s", isDisplayable: false),
    Claims(claims: ["ver": "1.0", "oid": "o", "unique_name": "u"], userID: "o", isDisplayable: false),
    Claims(claims: ["ver": "1.0", "unique_name": "u", "altsecid": "a"], userID: "u"),
    Claims(claims: ["ver": "1.0", "altsecid": "a"], userID: "a", isDisplayable: false),
    Claims(claims: ["ver": "1.0", "upn": "   ", "sub": "s"], userID: "s", isDisplayable: false),
    Claims(
      claims: ["ver": "2.0", "preferred_username": "P@contoso.com", "upn": "u"], userID: "p@contoso.com"),
    Claims(claims: ["ver": "2.0", "sub": "s", "email": "e"], userID: "s"),
    Claims(claims: ["upn": "u", "preferred_username": "p"], userID: "u"),
    Claims(claims: ["unique_name": "u", "preferred_username": "p"], userID: "u"),
    Claims(claims: ["preferred_username": "p", "sub": "s"], userID: "s", isDisplayable: false),
    Claims(claims: ["ver": "3.0", "preferred_username": "p", "sub": "s"], userID: "s", isDisplayable: false),
    Claims(claims: ["ver": "1.0", "tid": "t", "family_name": "Vidolov"], userID: nil),
  ])
  func theUserIsTheFirstClaimOfTheTokensVersion(_ row: Claims) {
    let whole = LegacyUser(idToken: encoded(["alg": "none"]) + "." + encoded(row.claims) + ".")
    let onePart = LegacyUser(idToken: encoded(row.claims))
    for user in [whole, onePart] {
      #expect(user?.userID == row.userID)
      #expect(user?.object.fields["userId"]?.string == row.userID)
      guard row.userID != nil else { continue }
      #expect(user?.object.fields["userIdDisplayable"] == .bool(row.isDisplayable))
    }
  }

  @Test(arguments: ["", ".....", "{\"upn\":\"u\"}", Base64URL.encode(Array("{\"upn\":\"u\"".utf8))])
  func whatIsNoTokenIsForNobody(_ text: String) {
    #expect(LegacyUser(idToken: text) == nil)
  }

  /// The unique ID is the object ID, or else the subject.
  @Test(arguments: [(["oid": "o", "sub": "s", "upn": "u"], "o"), (["sub": "s", "upn": "u"], "s")])
  func theUniqueIDIsTheObjectID(_ claims: [String: String], _ id: String) {
    #expect(LegacyUser(idToken: encoded(claims))?.uniqueID == id)
  }
}
