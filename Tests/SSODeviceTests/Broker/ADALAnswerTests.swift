import SSOKeychain
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOLab

/// The broker's responses to ADAL (docs/behaviour/broker.md §7, §8).
///
/// The cases are those of ADAL's own tests, `ADAL/tests/unit/ios/ADBrokerMessageTests.m` and
/// `ADAL/tests/integration/ios/ADBrokerIntegrationTests.m`.
@Suite struct ADALAnswerTests {
  private let tokens = ADALAnswers.tokens()

  struct Incomplete: CustomTestStringConvertible {
    var missing: [String]
    var version = "6.0.5"
    var code = 508
    var text: String
    var testDescription: String { "\(version) without \(missing.joined(separator: ", ")): \(code)" }
  }

  @Test(arguments: [
    Incomplete(missing: ["broker_nonce"], text: "Resume state is missing the nonce!"),
    Incomplete(missing: ["redirect_uri"], text: "Resume state is missing the redirect uri!"),
    Incomplete(missing: ["redirect_uri", "broker_nonce"], text: "Resume state is missing the nonce!"),
    Incomplete(
      missing: ["redirect_uri", "broker_nonce"], version: "2.7.0",
      text: "Resume state is missing the redirect uri!"),
  ])
  func withoutItsRequestAnAnswerIsRefused(_ incomplete: Incomplete) throws {
    let resume = ADALAnswers.resume.filter { !incomplete.missing.contains($0.key) }
    let error = try ADALAnswers(incomplete.version).deliver(tokens, resume: resume).error
    #expect(error?.code == incomplete.code && error?.description == incomplete.text)
  }

  @Test(arguments: [nil, brokerBundleID]) func aURLWithoutHashIs510(_ source: String?) throws {
    let error = try ADALAnswers().deliver(["source": "authenticator"], isPlain: true, source: source).error
    #expect(error?.code == 510 && error?.description == "Key hash is missing from the broker response")
  }

  @Test func anAnswerAtAnotherAddressIs509() throws {
    let error = try ADALAnswers().deliver(tokens, to: "ms-outlook://settings/help").error
    #expect(error?.code == 509 && error?.description == "URL not coming from the expected redirect URI!")
  }

  /// The sender, the nonce of the response, and whether the response is accepted.
  @Test(arguments: [
    (brokerBundleID, "nonce", true), (brokerBundleID, nil, true), (brokerBundleID, "incorrect_nonce", true),
    (nil, "nonce", true), (nil, nil, false), (nil, "incorrect_nonce", false),
  ])
  func theNonceCountsOnlyWithoutASender(_ source: String?, _ nonce: String?, _ isTaken: Bool) throws {
    for (fields, isPlain) in [(tokens, false), (["error_description": "d", "error_code": "202"], true)] {
      var fields = fields
      fields["broker_nonce"] = nonce
      let error = try ADALAnswers().deliver(fields, isPlain: isPlain, source: source).error
      #expect(error?.code == (isTaken ? isPlain ? 202 : nil : 509))
      if !isTaken { #expect(error?.description == "Nonce in broker response does not match!") }
    }
  }

  struct Failed: CustomTestStringConvertible {
    var fields: [String: String]
    var domain = "ADAuthenticationErrorDomain"
    var code: Int
    var protocolCode: String?
    var info: [NameValue] = [NameValue("ADBrokerVersionKey", "2.1.0")]
    var testDescription: String { "\(fields["error_code"] ?? "no code") \(domain): \(code)" }
  }

  @Test(arguments: [
    Failed(
      fields: ["code": "Interaction required.", "error_code": "202"], code: 202,
      protocolCode: "Interaction required."),
    Failed(
      fields: ["code": "(null)", "error_code": "-25300", "error_domain": "ADKeychainErrorDomain"],
      domain: "ADKeychainErrorDomain", code: -25300, protocolCode: "(null)"),
    Failed(
      fields: [
        "code": "(null)", "error_code": "429", "error_domain": "ADHTTPErrorCodeDomain",
        "http_headers": "Retry-After=120&Connection=Keep-alive",
      ], domain: "ADHTTPErrorCodeDomain", code: 429,
      info: [NameValue("ADHTTPHeadersKey", "{Retry-After = 120; Connection = Keep-alive}")]),
    Failed(
      fields: [
        "protocol_code": "invalid_grant", "error_code": "203", "error_domain": "ADOAuthServerErrorDomain",
      ], domain: "ADOAuthServerErrorDomain", code: 203, protocolCode: "invalid_grant"),
    Failed(fields: [:], code: 500), Failed(fields: ["error_code": "0"], code: 500),
    Failed(fields: ["error_code": "4711", "error_domain": "com.example"], domain: "com.example", code: 4711),
  ])
  func aFailureKeepsDomainAndCode(_ failed: Failed) throws {
    let common = ["error_description": "fake error description", "x-broker-app-ver": "2.1.0"]
    let answer = try ADALAnswers().deliver(failed.fields.merging(common) { $1 }, isPlain: true)
    let error = try #require(answer.error)
    #expect(error.domain == failed.domain && error.code == failed.code)
    #expect(error.description == "fake error description" && error.oauthError == failed.protocolCode)
    #expect(error.userInfo == failed.info)
  }

  @Test func theTokensAreCachedUnderTheAnswersAuthority() throws {
    let world = try ADALAnswers()
    let result = try world.deliver(tokens).get()
    #expect(result?.accessToken == "i-am-a-access-token" && result?.username == "eric_cartman@contoso.com")
    #expect(
      try world.kinds() == [
        "legacy access token": 1, "legacy refresh token": 1, "legacy family refresh token": 1,
      ])
  }

  @Test func withoutAGroupTheTokensAreReturnedAndNotCached() throws {
    let world = try ADALAnswers()
    let resume = ADALAnswers.resume.filter { $0.key != "keychain_group" }
    #expect(try world.deliver(tokens, resume: resume).get()?.accessToken == "i-am-a-access-token")
    #expect(try world.kinds().isEmpty)
  }

  @Test func withoutAnAccessTokenTheAnswerIsMinus1() throws {
    let error = try ADALAnswers().deliver(tokens.filter { $0.key != "access_token" }).error
    #expect(
      error?.code == -1
        && error?.description == "Authentication response received without expected accessToken")
  }

  /// The tenant of the response, whether it contains `vt`, and whether its access token is accepted.
  @Test(arguments: [("common", false, true), (tenant, true, true), (tenant, false, false)])
  func anAccessTokenThatMayBeForTheWrongTenantIsRefreshed(
    _ authority: String, _ isValid: Bool, _ isTaken: Bool
  ) throws {
    let world = try ADALAnswers(extra: "authority: https://login.microsoftonline.com/\(authority)")
    try world.lab.signIn(world.app)
    let secret = try world.call { client in
      let token = try client.legacy.items().compactMap(\.refreshToken).first
      _ = try client.removal.removeAll(userID: "ada@contoso.com")
      return token
    }
    var answer = ADALAnswers.tokens("ada@contoso.com", authority: authority)
    answer["refresh_token"] = secret
    if !isValid { answer["vt"] = nil }
    let result = try #require(try world.deliver(answer).get())
    #expect((result.accessToken == "i-am-a-access-token") == isTaken)
    #expect(result.source == (isTaken ? .broker : .familyRefreshToken))
    #expect(try world.lab.kinds()["legacy access token"] == 1)
  }
  private static let tenant = "5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90"

  /// The result is compared with its own user (`ADAL/request/ADALAuthenticationRequest+Broker.m`).
  @Test func anotherUserThroughTheBrokerIsNoError() throws {
    let world = try BrokerLab("D7-another-vendors-app") { $0.apps[0].userIDType = .requiredDisplayableID }
    let call = SignIn(
      app: ADALBrokerTests.app, account: "nobody@contoso.com", scopes: [], prompt: .login)
    let typed: [Answer] = [.username("ada@contoso.com"), .password("analytical-engine"), .accept]
    let outcome = try world.perform(call, typed).0
    #expect(
      outcome.verdict == .succeeded && outcome.username == "ada@contoso.com" && outcome.source == "broker")
  }

  @Test(arguments: [true, false]) func aFailureMayBringATokenForIntune(_ hasToken: Bool) throws {
    let world = try ADALAnswers()
    var fields = [
      "error_code": "213",
      "error_description": "AADSTS53005: Application needs to enforce intune protection policies",
      "suberror": "protection_policies_required", "user_id": "somebody", "x-broker-app-ver": "2",
    ]
    if hasToken {
      try world.call { client in
        for field in try ADALAnswers.encrypted(
          tokens, for: client, names: ("intune_mam_token", "intune_mam_token_hash"))
        {
          fields[field.name] = field.value
        }
      }
    }
    let error = try #require(try world.deliver(fields, isPlain: true).error)
    #expect(error.code == 213 && error.suberror == "protection_policies_required")
    #expect(error.userID == (hasToken ? "eric_cartman@contoso.com" : "somebody"))
    #expect(try world.kinds().count == (hasToken ? 3 : 0))
  }

  /// The broker key of an app whose entitlements lack every group.
  @Test func aKeyThatCannotBeMadeIsMinus1InARequestAnd505InAnAnswer() throws {
    let world = try ADALAnswers()
    let answer = try world.call { try ADALAnswers.encrypted(tokens, for: $0) }
    let url =
      ADALAnswers.redirectURI + "?" + FormEncoding.encode(answer + [NameValue("msg_protocol_ver", "2")])
    let errors = try world.call { client in
      var locked = client
      let keychain = client.context.keychain
      locked.context.keychain = Keychain(
        store: keychain.store, app: keychain.app, now: keychain.now, trace: keychain.trace, isLocked: true)
      var found: [SDKError] = []
      do {
        _ = try locked.brokerCall.ask(ADALRequest(resource: "r", correlationID: "c"))
      } catch let error as SDKError { found.append(error) }
      try client.context.defaults.setResumeState(ResumeState(ADALAnswers.resume))
      do {
        _ = try locked.brokerCall.handle(URLDelivery(url: url, sourceApplication: brokerBundleID))
      } catch let error as SDKError { found.append(error) }
      return found
    }
    #expect(errors.map(\.code) == [-1, 505])
    #expect(
      errors.map(\.description) == ["Unable to retrieve broker key.", "Failed to decrypt broker message"])
  }

  @Test func anAnswerThatComesTooLateIsCachedAllTheSame() throws {
    let world = try BrokerLab("D7-another-vendors-app")
    _ = try world.perform(InjectFault(app: ADALBrokerTests.app, .lateURL))
    let outcome = try world.signIn(ADALBrokerTests.app).0
    #expect(outcome.errorCode == 503)
    #expect(outcome.summary == "application did not receive response from broker.")
    let silent = AcquireSilently(
      app: ADALBrokerTests.app, account: nil, scopes: [], forceRefresh: false)
    #expect(try world.perform(silent).0.source == "cache")
  }
}
