import DoctorTestSupport
import Foundation
import SSODoctor
import Testing

@testable import SSOReproduce

/// Reproductions of several sources together, and what must not be in them.
struct ReproductionTests {
  private static let log = """
    TID=771 MSAL 2.1.0 iOS 18.0 [2025-02-11 06:02:01 - 3E4B5C6D-0011-4A22-8B33-9C44AD55BE66] Beginning silent flow.
    TID=771 MSAL 2.1.0 iOS 18.0 [2025-02-11 06:02:01 - 3E4B5C6D-0011-4A22-8B33-9C44AD55BE66] Looking for access token...
    TID=771 MSAL 2.1.0 iOS 18.0 [2025-02-11 06:02:02 - 3E4B5C6D-0011-4A22-8B33-9C44AD55BE66] Acquiring Access token via Refresh token...
    TID=771 MSAL 2.1.0 iOS 18.0 [2025-02-11 06:02:03 - 3E4B5C6D-0011-4A22-8B33-9C44AD55BE66] acquireTokenSilent returning with error: (MSALErrorDomain, -50002) Error Domain=MSALErrorDomain Code=-50002 "(null)" UserInfo={MSALOAuthErrorKey=invalid_grant, MSALErrorDescriptionKey=AADSTS50173: User account 'jane.doe@wingtip.example' from tenant 'c0ffee00-1234-4abc-8def-001122334455' access_token=eyJhbGciOiJub25lIn0.e30.secretsecret}
    """

  @Test func theLogsNumberPlaceAndCodeAreReproduced() {
    let result = reproduce(Self.log)
    #expect(result.verdict == .reproduced)
    #expect(result.failure?.displayText == "AADSTS50173 at the token endpoint, MSALErrorDomain -50002")
    #expect(result.cause == "sessions-revoked")
    #expect(result.steps?.shared ?? 0 >= 3)
  }

  @Test func namesTenantsTokensAndIDsDoNotReachTheResult() throws {
    let result = reproduce(Self.log)
    let scenario = try #require(result.scenario)
    let text =
      String(describing: result.facts) + String(describing: result.assumptions) + scenario
      + String(describing: result.steps?.rows) + String(describing: result.changes.map(\.text))
    for secret in ["jane", "wingtip", "c0ffee00", "eyJ", "secretsecret", "3E4B5C6D"] {
      #expect(!text.contains(secret), "\(secret)")
    }
    let kept = try #require(reproduce(Self.log, keepsIDs: true).scenario)
    #expect(
      kept.contains("jane.doe@wingtip.example") && kept.contains("c0ffee00-1234-4abc-8def-001122334455"))
    #expect(!kept.contains("eyJ"))
  }

  /// A source of a code for which no row and no world is known is never called reproduced.
  @Test(arguments: ["AADSTS135010: new", "AADSTS90027: We are unable to issue tokens", "AADB2C90091"])
  func anUnknownNumberIsNotReproduced(_ text: String) {
    #expect([.notReproduced, .nothingRead, .nearest].contains(reproduce(text).verdict))
  }

  @Test func anotherSDKsCodeIsOnlyNear() {
    let result = reproduce(
      "Error Domain=MSALErrorDomain Code=-50000 MSALInternalErrorCodeKey=-42104 AADSTS50011: x")
    #expect(result.verdict == .nearest)
    #expect(result.failure?.aadsts == 50011)
    #expect(result.difference?.contains("-42104") == true)
  }

  /// The mistakes of doctor that fail, each as the lab runs the project.
  @Test(arguments: XcodeMistake.all.filter { $0.severity == .fails && $0.code != nil && !isBeyond($0) })
  func aProjectFailsWithTheCodeThatDoctorNames(_ mistake: XcodeMistake) throws {
    var fixture = XcodeFixture()
    mistake.make(&fixture)
    try fixture.inFolder { folder in
      var reader = EvidenceReader()
      reader.take(try Doctor.examine([folder, folder + "/registration.json"]))
      let result = Reproducer(reader.finish()).reproduce()
      let code = mistake.code ?? ""
      #expect(result.failure?.codes.contains(code) == true, "\(result.failure?.displayText ?? "no failure")")
      // The authority of B2C that is not declared has no value that the lab could propose.
      #expect(!result.changes.isEmpty || mistake.what.contains("B2C"))
    }
  }

  /// The mistakes that need what the lab does not have: another device's broker, Intune's SDK, an unsigned app for macOS.
  private static func isBeyond(_ mistake: XcodeMistake) -> Bool {
    ["only with a source application", "Intune has another", "for macOS without a team"].contains {
      mistake.what.contains($0)
    }
  }
}
