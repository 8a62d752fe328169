import SSOReference
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOKeychain
@testable import SSOLab
@testable import SSOProvider

/// ADAL's language to the broker: `msauth`, protocol 2, failures in plain text (docs/behaviour/broker.md §4, §8, docs/behaviour/errors.md §3).
@Suite struct ADALBrokerTests {
  static let app = "com.myapp.mytestapp"
  static let group = "A1B2C3D4E5.com.myapp.mycache"

  private func lab(_ version: String = "4.0.5", _ change: (inout LabWorld) -> Void = { _ in }) throws
    -> BrokerLab
  {
    try BrokerLab("D7-another-vendors-app") { world in
      world.apps[0].sdkVersion = version
      if !world.apps[0].adalVersion.asksForNonceCapableBroker { world.apps[0].queriesSchemes = ["msauth"] }
      change(&world)
    }
  }

  struct Failure: CustomTestStringConvertible {
    var injectedFault: InjectedFault
    var code: ADALCode
    var check: String
    var testDescription: String { "\(injectedFault.rawValue) gives \(code.number)" }
  }

  @Test(arguments: [
    Failure(
      injectedFault: .personReturns, code: .tokenBrokerResponseNotReceived,
      check: "the SDK receives a URL before the app is active"),
    Failure(
      injectedFault: .defaultsCleared, code: .tokenBrokerNoResumeState, check: "resume dictionary exists"),
    Failure(
      injectedFault: .resumeStateDamaged, code: .tokenBrokerBadResumeState,
      check: "resume dictionary is complete"),
    Failure(
      injectedFault: .otherRedirectURI, code: .tokenBrokerMismatchedResumeState,
      check: "URL begins with the redirect URI"),
    Failure(injectedFault: .wrongNonce, code: .tokenBrokerMismatchedResumeState, check: "nonce matches"),
    Failure(injectedFault: .hashMissing, code: .tokenBrokerHashMissing, check: "hash present"),
    Failure(injectedFault: .notBase64, code: .tokenBrokerDecryptionFailed, check: "response is base64"),
    Failure(injectedFault: .truncated, code: .tokenBrokerDecryptionFailed, check: "response decrypts"),
    Failure(injectedFault: .tampered, code: .tokenBrokerDecryptionFailed, check: "response decrypts"),
    Failure(injectedFault: .keyLost, code: .tokenBrokerDecryptionFailed, check: "response decrypts"),
    Failure(injectedFault: .hashChanged, code: .tokenBrokerResponseHashMismatch, check: "hash equals"),
  ])
  func isRefused(_ failure: Failure) throws {
    let world = try lab()
    _ = try world.perform(InjectFault(app: Self.app, failure.injectedFault))
    let outcome = try world.signIn(Self.app).0
    #expect(outcome.errorCode == failure.code.number)
    #expect(failure.injectedFault.displayText.contains(", ADAL \(failure.code.number)"))
    #expect(outcome.failedCheck?.name == failure.check)
    #expect(outcome.errorText?.hasPrefix("Error with code: \(failure.code.name) Domain: ") == true)
    #expect(
      try world.lab.read { try $0.keychain.rows(group: Self.group) }.allSatisfy { $0.key.itemClass == .key })
  }

  @Test func theRequestHasTheFieldsOfADAL() throws {
    let (outcome, hops) = try lab().signIn(Self.app)
    #expect(outcome.source == "broker")
    let sent = try #require(hops.first { $0.action == "openURL msauth://broker" }).sent
    #expect(
      sent.map(\.name) == [
        "authority", "resource", "client_id", "redirect_uri", "username", "username_type", "force",
        "skip_cache", "correlation_id", "broker_key", "client_version", "max_protocol_ver", "extra_qp",
        "claims", "client_capabilities", "client_app_name", "client_app_version", "intune_enrollment_ids",
        "intune_mam_resource", "broker_nonce", "application_token",
      ])
    #expect(sent["redirect_uri"] == "x-msauth-mytestiosapp://com.myapp.mytestapp")
    #expect(sent["username_type"] == "RequiredDisplayableId")
    #expect(sent["max_protocol_ver"] == "2")
    #expect(sent["force"] == "NO" && sent["skip_cache"] == "NO" && sent["username"] == "")
  }

  @Test func aCancelledPickerIsAnErrorInPlainText() throws {
    let (outcome, hops) = try lab().signIn(Self.app, answers: [.cancel])
    #expect(outcome.verdict == .cancelled)
    #expect(outcome.errorCode == 403)
    let answer = try #require(hops.first { $0.result == "failure in plain text" })
    #expect(answer.sent["error_code"] == "403")
    #expect(answer.sent["error_domain"] == "ADAuthenticationErrorDomain")
    let checks = hops.answerChecks.map(\.name)
    #expect(checks.last == "nonce matches")
    #expect(!checks.contains("response decrypts"))
  }

  @Test func beforeNonceAndApplicationTokenNeitherIsSentNorCompared() throws {
    let world = try lab("2.6.6")
    // This version has nothing that a scene delegate could call.
    _ = try world.perform(EditRecord(.app, record: Self.app, [try FieldChange("usesScenes=no")]))
    _ = try world.perform(InjectFault(app: Self.app, .wrongNonce))
    let (outcome, hops) = try world.signIn(Self.app)
    #expect(outcome.source == "broker")
    let sent = try #require(hops.first { $0.action == "openURL msauth://broker" }).sent
    #expect(sent["broker_nonce"] == nil && sent["application_token"] == nil)
    #expect(!hops.answerChecks.contains { $0.name == "nonce matches" })
    #expect(!hops.flatMap(\.checks).contains { $0.name.contains("msauthv3") })
  }

  @Test func theKeyGoesToTheFirstEntitledGroupOfAnADALApp() throws {
    let world = try lab()
    _ = try world.signIn(Self.app)
    let own = try world.lab.read { try $0.keychain.rows(group: "A1B2C3D4E5.com.myapp.mytestapp") }
    #expect(own.map(\.key.service).contains(BrokerKeys.keyTag))
  }

  @Test func adalAndMsalInOneGroupLeaveEachOthersAnswersAlone() throws {
    let world = try lab()
    let url = "x-msauth-mytestiosapp://com.myapp.mytestapp?response=AAAA&hash=00&msg_protocol_ver=3"
    let outcome = try world.perform(OpenURL(url, from: "com.fabrikam.notes")).0
    #expect(outcome.failedCheck?.name == "msg_protocol_ver is 2")
  }

  @Test func aSecondCallIsRefusedWith400() throws {
    let world = try lab()
    _ = try world.perform(InjectFault(app: Self.app, .secondCall))
    let (outcome, hops) = try world.signIn(Self.app)
    #expect(outcome.verdict == .succeeded)
    let refusal = hops.first { $0.action == "error of the second call" }?.result
    #expect(refusal?.contains("AD_ERROR_UI_MULTLIPLE_INTERACTIVE_REQUESTS") == true)
  }

  @Test func anAppThatWasKilledStillCachesItsTokens() throws {
    let world = try lab()
    _ = try world.perform(InjectFault(app: Self.app, .appKilled))
    #expect(try world.signIn(Self.app).0.summary.contains("No call waited for it"))
    let silent = AcquireSilently(app: Self.app, account: nil, scopes: [], forceRefresh: false)
    #expect(try world.perform(silent).0.source == "cache")
  }

  @Test func aPolicySendsAnADALAppToTheStore() throws {
    let world = try lab { world in
      world.device.brokerVersion = nil
      world.policies = [Policy(name: "Guard", requires: .registeredDevice)]
    }
    let typed: [Answer] = [.username("ada@contoso.com"), .password("analytical-engine"), .accept]
    #expect(try world.signIn(Self.app, answers: typed).0.summary.contains("waits for the broker"))
    let install = InstallBroker(version: nil, managed: nil)
    let outcome = try world.perform(install, BrokerLab.answers).0
    #expect(outcome.source == "broker")
    #expect(outcome.username == "ada@contoso.com")
  }
}
