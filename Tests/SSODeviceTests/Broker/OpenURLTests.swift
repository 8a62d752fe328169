import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOLab

/// URLs that no call waits for: forged requests, forged responses, and rubbish (claims B2, B3).
@Suite struct OpenURLTests {
  static let forged =
    "msauthv2://broker?authority=https%3A%2F%2Flogin.microsoftonline.com%2Fcommon"
    + "&client_id=b6c69a37-df96-4db0-9088-2ab96e1d8215&redirect_uri=msauth.com.contoso.mytestapp1%3A%2F%2Fauth"
    + "&correlation_id=0F&broker_key=\(BrokerRequestTests.key)&broker_nonce=3C&msg_protocol_ver=3&scope=User.Read"

  @Test func aForgedRequestIsRefusedByTheCallersBundleID() throws {
    let (outcome, _) = try BrokerLab().perform(OpenURL(Self.forged, from: "com.fabrikam.notes"))
    #expect(outcome.verdict == .failed)
    #expect(
      outcome.summary
        == "The broker refused the request of Fabrikam Notes: source application bundle identifier should be "
        + "same as the redirect URI domain")
    #expect(outcome.failedCheck?.name == "caller's bundle ID matches the redirect URI")
  }

  @Test func aRequestOfTheRightAppIsAnsweredButNotExpected() throws {
    let (outcome, hops) = try BrokerLab().perform(
      OpenURL(Self.forged, from: BrokerLab.app), BrokerLab.answers)
    #expect(outcome.summary == "My Test App 1 ignores the URL.")
    #expect(outcome.failedCheck?.name == "this SDK asked")
    #expect(hops.answerChecks.last?.found == "neither")
  }

  @Test func aForgedAnswerOfAnotherVendorIsNoBusinessOfTheSDK() throws {
    let (outcome, _) = try BrokerLab().perform(
      OpenURL(
        "msauth.com.contoso.mytestapp1://auth?response=AAAA&hash=00&msg_protocol_ver=3",
        from: "com.fabrikam.notes"))
    #expect(outcome.failedCheck?.name == "this SDK asked")
  }

  @Test func anAppOfTheSameTeamIsNamedAsTheSender() throws {
    let world = try BrokerLab { $0.apps[1].teamID = $0.apps[0].teamID }
    let (outcome, _) = try world.perform(
      OpenURL("msauth.com.contoso.mytestapp1://auth?msg_protocol_ver=3", from: "com.fabrikam.notes"))
    #expect(outcome.failedCheck?.name == "source application is the broker")
    #expect(outcome.failedCheck?.found == "com.fabrikam.notes")
  }

  @Test(arguments: [
    "", "x", "tel:1", "https://example.com/", "msauthv2://broker?%", "msauthv3://broker?x=1", "\u{1B}[2J",
    String(repeating: "a", count: 100_000) + "://x",
  ])
  func rubbishOpensNothing(_ url: String) throws {
    let (outcome, _) = try BrokerLab().perform(OpenURL(url, from: BrokerLab.app))
    #expect(outcome.verdict == .failed)
    #expect(outcome.summary.count < 300)
  }
}
