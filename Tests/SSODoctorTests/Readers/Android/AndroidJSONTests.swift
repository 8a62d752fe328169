import DoctorTestSupport
import Foundation
import SSOCore
import Testing

@testable import SSODoctor

/// The values that MSAL for Android reads in its configuration.
@Suite struct AndroidJSONTests {
  private static func diagnosis(_ change: (inout AndroidFixture) -> Void) throws -> Diagnosis {
    var fixture = AndroidFixture()
    fixture.files["registration.json"] = nil
    change(&fixture)
    return try withFolder(of: fixture.files) { try Doctor.examine([$0]) }
  }

  /// Gson skips comments and a byte order mark.
  @Test func commentsAreSkipped() throws {
    let diagnosis = try Self.diagnosis {
      let text = $0.files[AndroidFixture.configuration] ?? ""
      $0.files[AndroidFixture.configuration] =
        "\u{FEFF}// the \"app's\" own\n# one\n/* two\n \"client_id\": 1 */\n" + text
    }
    #expect(diagnosis.findings == [] && diagnosis.unread == [])
    #expect(diagnosis.android.first?.configuration?.clientID?.place.line == 6)
  }

  @Test func aUserFlowNeedsItsAddress() throws {
    let findings = try Self.diagnosis {
      $0.replace(
        "{ \"type\": \"AAD\", \"audience\": { \"type\": \"AzureADMultipleOrgs\" }",
        with: "{ \"type\": \"B2C\"",
        in: AndroidFixture.configuration)
    }.findings
    #expect(findings.map(\.rule) == [.authority] && findings.first?.severity == .fails, "\(findings)")
  }

  @Test func anEmptyTenantIsNotFilledIn() throws {
    let findings = try Self.diagnosis {
      $0.replace(
        "\"AzureADMultipleOrgs\"", with: "\"AzureADMyOrg\", \"tenant_id\": \"\"",
        in: AndroidFixture.configuration)
    }.findings
    #expect(findings.map(\.rule) == [.placeholder], "\(findings)")
  }

  @Test func theExpectedAudiencesAreNamed() throws {
    let findings = try Self.diagnosis {
      $0.replace("AzureADMultipleOrgs", with: "AzureADAllOrgs", in: AndroidFixture.configuration)
    }.findings
    #expect(findings.first?.check.expected.contains("AzureADMultipleOrgs") == true)
  }
}
