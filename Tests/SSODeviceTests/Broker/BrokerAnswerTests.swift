import Foundation
import SSOStore
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOKeychain
@testable import SSOLab

/// Every way in which a response fails, with MSAL's code and the check that stops it (docs/behaviour/broker.md §7, §9,
/// docs/behaviour/errors.md §2).
@Suite struct BrokerAnswerTests {
  struct Failure: CustomTestStringConvertible {
    var injectedFault: InjectedFault
    var code: Int
    var check: String
    var testDescription: String { "\(injectedFault.rawValue) gives \(code)" }
  }

  @Test(arguments: [
    Failure(
      injectedFault: .personReturns, code: -42700, check: "the SDK receives a URL before the app is active"),
    Failure(
      injectedFault: .lateURL, code: -42700, check: "the SDK receives a URL before the app is active"),
    Failure(injectedFault: .defaultsCleared, code: -42701, check: "resume dictionary exists"),
    Failure(injectedFault: .resumeStateDamaged, code: -42702, check: "resume dictionary is complete"),
    Failure(injectedFault: .otherRedirectURI, code: -42703, check: "URL begins with the redirect URI"),
    Failure(injectedFault: .wrongNonce, code: -42703, check: "nonce matches"),
    Failure(injectedFault: .hashMissing, code: -42704, check: "hash present"),
    Failure(injectedFault: .notBase64, code: -42705, check: "response is base64"),
    Failure(injectedFault: .truncated, code: -42706, check: "response decrypts"),
    Failure(injectedFault: .keyReplaced, code: -42706, check: "response decrypts"),
    Failure(injectedFault: .keyLost, code: -42706, check: "response decrypts"),
    Failure(injectedFault: .tampered, code: -42706, check: "response decrypts"),
    Failure(injectedFault: .hashChanged, code: -42707, check: "hash equals"),
  ])
  func isRefused(_ failure: Failure) throws {
    let world = try BrokerLab()
    _ = try world.perform(InjectFault(app: BrokerLab.app, failure.injectedFault))
    #expect(
      try world.row().warnings == [
        "next brokered call has an injected fault: \(failure.injectedFault.rawValue)"
      ])
    let (outcome, hops) = try world.signIn()
    #expect(outcome.verdict == .failed)
    #expect(outcome.errorCode == failure.code)
    #expect(failure.injectedFault.displayText.contains(": \(failure.code), ADAL "))
    #expect(outcome.failedCheck?.name == failure.check)
    #expect(hops.failed.contains(failure.check))
    #expect(outcome.errorText?.hasPrefix("Error Domain=MSALErrorDomain Code=-50000 \"(null)\"") == true)
    #expect(try world.lab.read { try $0.tokens.rows() }.isEmpty)
    #expect(try world.row().warnings.isEmpty)
    let again = try world.signIn().0
    #expect(again.verdict == .succeeded)
  }

  /// MSAL gets its key before it checks anything else (`CC/requests/sdk/MSIDBrokerResponseHandler.m`).
  @Test func aKeyThatCannotBeMadeForAnAnswerIs42709() throws {
    let world = try BrokerLab()
    let error = try world.lab.store.write(nil) { store in
      let transaction = try IntentTransaction(store, realTime: world.lab.clock())
      var context = transaction.runtime.context(of: try transaction.app(BrokerLab.app))
      try context.defaults.setResumeState(
        ResumeState([
          "redirect_uri": context.app.redirectURI, "broker_nonce": "n", "keychain_group": "g",
          "sdk_name": "msal-objc",
        ]))
      let keychain = context.keychain
      context.keychain = Keychain(
        store: keychain.store, app: keychain.app, now: keychain.now, trace: keychain.trace, isLocked: true)
      let url = context.app.redirectURI + "?msg_protocol_ver=3"
      return #expect(throws: SDKError.self) {
        try MSALClient(context).brokerCall.handle(URLDelivery(url: url, sourceApplication: nil))
      }
    }
    #expect(error?.internalCode == -42709 && error?.failedCheck?.name == "broker key found")
    #expect(
      error?.description
        == "Couldn't find broker key with error Error Domain=MSIDErrorDomain Code=-51808 \"(null)\" "
        + "UserInfo={MSIDErrorDescriptionKey=Could not write broker key -25308}")
  }

  /// `CCT/integration/ios/MSIDDefaultBrokerResponseHandlerTests.m`: they are saved, whatever the response is.
  @Test(arguments: [true, false]) func additionalTokensAreCachedBesideAFailure(_ areWhole: Bool) throws {
    let world = try BrokerLab()
    let claims: JSONValue = [
      "ver": "2.0", "preferred_username": "user@contoso.com", "tid": "tid", "oid": "oid",
    ]
    let idToken = [JSONValue.object(["alg": "none"]), claims].map { Base64URL.encode($0.bytes(.wire)) }
    let tokens: JSONValue = [
      "authority": "https://login.microsoftonline.com/common", "scope": "myscope1 myscope2",
      "client_id": "my_client_id", "id_token": .string(idToken.joined(separator: ".") + "."),
      "client_info": .string(Base64URL.encode(Array(#"{"uid":"1","utid":"1234-5678-90abcdefg"}"#.utf8))),
      "access_token": "intune-mam-accesstoken", "token_type": "Bearer",
      "refresh_token": "intune-mam-refreshtoken", "expires_on": "1900000000",
    ]
    let error = try world.lab.store.write(nil) { store in
      let transaction = try IntentTransaction(store, realTime: world.lab.clock())
      let context = transaction.runtime.context(of: try transaction.app(BrokerLab.app))
      let call = MSALClient(context).brokerCall
      try context.defaults.setResumeState(
        ResumeState([
          "redirect_uri": context.app.redirectURI, "broker_nonce": "n", "keychain_group": "g",
          "sdk_name": "msal-objc",
        ]))
      let plaintext = Data(
        FormEncoding.encode([
          NameValue("success", "0"), NameValue("broker_error_domain", "MSALErrorDomain"),
          NameValue("broker_error_code", "-50004"), NameValue("error_description", "AADSTS53005"),
          NameValue("additional_tokens", areWhole ? tokens.text(.wire) : "{"),
        ]).utf8)
      let ciphertext = try BrokerCrypto.encrypt(plaintext, key: call.conversation.keys.key())
      let query = FormEncoding.encode([
        NameValue("response", Base64URL.encode([UInt8](ciphertext))),
        NameValue("hash", BrokerCrypto.hash(plaintext)), NameValue("msg_protocol_ver", "3"),
      ])
      return #expect(throws: SDKError.self) {
        try call.handle(
          URLDelivery(url: context.app.redirectURI + "?" + query, sourceApplication: brokerBundleID))
      }
    }
    #expect(error?.code == -50004 && error?.description == "AADSTS53005")
    let rows = try world.lab.read { try $0.tokens.rows() }
    #expect(rows.map(\.clientID) == (areWhole ? ["my_client_id", "my_client_id", "my_client_id"] : []))
  }

  /// The fault, and the text of MSAL (`CC/requests/sdk/MSIDBrokerResponseHandler.m`,
  /// `CC/requests/broker/MSIDBrokerCryptoProvider.m`) and of ADAL.
  @Test(arguments: [
    (
      InjectedFault.defaultsCleared, "No broker resume state found in NSUserDefaults",
      "No resume state found in NSUserDefaults"
    ),
    (
      .resumeStateDamaged, "Resume state is missing the redirect uri!",
      "Resume state is missing the redirect uri!"
    ),
    (
      .hashMissing, "Key hash is missing from the broker response",
      "Key hash is missing from the broker response"
    ),
    (.notBase64, "Encrypted response missing from broker response", "Failed to decrypt broker message"),
    (.truncated, "Failed to decrypt broker message", "Failed to decrypt broker message"),
    (.tampered, "Failed to initialize decrypted string", "Failed to initialize decrypted string"),
    (
      .hashChanged, "Decrypted response does not match the hash", "Decrypted response does not match the hash"
    ),
    (.wrongNonce, "Broker nonce mismatch!", "Nonce in broker response does not match!"),
    (
      .personReturns, "Application did not receive response from broker.",
      "application did not receive response from broker."
    ),
  ])
  func isRefusedInTheSDKsWords(_ fault: InjectedFault, _ msal: String, _ adal: String) throws {
    let worlds = [
      (try BrokerLab(), BrokerLab.app, msal),
      (try BrokerLab("D7-another-vendors-app"), ADALBrokerTests.app, adal),
    ]
    for (world, app, text) in worlds {
      _ = try world.perform(InjectFault(app: app, fault))
      #expect(try world.signIn(app).0.summary == text)
    }
  }

  @Test func aLateAnswerIsRefusedSilently() throws {
    let world = try BrokerLab()
    _ = try world.perform(InjectFault(app: BrokerLab.app, .lateURL))
    let hops = try world.signIn().1
    let late = try #require(hops.last { $0.action == "handleMSALResponse" })
    #expect(late.result == "NO: not for this SDK")
    #expect(late.checks.last?.name == "this SDK asked")
    #expect(late.checks.last?.verdict == .failed)
  }

  @Test func theChecksOfAGoodAnswerComeInTheSDKsOrder() throws {
    let (outcome, hops) = try BrokerLab().signIn()
    #expect(outcome.verdict == .succeeded)
    #expect(
      hops.answerChecks.map(\.name) == [
        "source application is the broker", "msg_protocol_ver is 3", "this SDK asked",
        "resume dictionary exists", "resume dictionary is complete", "URL begins with the redirect URI",
        "broker key found", "hash present", "response is base64", "response decrypts", "hash equals",
        "nonce matches",
      ])
    #expect(hops.answerChecks.allSatisfy { $0.verdict == .passed })
  }

  @Test(arguments: [("12.4", true), ("13.0", false)])
  func theNonceIsComparedOnlyWithoutSourceApplication(_ version: String, _ isUnnoticed: Bool) throws {
    let world = try BrokerLab { $0.device.systemVersion = version }
    _ = try world.perform(InjectFault(app: BrokerLab.app, .wrongNonce))
    let (outcome, hops) = try world.signIn()
    #expect((outcome.verdict == .succeeded) == isUnnoticed)
    #expect(hops.answerChecks.contains { $0.name == "nonce matches" } == !isUnnoticed)
  }

  @Test func anAppThatWasKilledStillCachesItsTokens() throws {
    let world = try BrokerLab()
    _ = try world.perform(InjectFault(app: BrokerLab.app, .appKilled))
    let outcome = try world.signIn().0
    #expect(outcome.verdict == .succeeded)
    #expect(outcome.accessToken == nil)
    #expect(outcome.summary.contains("No call waited for it"))
    let silent = AcquireSilently(app: BrokerLab.app, account: nil, scopes: [], forceRefresh: false)
    #expect(try world.perform(silent).0.source == "cache")
  }

  @Test func aSecondCallIsRefusedAndTheFirstGoesOn() throws {
    let world = try BrokerLab()
    _ = try world.perform(InjectFault(app: BrokerLab.app, .secondCall))
    let (outcome, hops) = try world.signIn()
    #expect(outcome.verdict == .succeeded)
    #expect(hops.failed.contains("no other interactive call is under way"))
    let refusal = hops.first { $0.action == "error of the second call" }?.result
    #expect(refusal?.contains("MSALInternalErrorCodeKey=-42402") == true)
  }

  @Test func theApplicationTokenComesBackWithTheNextRequest() throws {
    let world = try BrokerLab()
    func check(_ hops: [Hop]) -> Check? {
      hops.flatMap(\.checks).first { $0.name == "application token" }
    }
    #expect(check(try world.signIn().1)?.found == "none")
    #expect(check(try world.signIn().1)?.verdict == .passed)
  }

  @Test func aReinstalledAppKeepsItsBrokerKey() throws {
    let world = try BrokerLab()
    _ = try world.signIn()
    let outcome = try world.perform(ReinstallApp(app: BrokerLab.app)).0
    #expect(outcome.summary.contains("its defaults are deleted"))
    let hops = try world.signIn().1
    #expect(hops.contains { $0.action == "read broker key" && $0.result == "1 item" })
    #expect(!hops.contains { $0.action == "add broker key" })
  }
}
