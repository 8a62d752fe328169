import Foundation
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSOKeychain
@testable import SSOLab
@testable import SSOProvider
@testable import SSOScenarios
@testable import SSOStore

/// Requests of several clients that share a transaction, and signatures that are computed before it.
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

  @Test func inMemoryNobodyRehearses() { #expect(lab.readOnlyReplica() == nil) }
}

@Suite struct RehearsalTests {
  private let folder: ScratchFolder
  private let lab: Lab
  private let program: ServedLab

  init() throws {
    folder = try ScratchFolder()
    lab = Lab(store: try folder.open())
    try lab.create(try ScenarioLibrary().scenario("contoso-suite"))
    program = try ServedLab(lab)
  }

  private func made() -> Int { lab.keyReader.precomputedCount }

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

  @Test func whatWasSignedAheadIsWhatTheClientIsGiven() throws {
    let request = refresh(try program.signIn().refreshToken)
    let before = try lab.read { try $0.tokens.rows() }
    lab.precomputeSignatures(for: request, on: try #require(lab.readOnlyReplica()))
    #expect(made() == 2)
    #expect(try lab.read { try $0.tokens.rows() } == before)
    let answer = try lab.serve([request])[0].get().answer.http
    #expect(made() == 0)
    let token = try TokenResponse(reading: answer).accessToken
    _ = try JSONWebToken(verifying: token, keys: published())
  }

  @Test func whatChangedAfterTheRehearsalCounts() throws {
    let request = refresh(try program.signIn().refreshToken)
    let old = try published()
    lab.precomputeSignatures(for: request, on: try #require(lab.readOnlyReplica()))
    _ = try lab.perform(AddFault(Fault(.keys, .keys(.rollover), remaining: 1)))
    let new = try published().first
    #expect(new != old.first)
    let token = try TokenResponse(reading: lab.serve([request])[0].get().answer.http).accessToken
    _ = try JSONWebToken(verifying: token, keys: [try #require(new)])
  }

  @Test func aTokenThatIsWrongOnPurposeIsRehearsedToo() throws {
    let request = refresh(try program.signIn().refreshToken)
    _ = try lab.perform(AddFault(Fault(.token, .token(.signature))))
    lab.precomputeSignatures(for: request, on: try #require(lab.readOnlyReplica()))
    #expect(made() == 2)
    let token = try TokenResponse(reading: lab.serve([request])[0].get().answer.http).accessToken
    let keys = try published()
    #expect(throws: JSONWebToken.Refusal.signature) { try JSONWebToken(verifying: token, keys: keys) }
  }

  @Test func aTokenThatIsRevokedAfterTheRehearsalIsRefused() throws {
    let request = refresh(try program.signIn().refreshToken)
    lab.precomputeSignatures(for: request, on: try #require(lab.readOnlyReplica()))
    let id = try #require(try lab.read { try $0.tokens.rows() }.first { $0.type == "RefreshToken" }?.id)
    _ = try lab.perform(ChangeCredentials(.invalidate, [id]))
    #expect(try lab.serve([request])[0].get().answer.http.status == 400)
  }
}
