import SSOCore
import Testing

@testable import SSOReproduce

/// Steps of logs beside steps of the lab.
struct StepComparisonTests {
  /// A refused request of the lab is a request and a response, as in logs.
  @Test func aRefusalPairsWithTheProvidersAnswer() {
    let source = [
      Hop(from: .sdk, to: .provider, action: "redeem the refresh token", result: ""),
      Hop(from: .provider, to: .sdk, action: "refuse", result: "AADSTS50173"),
    ]
    var refused = Hop(from: .sdk, to: .provider, action: "POST /common/oauth2/v2.0/token", result: "400")
    refused.refusal = Refusal(error: "invalid_grant", suberror: nil, number: "AADSTS50173", place: .token)
    let rows = StepComparison(source, [refused]).rows
    #expect(
      rows == [
        .init(
          source: "MSAL → Provider  redeem the refresh token",
          lab: "MSAL → Provider  POST /common/oauth2/v2.0/token",
          labStep: 0),
        .init(source: "Provider → MSAL  refuse", lab: "Provider → MSAL  refuse AADSTS50173", labStep: 0),
      ])
  }

  /// The lab names keychain items as they are stored, and logs in words.
  @Test func keychainItemsAreSpelledAlike() {
    let source = [Hop(from: .sdk, to: .keychain, action: "remove access token", result: "")]
    let lab = [
      Hop(from: .sdk, to: .keychain, action: "read accountmetadata", result: ""),
      Hop(from: .sdk, to: .keychain, action: "delete accesstoken", result: ""),
    ]
    let rows = StepComparison(source, lab).rows
    #expect(
      rows.map(\.lab) == ["MSAL → Keychain  read account metadata", "MSAL → Keychain  delete access token"])
    #expect(rows.map { $0.source != nil } == [false, true])
  }
}
