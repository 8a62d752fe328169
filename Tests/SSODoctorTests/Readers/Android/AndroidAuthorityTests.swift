import DoctorTestSupport
import Foundation
import SSOCore
import Testing

@testable import SSODoctor

/// The addresses of authorities in a configuration of MSAL for Android, and in C# code.
@Suite struct AndroidAuthorityTests {
  private static let usual = "\"audience\": { \"type\": \"AzureADMultipleOrgs\" }"

  private static func fixture(_ type: String, _ entry: String) -> AndroidFixture {
    var fixture = AndroidFixture()
    fixture.replace(
      "\"type\": \"AAD\", \(usual)", with: "\"type\": \"\(type)\", \(entry)", in: AndroidFixture.configuration
    )
    return fixture
  }

  @Test(arguments: [
    ("AAD", "https://login.microsoftonline.com/contoso.com", ""),
    ("AAD", "https://login.partner.microsoftonline.cn/contoso.com", ""),
    ("AAD", "https://login.microsoftonline.com/", ""),
    ("B2C", "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_in/", ""),
    ("B2C", "https://contoso.b2clogin.cn/tfp/contoso.onmicrosoft.cn/B2C_1_in/", ""),
    ("B2C", "https://login.contoso.com/contoso.onmicrosoft.com/B2C_1_in/", ""),
    ("CIAM", "https://contoso.ciamlogin.com/", ""),
    ("ADFS", "https://fs.contoso.com/adfs", ""),
    ("AAD", "https://login.microsoftonlin.com/contoso.com", "The authority's host is misspelt"),
    (
      "B2C", "https://contoso.b2clogn.com/contoso.onmicrosoft.com/B2C_1_in",
      "The authority's host is misspelt"
    ),
    ("CIAM", "https://contoso.ciamlogon.com/", "The authority's host is misspelt"),
    ("AAD", "login.microsoftonline.com/common", "The authority is not an https URL"),
    (
      "B2C", "http://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_in",
      "The authority is not an https URL"
    ),
    (
      "AAD", "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
      "The authority is an endpoint's address"
    ),
    ("AAD", "https://login.microsoftonline.com/contoso.com/v2.0", "The authority is an endpoint's address"),
    (
      "B2C", "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_in/oauth2/v2.0/authorize",
      "The authority is an endpoint's address"
    ),
  ])
  func anAuthorityIsAtItsAddress(_ type: String, _ url: String, _ mistake: String) throws {
    let errors = try OutsideTests.findings(Self.fixture(type, "\"authority_url\": \"\(url)\"").files)
      .filter { $0.severity == .fails }
    #expect(errors.map(\.mistake) == (mistake.isEmpty ? [] : [mistake]), "\(errors)")
    #expect(errors.allSatisfy { $0.rule == .authority && $0.place.line == 5 })
  }

  /// Entra's own address of a known host is an https URL.
  @Test func aKnownHostNeedsNoSecureScheme() throws {
    let files = Self.fixture("AAD", "\"authority_url\": \"http://login.microsoftonline.com/common\"").files
    #expect(try OutsideTests.findings(files).map(\.severity) == [.worksInSomeCases])
  }

  @Test(arguments: [("", 1), (", \"tenant_id\": \"contoso.com\"", 0)])
  func anAudienceOfOneOrganisationNamesIt(_ tenant: String, _ count: Int) throws {
    let files = Self.fixture("AAD", "\"audience\": { \"type\": \"AzureADMyOrg\"\(tenant) }").files
    let findings = try OutsideTests.findings(files)
    #expect(findings.map(\.mistake) == Array(repeating: "The audience lacks its tenant_id", count: count))
  }

  /// A registration for one tenant is not served at the address of all of them.
  @Test(arguments: [
    (usual, [DoctorRule.audience]),
    ("\"audience\": { \"type\": \"AzureADMyOrg\", \"tenant_id\": \"contoso.com\" }", []),
    ("\"authority_url\": \"https://login.microsoftonline.com/common\"", [.audience]),
  ])
  func theAudienceIsThatOfTheRegistration(_ entry: String, _ rules: [DoctorRule]) throws {
    var fixture = Self.fixture("AAD", entry)
    fixture.replace(
      "\"name\":", with: "\"signInAudience\": \"AzureADMyOrg\", \"name\":", in: "registration.json")
    let findings = try fixture.diagnosis().findings
    #expect(findings.map(\.rule) == rules, "\(findings)")
    #expect(findings.allSatisfy { $0.place.path.hasSuffix("auth_config.json") })
  }

  /// The change is made in the entry that has the mistake.
  @Test(arguments: [
    (
      "{ \"type\": \"AAD\" }, { \"type\": \"ADFS\", \"authority_url\": \"https://fs.contoso.com/adfs\" }",
      "\"type\": \"AAD\" }"
    ),
    ("{ \"type\": \"AAD\", \"default\": false }, { \"type\": \"AAD\" }", "\"type\": \"AAD\" }"),
    (
      "{ \"type\": \"AAD\", \"default\": true }, { \"type\": \"AAD\", \"default\": true }",
      "\"type\": \"AAD\", \"default\": false }"
    ),
    (
      "{ \"type\": \"AAD\", \"authority_url\": \"https://login.microsoftonline.com/contoso.com\" }, { \"type\": \"AAD\", \"default\": true, \"authority_url\": \"http://login.microsoftonlin.com/contoso.com\" }",
      "\"https://login.microsoftonline.com/contoso.com\" }"
    ),
  ])
  func theEntryIsMended(_ entries: String, _ part: String) throws {
    var fixture = AndroidFixture()
    fixture.replace(
      "{ \"type\": \"AAD\", \(Self.usual), \"default\": true }", with: entries,
      in: AndroidFixture.configuration)
    try withFolder(of: fixture.files) { folder in
      let repair = try #require(try Doctor.examine([folder]).findings.compactMap(Repair.init).first)
      try Data(repair.after.utf8).write(to: URL(filePath: repair.path))
      let left = try Doctor.examine([folder]).findings.filter { $0.severity == .fails }
      #expect(left == [] && repair.after.contains(part), "\(repair.after)")
    }
  }

  @Test(arguments: [
    ("\"https://login.microsoftonline.com/contoso.com\"", ""),
    ("AzureCloudInstance.AzurePublic, \"contoso.com\"", ""),
    ("Ids.Authority", ""),
    ("\"https://login.microsoftonlne.com/contoso.com\"", "The authority's host is misspelt"),
    ("\"login.microsoftonline.com/contoso.com\"", "The authority is not an https URL"),
    ("$\"http://{Ids.Host}/contoso.com\"", "The authority is not an https URL"),
  ])
  func anAuthorityInCSharpIsAtItsAddress(_ argument: String, _ mistake: String) throws {
    let findings = try OutsideTests.findings([
      "Mail.csproj": """
      <Project>
        <TargetFrameworks>net9.0-android</TargetFrameworks>
        <OutputType>Exe</OutputType>
        <ApplicationId>com.contoso.mail</ApplicationId>
        <PackageReference Include="Microsoft.Identity.Client" Version="4.66.0" />
      </Project>
      """,
      "Ids.cs": """
      public static class Ids {
        public const string Host = "login.microsoftonline.com";
        public static string Authority => "https://" + Host + "/contoso.com";
      }
      """,
      "SignIn.cs": """
      var app = PublicClientApplicationBuilder.Create("\(AndroidFixture.clientID)")
        .WithAuthority(\(argument)).Build();
      await app.AcquireTokenInteractive(scopes).ExecuteAsync();
      """,
      "MainActivity.cs": """
      [Activity(MainLauncher = true)]
      public class MainActivity : Activity {
        void On() { AuthenticationContinuationHelper.SetAuthenticationContinuationEventArgs(a, b, c); }
      }
      [Activity(Exported = true)]
      [IntentFilter(new[] { Intent.ActionView },
        Categories = new[] { Intent.CategoryBrowsable, Intent.CategoryDefault },
        DataScheme = "msal\(AndroidFixture.clientID)", DataHost = "auth")]
      public class MsalActivity : BrowserTabActivity { }
      """,
    ])
    #expect(findings.map(\.mistake) == (mistake.isEmpty ? [] : [mistake]), "\(findings)")
    #expect(findings.allSatisfy { $0.severity == .fails && $0.place.path.hasSuffix("SignIn.cs") })
  }
}
