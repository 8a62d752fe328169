import DoctorTestSupport
import SSOCore
import Testing

@testable import SSODoctor

/// `MSALAADAuthority` rejects the URLs of other kinds of authority before anything is requested from the provider.
@Suite struct AuthorityClassTests {
  private static let fixtureAuthority = "https://login.microsoftonline.com/common"

  private static func findings(_ url: String, class name: String = "MSALAADAuthority") throws -> [DoctorCheck]
  {
    var fixture = XcodeFixture()
    fixture.replace(fixtureAuthority, with: url, in: "Mail/SignIn.swift")
    if name != "MSALAADAuthority" {
      fixture.replace("MSALAADAuthority", with: name, in: "Mail/SignIn.swift")
    }
    return try fixture.diagnosis().findings.filter { $0.rule == .authority }
  }

  @Test(arguments: [
    ("https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_signin", "MSALB2CAuthority", "-42000"),
    ("https://login.microsoftonline.com/tfp/contoso.onmicrosoft.com/B2C_1_x", "MSALB2CAuthority", "-42000"),
    ("https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_signin", "MSALB2CAuthority", "-42010"),
    ("https://contoso.ciamlogin.com/contoso.onmicrosoft.com", "MSALCIAMAuthority", "-42000"),
  ])
  func aURLOfAnotherKindIsOneFinding(_ url: String, _ wanted: String, _ code: String) throws {
    let findings = try Self.findings(url)
    #expect(findings.count == 1, "\(findings)")
    let finding = try #require(findings.first)
    #expect(finding.check.expected == wanted)
    #expect(finding.refusal?.code == code, "\(finding.refusal?.text ?? "")")
    #expect(finding.place.path.hasSuffix("Mail/SignIn.swift") && finding.place.line != nil)
    #expect(finding.fix?.hasPrefix(wanted + "(url:") == true)
  }

  /// No class of MSAL takes a URL of AD FS: its users sign in at Azure AD.
  @Test(arguments: [
    ("MSALAADAuthority", "-42000"), ("MSALADFSAuthority", "-42008"), ("MSALAuthority", "-42008"),
  ])
  func aURLOfADFSHasToBeAzureADs(_ name: String, _ code: String) throws {
    let findings = try Self.findings("https://sts.contoso.com/adfs", class: name)
    let finding = try #require(findings.first)
    #expect(findings.count == 1 && finding.refusal?.code == code, "\(findings)")
    #expect(finding.fix?.contains("https://login.microsoftonline.com/organizations") == true, "\(finding)")
  }

  @Test(arguments: [
    ("https://login.microsoftonline.com/contoso.com", "MSALAADAuthority"),
    ("https://contoso.ciamlogin.com/contoso.onmicrosoft.com", "MSALCIAMAuthority"),
    ("https://contoso.ciamlogin.com/contoso.onmicrosoft.com", "MSALAuthority"),
  ])
  func theClassOfItsKindTakesIt(_ url: String, _ name: String) throws {
    #expect(try Self.findings(url, class: name) == [])
  }
}
