import Foundation
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSOKeychain
@testable import SSOLab
@testable import SSOProvider
@testable import SSOScenarios
@testable import SSOStore

/// Requests of several clients that share a transaction, and signatures that are computed after it.
@Suite struct ServedTogetherTests {
  private let program: ServedLab
  private var lab: Lab { program.lab }

  init() throws { program = try ServedLab() }

  private func refresh(_ secret: String?) -> ServedRequest {
    lab.request(
      program.token([NameValue("grant_type", "refresh_token"), NameValue("refresh_token", secret ?? "")]),
      approval: .terminal)
  }

  @Test func eachIsAnsweredForItself() throws {
    let secret = try program.signIn().refreshToken
    let traces = try lab.read { try $0.traces.rows() }.count
    let answers = lab.serve([
      refresh(secret), refresh("0.Aunknown"), lab.request(program.authorize, approval: .terminal),
      lab.request(program.authorize, approval: .automatic(username: "nobody@contoso.com")), refresh(secret),
    ])
    #expect(answers.map { try? $0.get().answer.http.status } == [200, 400, 303, nil, 200])
    #expect(throws: LabError.self) { try answers[3].get() }
    #expect(try lab.read { try $0.provider.waitingSignIns() }.count == 1)
    #expect(try lab.read { try $0.traces.rows() }.count == traces + 3)
  }

  @Test func theSecondSeesWhatTheFirstDid() throws {
    var tenant = try #require(
      try lab.store.read { try Directory(documents: $0).tenant(byNameOrID: "contoso.com") })
    tenant.detectsRefreshTokenReuse = true
    try lab.store.write(nil) { try $0.save(tenant) }
    let secret = try program.signIn().refreshToken
    let answers = try lab.serve([refresh(secret), refresh(secret)]).map { try $0.get().answer.http }
    #expect(answers.map(\.status) == [200, 400])
    #expect(OAuthError(reading: answers[1]).aadsts == 70000)
  }

  @Test func theListsShowWhatCameLast() throws {
    let secret = try program.signIn().refreshToken
    var narrow = refresh(secret)
    narrow.http.form = narrow.http.form.filter { $0.name != "scope" } + [NameValue("scope", "User.Read")]
    let answers = try lab.serve([narrow, refresh(secret), refresh(secret), narrow]).map {
      try TokenResponse(reading: $0.get().answer.http)
    }
    #expect(answers.map { $0.refreshToken != nil } == [false, true, true, false])
    let group = ExternalClient.accessGroup(clientID: ServedLab.client)
    let kept = try lab.read { try $0.credentials.items(matching: KeychainQuery(accessGroups: [group])) }
      .compactMap { CredentialItem(data: $0.data) }
    func secrets(_ type: CredentialType) -> [String] { kept.filter { $0.type == type }.map(\.secret) }
    #expect(secrets(.accessToken) == [answers[3].accessToken])
    #expect(secrets(.refreshToken) == [answers[2].refreshToken])
    #expect(secrets(.idToken) == [answers[2].idToken])
  }

  @Test func aPartThatFailsLeavesNothing() throws {
    struct Failure: Error {}
    try lab.store.write(nil) { transaction in
      try transaction.part { try transaction.write(1, .lab, "kept") }
      #expect(throws: Failure.self) {
        try transaction.part {
          try transaction.write(2, .lab, "kept")
          throw Failure()
        }
      }
    }
    #expect(try lab.store.read { try $0.read(Int.self, .lab, "kept") } == 1)
    _ = try lab.store.write(JournalEntry(intent: "an intent", at: noon)) { transaction in
      #expect(throws: StoreError.self) { try transaction.part {} }
    }
  }
}

/// Responses whose tokens are signed after the transaction.
@Suite struct DeferredSignatureTests {
  private let program: ServedLab
  private var lab: Lab { program.lab }

  init() throws { program = try ServedLab() }

  private func refresh(_ secret: String?) -> ServedRequest {
    lab.request(
      program.token([NameValue("grant_type", "refresh_token"), NameValue("refresh_token", secret ?? "")]),
      approval: .browser)
  }

  private func published() throws -> [TokenVerificationKey] {
    let request = program.request("GET", "discovery/v2.0/keys", [])
    let body = JSONValue(bounded: try lab.serve(request, approval: .browser).answer.http.body)
    return try #require(body?["keys"]?.array).compactMap { TokenVerificationKey($0) }
  }

  @Test func theClientIsGivenSignedTokensOfTheSameLength() throws {
    let answer = lab.answer([refresh(try program.signIn().refreshToken)]).answers[0]
    let unsigned = try answer.result.get().answer.http
    let signed = try answer.signed().result(unless: nil).get().answer.http
    #expect(unsigned.body.count == signed.body.count)
    let (before, after) = (try TokenResponse(reading: unsigned), try TokenResponse(reading: signed))
    let keys = try published()
    for (blank, token) in [(before.accessToken, after.accessToken), (before.idToken, after.idToken)] {
      #expect(throws: JSONWebToken.Refusal.signature) {
        try JSONWebToken(verifying: try #require(blank), keys: keys, resolvesNonce: true)
      }
      _ = try JSONWebToken(verifying: try #require(token), keys: keys, resolvesNonce: true)
    }
  }

  /// The copies for the lists are saved with the signatures, and a process that dies in between leaves none.
  @Test func noUnsignedTokenIsStored() throws {
    let before = try lab.read { try $0.tokens.rows() }
    let secret = try program.signIn().refreshToken
    let signedIn = try lab.read { try $0.tokens.rows() }
    #expect(signedIn != before)
    let signed = lab.answer([refresh(secret)]).answers[0].signed()
    #expect(try lab.read { try $0.tokens.rows() } == signedIn)
    #expect(lab.answer([], saving: [signed]).failure == nil)
    let token = try TokenResponse(reading: signed.result(unless: nil).get().answer.http).accessToken
    let group = ExternalClient.accessGroup(clientID: ServedLab.client)
    let kept = try lab.read { try $0.credentials.items(matching: KeychainQuery(accessGroups: [group])) }
      .compactMap { CredentialItem(data: $0.data) }
    #expect(kept.filter { $0.type == .accessToken }.map(\.secret) == [token])
    #expect(
      try kept.filter { $0.type == .idToken }.allSatisfy {
        _ = try JSONWebToken(verifying: $0.secret, keys: published())
        return true
      })
  }

  /// A key that is rolled over before the signatures are computed does not change them.
  @Test func theKeyIsThatOfTheTransaction() throws {
    let answer = lab.answer([refresh(try program.signIn().refreshToken)]).answers[0]
    let key = try #require(try published().first)
    _ = try lab.perform(AddFault(Fault(.keys, .keys(.rollover), remaining: 1)))
    #expect(try published().first != key)
    let signed = try answer.signed().result(unless: nil).get()
    let token = try TokenResponse(reading: signed.answer.http).accessToken
    _ = try JSONWebToken(verifying: token, keys: [key], resolvesNonce: true)
  }

  @Test func aTokenThatIsWrongOnPurposeStaysWrong() throws {
    let request = refresh(try program.signIn().refreshToken)
    _ = try lab.perform(AddFault(Fault(.token, .token(.signature))))
    let token = try TokenResponse(reading: lab.serve([request])[0].get().answer.http).accessToken
    let keys = try published()
    #expect(throws: JSONWebToken.Refusal.signature) {
      try JSONWebToken(verifying: token, keys: keys, resolvesNonce: true)
    }
  }

  /// A client cannot have its own text signed.
  @Test func aPlaceholderOfAnotherResponseStays() throws {
    let signatures = try DeferredSignatures().compute()
    var body = Data("eyJhbGciOiJSUzI1NiJ9.e30.AAAA".utf8)
    signatures.complete(&body)
    #expect(body == Data("eyJhbGciOiJSUzI1NiJ9.e30.AAAA".utf8))
  }
}
