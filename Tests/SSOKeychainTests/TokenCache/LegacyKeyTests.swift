import Foundation
import Testing

@testable import SSOCore
@testable import SSOKeychain

/// The literals of docs/behaviour/adal.md §1.
struct LegacyKeyTests {
  @Test func anAccessTokensKeyIsTheProductsTestLiteral() {
    let key = LegacyKey(
      authority: "https://login.microsoftonline.com/common", resource: "resource", clientID: "client",
      userID: "test_upn@test_devex.com")
    #expect(key.account == "dGVzdF91cG5AdGVzdF9kZXZleC5jb20")
    #expect(
      key.service
        == "MSOpenTech.ADAL.1|aHR0cHM6Ly9sb2dpbi5taWNyb3NvZnRvbmxpbmUuY29tL2NvbW1vbg|cmVzb3VyY2U|Y2xpZW50")
    let item = key.item(in: "TEAM.com.microsoft.adalcache", data: Data(), at: Instant(0))
    #expect(item.generic == Data("MSOpenTech.ADAL.1".utf8) && item.type == nil && item.isLegacy)
  }

  @Test(arguments: [nil, "", "  "]) func noResourceIsWrittenAsTheNilGUIDUncoded(_ resource: String?) {
    let key = LegacyKey(
      authority: "https://login.windows.net/common", resource: resource, clientID: "client", userID: nil)
    #expect(
      key.service
        == "MSOpenTech.ADAL.1|aHR0cHM6Ly9sb2dpbi53aW5kb3dzLm5ldC9jb21tb24|CC3513A0-0E69-4B4D-97FC-DFB6C91EE132"
        + "|Y2xpZW50")
    #expect(key.account.isEmpty)
  }

  @Test func everyPartIsLowerCaseAndTrimmed() {
    let loud = LegacyKey(
      authority: " HTTPS://Login.Windows.Net/Common ", resource: " Resource", clientID: "CLIENT ",
      userID: " Ada@Contoso.com ")
    let quiet = LegacyKey(
      authority: "https://login.windows.net/common", resource: "resource", clientID: "client",
      userID: "ada@contoso.com")
    #expect(loud == quiet)
  }

  @Test func theFamilysCopyAndIntunesPartAreInTheService() {
    let family = LegacyKey(
      authority: "a", resource: nil, clientID: LegacyKey.familyClientID("1"), userID: "u")
    #expect(family.service.hasSuffix("|" + Base64URL.encode("foci-1".utf8)))
    let apart = LegacyKey(
      authority: "a", resource: nil, clientID: "c", userID: "u", appIdentifier: "com.myapp")
    #expect(apart.service.hasPrefix("MSOpenTech.ADAL.1-Y29tLm15YXBw|"))
  }
}
