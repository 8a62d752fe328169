import Foundation
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOKeychain
@testable import SSOLab
@testable import SSOScenarios
@testable import SSOStore
@testable import TestSamples

/// Untrusted input with random damage: each is read or rejected with a message, and nothing crashes, hangs, or is
/// wrongly trusted.
///
/// Archives have their own tests in `HostileArchiveTests`.
@Suite struct FuzzTests {
  static let key = Base64URL.decode("BU-bLN3zTfHmyhJ325A8dJJ1tzrnKMHEfsTlStdMo0U") ?? []
  static let request =
    "msauthv2://broker?authority=https%3A%2F%2Flogin.microsoftonline.com%2Fcommon"
    + "&client_id=b6c69a37-df96-4db0-9088-2ab96e1d8215&redirect_uri=msauth.com.contoso.mytestapp1%3A%2F%2Fauth"
    + "&correlation_id=0F9A2B6C-1D3E-4F5A-8B7C-9D0E1F2A3B4C"
    + "&broker_key=BU-bLN3zTfHmyhJ325A8dJJ1tzrnKMHEfsTlStdMo0U"
    + "&broker_nonce=3C5D7E9F-0A1B-4C2D-8E3F-4A5B6C7D8E9F&claims=%257B%257D&msg_protocol_ver=3&scope=User.Read"
  static let legacyRequest =
    "msauth://broker?authority=https%3A%2F%2Flogin.microsoftonline.com%2Fcommon&resource=https%3A%2F%2Fgraph.windows.net"
    + "&client_id=b6c69a37-df96-4db0-9088-2ab96e1d8215&redirect_uri=x-msauth-mytestiosapp%3A%2F%2Fcom.myapp.mytestapp"
    + "&correlation_id=0F9A2B6C-1D3E-4F5A-8B7C-9D0E1F2A3B4C&force=NO&username=&username_type=RequiredDisplayableId"
    + "&broker_key=BU-bLN3zTfHmyhJ325A8dJJ1tzrnKMHEfsTlStdMo0U&max_protocol_ver=2"

  @Test func redirectURIsAreCheckedAndNothingWrongIsBrokerCapable() throws {
    var random = Randomness(seed: fuzzSeed(11))
    var app = try #require(try ScenarioLibrary().scenario("two-vendors").world.apps.first)
    for seed in [
      "msauth.\(app.bundleID)://auth", "x-msauth-mytestiosapp://\(app.bundleID)", "https://host/p?q#f",
    ] {
      for _ in 0..<fuzzRounds(1500) {
        app.redirectURI = random.damaged(seed)
        let (checks, error) = MSALApplication(app: app).checks()
        #expect((checks.last?.verdict == .failed) == (error != nil))
        #expect(error.map { isPresentable($0.description) } ?? true)
        let (legacyChecks, legacyError) = ADALApplication(app: app).checks()
        #expect((legacyChecks.last?.verdict == .failed) == (legacyError != nil))
        _ = WebChallenge(app.redirectURI, redirectURI: seed)
        _ = CallerCheck(reportedBundleID: app.bundleID, redirectURI: app.redirectURI).check
        if app.brokerCapability.verdict == .passed { #expect(app.redirectURI.contains("://")) }
        guard let parts = URLParts(app.redirectURI) else { continue }
        // The parts are split and not repaired, so together they are the text.
        let tail = (parts.query.map { "?" + $0 } ?? "") + (parts.fragment.map { "#" + $0 } ?? "")
        let whole = parts.scheme + ":" + parts.path + tail
        #expect([whole, parts.origin + parts.path + tail].contains(app.redirectURI))
      }
    }
  }

  @Test(arguments: [request, legacyRequest]) func brokerURLsAreReadOrRefused(_ url: String) throws {
    var random = Randomness(seed: fuzzSeed(12))
    var (read, refused) = (0, 0)
    for _ in 0..<fuzzRounds(3000) {
      let text = random.damaged(url)
      do throws(BrokerError) {
        let request = try BrokerRequest(url: text)
        read += 1
        #expect(request.brokerKey.count == 32)
        // Values that were read are sent so that they can be read again.
        #expect((try? BrokerRequest(url: request.url)) == request)
      } catch {
        #expect(isPresentable(error.reason))
        refused += 1
      }
    }
    #expect(read > 100 && refused > 100)
  }

  /// The same through the entire lab: system, broker, provider, and the way back.
  @Test func damagedURLsThatAnAppOpensAreAnswered() throws {
    var random = Randomness(seed: fuzzSeed(13))
    let lab = try BrokerLab("D7-another-vendors-app").lab
    let answer =
      "x-msauth-mytestiosapp://com.myapp.mytestapp?response=AAAAAAAAAAAAAAAAAAAAAA&hash=00&msg_protocol_ver=2"
    for url in [Self.request, Self.legacyRequest, answer] {
      for _ in 0..<40 {
        let text = random.damaged(url)
        var answers: [Answer] = []
        while case .needs = try lab.perform(OpenURL(text, from: "com.myapp.mytestapp"), answers: answers) {
          answers.append(.cancel)
          try #require(answers.count < 10)
        }
      }
    }
  }

  @Test func aDamagedAnswerIsNeverBelieved() throws {
    var random = Randomness(seed: fuzzSeed(14))
    let plaintext = Data("success=1&access_token=at&broker_nonce=n&client_info=x".utf8)
    let cipher = try BrokerCrypto.encrypt(plaintext, key: Self.key)
    let fields = [
      NameValue("response", Base64URL.encode([UInt8](cipher))),
      NameValue("hash", BrokerCrypto.hash(plaintext)), NameValue("msg_protocol_ver", "3"),
    ]
    let lab = try BrokerLab().lab
    try lab.store.write(nil) { transaction in
      let intent = try IntentTransaction(transaction, realTime: lab.realTime())
      let app = try intent.app(BrokerLab.app)
      let client = MSALClient(intent.runtime.context(of: app))
      let keychain = BrokerKeys(context: client.context, accessGroup: app.sharedAccessGroup)
      let resume = ResumeState([
        "redirect_uri": app.redirectURI, "broker_nonce": "n", "keychain_group": app.sharedAccessGroup,
        "sdk_name": "msal-objc",
      ])
      _ = try keychain.key()
      let query = KeychainQuery(
        accessGroups: [app.sharedAccessGroup], itemClass: .key, service: BrokerKeys.keyTag)
      var item = try #require(try intent.credentials.items(matching: query).first)
      item.data = Data(Self.key)
      _ = try intent.credentials.update(item)
      let whole = app.redirectURI + "?" + FormEncoding.encode(fields)
      var (believed, refused) = (0, 0)
      for round in 0..<fuzzRounds(800) {
        try client.context.defaults.setResumeState(resume)
        let url = round == 0 ? whole : random.damaged(whole)
        do {
          guard
            let found = try client.brokerCall.conversation.handle(
              URLDelivery(url: url, sourceApplication: nil), isAwaited: true)
          else { continue }
          believed += 1
          #expect(found.fields == FormEncoding.decode(String(decoding: plaintext, as: UTF8.self)))
        } catch let fault as BrokerFault {
          #expect(isPresentable(fault.reason))
          refused += 1
        }
      }
      #expect(believed > 0 && refused > 100)
    }
  }

  @Test func aDamagedTokenHasTheOldClaimsOrNone() throws {
    var random = Randomness(seed: fuzzSeed(15))
    let key = try TokenSigningKey(id: "k1", from: RandomSource(Randomness(seed: 1)))
    let token = JSONWebToken(claims: [
      "iss": "https://x/y", "exp": .integer(1_772_442_000), "name": "Ada \u{202E}",
    ])
    let compact = try token.signed(by: key)
    var (valid, refused) = (0, 0)
    for _ in 0..<fuzzRounds(3000) {
      let text = random.damaged(compact)
      _ = try? JSONWebToken(unverified: text)
      if let found = try? JSONWebToken(verifying: text, keys: [key.publicKey]) {
        #expect(found.claims == token.claims)
        valid += 1
      } else {
        refused += 1
      }
    }
    #expect(refused > 2500, "\(valid) were taken as valid")
  }

  @Test(arguments: ["contoso-suite", "D7-another-vendors-app", "A3-broker-meets-the-policies"])
  func damagedScenarioFilesAreReadOrRefusedInOneLine(_ name: String) throws {
    var random = Randomness(seed: fuzzSeed(16))
    let path = bundledScenarioFolder + "/\(name).yaml"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let parents = try ["two-vendors"].reduce(into: [String: ScenarioSource]()) {
      $0[$1] = try ScenarioLibrary.file("\(bundledScenarioFolder)/\($1).yaml")
    }
    var (read, refused) = (0, 0)
    for _ in 0..<fuzzRounds(120) {
      let damaged = random.damaged(text, inserting: Randomness.yaml)
      do throws(ScenarioError) {
        let file = try ScenarioFile(ScenarioSource(path: "a.yaml", text: damaged)) { parents[$0] }
        read += 1
        if read % 10 == 0 { _ = try? Lab.temporary(file) }
      } catch {
        #expect(isPresentable(error.description) && !error.description.contains("\n"), "\(error)")
        let lines = damaged.count { $0.isNewline } + 1
        #expect(error.file != "a.yaml" || (0...lines).contains(error.line), "\(error) of \(lines)")
        refused += 1
      }
    }
    #expect(read > 0 && refused > 20)
  }
}
