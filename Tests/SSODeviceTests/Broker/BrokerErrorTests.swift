import SSOStore
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOKeychain
@testable import SSOLab
@testable import SSOProvider

/// Failures that come through the broker, and a shared device, as an app with MSAL receives them
/// (docs/behaviour/broker.md §8(2)–(4)).
struct BrokerErrorTests {
  /// The headers of a JSON body, as Foundation prints them.
  private static let json =
    #""Content-Type" = "application/json; charset=utf-8"; "Cache-Control" = "no-store, no-cache"; "#
    + #"Pragma = "no-cache"; Expires = "-1";"#

  @Test(arguments: [
    ("503", "MSALErrorDomain", -42007, "MSALHTTPHeadersKey={\(json)}, MSALHTTPResponseCodeKey=503, "),
    (
      "429:30", "MSALErrorDomain", -42007,
      #"MSALHTTPHeadersKey={\#(json) "Retry-After" = 30;}, MSALHTTPResponseCodeKey=429, "#
    ),
    ("unreachable", "NSURLErrorDomain", -1004, ""),
    (
      "invalid_client", "MSALErrorDomain", -42003, "MSALDisplayableUserIdKey=ada@contoso.com, "
    ),
    (
      "unauthorized_client:protection_policy_required", "MSALErrorDomain", -50004,
      "MSALDisplayableUserIdKey=ada@contoso.com, "
    ),
  ])
  func aFailureOfTheTokenEndpoint(_ fault: String, _ domain: String, _ code: Int, _ info: String) throws {
    let world = try BrokerLab()
    _ = try world.perform(AddFault(Fault(.token, #require(Fault.Kind(fault)))))
    let outcome = try world.signIn().0
    #expect(outcome.errorDomain == domain)
    #expect(outcome.errorCode == code)
    #expect(
      outcome.errorText?.contains(info + "MSALBrokerVersionKey=6.8.30") == true, "\(outcome.errorText ?? "")")
  }

  @Test func aSecondCallMeanwhileIsToldSo() throws {
    let world = try BrokerLab()
    _ = try world.perform(InjectFault(app: BrokerLab.app, .secondCall))
    let hops = try world.signIn().1
    let refusal = hops.first { $0.action == "error of the second call" }?.result
    #expect(
      refusal?.contains("MSALErrorDescriptionKey=Broker authentication already in progress,") == true)
  }

  /// `CCT/integration/ios/MSIDDefaultBrokerResponseHandlerTests.m`, `…DeviceIsShared…`.
  @Test(arguments: [false, true]) func onASharedDeviceTheAccessTokenIsNotKept(_ isShared: Bool) throws {
    let world = try BrokerLab { $0.device.isShared = isShared }
    let outcome = try world.signIn().0
    #expect(outcome.verdict == .succeeded)
    #expect(outcome.accessToken != nil)
    let types = try world.lab.store.write(nil) {
      try $0.credentials(device: "device-1").items(
        matching: KeychainQuery(accessGroups: ["A1B2C3D4E5.com.microsoft.adalcache"]))
    }.compactMap(\.type).filter { $0 > 0 }.sorted()
    #expect(types == (isShared ? [1003, 2002, 3001, 5001] : [1003, 2001, 2002, 2003, 3001, 5001]))
  }
}
