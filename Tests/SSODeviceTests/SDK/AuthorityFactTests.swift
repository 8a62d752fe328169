import Testing

@testable import SSODevice

/// The SDK's interpretation of an authority's URL (docs/behaviour/interactive-call.md §4).
///
/// The facts are from `CCT/MSIDB2CAuthorityTests.m`, `MSIDAADAuthorityTests.m`, `MSIDCIAMAuthorityTests.m`,
/// `MSIDADFSAuthorityTests.m`, and `MSALPublicClientApplicationTests.m`.
struct AuthorityFactTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var given: String
    var kind: Authority.Kind
    var url: String
    var environment: String
    var realm: String
    var testDescription: String { given }

    init(_ given: String, _ kind: Authority.Kind, _ url: String, _ environment: String, _ realm: String) {
      (self.given, self.kind, self.url, self.environment, self.realm) = (
        given, kind, url, environment, realm
      )
    }
  }

  private static let msft = "login.microsoftonline.com"

  @Test(arguments: [
    Row("https://\(msft)/tfp/tenant/policy", .b2c, "https://\(msft)/tfp/tenant/policy", msft, "tenant"),
    Row("https://\(msft)/tfp/tenant/policy/qwe", .b2c, "https://\(msft)/tfp/tenant/policy", msft, "tenant"),
    Row(
      "https://\(msft)/tfp/tenant/policy/qwe?bad=param", .b2c, "https://\(msft)/tfp/tenant/policy", msft,
      "tenant"),
    Row("https://\(msft)/tfp/tenant/policy/", .b2c, "https://\(msft)/tfp/tenant/policy", msft, "tenant"),
    Row("https://\(msft)/TFP/tenant/policy", .b2c, "https://\(msft)/TFP/tenant/policy", msft, "tenant"),
    Row(
      "https://\(msft):8080/tfp/tenant/policy", .b2c, "https://\(msft):8080/tfp/tenant/policy",
      "\(msft):8080", "tenant"),
    Row(
      "https://contoso.com:8080/tfp/tenant/policy", .b2c, "https://contoso.com:8080/tfp/tenant/policy",
      "contoso.com:8080", "tenant"),
    Row(
      "https://contoso.b2clogin.com/contoso.onmicrosoft.com/nontfp_path/B2C_1_signup-signin", .b2c,
      "https://contoso.b2clogin.com/contoso.onmicrosoft.com/nontfp_path/B2C_1_signup-signin",
      "contoso.b2clogin.com", "/contoso.onmicrosoft.com/nontfp_path/B2C_1_signup-signin"),
    Row(
      "https://myb2c.authority.com/mypath/mypath2/mypolicy/mypolicy2?policyId=queryParam", .b2c,
      "https://myb2c.authority.com/mypath/mypath2/mypolicy/mypolicy2", "myb2c.authority.com",
      "/mypath/mypath2/mypolicy/mypolicy2"),
    Row(
      "https://www.somehost.com:8080/nontfpstring/shortpath?query=param", .b2c,
      "https://www.somehost.com:8080/nontfpstring/shortpath", "www.somehost.com:8080",
      "/nontfpstring/shortpath"),
    Row("https://\(msft)/common", .aad, "https://\(msft)/common", msft, "common"),
    Row("https://\(msft)/common/qwe", .aad, "https://\(msft)/common", msft, "common"),
    Row("https://\(msft)/common/", .aad, "https://\(msft)/common", msft, "common"),
    Row("https://\(msft)/common?bad=param", .aad, "https://\(msft)/common", msft, "common"),
    Row(
      "https://LOGIN.microsoftonline.com/Contoso.com", .aad, "https://\(msft)/Contoso.com", msft,
      "contoso.com"),
    Row("https://\(msft):8080/common", .aad, "https://\(msft):8080/common", "\(msft):8080", "common"),
    Row("https://fs.contoso.com/adfs", .adfs, "https://fs.contoso.com/adfs", "fs.contoso.com", "/adfs"),
    Row("https://fs.contoso.com/adfs/qwe", .adfs, "https://fs.contoso.com/adfs", "fs.contoso.com", "/adfs"),
    Row(
      "https://tenant.ciamlogin.com", .ciam, "https://tenant.ciamlogin.com/tenant.onmicrosoft.com",
      "tenant.ciamlogin.com", "tenant.onmicrosoft.com"),
    Row(
      "https://tenant.ciamlogin.com/tenant.onmicrosoft.com", .ciam,
      "https://tenant.ciamlogin.com/tenant.onmicrosoft.com", "tenant.ciamlogin.com",
      "tenant.onmicrosoft.com"),
  ])
  func anAuthority(_ row: Row) throws {
    let authority = try Authority(row.given)
    #expect(authority.kind == row.kind)
    #expect(authority.url == row.url)
    #expect(authority.host == row.environment)
    #expect(authority.realm == row.realm)
    #expect(authority.supportsBroker == (row.kind == .aad))
    #expect(authority.takesClientIDAsScope == (row.kind == .b2c))
  }

  @Test(arguments: [
    ("http://\(msft)/tfp/tenant/policy", "authority must use HTTPS."),
    ("http://\(msft)/common", "authority must use HTTPS."),
    (
      "https://\(msft)/tfp/tenant",
      "B2C authority should have at least 3 segments in the path (i.e. https://<host>/tfp/<tenant>/<policy>/...)"
    ),
    ("https://\(msft)", "authority must have AAD tenant."),
    ("", "'authority' is a required parameter and must not be nil or empty."),
  ])
  func anAuthorityThatIsNone(_ given: String, _ text: String) {
    let error = #expect(throws: SDKError.self) { try Authority(given) }
    #expect(error?.description == text)
    #expect(error?.code == -50000)
    #expect(error?.internalCode == -42008)
  }

  /// `initWithURL:…rawTenant:` replaces the requested tenant with the tenant of `client_info`, if the URL has one.
  @Test(arguments: [
    ("https://\(msft):8080/tfp/tenant/policy", "https://\(msft):8080/tfp/new_tenantId/policy"),
    ("https://contoso.b2clogin.com/tenant/policy", "https://contoso.b2clogin.com/tenant/policy"),
    ("https://\(msft)/common", "https://\(msft)/new_tenantId"),
    ("https://fs.contoso.com/adfs", "https://fs.contoso.com/adfs"),
  ])
  func anotherTenant(_ given: String, _ url: String) throws {
    #expect(try Authority(given).with(tenant: "new_tenantId").url == url)
  }
}
